//! What happened with one player, of every kind, newest first: one range of an index per kind.

use std::cmp::Ordering;

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use glasshouse_domain::{Exclusion, RoundId, TimelineKind, Timestamp, UserId};

use crate::accounts::ledger::{ENTRY_COLUMNS, EntryRow, LedgerEntry};
use crate::accounts::security_events::{EventRow, SecurityEvent};
use crate::admin::audit_log::AuditEntry;
use crate::admin::filters::Period;
use crate::admin::listing::users_by_id;
use crate::audit::AuditRecord;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::limits::changes::{ChangeRow, RecordedChange};
use crate::limits::exclusions::exclusion;
use crate::money::deposits::{Deposit, DepositRow};
use crate::money::withdrawals::{PaidWithdrawal, WithdrawalRow, with_payouts};
use crate::rounds::history::{FoundRounds, HistoryCursor, OlderRounds, older_rounds};
use crate::rounds::round::Round;
use crate::schema::{
    audit_log, deposits, exclusions, ledger_entries, limit_changes, security_events, withdrawals,
};

/// A place in a timeline. A later one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimelinePlace {
    /// When it happened.
    pub at: Timestamp,
    /// Its kind.
    pub kind: TimelineKind,
    /// Its ID among those of its kind.
    pub id: i64,
}

/// Something that happened with a player.
#[derive(Debug, Clone)]
pub enum TimelineEvent {
    /// What happened to the access to the account.
    Security(SecurityEvent),
    /// A request for a deposit, as it stands now.
    Deposit(Deposit),
    /// A request for a withdrawal, as it stands now.
    Withdrawal(Box<PaidWithdrawal>),
    /// A settled round.
    Round(Round),
    /// A ledger entry that is not of a round.
    Ledger(LedgerEntry),
    /// A change of a limit, with its ID.
    Limit(i64, RecordedChange),
    /// An exclusion, with its ID.
    Exclusion(i64, Exclusion),
    /// A record of the audit log.
    Audit(AuditEntry),
}

impl TimelineEvent {
    /// Where it is in the timeline.
    #[must_use]
    pub fn place(&self) -> TimelinePlace {
        use TimelineKind as Kind;
        let (at, kind, id) = match self {
            Self::Security(event) => (event.at, Kind::Security, event.id.get()),
            Self::Deposit(deposit) => (deposit.created_at, Kind::Deposit, deposit.id.get()),
            Self::Withdrawal(paid) => {
                let withdrawal = &paid.withdrawal;
                (withdrawal.created_at, Kind::Withdrawal, withdrawal.id.get())
            }
            Self::Round(round) => (round.settled_at(), Kind::Round, round.id.get()),
            Self::Ledger(entry) => (entry.at, Kind::Ledger, entry.sequence),
            Self::Limit(id, change) => (change.at, Kind::Limit, *id),
            Self::Exclusion(id, exclusion) => (exclusion.since, Kind::Exclusion, *id),
            Self::Audit(AuditEntry { record, .. }) => {
                let at = Timestamp::from_micros(record.created_at_micros);
                (at, Kind::Audit, record.id)
            }
        };
        TimelinePlace { at, kind, id }
    }
}

/// Selects what happened with a player.
#[derive(Debug, Clone, Copy)]
pub struct TimelineRange {
    /// The player.
    pub player: UserId,
    /// Only what happened in this period.
    pub period: Period,
    /// Only what happened before this place.
    pub after: Option<TimelinePlace>,
    /// The maximum number of events of each kind.
    pub limit: usize,
}

impl TimelineRange {
    /// The first time, and the time and ID that all events of a kind are before. IDs start at 1.
    fn bounds(&self, kind: TimelineKind) -> (i64, (i64, i64)) {
        let place = self.after.map(|after| {
            let id = match kind.cmp(&after.kind) {
                Ordering::Less => i64::MAX,
                Ordering::Equal => after.id,
                Ordering::Greater => 0,
            };
            (after.at.as_micros(), id)
        });
        let end = self.period.to.map(|to| (to.as_micros(), 0));
        let before = [place, end].into_iter().flatten().min();
        (
            self.period.from.map_or(0, Timestamp::as_micros),
            before.unwrap_or((i64::MAX, i64::MAX)),
        )
    }

