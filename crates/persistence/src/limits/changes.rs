//! The history of a player's limits, which is only ever appended to.

use diesel::prelude::*;
use glasshouse_domain::{LimitKind, LimitPeriod, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::limits::player_limits::parse_names;
use crate::page::Page;
use crate::rows_before::rows_before;
use crate::schema::limit_changes;

/// What happened to a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeAction {
    /// It was set or lowered, in force at once.
    Set,
    /// A raise or removal was requested.
    Requested,
    /// The requested raise or removal was confirmed and is in force.
    Confirmed,
    /// The requested raise or removal was withdrawn.
    Withdrawn,
}

impl ChangeAction {
    const ALL: [Self; 4] = [Self::Set, Self::Requested, Self::Confirmed, Self::Withdrawn];

    /// The name in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Requested => "requested",
            Self::Confirmed => "confirmed",
            Self::Withdrawn => "withdrawn",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == text)
    }
}

/// A change of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedChange {
    /// What the limit bounds.
    pub kind: LimitKind,
    /// Its period.
    pub period: LimitPeriod,
    /// What happened.
    pub action: ChangeAction,
    /// The limit in force before; `None` if there was none.
    pub old_value: Option<i64>,
    /// The limit that was set or requested; `None` if none. For a withdrawn request the limit that
    /// stays.
    pub new_value: Option<i64>,
    /// When it happened.
    pub at: Timestamp,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = limit_changes)]
pub(crate) struct ChangeRow {
    id: i64,
    kind: String,
    period: String,
    action: String,
    old_value: Option<i64>,
    new_value: Option<i64>,
    at_micros: i64,
}

impl TryFrom<ChangeRow> for (i64, RecordedChange) {
    type Error = DatabaseError;

    fn try_from(row: ChangeRow) -> Result<Self, DatabaseError> {
        let (kind, period) = parse_names(&row.kind, &row.period)?;
        let action = ChangeAction::parse(&row.action)
            .ok_or_else(|| DatabaseError::corrupt(format!("unknown change {}", row.action)))?;
        let change = RecordedChange {
            kind,
            period,
            action,
            old_value: row.old_value,
            new_value: row.new_value,
            at: Timestamp::from_micros(row.at_micros),
        };
        Ok((row.id, change))
    }
}

/// Reads a page of the changes of a player's limits older than `before`, newest first. Each comes with
/// its ID.
///
/// # Errors
/// If the database fails.
pub fn limit_changes(
    connection: &mut AnyConnection,
    player: UserId,
    before: Option<i64>,
    limit: usize,
) -> Result<Page<(i64, RecordedChange), i64>, DatabaseError> {
    let rows: Vec<ChangeRow> = limit_changes::table
        .filter(rows_before("player_id", player, before.unwrap_or(i64::MAX)))
        .order((limit_changes::player_id.desc(), limit_changes::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(ChangeRow::as_select())
        .load(connection)?;
    Page::of(rows, limit, |(id, _)| *id)
}

impl Transaction<'_, '_> {
    /// Records a change of a player's limit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_limit_change(
        &mut self,
        player: UserId,
        change: &RecordedChange,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(limit_changes::table)
                .values((
                    limit_changes::player_id.eq(player.get()),
                    limit_changes::kind.eq(change.kind.as_str()),
                    limit_changes::period.eq(change.period.as_str()),
                    limit_changes::action.eq(change.action.as_str()),
                    limit_changes::old_value.eq(change.old_value),
                    limit_changes::new_value.eq(change.new_value),
                    limit_changes::at_micros.eq(change.at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
