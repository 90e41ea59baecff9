//! The limits in force and their pending changes.

use diesel::prelude::*;
use glasshouse_domain::{LimitKind, LimitPeriod, PendingChange, PlayerLimit, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::player_limits;

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = player_limits)]
pub(crate) struct LimitRow {
    pub(crate) player_id: i64,
    kind: String,
    period: String,
    value: i64,
    since_micros: i64,
    pending_since_micros: Option<i64>,
    pending_value: Option<i64>,
}

impl LimitRow {
    fn of(player: UserId, limit: &PlayerLimit) -> Self {
        let pending = limit.pending;
        Self {
            player_id: player.get(),
            kind: limit.kind.as_str().to_owned(),
            period: limit.period.as_str().to_owned(),
            value: limit.value,
            since_micros: limit.since.as_micros(),
            pending_since_micros: pending.map(|pending| pending.requested_at.as_micros()),
            pending_value: pending.and_then(|pending| pending.value),
        }
    }
}

impl TryFrom<LimitRow> for PlayerLimit {
    type Error = DatabaseError;

    fn try_from(row: LimitRow) -> Result<Self, DatabaseError> {
        let (kind, period) = parse_names(&row.kind, &row.period)?;
        Ok(Self {
            kind,
            period,
            value: row.value,
            since: Timestamp::from_micros(row.since_micros),
            pending: row.pending_since_micros.map(|micros| PendingChange {
                value: row.pending_value,
                requested_at: Timestamp::from_micros(micros),
            }),
        })
    }
}

/// Parses the stored names of a limit's kind and period.
pub(crate) fn parse_names(
    kind: &str,
    period: &str,
) -> Result<(LimitKind, LimitPeriod), DatabaseError> {
    LimitKind::parse(kind)
        .zip(LimitPeriod::parse(period))
        .ok_or_else(|| DatabaseError::corrupt(format!("unknown limit {kind} {period}")))
}

/// A player's limits, in the order of their names.
pub(crate) fn limits_of(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Vec<PlayerLimit>, DatabaseError> {
    let rows: Vec<LimitRow> = player_limits::table
        .filter(player_limits::player_id.eq(player.get()))
        .select(LimitRow::as_select())
        .load(connection)?;
    let limits: Result<Vec<PlayerLimit>, _> = rows.into_iter().map(PlayerLimit::try_from).collect();
    let mut limits = limits?;
    limits.sort_unstable_by_key(|limit| (limit.kind, limit.period));
    Ok(limits)
}

impl Transaction<'_, '_> {
    /// A player's limits. They are read under the lock of the player's account.
    ///
    /// # Errors
    /// If the database fails.
    pub fn limits_of(&mut self, player: UserId) -> Result<Vec<PlayerLimit>, DatabaseError> {
        self.execute(|connection| limits_of(connection, player))
    }

    /// Writes a limit, or changes it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_limit(&mut self, player: UserId, limit: &PlayerLimit) -> Result<(), DatabaseError> {
        self.remove_limit(player, limit.kind, limit.period)?;
        self.execute(|connection| {
            diesel::insert_into(player_limits::table)
                .values(LimitRow::of(player, limit))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes a limit, if it exists.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_limit(
        &mut self,
        player: UserId,
        kind: LimitKind,
        period: LimitPeriod,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let key = (player.get(), kind.as_str(), period.as_str());
            diesel::delete(player_limits::table.find(key)).execute(connection)?;
            Ok(())
        })
    }
}
