//! The games, their statuses and their limits.

use std::collections::BTreeMap;

use diesel::prelude::*;
use glasshouse_domain::{Game, GameLimits, GameStatus, Money};

use crate::connection::AnyConnection;
use crate::engine::notifications::notify_settings_changed;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rounds::round::parse_game;
use crate::schema::{exposures, games};

/// Adds the games that the database does not have yet, with the status "announced", until an
/// operator opens them.
pub(crate) fn add_missing_games(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    let known: Vec<String> = games::table.select(games::name).load(connection)?;
    for game in Game::ALL {
        if !known.iter().any(|name| name == game.as_str()) {
            diesel::insert_into(games::table)
                .values((
                    games::name.eq(game.as_str()),
                    games::status.eq(GameStatus::Announced.as_str()),
                ))
                .execute(connection)?;
        }
    }
    Ok(())
}

/// How a game is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameSettings {
    /// Whether it can be played.
    pub status: GameStatus,
    /// What the owners allow besides its rules.
    pub limits: GameLimits,
}

type LimitsRow = (Option<i64>, Option<i64>, Option<i64>);

const LIMITS: (
    games::maximum_stake_cents,
    games::maximum_profit_cents,
    games::maximum_exposure_cents,
) = (
    games::maximum_stake_cents,
    games::maximum_profit_cents,
    games::maximum_exposure_cents,
);

fn limits_of((stake, profit, exposure): LimitsRow) -> GameLimits {
    GameLimits {
        maximum_stake: stake.map(Money::from_cents),
        maximum_profit: profit.map(Money::from_cents),
        maximum_exposure: exposure.map(Money::from_cents),
    }
}

/// Reads how each game is set.
pub(crate) fn game_settings<C: FromIterator<(Game, GameSettings)>>(
    connection: &mut AnyConnection,
) -> Result<C, DatabaseError> {
    let rows: Vec<(String, String, LimitsRow)> = games::table
        .select((games::name, games::status, LIMITS))
        .load(connection)?;
    rows.into_iter()
        .map(|(name, status, limits)| {
            let settings = GameSettings {
                status: parse_status(&status)?,
                limits: limits_of(limits),
            };
            Ok((parse_game(&name)?, settings))
        })
        .collect()
}

/// Reads the stored name, status and limits of each game, for the check of the books.
pub(crate) fn stored_games(
    connection: &mut AnyConnection,
) -> Result<Vec<(String, String, GameLimits)>, DatabaseError> {
    let rows: Vec<(String, String, LimitsRow)> = games::table
        .order(games::name)
        .select((games::name, games::status, LIMITS))
        .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|(name, status, limits)| (name, status, limits_of(limits)))
        .collect())
}

/// Reads what the rounds in play of each game can win together; a game that was never played may be missing.
///
/// # Errors
/// If the database fails.
pub fn exposures(connection: &mut AnyConnection) -> Result<BTreeMap<Game, Money>, DatabaseError> {
    let rows: Vec<(String, i64)> = exposures::table
        .select((exposures::game, exposures::exposure_cents))
        .load(connection)?;
    let mut totals = BTreeMap::<Game, i64>::new();
    for (name, cents) in rows {
        let total = totals.entry(parse_game(&name)?).or_default();
        *total = total.saturating_add(cents);
    }
    let money = |(game, cents)| (game, Money::from_cents(cents));
    Ok(totals.into_iter().map(money).collect())
}

fn parse_status(text: &str) -> Result<GameStatus, DatabaseError> {
    GameStatus::parse(text)
        .ok_or_else(|| DatabaseError::corrupt(format!("unknown status {text} of a game")))
}

impl Transaction<'_, '_> {
    /// Reads the status of a game.
    ///
    /// # Errors
    /// If the database fails.
    pub fn game_status(&mut self, game: Game) -> Result<GameStatus, DatabaseError> {
        self.execute(|connection| {
            let status: String = games::table
                .find(game.as_str())
                .select(games::status)
                .first(connection)?;
            parse_status(&status)
        })
    }

    /// Sets the status of a game. Other servers are notified at the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_game_status(&mut self, game: Game, status: GameStatus) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(games::table.find(game.as_str()))
                .set(games::status.eq(status.as_str()))
                .execute(connection)?;
            notify_settings_changed(connection)
        })
    }

    /// Reads the limits of a game.
    ///
    /// # Errors
    /// If the database fails.
    pub fn game_limits(&mut self, game: Game) -> Result<GameLimits, DatabaseError> {
        self.execute(|connection| {
            let row: LimitsRow = games::table
                .find(game.as_str())
                .select(LIMITS)
                .first(connection)?;
            Ok(limits_of(row))
        })
    }

    /// Sets the limits of a game. Other servers are notified at the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn set_game_limits(&mut self, game: Game, limits: GameLimits) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let cents = |limit: Option<Money>| limit.map(Money::cents);
            diesel::update(games::table.find(game.as_str()))
                .set((
                    games::maximum_stake_cents.eq(cents(limits.maximum_stake)),
                    games::maximum_profit_cents.eq(cents(limits.maximum_profit)),
                    games::maximum_exposure_cents.eq(cents(limits.maximum_exposure)),
                ))
                .execute(connection)?;
            notify_settings_changed(connection)
        })
    }
}
