//! What administrators set for the whole house at run time, and how it is obeyed: the games' statuses
//! and limits, and the house's switches (`docs/adr/0033-switches-are-cached-for-a-second.md`).
//!
//! Bets and registrations are judged by a cache. Whatever moves money in or out reads the table in its own
//! transaction.

pub(crate) mod settings_cache;

use std::collections::BTreeMap;
use std::sync::Arc;

use glasshouse_domain::{
    Game, GameLimits, GameStatus, HouseSwitch, HouseSwitches, Money, Timestamp,
};
use glasshouse_games::bet::BetError;
use glasshouse_games::registry::info;
use glasshouse_persistence::operating::HouseSettings;
use glasshouse_persistence::rounds::GameSettings;
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
    let settings = house_settings(house).await?;
    let games = settings.games.iter();
    Ok(games.map(|(game, set)| (*game, set.status)).collect())
}

/// The largest stake of a game at the moment: what the owners allow, within the rules.
///
/// # Errors
/// On a fault.
pub async fn maximum_stake(house: &House, game: Game) -> Result<Money, CasinoError> {
    let by_rules = *info(game).stakes.end();
    let limits = limits_of(&*house_settings(house).await?, game);
    let allowed = limits.maximum_stake;
    Ok(allowed.map_or(by_rules, |allowed| allowed.min(by_rules)))
}

/// Each game with how it is set and what its rounds in play can win together, for administrators.
///
/// # Errors
/// On a fault.
pub async fn games_for_administrators(
    house: &House,
) -> Result<Vec<(Game, GameSettings, Money)>, CasinoError> {
    let (settings, exposures) = house
        .database
        .read::<_, DatabaseError, _>(|connection| {
            Ok((
                queries::house_settings(connection)?,
                queries::exposures(connection)?,
            ))
        })
        .await?;
    let exposure_of = |game| exposures.get(&game).copied().unwrap_or(Money::ZERO);
    let games = settings.games.into_iter();
    Ok(games
        .map(|(game, set)| (game, set, exposure_of(game)))
        .collect())
}

/// The time by the count that runs on while the clock that callers see stands still.
fn running_time(house: &House) -> Timestamp {
    house.clock.bounds().latest
}

/// The status of a game. A game without a row in the database counts as announced.
pub(crate) fn status_of(settings: &HouseSettings, game: Game) -> GameStatus {
    let set = settings.games.get(&game);
    set.map_or(GameStatus::Announced, |set| set.status)
}

/// What the owners allow in a game besides its rules.
pub(crate) fn limits_of(settings: &HouseSettings, game: Game) -> GameLimits {
    let set = settings.games.get(&game);
    set.map_or_else(GameLimits::default, |set| set.limits)
}

/// Refuses a bet that is larger, or could win more, than the owners allow.
pub(crate) fn require_within(
    limits: &GameLimits,
    stake: Money,
    maximum_profit: impl FnOnce() -> Money,
) -> Result<(), Refusal> {
    if let Some(maximum) = limits.maximum_stake.filter(|maximum| stake > *maximum) {
        return Err(Refusal::Bet(BetError::StakeAboveMaximum(maximum)));
    }
    let limit = limits.maximum_profit;
    match limit.filter(|maximum| maximum_profit() > *maximum) {
        Some(maximum) => Err(OperatingRefusal::ProfitAboveMaximum(maximum).into()),
        None => Ok(()),
    }
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
