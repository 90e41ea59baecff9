-- For the richest users. An index on the balance would be written with every bet; the band of a balance changes
-- seldom: its number of digits, then the first digit. The list sorts those of one band.
ALTER TABLE accounts ADD COLUMN balance_band bigint NOT NULL GENERATED ALWAYS AS (
    length(balance_cents::text) * 10 + left(balance_cents::text, 1)::bigint
) STORED;
CREATE INDEX accounts_by_balance_band ON accounts (balance_band);
