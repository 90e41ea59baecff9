//! The money that moved otherwise than by rounds, one row per day and writer, and what the house owes its
//! players: the sum of these flows less what it won in the rounds.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{EntryKind, LedgerPosting, Money, Timestamp};

use crate::books::house_totals::{HouseTotals, house_totals};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::in_one_snapshot::in_one_snapshot;

/// The flows of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseFlows {
    /// The day, as days since 1970-01-01 in UTC.
    pub day: i64,
    /// The credited deposits.
    pub deposited: Money,
    /// The amounts of the withdrawals that were requested.
    pub held: Money,
    /// The amounts of withdrawals that were returned to the balances.
    pub returned: Money,
    /// The adjustments; negative if they lowered the balances.
    pub adjusted: Money,
    /// The amounts of the withdrawals whose payment arrived.
    pub arrived: Money,
    /// The house's fees that are part of these amounts.
    pub arrived_fees: Money,
}

/// What the house owes its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Liabilities {
    /// Everything that it owes.
    pub total: Money,
    /// The stakes of rounds in play.
    pub open_stakes: Money,
    /// The withdrawals that wait for a decision.
    pub pending_withdrawals: Money,
    /// All withdrawals that have neither arrived nor been returned, the pending ones included.
    pub unpaid_withdrawals: Money,
}

/// The house's flows and rounds of some days, and what it owed before them and owes now, all at the same
/// moment.
#[derive(Debug, Clone)]
pub struct FlowsOfDays {
    /// The flows of each day on which money moved, in the order of the days.
    pub flows: Vec<HouseFlows>,
    /// The totals of each game and day on which it was played, in the order of the days.
    pub totals: Vec<HouseTotals>,
    /// What the house owed when the first day began.
    pub owed_before: Money,
    /// What it owes now.
    pub owed: Liabilities,
}

#[derive(QueryableByName)]
struct FlowsRow {
    #[diesel(sql_type = BigInt)]
    day: i64,
    #[diesel(sql_type = BigInt)]
    deposited_cents: i64,
    #[diesel(sql_type = BigInt)]
    held_cents: i64,
    #[diesel(sql_type = BigInt)]
    returned_cents: i64,
    #[diesel(sql_type = BigInt)]
    adjusted_cents: i64,
    #[diesel(sql_type = BigInt)]
    arrived_cents: i64,
    #[diesel(sql_type = BigInt)]
    arrived_fee_cents: i64,
}

impl From<FlowsRow> for HouseFlows {
    fn from(row: FlowsRow) -> Self {
        Self {
            day: row.day,
            deposited: Money::from_cents(row.deposited_cents),
            held: Money::from_cents(row.held_cents),
            returned: Money::from_cents(row.returned_cents),
            adjusted: Money::from_cents(row.adjusted_cents),
            arrived: Money::from_cents(row.arrived_cents),
            arrived_fees: Money::from_cents(row.arrived_fee_cents),
        }
    }
}

/// Sums the rows of all writers.
const FLOWS: &str = "SELECT day,
        CAST(SUM(deposited_cents) AS BIGINT) AS deposited_cents,
        CAST(SUM(held_cents) AS BIGINT) AS held_cents,
        CAST(SUM(returned_cents) AS BIGINT) AS returned_cents,
        CAST(SUM(adjusted_cents) AS BIGINT) AS adjusted_cents,
        CAST(SUM(arrived_cents) AS BIGINT) AS arrived_cents,
        CAST(SUM(arrived_fee_cents) AS BIGINT) AS arrived_fee_cents
    FROM house_flows WHERE day BETWEEN $1 AND $2 GROUP BY day ORDER BY day";

#[derive(QueryableByName)]
struct OwedRow {
    #[diesel(sql_type = BigInt)]
    owed_before: i64,
    #[diesel(sql_type = BigInt)]
    owed: i64,
    #[diesel(sql_type = BigInt)]
    open_stakes: i64,
    #[diesel(sql_type = BigInt)]
    pending: i64,
    #[diesel(sql_type = BigInt)]
    unpaid: i64,
}

