//! A player's view of their own account.

use glasshouse_domain::Wallet;
use glasshouse_persistence::accounts::User;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// A user with the balance of their account.
#[derive(Debug, Clone)]
pub struct PlayerView {
    /// The user.
    pub user: User,
    /// The balance and the amount that must still be wagered.
    pub wallet: Wallet,
    /// Whether other players see the name at the user's bets.
    pub shows_name: bool,
}

/// Reads the signed-in player's account.
///
/// # Errors
/// If the database fails.
pub async fn player(house: &House, user: User) -> Result<PlayerView, CasinoError> {
    let id = user.id;
    let (wallet, shows_name) = house
        .database
        .read(move |connection| {
            let wallet = queries::account_of(connection, id)?.wallet;
            Ok((wallet, queries::shows_name(connection, id)?))
        })
        .await
        .map_err(|error: DatabaseError| CasinoError::from(error))?;
    Ok(PlayerView {
        user,
        wallet,
        shows_name,
    })
}
