//! An administrator looks through the settled rounds of all players.

use glasshouse_persistence::admin::{AllRoundsQuery, PlayedRound};
use glasshouse_persistence::rounds::HistoryCursor;
use glasshouse_persistence::{DatabaseError, queries};

use crate::administration::lists::Page;
use crate::error::CasinoError;
use crate::house::House;

/// Reads a page, in a number of queries that depends neither on its length nor on that of the
/// history.
///
/// # Errors
/// On a fault.
pub async fn list_all_rounds(
    house: &House,
    query: AllRoundsQuery,
) -> Result<Page<PlayedRound, HistoryCursor>, CasinoError> {
    let (rounds, next) = house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::all_rounds_page(connection, &query))
        .await?;
    Ok(Page {
        entries: rounds,
        next,
    })
}
