//! The days on which a player was active.

use glasshouse_domain::UserId;
use glasshouse_persistence::limits::PlayDay;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// Reads for how long a player was active, by day.
///
/// # Errors
/// On a fault.
pub async fn read_playing_time(house: &House, player: UserId) -> Result<Vec<PlayDay>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::play_days(connection, player, 0))
        .await?)
}