/// Reads a row per day and writer, and the open rounds and pending withdrawals by the indexes of the open
/// ones. Balances and paid withdrawals are not read: what players own is what came in and has not gone out.
const OWED: &str = "SELECT flows.before - rounds_won.before AS owed_before,
        flows.total - rounds_won.total AS owed, flows.unpaid AS unpaid,
        (SELECT CAST(COALESCE(SUM(stake_cents), 0) AS BIGINT) FROM rounds WHERE state = 'open')
            AS open_stakes,
        (SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM withdrawals
            WHERE status = 'pending') AS pending
    FROM (
        SELECT CAST(COALESCE(SUM(deposited_cents + adjusted_cents - arrived_cents), 0) AS BIGINT)
                AS total,
            CAST(COALESCE(SUM(CASE WHEN day < $1
                THEN deposited_cents + adjusted_cents - arrived_cents ELSE 0 END), 0) AS BIGINT)
                AS before,
            CAST(COALESCE(SUM(held_cents - returned_cents - arrived_cents), 0) AS BIGINT) AS unpaid
        FROM house_flows
    ) flows, (
        SELECT CAST(COALESCE(SUM(staked_cents - paid_cents), 0) AS BIGINT) AS total,
            CAST(COALESCE(SUM(CASE WHEN day < $1 THEN staked_cents - paid_cents ELSE 0 END), 0)
                AS BIGINT) AS before
        FROM house_totals
    ) rounds_won";

/// Reads flows, totals and liabilities for the days from `first_day` to `last_day`, in one transaction so
/// that all of them are of the same moment.
///
/// # Errors
/// If the database fails.
pub fn flows_of_days(
    connection: &mut AnyConnection,
    first_day: i64,
    last_day: i64,
) -> Result<FlowsOfDays, DatabaseError> {
    in_one_snapshot(connection, |connection| {
        let owed: OwedRow = diesel::sql_query(OWED)
            .bind::<BigInt, _>(first_day)
            .get_result(connection)?;
        let flows: Vec<FlowsRow> = diesel::sql_query(FLOWS)
            .bind::<BigInt, _>(first_day)
            .bind::<BigInt, _>(last_day)
            .load(connection)?;
        Ok(FlowsOfDays {
            flows: flows.into_iter().map(HouseFlows::from).collect(),
            totals: house_totals(connection, first_day, last_day)?,
            owed_before: Money::from_cents(owed.owed_before),
            owed: Liabilities {
                total: Money::from_cents(owed.owed),
                open_stakes: Money::from_cents(owed.open_stakes),
                pending_withdrawals: Money::from_cents(owed.pending),
                unpaid_withdrawals: Money::from_cents(owed.unpaid),
            },
        })
    })
}

/// The change of a day's flows, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FlowDelta {
    pub(crate) deposited: i64,
    pub(crate) held: i64,
    pub(crate) returned: i64,
    pub(crate) adjusted: i64,
    pub(crate) arrived: i64,
    pub(crate) arrived_fee: i64,
}

impl FlowDelta {
    fn add(&mut self, other: &Self) {
        for (total, change) in [
            (&mut self.deposited, other.deposited),
            (&mut self.held, other.held),
            (&mut self.returned, other.returned),
            (&mut self.adjusted, other.adjusted),
            (&mut self.arrived, other.arrived),
            (&mut self.arrived_fee, other.arrived_fee),
        ] {
            *total = total.saturating_add(change);
        }
    }
}

/// The changes of the house's flows by a batch, by day. All writers lock the rows in this order.
#[derive(Debug, Default)]
pub(crate) struct FlowDeltas(BTreeMap<i64, FlowDelta>);

