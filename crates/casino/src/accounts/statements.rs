//! A player's daily statements.

use glasshouse_domain::UserId;
use glasshouse_persistence::accounts::DailyStatement;
use glasshouse_persistence::{DatabaseError, Page, queries};

use crate::error::CasinoError;
use crate::house::House;

/// Reads a page of a player's daily statements, newest first, of the days before a day if one is given.
/// Days are numbered since 1970-01-01, in UTC.
///
/// # Errors
/// On a fault.
pub async fn read_statements(
    house: &House,
    player: UserId,
    before_day: Option<i64>,
    limit: usize,
) -> Result<Page<DailyStatement, i64>, CasinoError> {
    let entries: Vec<DailyStatement> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::daily_statements(connection, player, before_day, limit)
        })
        .await?;
    Ok(Page::new(entries, limit, |statement| statement.day))
}
