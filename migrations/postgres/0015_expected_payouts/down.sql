ALTER TABLE house_totals ADD COLUMN staked_squares DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (staked_squares >= 0);
ALTER TABLE house_totals ADD COLUMN paid_squares DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (paid_squares >= 0);
ALTER TABLE house_totals ADD COLUMN cross_products DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (cross_products >= 0);
ALTER TABLE house_totals DROP COLUMN expected_cents;
ALTER TABLE house_totals DROP COLUMN variance;