    /// The condition for a range of the index on a player, a time and an ID. Like `rows_before`, it leaves no
    /// other index with the order `owner DESC, time DESC, id DESC`.
    fn condition(
        &self,
        connection: &AnyConnection,
        kind: TimelineKind,
        columns: [&'static str; 3],
    ) -> SqlLiteral<Bool> {
        let (first, (at, id)) = self.bounds(kind);
        let player = self.player.get();
        let [owner, _, last] = columns;
        let columns = columns.join(", ");
        // PostgreSQL guesses that two comparisons of rows select more than two of the player do, and would read and
        // sort all of the player's rows by an index without the time. The last condition is that of its indexes.
        // SQLite uses one pair of comparisons only.
        let of_player = match connection {
            AnyConnection::Sqlite(_) => String::new(),
            AnyConnection::Postgres(_) => {
                format!(" AND {owner} BETWEEN {player} AND {player} AND {last} > 0")
            }
        };
        sql(&format!(
            "({columns}) < ({player}, {at}, {id}) AND ({columns}) >= ({player}, {first}, 0){of_player}"
        ))
    }

    fn limit(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX)
    }
}

/// Reads what happened with a player of one kind, newest first.
///
/// # Errors
/// If the database fails.
pub fn timeline_events(
    connection: &mut AnyConnection,
    kind: TimelineKind,
    range: &TimelineRange,
) -> Result<Vec<TimelineEvent>, DatabaseError> {
    match kind {
        TimelineKind::Security => security(connection, range),
        TimelineKind::Deposit => of_deposits(connection, range),
        TimelineKind::Withdrawal => of_withdrawals(connection, range),
        TimelineKind::Round => rounds(connection, range),
        TimelineKind::Ledger => ledger(connection, range),
        TimelineKind::Limit => limits(connection, range),
        TimelineKind::Exclusion => of_exclusions(connection, range),
        TimelineKind::Audit => audit(connection, range),
    }
}

/// The rows of a kind, newest first.
macro_rules! newest {
    ($connection:expr, $range:expr, $kind:ident, $table:ident.($owner:ident, $at:ident, $id:ident), $columns:expr) => {{
        let columns = [stringify!($owner), stringify!($at), stringify!($id)];
        $table::table
            .filter($range.condition($connection, TimelineKind::$kind, columns))
            .order((
                $table::$owner.desc(),
                $table::$at.desc(),
                $table::$id.desc(),
            ))
            .limit($range.limit())
            .select($columns)
    }};
}

type Events = Result<Vec<TimelineEvent>, DatabaseError>;

fn security(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<EventRow> = newest!(
        connection,
        range,
        Security,
        security_events.(user_id, created_at_micros, id),
        EventRow::as_select()
    )
    .load(connection)?;
    let event = |row| SecurityEvent::try_from(row).map(TimelineEvent::Security);
    rows.into_iter().map(event).collect()
}

fn of_deposits(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<DepositRow> = newest!(
        connection,
        range,
        Deposit,
        deposits.(player_id, created_at_micros, id),
        DepositRow::as_select()
    )
    .load(connection)?;
    let event = |row| Deposit::try_from(row).map(TimelineEvent::Deposit);
    rows.into_iter().map(event).collect()
}

fn of_withdrawals(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<WithdrawalRow> = newest!(
        connection,
        range,
        Withdrawal,
        withdrawals.(player_id, created_at_micros, id),
        WithdrawalRow::as_select()
    )
    .load(connection)?;
    let found = with_payouts(connection, rows)?.into_iter();
    let boxed = found.map(|paid| TimelineEvent::Withdrawal(Box::new(paid)));
    Ok(boxed.collect())
}

fn rounds(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let (ended_from, (ended_at, id)) = range.bounds(TimelineKind::Round);
    let older = OlderRounds {
        player: range.player,
        games: &[],
        found: range.period.from.map(|_| FoundRounds {
            ended_from,
            stakes: (i64::MIN, i64::MAX),
        }),
        after: Some(HistoryCursor {
            ended_at: Timestamp::from_micros(ended_at),
            id: RoundId::new(id),
        }),
        limit: range.limit(),
    };
    let found = older_rounds(connection, &older)?.into_iter();
    Ok(found.map(TimelineEvent::Round).collect())
}

/// The condition is literally that of the index.
fn ledger(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<EntryRow> = newest!(
        connection,
        range,
        Ledger,
        ledger_entries.(player_id, created_at_micros, sequence),
        ENTRY_COLUMNS
    )
    .filter(sql::<Bool>("kind NOT IN ('stake', 'payout')"))
    .load(connection)?;
    let event = |row| LedgerEntry::try_from(row).map(TimelineEvent::Ledger);
    rows.into_iter().map(event).collect()
}