impl FlowDeltas {
    /// Adds a ledger entry. Stakes and payouts are in the totals of the rounds.
    pub(crate) fn add_entry(&mut self, posting: &LedgerPosting, at: Timestamp) {
        let amount = posting.amount.cents();
        let delta = match posting.kind {
            EntryKind::Stake | EntryKind::Payout => return,
            EntryKind::Deposit => FlowDelta {
                deposited: amount,
                ..FlowDelta::default()
            },
            EntryKind::Withdrawal => FlowDelta {
                held: amount.saturating_neg(),
                ..FlowDelta::default()
            },
            EntryKind::WithdrawalReturned => FlowDelta {
                returned: amount,
                ..FlowDelta::default()
            },
            EntryKind::Adjustment => FlowDelta {
                adjusted: amount,
                ..FlowDelta::default()
            },
        };
        self.0.entry(at.day()).or_default().add(&delta);
    }

    /// Adds a withdrawal whose payment has arrived.
    pub(crate) fn add_arrival(&mut self, amount_cents: i64, fee_cents: i64, at: Timestamp) {
        let delta = FlowDelta {
            arrived: amount_cents,
            arrived_fee: fee_cents,
            ..FlowDelta::default()
        };
        self.0.entry(at.day()).or_default().add(&delta);
    }

    /// Adds the changes of another job.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (day, delta) in other.0 {
            self.0.entry(day).or_default().add(&delta);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changes in the order in which the rows are locked.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &FlowDelta)> {
        self.0.iter().map(|(day, delta)| (*day, delta))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn only_the_days_that_were_asked_for_and_open_items_are_read() {
        let flows = plan(FLOWS);
        let range = "SEARCH house_flows USING PRIMARY KEY (day>? AND day<?)";
        assert!(flows.contains(range), "{flows}");
        let owed = plan(OWED);
        for step in [
            "rounds USING INDEX rounds_",
            // Of the pending ones only.
            "withdrawals USING COVERING INDEX withdrawals_by_amount",
        ] {
            assert!(owed.contains(step), "{step}: {owed}");
        }
        for table in ["ledger_entries", "accounts", "payouts"] {
            assert!(!owed.contains(table), "{owed}");
        }
    }

    #[test]
    fn each_kind_of_entry_has_its_flow_on_its_day() {
        const DAY: i64 = 86_400_000_000;
        let mut deltas = FlowDeltas::default();
        let entries = [
            (EntryKind::Deposit, 1_000, DAY),
            (EntryKind::Stake, -300, DAY),
            (EntryKind::Payout, 594, DAY),
            (EntryKind::Withdrawal, -200, 2 * DAY - 1),
            (EntryKind::WithdrawalReturned, 50, 2 * DAY),
            (EntryKind::Adjustment, -7, DAY),
            (EntryKind::Adjustment, 2, DAY),
        ];
        for (kind, cents, micros) in entries {
            let posting = LedgerPosting {
                kind,
                amount: Money::from_cents(cents),
                balance_after: Money::ZERO,
            };
            deltas.add_entry(&posting, Timestamp::from_micros(micros));
        }
        deltas.add_arrival(150, 2, Timestamp::from_micros(2 * DAY));
        let first = FlowDelta {
            deposited: 1_000,
            held: 200,
            adjusted: -5,
            ..FlowDelta::default()
        };
        let second = FlowDelta {
            returned: 50,
            arrived: 150,
            arrived_fee: 2,
            ..FlowDelta::default()
        };
        let found: Vec<_> = deltas.iter().collect();
        assert_eq!(found, [(1, &first), (2, &second)]);
    }

    #[test]
    fn rounds_alone_change_no_flows() {
        let mut deltas = FlowDeltas::default();
        let stake = LedgerPosting {
            kind: EntryKind::Stake,
            amount: Money::from_cents(-1),
            balance_after: Money::ZERO,
        };
        deltas.add_entry(&stake, Timestamp::from_micros(0));
        assert!(deltas.is_empty());
    }
}
