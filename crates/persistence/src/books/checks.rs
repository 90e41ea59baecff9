//! The invariants between rows, as queries that count the violations.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::books::house_checks::HOUSE_INVARIANTS;
use crate::books::user_checks::USER_INVARIANTS;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// The number of rows in a table.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct CheckCount {
    /// The table's display name.
    #[diesel(sql_type = Text)]
    pub name: String,
    /// The number of rows.
    #[diesel(sql_type = BigInt)]
    pub value: i64,
}

/// A violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The invariant.
    pub invariant: &'static str,
    /// The number of rows that violate it.
    pub count: i64,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// A [`glasshouse_domain::LedgerReference`], built in SQL. A test compares it with the stored form.
macro_rules! reference {
    (Round, $id:literal) => {
        concat!("'round:' || ", $id)
    };
    (RoundRaise, $id:literal) => {
        concat!("'round:' || ", $id, " || '/raise'")
    };
    (PaymentCredit, $payment:literal, $number:literal) => {
        concat!("'payment:' || ", $payment, " || '/' || ", $number)
    };
    (Withdrawal, $id:literal) => {
        concat!("'withdrawal:' || ", $id)
    };
}

/// Each invariant with a query that counts its violations. The queries are the same on both
/// databases.
const INVARIANTS: &[(&str, &str)] = &[
    (
        "a balance is the sum of its ledger entries, which are numbered without gaps",
        "SELECT COUNT(*) AS value FROM accounts a LEFT JOIN (
            SELECT player_id, CAST(SUM(amount_cents) AS BIGINT) AS total, COUNT(*) AS entries,
                MAX(sequence) AS last_sequence
            FROM ledger_entries GROUP BY player_id
         ) l ON l.player_id = a.player_id
         WHERE a.balance_cents <> COALESCE(l.total, 0)
            OR a.ledger_sequence <> COALESCE(l.entries, 0)
            OR a.ledger_sequence <> COALESCE(l.last_sequence, 0)",
    ),
    (
        "each ledger entry continues from the balance of the previous one",
        "SELECT COUNT(*) AS value FROM (
            SELECT balance_after_cents - amount_cents - COALESCE(LAG(balance_after_cents)
                OVER (PARTITION BY player_id ORDER BY sequence), 0) AS difference
            FROM ledger_entries
         ) steps WHERE difference <> 0",
    ),
    (
        "the wagering requirement never exceeds the deposits",
        "SELECT COUNT(*) AS value FROM accounts a WHERE a.unwagered_cents > (
            SELECT CAST(COALESCE(SUM(e.amount_cents), 0) AS BIGINT) FROM ledger_entries e
            WHERE e.player_id = a.player_id AND e.kind = 'deposit'
         )",
    ),
    (
        // The `+` keeps SQLite from reading all entries of the player for each round.
        "every round has its stakes in the ledger",
        concat!(
            "SELECT COUNT(*) AS value FROM rounds r WHERE r.stake_cents <> -(
                SELECT CAST(COALESCE(SUM(e.amount_cents), 0) AS BIGINT) FROM ledger_entries e
                WHERE e.kind = 'stake' AND +e.player_id = r.player_id
                    AND e.reference IN (",
            reference!(Round, "r.id"),
            ", ",
            reference!(RoundRaise, "r.id"),
            ")
             )"
        ),
    ),
    (
        "every payout of a settled round is in the ledger",
        concat!(
            "SELECT COUNT(*) AS value FROM rounds r LEFT JOIN ledger_entries e
                ON e.kind = 'payout' AND e.reference = ",
            reference!(Round, "r.id"),
            " WHERE COALESCE(e.amount_cents, 0) <> r.payout_cents
                OR (e.player_id IS NOT NULL AND e.player_id <> r.player_id)
                OR (e.player_id IS NOT NULL AND r.state <> 'settled')"
        ),
    ),
    (
        "the ledger has no stake or payout without a round",
        "SELECT ABS((SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger_entries
                WHERE kind = 'stake')
                + (SELECT CAST(COALESCE(SUM(stake_cents), 0) AS BIGINT) FROM rounds))
            + ABS((SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger_entries
                WHERE kind = 'payout')
                - (SELECT CAST(COALESCE(SUM(payout_cents), 0) AS BIGINT) FROM rounds)) AS value",
    ),
    (
        "the nonces of a seed pair run from 0 without gaps up to the account's next one",
        "SELECT COUNT(*) AS value FROM (
            SELECT p.id, COUNT(r.id) AS played, COALESCE(MAX(r.nonce), -1) AS last_nonce,
                MAX(a.next_nonce) AS next_nonce
            FROM seed_pairs p
            LEFT JOIN rounds r ON r.seed_pair_id = p.id
            LEFT JOIN accounts a ON a.seed_pair_id = p.id
            GROUP BY p.id
         ) pairs
         WHERE last_nonce <> played - 1 OR COALESCE(next_nonce, played) <> played",
    ),
    (
        "every round was played with a seed pair of its player",
        "SELECT COUNT(*) AS value FROM rounds r JOIN seed_pairs p ON p.id = r.seed_pair_id
         WHERE p.player_id <> r.player_id",
    ),
    (
        "statistics are the totals of the settled rounds",
        "SELECT COUNT(*) AS value FROM player_statistics s LEFT JOIN (
            SELECT player_id, game, COUNT(*) AS rounds,
                CAST(SUM(stake_cents) AS BIGINT) AS staked,
                CAST(SUM(payout_cents) AS BIGINT) AS paid,
                SUM(CASE WHEN result = 'win' THEN 1 ELSE 0 END) AS wins,
                MAX(CASE WHEN result = 'win' THEN payout_cents ELSE 0 END) AS biggest,
                COUNT(multiplier_thousandths) AS cash_outs,
                CAST(COALESCE(SUM(multiplier_thousandths), 0) AS BIGINT) AS multipliers,
                COALESCE(MAX(multiplier_thousandths), 0) AS best
            FROM rounds WHERE state = 'settled' GROUP BY player_id, game
         ) r ON r.player_id = s.player_id AND r.game = s.game
         WHERE r.rounds IS NULL OR r.rounds <> s.rounds OR r.staked <> s.staked_cents
            OR r.paid <> s.paid_cents OR r.wins <> s.wins OR r.biggest <> s.biggest_win_cents
            OR r.cash_outs <> s.cash_outs OR r.multipliers <> s.multiplier_thousandths_total
            OR r.best <> s.best_multiplier_thousandths",
    ),
    (
        "statistics by hour are the totals of the settled rounds",
        "SELECT COUNT(*) AS value FROM (
            SELECT player_id FROM (
                SELECT player_id, hour, game, rounds, staked_cents, paid_cents
                FROM hourly_statistics
                UNION ALL
                SELECT player_id, ended_at_micros / 3600000000, game, -1, -stake_cents, -payout_cents
                FROM rounds WHERE state = 'settled'
            ) parts
            GROUP BY player_id, hour, game
            HAVING SUM(rounds) <> 0 OR SUM(staked_cents) <> 0 OR SUM(paid_cents) <> 0
         ) differences",
    ),
    (
        "daily statements are the totals of the ledger entries",
        "SELECT COUNT(*) AS value FROM (
            SELECT player_id FROM (
                SELECT player_id, day, entries, first_sequence, last_sequence, deposited_cents,
                    withdrawn_cents, adjusted_cents, staked_cents, paid_cents
                FROM daily_statements
                UNION ALL
                SELECT player_id, created_at_micros / 86400000000, -COUNT(*), -MIN(sequence),
                    -MAX(sequence),
                    -SUM(CASE WHEN kind = 'deposit' THEN amount_cents ELSE 0 END),
                    SUM(CASE WHEN kind IN ('withdrawal', 'withdrawal_returned')
                        THEN amount_cents ELSE 0 END),
                    -SUM(CASE WHEN kind = 'adjustment' THEN amount_cents ELSE 0 END),
                    SUM(CASE WHEN kind = 'stake' THEN amount_cents ELSE 0 END),
                    -SUM(CASE WHEN kind = 'payout' THEN amount_cents ELSE 0 END)
                FROM ledger_entries GROUP BY 1, 2
            ) parts
            GROUP BY player_id, day
            HAVING SUM(entries) <> 0 OR SUM(first_sequence) <> 0 OR SUM(last_sequence) <> 0
                OR SUM(deposited_cents) <> 0 OR SUM(withdrawn_cents) <> 0
                OR SUM(adjusted_cents) <> 0 OR SUM(staked_cents) <> 0 OR SUM(paid_cents) <> 0
         ) differences",
    ),
    (
        "every limit, and every pending change of one, is the last one of its history",
        "SELECT (SELECT COUNT(*) FROM player_limits l WHERE l.value <> COALESCE((
            SELECT c.new_value FROM limit_changes c
            WHERE c.player_id = l.player_id AND c.kind = l.kind AND c.period = l.period
                AND c.action IN ('set', 'confirmed')
            ORDER BY c.id DESC LIMIT 1
         ), -1)) + (SELECT COUNT(*) FROM player_limits l
            WHERE l.pending_since_micros IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM limit_changes c
                WHERE c.player_id = l.player_id AND c.kind = l.kind AND c.period = l.period
                    AND c.action = 'requested' AND c.at_micros = l.pending_since_micros
                    AND COALESCE(c.new_value, -1) = COALESCE(l.pending_value, -1)
         )) + (SELECT COUNT(*) FROM limit_changes c
            WHERE c.action = 'set' AND NOT EXISTS (
                SELECT 1 FROM player_limits l
                WHERE l.player_id = c.player_id AND l.kind = c.kind AND l.period = c.period
            ) AND NOT EXISTS (
                SELECT 1 FROM limit_changes d
                WHERE d.player_id = c.player_id AND d.kind = c.kind AND d.period = c.period
                    AND d.id > c.id AND d.action = 'confirmed' AND d.new_value IS NULL
         )) AS value",
    ),
    (
        "every credit of a payment is in the ledger of its player",
        concat!(
            "SELECT COUNT(*) AS value FROM payment_credits c LEFT JOIN ledger_entries e
                ON e.kind = 'deposit' AND e.reference = ",
            reference!(PaymentCredit, "c.payment_id", "c.number"),
            " WHERE e.player_id IS NULL OR e.player_id <> c.player_id
                OR e.amount_cents <> c.amount_cents"
        ),
    ),
    (
        "the ledger has no deposit without a credit",
        "SELECT ABS((SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger_entries
                WHERE kind = 'deposit')
            - (SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM payment_credits)) AS value",
    ),
    (
        "the credited amount of a payment is the sum of its credits, which are numbered without gaps",
        "SELECT COUNT(*) AS value FROM payments p LEFT JOIN (
            SELECT payment_id, CAST(SUM(amount_cents) AS BIGINT) AS total, COUNT(*) AS credits,
                MAX(number) AS last_number
            FROM payment_credits GROUP BY payment_id
         ) c ON c.payment_id = p.id
         WHERE p.credited_cents <> COALESCE(c.total, 0) OR p.credits <> COALESCE(c.credits, 0)
            OR p.credits <> COALESCE(c.last_number, 0)",
    ),
    (
        "the credited amount of a deposit is the sum of its payments' credits to its player",
        "SELECT (SELECT COUNT(*) FROM deposits d LEFT JOIN (
                SELECT deposit_id, CAST(SUM(credited_cents) AS BIGINT) AS total
                FROM payments GROUP BY deposit_id
            ) p ON p.deposit_id = d.id WHERE d.credited_cents <> COALESCE(p.total, 0))
          + (SELECT COUNT(*) FROM payment_credits c JOIN payments p ON p.id = c.payment_id
            JOIN deposits d ON d.id = p.deposit_id WHERE d.player_id <> c.player_id) AS value",
    ),
    (
        "every withdrawal is held in the ledger of its player, and returned if it was not paid",
        concat!(
            "SELECT COUNT(*) AS value FROM withdrawals w
             LEFT JOIN payouts p ON p.withdrawal_id = w.id
             LEFT JOIN ledger_entries h ON h.kind = 'withdrawal' AND h.reference = ",
            reference!(Withdrawal, "w.id"),
            " LEFT JOIN ledger_entries r ON r.kind = 'withdrawal_returned' AND r.reference = ",
            reference!(Withdrawal, "w.id"),
            " WHERE h.player_id IS NULL OR h.player_id <> w.player_id
                OR h.amount_cents <> -w.amount_cents
                OR COALESCE(r.amount_cents, 0) <>
                    CASE WHEN w.status IN ('rejected', 'cancelled') OR p.state = 'returned'
                        THEN w.amount_cents ELSE 0 END
                OR COALESCE(r.player_id, w.player_id) <> w.player_id"
        ),
    ),
    (
        "the ledger has no held or returned amount without a withdrawal",
        "SELECT ABS((SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger_entries
                WHERE kind = 'withdrawal')
                + (SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM withdrawals))
            + ABS((SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger_entries
                WHERE kind = 'withdrawal_returned')
                - (SELECT CAST(COALESCE(SUM(w.amount_cents), 0) AS BIGINT) FROM withdrawals w
                    LEFT JOIN payouts p ON p.withdrawal_id = w.id
                    WHERE w.status IN ('rejected', 'cancelled') OR p.state = 'returned')) AS value",
    ),
    (
        "every approved withdrawal has a payment, and no other has one",
        "SELECT COUNT(*) AS value FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id
         WHERE (w.status = 'approved') <> (p.withdrawal_id IS NOT NULL)",
    ),
    (
        "no withdrawal was approved before its delay ended",
        "SELECT COUNT(*) AS value FROM withdrawals
         WHERE status = 'approved' AND decided_at_micros < payable_from_micros",
    ),
    (
        "every game that was played has statistics",
        "SELECT COUNT(*) AS value FROM (
            SELECT DISTINCT player_id, game FROM rounds WHERE state = 'settled'
         ) r LEFT JOIN player_statistics s ON s.player_id = r.player_id AND s.game = r.game
         WHERE s.player_id IS NULL",
    ),
];

