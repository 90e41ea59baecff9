//! The settled bets of all players, as every player may see them.

use glasshouse_domain::Game;
use glasshouse_persistence::rounds::{HighWinCursor, HistoryCursor, PublicRound};
use glasshouse_persistence::{DatabaseError, Page, queries};

use crate::error::CasinoError;
use crate::house::House;

/// The number of days of which high wins are listed: today and the days before it, in UTC.
pub const HIGH_WIN_DAYS: i64 = 7;

/// Reads a page of all players' settled rounds, newest first; of all games if none is given.
///
/// # Errors
/// On a fault.
pub async fn read_newest_bets(
    house: &House,
    games: Vec<Game>,
    after: Option<HistoryCursor>,
    limit: usize,
) -> Result<Page<PublicRound, HistoryCursor>, CasinoError> {
    let page = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::newest_bets(connection, &games, after, limit)
        })
        .await?;
    Ok(page)
}

/// Reads a page of all players' high wins of the last [`HIGH_WIN_DAYS`] days, largest profit first; of
/// all games if none is given.
///
/// # Errors
/// On a fault.
pub async fn read_high_wins(
    house: &House,
    games: Vec<Game>,
    after: Option<HighWinCursor>,
    limit: usize,
) -> Result<Page<PublicRound, HighWinCursor>, CasinoError> {
    let today = house.now().day();
    let days = today - (HIGH_WIN_DAYS - 1)..=today;
    let page = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::high_wins(connection, &games, days.clone(), after, limit)
        })
        .await?;
    Ok(page)
}