fn limits(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<ChangeRow> = newest!(
        connection,
        range,
        Limit,
        limit_changes.(player_id, at_micros, id),
        ChangeRow::as_select()
    )
    .load(connection)?;
    let event = |row| {
        let (id, change) = <(i64, RecordedChange)>::try_from(row)?;
        Ok(TimelineEvent::Limit(id, change))
    };
    rows.into_iter().map(event).collect()
}

fn of_exclusions(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let rows: Vec<(i64, (String, i64, i64))> = newest!(
        connection,
        range,
        Exclusion,
        exclusions.(player_id, since_micros, id),
        (
            exclusions::id,
            (
                exclusions::duration,
                exclusions::since_micros,
                exclusions::until_micros
            )
        )
    )
    .load(connection)?;
    let event = |(id, row)| Ok(TimelineEvent::Exclusion(id, exclusion(row)?));
    rows.into_iter().map(event).collect()
}

/// The condition is literally that of the index.
fn audit(connection: &mut AnyConnection, range: &TimelineRange) -> Events {
    let records: Vec<AuditRecord> = newest!(
        connection,
        range,
        Audit,
        audit_log.(target_user_id, created_at_micros, id),
        AuditRecord::as_select()
    )
    .filter(sql::<Bool>(
        "target_user_id IS NOT NULL AND action <> 'personal_data_viewed'",
    ))
    .load(connection)?;
    let actors = records.iter().filter_map(|record| record.actor_id);
    let users = users_by_id(connection, actors.chain([range.player.get()]))?;
    let named = |id: Option<i64>| id.and_then(|id| users.get(&id).cloned());
    let entry = |record: AuditRecord| AuditEntry {
        actor: named(record.actor_id),
        target: named(record.target_user_id),
        record,
    };
    let found = records.into_iter().map(entry);
    Ok(found.map(TimelineEvent::Audit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plans_of;

    #[test]
    fn each_kind_is_one_range_without_sorting() {
        let at = |micros| Some(Timestamp::from_micros(micros));
        let range = TimelineRange {
            player: UserId::new(1),
            period: Period {
                from: at(1),
                to: at(9),
            },
            after: Some(TimelinePlace {
                at: Timestamp::from_micros(5),
                kind: TimelineKind::Round,
                id: 3,
            }),
            limit: 10,
        };
        for kind in TimelineKind::ALL {
            let plans = plans_of(|connection| {
                timeline_events(connection, *kind, &range).unwrap();
            });
            let index = match kind {
                TimelineKind::Security => "security_events_by_time",
                TimelineKind::Deposit => "deposits_of_player_by_time",
                TimelineKind::Withdrawal => "withdrawals_of_player_by_time",
                TimelineKind::Round => "rounds_history",
                TimelineKind::Ledger => "ledger_entries_besides_rounds",
                TimelineKind::Limit => "limit_changes_by_time",
                TimelineKind::Exclusion => "exclusions_by_time",
                TimelineKind::Audit => "audit_log_of_user",
            };
            let plan = &plans[0];
            assert!(plan.starts_with("SEARCH"), "{plan}");
            assert!(plan.contains(&format!(" {index} ")), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
            // Both ends of the range are places in the index.
            assert!(
                *kind == TimelineKind::Round || plan.matches("micros").count() == 2,
                "{plan}"
            );
        }
    }

    #[test]
    fn a_kind_goes_on_after_the_place_of_another() {
        let after = |kind| TimelineRange {
            player: UserId::new(1),
            period: Period::ALWAYS,
            after: Some(TimelinePlace {
                at: Timestamp::from_micros(7),
                kind,
                id: 4,
            }),
            limit: 1,
        };
        let before = |kind| after(kind).bounds(TimelineKind::Round).1;
        assert_eq!(before(TimelineKind::Deposit), (7, 0));
        assert_eq!(before(TimelineKind::Round), (7, 4));
        assert_eq!(before(TimelineKind::Ledger), (7, i64::MAX));
        let mut ended = after(TimelineKind::Ledger);
        ended.period.to = Some(Timestamp::from_micros(7));
        assert_eq!(ended.bounds(TimelineKind::Round).1, (7, 0));
    }
}
