-- The money that moved otherwise than by rounds, by day, so that the cost of the house's figures does not depend
-- on the number of ledger entries.
CREATE TABLE house_flows (
    -- Days since 1970-01-01 in UTC.
    day BIGINT NOT NULL CHECK (day >= 0),
    -- The writer that updates the row: writers sharing a row would wait for each other.
    shard BIGINT NOT NULL CHECK (shard >= 0),
    -- Credited deposits.
    deposited_cents BIGINT NOT NULL CHECK (deposited_cents >= 0),
    -- Amounts held for requested withdrawals, and those returned to the balance.
    held_cents BIGINT NOT NULL CHECK (held_cents >= 0),
    returned_cents BIGINT NOT NULL CHECK (returned_cents >= 0),
    -- Adjustments by administrators and the remainders of closed accounts; negative if they lowered the balances.
    adjusted_cents BIGINT NOT NULL,
    -- Amounts of withdrawals whose payment arrived, and the house's fees in them.
    arrived_cents BIGINT NOT NULL CHECK (arrived_cents >= 0),
    arrived_fee_cents BIGINT NOT NULL CHECK (arrived_fee_cents BETWEEN 0 AND arrived_cents),
    PRIMARY KEY (day, shard)
) WITH (fillfactor = 70);

INSERT INTO house_flows
SELECT day, 0, SUM(deposited), SUM(held), SUM(returned), SUM(adjusted), SUM(arrived), SUM(arrived_fee)
FROM (
    SELECT created_at_micros / 86400000000 AS day,
        CASE WHEN kind = 'deposit' THEN amount_cents ELSE 0 END AS deposited,
        CASE WHEN kind = 'withdrawal' THEN -amount_cents ELSE 0 END AS held,
        CASE WHEN kind = 'withdrawal_returned' THEN amount_cents ELSE 0 END AS returned,
        CASE WHEN kind = 'adjustment' THEN amount_cents ELSE 0 END AS adjusted,
        0 AS arrived, 0 AS arrived_fee
    FROM ledger_entries
    WHERE kind IN ('deposit', 'withdrawal', 'withdrawal_returned', 'adjustment')
    UNION ALL
    SELECT p.confirmed_at_micros / 86400000000, 0, 0, 0, 0, w.amount_cents, w.fee_cents
    FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
    WHERE p.state = 'confirmed'
) flows
GROUP BY day;
