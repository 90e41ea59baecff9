//! What a player sees of the player's own limits.

use glasshouse_domain::{Exclusion, LimitKind, PlayerLimit, Timestamp, UserId};
use glasshouse_persistence::limits::RecordedChange;
use glasshouse_persistence::{DatabaseError, Page, queries};

use crate::error::CasinoError;
use crate::house::House;
use crate::limits::rules::{MICROS_PER_MINUTE, first_day_of_all, used_in};

/// A limit and what is used of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitUsage {
    /// The limit. A pending change that has lapsed is left out.
    pub limit: PlayerLimit,
    /// What is used in the current period: cents, or whole minutes; negative after a net win.
    pub used: i64,
    /// When the next period begins.
    pub resets_at: Timestamp,
}

/// A player's limits, exclusion and reality check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The limits in force, in the order of their kinds and periods.
    pub limits: Vec<LimitUsage>,
    /// The exclusion in force.
    pub exclusion: Option<Exclusion>,
    /// The interval of the reality check in minutes; `None` if it is off.
    pub reality_check_minutes: Option<i64>,
}

/// Reads a player's limits and what is used of them.
///
/// # Errors
/// On a fault.
pub async fn read_limits(house: &House, player: UserId) -> Result<Limits, CasinoError> {
    let now = house.now();
    let today = now.day();
    let (records, newest, reality_check_minutes) = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let records = queries::limit_records(connection, player, first_day_of_all(today))?;
            let newest = queries::exclusions_of(connection, player, 1)?;
            let minutes = queries::reality_check_minutes(connection, player)?;
            Ok((records, newest, minutes))
        })
        .await?;
    let usage = |limit: &PlayerLimit| {
        let (kind, period) = (limit.kind, limit.period);
        let days = period.first_day(today)..period.next_first_day(today);
        let used = used_in(&records, kind, &days);
        LimitUsage {
            limit: PlayerLimit {
                pending: limit.pending_at(now),
                ..*limit
            },
            used: match kind {
                LimitKind::SessionTime => used / MICROS_PER_MINUTE,
                LimitKind::Deposit | LimitKind::Loss | LimitKind::Stake => used,
            },
            resets_at: period.ends_at(today),
        }
    };
    Ok(Limits {
        limits: records.limits.iter().map(usage).collect(),
        // Each exclusion ends later than those before it.
        exclusion: newest.into_iter().find(|newest| now < newest.until),
        reality_check_minutes,
    })
}

/// Reads a page of the changes of a player's limits, newest first, each with its ID. The page starts
/// before the change with the ID `before`.
///
/// # Errors
/// On a fault.
pub async fn read_limit_changes(
    house: &House,
    player: UserId,
    before: Option<i64>,
    limit: usize,
) -> Result<Page<(i64, RecordedChange), i64>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::limit_changes(connection, player, before, limit)
        })
        .await?)
}