/// Checks every invariant, with one query each.
///
/// # Errors
/// If the database fails.
pub fn violations(connection: &mut AnyConnection) -> Result<Vec<Violation>, DatabaseError> {
    USER_INVARIANTS
        .iter()
        .chain(INVARIANTS)
        .chain(HOUSE_INVARIANTS)
        .map(|(invariant, query)| {
            let count: Count = diesel::sql_query(*query).get_result(connection)?;
            Ok(Violation {
                invariant,
                count: count.value,
            })
        })
        .collect()
}

/// Counts the rows that are checked.
///
/// # Errors
/// If the database fails.
pub fn counts(connection: &mut AnyConnection) -> Result<Vec<CheckCount>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT 'users' AS name, COUNT(*) AS value FROM users
         UNION ALL SELECT 'seed pairs', COUNT(*) FROM seed_pairs
         UNION ALL SELECT 'rounds', COUNT(*) FROM rounds
         UNION ALL SELECT 'ledger entries', COUNT(*) FROM ledger_entries
         UNION ALL SELECT 'deposits', COUNT(*) FROM deposits
         UNION ALL SELECT 'payments', COUNT(*) FROM payments
         UNION ALL SELECT 'withdrawals', COUNT(*) FROM withdrawals
         UNION ALL SELECT 'payments of withdrawals', COUNT(*) FROM payouts
         UNION ALL SELECT 'audit records', COUNT(*) FROM audit_log
         UNION ALL SELECT 'entries of the public log',
            CAST(COALESCE(SUM(entry_count), 0) AS BIGINT) FROM log_batches_and_places WHERE log_id IS NOT NULL
         UNION ALL SELECT 'entries that wait for their place in it',
            CAST(COALESCE(SUM(entry_count), 0) AS BIGINT) FROM waiting_log_batches",
    )
    .load(connection)?)
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::{LedgerReference, RoundId, WithdrawalId};

    use diesel::SqliteConnection;

    use super::*;
    use crate::query_plan::plans_on_filled;

    #[derive(QueryableByName)]
    struct Joined {
        #[diesel(sql_type = Text)]
        value: String,
    }

    #[test]
    fn references_built_in_sql_match_the_stored_form() {
        let round = RoundId::new(17);
        for (sql, stored) in [
            (reference!(Round, "17"), LedgerReference::Round(round)),
            (
                reference!(RoundRaise, "17"),
                LedgerReference::RoundRaise(round),
            ),
            (
                reference!(PaymentCredit, "'5077'", "2"),
                LedgerReference::PaymentCredit {
                    payment: "5077".to_owned(),
                    number: 2,
                },
            ),
            (
                reference!(Withdrawal, "9"),
                LedgerReference::Withdrawal(WithdrawalId::new(9)),
            ),
        ] {
            let joined: Joined = diesel::sql_query(format!("SELECT {sql} AS value"))
                .get_result(&mut SqliteConnection::establish(":memory:").unwrap())
                .unwrap();
            assert_eq!(joined.value, stored.to_string());
        }
    }

    /// SQLite would otherwise read all entries of a player for each of the player's rounds.
    #[test]
    fn a_rounds_entries_are_found_by_their_reference() {
        let plans = plans_on_filled("", |connection| drop(violations(connection).unwrap()));
        let of_rounds = plans.iter().filter(|plan| plan.starts_with("SCAN r;"));
        let of_entries: Vec<_> = of_rounds
            .filter(|plan| plan.contains("SEARCH e "))
            .collect();
        assert_eq!(of_entries.len(), 2, "{plans:#?}");
        for plan in of_entries {
            assert!(plan.contains("(kind=? AND reference=?)"), "{plan}");
        }
    }
}
