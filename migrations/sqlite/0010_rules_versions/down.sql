DROP TRIGGER rounds_keep_their_rules;
ALTER TABLE rounds DROP COLUMN rules_version;
