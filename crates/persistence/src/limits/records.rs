//! Everything that says how much of a player's limits is used.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use glasshouse_domain::{DepositStatus, Game, Money, PlayerLimit, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::limits::player_limits::limits_of;
use crate::rounds::open_rounds::open_rounds;
use crate::schema::{daily_play_time, daily_statements, deposits, exclusions, users};

/// The totals of a player's ledger entries of a day, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayTotals {
    /// The day, as days since 1970-01-01 in UTC.
    pub day: i64,
    /// The credited deposits.
    pub deposited_cents: i64,
    /// The stakes.
    pub staked_cents: i64,
    /// The payouts.
    pub paid_cents: i64,
}

/// The time that a player was active on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayDay {
    /// The day, as days since 1970-01-01 in UTC.
    pub day: i64,
    /// The time in microseconds.
    pub active_micros: i64,
}

/// A player's limits and exclusion, and what is used of the limits.
#[derive(Debug, Clone)]
pub struct LimitRecords {
    /// The limits in force.
    pub limits: Vec<PlayerLimit>,
    /// The totals of the days since the requested one that have ledger entries.
    pub totals: Vec<DayTotals>,
    /// The days since the requested one on which the player was active.
    pub play_days: Vec<PlayDay>,
    /// Game and opening stake of each open round.
    pub open_rounds: Vec<(Game, Money)>,
    /// The latest end of an exclusion, in the future or past.
    pub excluded_until: Option<Timestamp>,
    /// Whether the account is closed.
    pub is_closed: bool,
    /// Whether the operator does not let the player bet.
    pub is_betting_blocked: bool,
    /// Whether the operator does not let the player withdraw.
    pub is_withdrawing_blocked: bool,
}

/// Reads a player's limits, and what was used of them since a day.
///
/// # Errors
/// If the database fails.
pub fn limit_records(
    connection: &mut AnyConnection,
    player: UserId,
    since_day: i64,
) -> Result<LimitRecords, DatabaseError> {
    let excluded_until: Option<i64> = exclusions::table
        .filter(exclusions::player_id.eq(player.get()))
        .select(diesel::dsl::max(exclusions::until_micros))
        .first(connection)?;
    let open = open_rounds(connection, player)?;
    let (closed_at, no_bets, no_withdrawals): (Option<i64>, Option<String>, Option<String>) =
        users::table
            .find(player.get())
            .select((
                users::closed_at_micros,
                users::betting_block_reason,
                users::withdrawing_block_reason,
            ))
            .get_result(connection)?;
    Ok(LimitRecords {
        limits: limits_of(connection, player)?,
        totals: day_totals(connection, player, since_day)?,
        play_days: play_days(connection, player, since_day)?,
        open_rounds: open.iter().map(|round| (round.game, round.stake)).collect(),
        excluded_until: excluded_until.map(Timestamp::from_micros),
        is_closed: closed_at.is_some(),
        is_betting_blocked: no_bets.is_some(),
        is_withdrawing_blocked: no_withdrawals.is_some(),
    })
}

/// The totals of a player's days since `since_day`.
pub(crate) fn day_totals(
    connection: &mut AnyConnection,
    player: UserId,
    since_day: i64,
) -> Result<Vec<DayTotals>, DatabaseError> {
    let rows: Vec<(i64, i64, i64, i64)> = daily_statements::table
        .filter(daily_statements::player_id.eq(player.get()))
        .filter(daily_statements::day.ge(since_day))
        .select((
            daily_statements::day,
            daily_statements::deposited_cents,
            daily_statements::staked_cents,
            daily_statements::paid_cents,
        ))
        .load(connection)?;
    let total = |(day, deposited_cents, staked_cents, paid_cents)| DayTotals {
        day,
        deposited_cents,
        staked_cents,
        paid_cents,
    };
    Ok(rows.into_iter().map(total).collect())
}

/// The days since `since_day` on which a player was active.
///
/// # Errors
/// If the database fails.
pub fn play_days(
    connection: &mut AnyConnection,
    player: UserId,
    since_day: i64,
) -> Result<Vec<PlayDay>, DatabaseError> {
    let rows: Vec<(i64, i64)> = daily_play_time::table
        .filter(daily_play_time::player_id.eq(player.get()))
        .filter(daily_play_time::day.ge(since_day))
        .select((daily_play_time::day, daily_play_time::active_micros))
        .load(connection)?;
    let days = rows.into_iter();
    Ok(days
        .map(|(day, active_micros)| PlayDay { day, active_micros })
        .collect())
}

/// What can still be paid for a player's open invoices: pending ones, and orders created after
/// `requested_since` whose invoices are still being requested.
///
/// # Errors
/// If the database fails.
pub fn open_deposits(
    connection: &mut AnyConnection,
    player: UserId,
    requested_since: Timestamp,
) -> Result<Money, DatabaseError> {
    let is_pending = deposits::status.eq(DepositStatus::Pending.as_str());
    let is_being_requested = deposits::status
        .eq(DepositStatus::Requested.as_str())
        .and(deposits::created_at_micros.gt(requested_since.as_micros()));
    let rows: Vec<(i64, i64)> = deposits::table
        .filter(deposits::player_id.eq(player.get()))
        // The condition of a partial index, which a bound value would not match.
        .filter(sql::<Bool>("status IN ('requested', 'pending')"))
        .filter(is_pending.or(is_being_requested))
        .select((deposits::price_cents, deposits::credited_cents))
        .load(connection)?;
    let unpaid = rows
        .iter()
        .map(|(price, credited)| price.saturating_sub(*credited).max(0));
    Ok(Money::from_cents(unpaid.fold(0, i64::saturating_add)))
}

impl Transaction<'_, '_> {
    /// A player's limits, and what was used of them since a day, with all changes of this
    /// transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn limit_records(
        &mut self,
        player: UserId,
        since_day: i64,
    ) -> Result<LimitRecords, DatabaseError> {
        self.execute(|connection| limit_records(connection, player, since_day))
    }

    /// See [`open_deposits`](crate::queries::open_deposits).
    ///
    /// # Errors
    /// If the database fails.
    pub fn open_deposits(
        &mut self,
        player: UserId,
        requested_since: Timestamp,
    ) -> Result<Money, DatabaseError> {
        self.execute(|connection| open_deposits(connection, player, requested_since))
    }
}
