//! The games and their statuses.

use diesel::prelude::*;
use glasshouse_domain::{Game, GameStatus};

use crate::connection::AnyConnection;
use crate::engine::notifications::notify_settings_changed;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rounds::round::parse_game;
use crate::schema::games;

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

/// Reads the status of each game.
pub(crate) fn game_statuses<C: FromIterator<(Game, GameStatus)>>(
    connection: &mut AnyConnection,
) -> Result<C, DatabaseError> {
    let rows: Vec<(String, String)> = games::table
        .select((games::name, games::status))
        .load(connection)?;
    rows.into_iter()
        .map(|(name, status)| Ok((parse_game(&name)?, parse_status(&status)?)))
        .collect()
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
}
