//! A player's statements by day: totals of the ledger entries, written in the transaction of the
//! entries, so that the cost of a page does not depend on the number of entries.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{EntryKind, LedgerPosting, Money, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// The totals of a player's ledger entries of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyStatement {
    /// The day, as days since 1970-01-01 in UTC.
    pub day: i64,
    /// The balance before the day.
    pub opening: Money,
    /// The credited deposits.
    pub deposited: Money,
    /// The withdrawals less those that were returned; negative if more was returned.
    pub withdrawn: Money,
    /// The administrators' adjustments; negative if they lowered the balance.
    pub adjusted: Money,
    /// The stakes.
    pub staked: Money,
    /// The payouts.
    pub paid: Money,
    /// The balance after the day.
    pub closing: Money,
    /// The number of ledger entries.
    pub entries: u64,
}

#[derive(QueryableByName)]
struct StatementRow {
    #[diesel(sql_type = BigInt)]
    day: i64,
    #[diesel(sql_type = BigInt)]
    entries: i64,
    #[diesel(sql_type = BigInt)]
    deposited_cents: i64,
    #[diesel(sql_type = BigInt)]
    withdrawn_cents: i64,
    #[diesel(sql_type = BigInt)]
    adjusted_cents: i64,
    #[diesel(sql_type = BigInt)]
    staked_cents: i64,
    #[diesel(sql_type = BigInt)]
    paid_cents: i64,
    #[diesel(sql_type = BigInt)]
    net_cents: i64,
    #[diesel(sql_type = BigInt)]
    closing_cents: i64,
}

impl TryFrom<StatementRow> for DailyStatement {
    type Error = DatabaseError;

    fn try_from(row: StatementRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            day: row.day,
            opening: Money::from_cents(row.closing_cents.saturating_sub(row.net_cents)),
            deposited: Money::from_cents(row.deposited_cents),
            withdrawn: Money::from_cents(row.withdrawn_cents),
            adjusted: Money::from_cents(row.adjusted_cents),
            staked: Money::from_cents(row.staked_cents),
            paid: Money::from_cents(row.paid_cents),
            closing: Money::from_cents(row.closing_cents),
            entries: unsigned(row.entries, "count of entries")?,
        })
    }
}

/// The closing balance is the sum of all days so far rather than the last entry's balance: where an
/// entry of a day follows the first one of the next day, each day still begins where the one before
/// ended.
const STATEMENTS: &str = "SELECT day, entries, deposited_cents, withdrawn_cents, adjusted_cents,
        staked_cents, paid_cents, net_cents,
        CAST(SUM(net_cents) OVER (ORDER BY day) AS BIGINT) AS closing_cents
    FROM (
        SELECT *, deposited_cents - withdrawn_cents + adjusted_cents - staked_cents + paid_cents
            AS net_cents
        FROM daily_statements WHERE player_id = $1 AND day < $2
    ) days
    ORDER BY day DESC LIMIT $3";

/// Reads a player's statements of the days before a day, newest first: one for each day with ledger
/// entries. Reads a row per day, however many entries there are.
///
/// # Errors
/// If the database fails.
pub fn daily_statements(
    connection: &mut AnyConnection,
    player: UserId,
    before_day: Option<i64>,
    limit: usize,
) -> Result<Vec<DailyStatement>, DatabaseError> {
    let rows: Vec<StatementRow> = diesel::sql_query(STATEMENTS)
        .bind::<BigInt, _>(player.get())
        .bind::<BigInt, _>(before_day.unwrap_or(i64::MAX))
        .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    rows.into_iter().map(DailyStatement::try_from).collect()
}

/// The changes of a player's statement of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct StatementDelta {
    pub(crate) entries: i64,
    pub(crate) first_sequence: i64,
    pub(crate) last_sequence: i64,
    pub(crate) deposited_cents: i64,
    pub(crate) withdrawn_cents: i64,
    pub(crate) adjusted_cents: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
}

impl StatementDelta {
    /// Adds a ledger entry. A player's entries are added in the order of their sequence numbers.
    pub(crate) fn add(&mut self, sequence: i64, posting: &LedgerPosting) {
        if self.entries == 0 {
            self.first_sequence = sequence;
        }
        self.entries += 1;
        self.last_sequence = sequence;
        let amount = posting.amount.cents();
        let (total, change) = match posting.kind {
            EntryKind::Deposit => (&mut self.deposited_cents, amount),
            EntryKind::Withdrawal | EntryKind::WithdrawalReturned => {
                (&mut self.withdrawn_cents, -amount)
            }
            EntryKind::Adjustment => (&mut self.adjusted_cents, amount),
            EntryKind::Stake => (&mut self.staked_cents, -amount),
            EntryKind::Payout => (&mut self.paid_cents, amount),
        };
        *total = total.saturating_add(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn a_page_reads_the_days_of_one_player() {
        let found = plan(STATEMENTS);
        assert!(
            found.contains("SEARCH daily_statements USING PRIMARY KEY (player_id=? AND day<?)"),
            "{found}"
        );
    }

    #[test]
    fn each_kind_of_entry_has_its_total() {
        let mut delta = StatementDelta::default();
        let amounts = [
            (EntryKind::Deposit, 1_000),
            (EntryKind::Stake, -300),
            (EntryKind::Payout, 594),
            (EntryKind::Withdrawal, -200),
            (EntryKind::WithdrawalReturned, 50),
            (EntryKind::Adjustment, -7),
        ];
        for (sequence, (kind, cents)) in (4..).zip(amounts) {
            let posting = LedgerPosting {
                kind,
                amount: Money::from_cents(cents),
                balance_after: Money::ZERO,
            };
            delta.add(sequence, &posting);
        }
        let expected = StatementDelta {
            entries: 6,
            first_sequence: 4,
            last_sequence: 9,
            deposited_cents: 1_000,
            withdrawn_cents: 150,
            adjusted_cents: -7,
            staked_cents: 300,
            paid_cents: 594,
        };
        assert_eq!(delta, expected);
    }
}
