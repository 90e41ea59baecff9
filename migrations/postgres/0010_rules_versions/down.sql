DROP TRIGGER rounds_keep_their_rules ON rounds;
ALTER TABLE rounds DROP COLUMN rules_version;
