//! What administrators set for the whole house at run time, and how it is obeyed: the games' statuses and
//! the house's switches (`docs/adr/0033-switches-are-cached-for-a-second.md`).
//!
//! Bets and registrations are judged by a cache. Whatever moves money in or out reads the table in its own
//! transaction.

pub(crate) mod settings_cache;

use std::collections::BTreeMap;
use std::sync::Arc;

use glasshouse_domain::{Game, GameStatus, HouseSwitch, HouseSwitches, Timestamp};
use glasshouse_persistence::operating::HouseSettings;
use glasshouse_persistence::{DatabaseError, Transaction, queries};

use crate::error::{CasinoError, OperatingRefusal, Refusal};
use crate::house::House;

/// The settings, as they were at most two seconds ago.
///
/// # Errors
/// On a fault.
pub async fn house_settings(house: &House) -> Result<Arc<HouseSettings>, CasinoError> {
    let token = match house.settings.cached(running_time(house)) {
        Ok(cached) => return Ok(cached),
        Err(token) => token,
    };
    let read = house
        .database
        .read::<_, DatabaseError, _>(queries::house_settings)
        .await?;
    let settings = Arc::new(read);
    house.settings.store(token, Arc::clone(&settings));
    Ok(settings)
}

/// The statuses of all games.
///
/// # Errors
/// On a fault.
pub async fn game_statuses(house: &House) -> Result<BTreeMap<Game, GameStatus>, CasinoError> {
    Ok(house_settings(house).await?.statuses.clone())
}

/// The time by the count that runs on while the clock that callers see stands still.
fn running_time(house: &House) -> Timestamp {
    house.clock.bounds().latest
}

/// The status of a game. A game without a row in the database counts as announced.
pub(crate) fn status_of(settings: &HouseSettings, game: Game) -> GameStatus {
    let status = settings.statuses.get(&game).copied();
    status.unwrap_or(GameStatus::Announced)
}

/// Refuses a new round unless the game is open.
pub(crate) const fn require_open(status: GameStatus) -> Result<(), Refusal> {
    match status {
        GameStatus::Open => Ok(()),
        GameStatus::Paused => Err(Refusal::GamePaused),
        GameStatus::Announced => Err(Refusal::GameAnnounced),
    }
}

/// Refuses what a switch of the house has stopped.
pub(crate) fn require_running(
    switches: &HouseSwitches,
    switch: HouseSwitch,
) -> Result<(), OperatingRefusal> {
    let Some((stopped_by, reason)) = switches.stop(switch) else {
        return Ok(());
    };
    let reason = reason.to_owned();
    Err(match stopped_by {
        HouseSwitch::Maintenance => OperatingRefusal::Maintenance(reason),
        HouseSwitch::Deposits => OperatingRefusal::DepositsPaused(reason),
        HouseSwitch::Withdrawals => OperatingRefusal::WithdrawalsPaused(reason),
        HouseSwitch::Registration => OperatingRefusal::RegistrationPaused(reason),
    })
}

/// The same by the table, within a transaction.
pub(crate) fn require_switch(
    transaction: &mut Transaction<'_, '_>,
    switch: HouseSwitch,
) -> Result<(), CasinoError> {
    let switches = transaction.house_switches()?;
    Ok(require_running(&switches, switch)?)
}
