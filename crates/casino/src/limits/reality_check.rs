//! The reality check: how long a player has played in this session, and with what result.

use glasshouse_domain::UserId;
use glasshouse_persistence::limits::SessionUsage;
use glasshouse_persistence::{DatabaseError, Scope, queries};

use crate::accounts::session_key::SessionKeyHash;
use crate::error::{CasinoError, LimitRefusal};
use crate::house::House;

/// The intervals that players can choose from.
pub const REALITY_CHECK_MINUTES: [i64; 6] = [15, 30, 45, 60, 90, 120];

/// What a player did in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionSummary {
    /// Time, stakes and payouts since signing in.
    pub usage: SessionUsage,
    /// The interval of the reality check in minutes; `None` if it is off.
    pub reality_check_minutes: Option<i64>,
}

/// Sets the interval of a player's reality check; `None` turns it off.
///
/// # Errors
/// [`LimitRefusal::RealityCheckInterval`] unless the interval is offered, or a fault.
pub async fn set_reality_check(
    house: &House,
    player: UserId,
    minutes: Option<i64>,
) -> Result<(), CasinoError> {
    if minutes.is_some_and(|minutes| !REALITY_CHECK_MINUTES.contains(&minutes)) {
        return Err(LimitRefusal::RealityCheckInterval.into());
    }
    house
        .database
        .write(Scope::player(player), move |transaction| {
            Ok(transaction.set_reality_check(player, minutes)?)
        })
        .await
}

/// Reads what the player did in a session; `None` if it has ended.
///
/// # Errors
/// On a fault.
pub async fn read_session_summary(
    house: &House,
    player: UserId,
    key: SessionKeyHash,
) -> Result<Option<SessionSummary>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let usage = queries::session_usage(connection, key.as_str())?;
            let reality_check_minutes = queries::reality_check_minutes(connection, player)?;
            Ok(usage.map(|usage| SessionSummary {
                usage,
                reality_check_minutes,
            }))
        })
        .await?)
}
