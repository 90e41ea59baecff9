DROP TABLE exposures;
ALTER TABLE rounds DROP COLUMN exposure_cents;
ALTER TABLE games DROP COLUMN maximum_exposure_cents;
ALTER TABLE games DROP COLUMN maximum_profit_cents;
ALTER TABLE games DROP COLUMN maximum_stake_cents;
