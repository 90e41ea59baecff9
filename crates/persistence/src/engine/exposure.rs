//! What the rounds in play of each game can win together. The total is a row for each game and writer, written last in
//! a batch, as the house's totals are (`docs/adr/0036-exposure-is-judged-twice.md`).

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Game, Money};

use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;
use crate::schema::games;

/// What a new round adds to the exposure of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exposure {
    /// The most that the round can win.
    pub maximum_profit: Money,
    /// The most that all rounds in play of the game may be able to win; `None` for no limit.
    pub limit: Option<Money>,
}

/// The change of a game's exposure.
#[derive(Debug, Clone, Copy, Default)]
struct Delta {
    cents: i64,
    /// The lowest limit by which one of the rounds was judged.
    limit: Option<i64>,
}

/// The changes of the exposures by the rounds of a job or batch.
#[derive(Debug, Default)]
pub(crate) struct ExposureDeltas(BTreeMap<&'static str, Delta>);

impl ExposureDeltas {
    /// Adds a round that starts.
    pub(crate) fn add(&mut self, game: Game, exposure: Exposure) {
        let started = Delta {
            cents: exposure.maximum_profit.cents(),
            limit: exposure.limit.map(Money::cents),
        };
        self.merge(game.as_str(), started);
    }

    /// Removes a round that ends.
    pub(crate) fn remove(&mut self, game: Game, maximum_profit: Money) {
        let ended = Delta {
            cents: maximum_profit.cents().saturating_neg(),
            limit: None,
        };
        self.merge(game.as_str(), ended);
    }

    /// Adds the changes of another job.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (game, delta) in other.0 {
            self.merge(game, delta);
        }
    }

    /// The change of a game's exposure.
    pub(crate) fn of(&self, game: Game) -> i64 {
        self.0.get(game.as_str()).map_or(0, |delta| delta.cents)
    }

    fn merge(&mut self, game: &'static str, other: Delta) {
        let delta = self.0.entry(game).or_default();
        delta.cents = delta.cents.saturating_add(other.cents);
        delta.limit = match (delta.limit, other.limit) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    /// Writes the changes to the rows of a writer. Then, holding the locks of the games until the commit, it compares
    /// those exposures that have grown with their limits: another writer may have used up the rest since the rounds
    /// were judged.
    ///
    /// # Errors
    /// [`DatabaseError::ExposureReached`], or if the database fails.
    pub(crate) fn write(
        &self,
        connection: &mut AnyConnection,
        shard: i64,
    ) -> Result<(), DatabaseError> {
        for (game, delta) in &self.0 {
            if delta.cents != 0 {
                add_to_row(connection, game, shard, delta.cents)?;
            }
        }
        for (game, delta) in &self.0 {
            let Some(limit) = delta.limit.filter(|_| delta.cents > 0) else {
                continue;
            };
            lock_game(connection, game)?;
            if committed_exposure(connection, game)? > limit {
                return Err(DatabaseError::ExposureReached);
            }
        }
        Ok(())
    }
}

fn add_to_row(
    connection: &mut AnyConnection,
    game: &str,
    shard: i64,
    cents: i64,
) -> Result<(), DatabaseError> {
    let statement = cached_sql!(
        "INSERT INTO exposures AS old (game, shard, exposure_cents) VALUES (?, ?, ?)
         ON CONFLICT (game, shard) DO UPDATE SET exposure_cents = old.exposure_cents + excluded.exposure_cents"
    )
    .bind::<Text, _>(game)
    .bind::<BigInt, _>(shard)
    .bind::<BigInt, _>(cents);
    match connection {
        AnyConnection::Sqlite(sqlite) => statement.execute(sqlite)?,
        AnyConnection::Postgres(postgres) => statement.execute(postgres)?,
    };
    Ok(())
}

/// On SQLite a writer is alone anyway. The lock does not conflict with those of the rounds' foreign keys.
fn lock_game(connection: &mut AnyConnection, game: &str) -> Result<(), DatabaseError> {
    if let AnyConnection::Postgres(postgres) = connection {
        games::table
            .find(game)
            .select(games::name)
            .for_no_key_update()
            .first::<String>(postgres)?;
    }
    Ok(())
}

#[derive(QueryableByName)]
struct Total {
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

/// What the rounds in play of a game can win together, in cents, apart from what a batch has not written yet.
pub(crate) fn committed_exposure(
    connection: &mut AnyConnection,
    game: &str,
) -> Result<i64, DatabaseError> {
    let statement = cached_sql!(
        "SELECT CAST(COALESCE(SUM(exposure_cents), 0) AS BIGINT) AS cents FROM exposures WHERE game = ?"
    )
    .bind::<Text, _>(game);
    let total: Total = match connection {
        AnyConnection::Sqlite(sqlite) => statement.get_result(sqlite)?,
        AnyConnection::Postgres(postgres) => statement.get_result(postgres)?,
    };
    Ok(total.cents)
}
