//! A player's settled rounds for the player's own records.

use std::ops::RangeInclusive;

use glasshouse_domain::{Game, RoundId, Timestamp, UserId};
use glasshouse_persistence::rounds::{ExportPosition, ExportQuery, ExportedRound};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// A player's rounds that ended on some days, which are read in pages.
#[derive(Debug, Clone)]
pub struct RoundsExport {
    query: ExportQuery,
    count: u64,
}

impl RoundsExport {
    /// Counts the player's rounds that ended on these days, which are numbered since 1970-01-01, in
    /// UTC; of all games if none is given.
    ///
    /// # Errors
    /// On a fault.
    pub async fn find(
        house: &House,
        player: UserId,
        games: Vec<Game>,
        days: RangeInclusive<i64>,
    ) -> Result<Self, CasinoError> {
        let bounds = (*days.start(), *days.end());
        let query = ExportQuery {
            player,
            games: games.clone(),
            after: ExportPosition {
                ended_at: Timestamp::start_of_day(bounds.0),
                id: RoundId::new(0),
            },
            until: Timestamp::start_of_day(bounds.1.saturating_add(1)),
            limit: 0,
        };
        let count = house
            .database
            .read::<_, DatabaseError, _>(move |connection| {
                queries::rounds_to_export(connection, player, &games, bounds)
            })
            .await?;
        Ok(Self { query, count })
    }

    /// The number of rounds when they were counted.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }
}

/// Reads the next rounds, oldest first; `None` after the last one.
///
/// # Errors
/// On a fault.
pub async fn read_rounds(
    house: &House,
    export: &mut RoundsExport,
    limit: usize,
) -> Result<Option<Vec<ExportedRound>>, CasinoError> {
    let query = ExportQuery {
        limit,
        ..export.query.clone()
    };
    let rounds: Vec<ExportedRound> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::exported_rounds(connection, &query))
        .await?;
    let Some(last) = rounds.last() else {
        return Ok(None);
    };
    export.query.after = last.position();
    Ok(Some(rounds))
}
