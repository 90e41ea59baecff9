//! A player's choice whether other players see the name at the player's bets.

use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::User;

use crate::accounts::player::{PlayerView, player};
use crate::error::CasinoError;
use crate::house::House;

/// Shows or hides the player's name, at earlier bets as well. Returns the player.
///
/// # Errors
/// On a fault.
pub async fn set_shows_name(
    house: &House,
    user: User,
    shows_name: bool,
) -> Result<PlayerView, CasinoError> {
    let id = user.id;
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(id), move |transaction| {
            Ok(transaction.set_shows_name(id, shows_name)?)
        })
        .await?;
    player(house, user).await
}
