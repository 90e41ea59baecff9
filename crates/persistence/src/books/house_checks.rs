//! The invariants of the house's totals and flows, as queries that count the violations.

/// Each invariant with a query that counts its violations, for both databases.
pub(crate) const HOUSE_INVARIANTS: &[(&str, &str)] = &[
    (
        "the house's totals are the totals of the settled rounds, by day and game",
        // The sums of the rounds are subtracted from the totals; the differences must be zero.
        "SELECT COUNT(*) AS value FROM (
            SELECT day FROM (
                SELECT day, game, rounds, wins, staked_cents, paid_cents
                FROM house_totals
                UNION ALL
                SELECT ended_at_micros / 86400000000, game, -1,
                    CASE WHEN result = 'win' THEN -1 ELSE 0 END, -stake_cents, -payout_cents
                FROM rounds WHERE state = 'settled'
            ) parts
            GROUP BY day, game
            HAVING SUM(rounds) <> 0 OR SUM(wins) <> 0
                OR SUM(staked_cents) <> 0 OR SUM(paid_cents) <> 0
         ) differences",
    ),
    (
        "each game's exposure is what its rounds in play can win",
        "SELECT COUNT(*) AS value FROM (
            SELECT game FROM (
                SELECT game, exposure_cents FROM exposures
                UNION ALL
                SELECT game, -exposure_cents FROM rounds
                WHERE state = 'open' AND exposure_cents IS NOT NULL
            ) parts
            GROUP BY game HAVING SUM(exposure_cents) <> 0
         ) differences",
    ),
    (
        "the house's flows are the totals of the ledger entries and of the arrived withdrawals, by day",
        // Likewise. Entries of rounds are in the house's totals.
        "SELECT COUNT(*) AS value FROM (
            SELECT day FROM (
                SELECT day, deposited_cents, held_cents, returned_cents, adjusted_cents,
                    arrived_cents, arrived_fee_cents
                FROM house_flows
                UNION ALL
                SELECT created_at_micros / 86400000000,
                    CASE WHEN kind = 'deposit' THEN -amount_cents ELSE 0 END,
                    CASE WHEN kind = 'withdrawal' THEN amount_cents ELSE 0 END,
                    CASE WHEN kind = 'withdrawal_returned' THEN -amount_cents ELSE 0 END,
                    CASE WHEN kind = 'adjustment' THEN -amount_cents ELSE 0 END,
                    0, 0
                FROM ledger_entries WHERE kind NOT IN ('stake', 'payout')
                UNION ALL
                SELECT p.confirmed_at_micros / 86400000000, 0, 0, 0, 0, -w.amount_cents, -w.fee_cents
                FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
                WHERE p.state = 'confirmed'
            ) parts
            GROUP BY day
            HAVING SUM(deposited_cents) <> 0 OR SUM(held_cents) <> 0 OR SUM(returned_cents) <> 0
                OR SUM(adjusted_cents) <> 0 OR SUM(arrived_cents) <> 0
                OR SUM(arrived_fee_cents) <> 0
         ) differences",
    ),
    (
        "balances, open stakes and unpaid withdrawals are the house's flows less what it won",
        "SELECT ABS((SELECT CAST(COALESCE(SUM(balance_cents), 0) AS BIGINT) FROM accounts)
            + (SELECT CAST(COALESCE(SUM(stake_cents), 0) AS BIGINT) FROM rounds WHERE state = 'open')
            + (SELECT CAST(COALESCE(SUM(w.amount_cents), 0) AS BIGINT) FROM withdrawals w
                LEFT JOIN payouts p ON p.withdrawal_id = w.id
                WHERE w.status = 'pending' OR p.state IN ('claimed', 'sent', 'failed'))
            - (SELECT CAST(COALESCE(SUM(deposited_cents + adjusted_cents - arrived_cents), 0) AS BIGINT)
                FROM house_flows)
            + (SELECT CAST(COALESCE(SUM(staked_cents - paid_cents), 0) AS BIGINT)
                FROM house_totals)) AS value",
    ),
];
