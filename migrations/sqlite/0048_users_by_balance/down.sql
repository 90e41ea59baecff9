DROP TRIGGER accounts_change_their_band;
DROP TRIGGER accounts_begin_in_a_band;
DROP INDEX accounts_by_balance_band;
ALTER TABLE accounts DROP COLUMN balance_band;
