DROP INDEX users_blocked;
ALTER TABLE users DROP COLUMN withdrawing_block_reason;
ALTER TABLE users DROP COLUMN betting_block_reason;
DROP TABLE switches;
