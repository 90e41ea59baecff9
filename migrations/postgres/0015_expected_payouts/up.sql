-- What the rounds were expected to pay by the rules, and the variance of that: what the measured return
-- is held against. Statistics, not money. They take the place of the squares, which told how far the
-- rounds had strayed, not how far chance lets them stray.
ALTER TABLE house_totals ADD COLUMN expected_cents DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (expected_cents >= 0);
ALTER TABLE house_totals ADD COLUMN variance DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (variance >= 0);

-- Of the rounds so far only the squares are known. The squares of what they paid less what the rules
-- let expect (with the best play, at the maximum bet) have the right average.
UPDATE house_totals SET
    expected_cents = staked_cents * (CASE WHEN game <> 'poker' THEN 0.99
        WHEN variant = 'heads_up' THEN 0.9893682784 ELSE 0.9729843375 END);
UPDATE house_totals SET variance = GREATEST(0, paid_squares
    - 2 * (expected_cents / staked_cents) * cross_products
    + (expected_cents / staked_cents) * (expected_cents / staked_cents) * staked_squares)
WHERE staked_cents > 0;

ALTER TABLE house_totals DROP COLUMN staked_squares;
ALTER TABLE house_totals DROP COLUMN paid_squares;
ALTER TABLE house_totals DROP COLUMN cross_products;
