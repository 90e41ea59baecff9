DROP INDEX accounts_by_balance_band;
ALTER TABLE accounts DROP COLUMN balance_band;
