-- The expected payouts of the rounds and their variance, which the measured return is compared
-- with. Statistics, not money. They replace the sums of squares, which measured the actual
-- deviation instead of the deviation that chance allows.
ALTER TABLE house_totals ADD COLUMN expected_cents REAL NOT NULL DEFAULT 0 CHECK (expected_cents >= 0);
ALTER TABLE house_totals ADD COLUMN variance REAL NOT NULL DEFAULT 0 CHECK (variance >= 0);

-- For existing rounds only the sums of squares are known. The squared differences of payouts and
-- expected payouts (under optimal play, at the maximum bet) have the right mean.
UPDATE house_totals SET
    expected_cents = staked_cents * (CASE WHEN game <> 'poker' THEN 0.99
        WHEN variant = 'heads_up' THEN 0.9893682784 ELSE 0.9729843375 END);
UPDATE house_totals SET variance = MAX(0, paid_squares
    - 2 * (expected_cents / staked_cents) * cross_products
    + (expected_cents / staked_cents) * (expected_cents / staked_cents) * staked_squares)
WHERE staked_cents > 0;

ALTER TABLE house_totals DROP COLUMN staked_squares;
ALTER TABLE house_totals DROP COLUMN paid_squares;
ALTER TABLE house_totals DROP COLUMN cross_products;
