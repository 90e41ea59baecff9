DROP TRIGGER rounds_keep_their_variant;
DROP INDEX rounds_one_open;
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game) WHERE state = 'open';
ALTER TABLE rounds DROP COLUMN variant;
