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
}

/// Reads the signed-in player's account.
///
/// # Errors
/// If the database fails.
pub async fn player(house: &House, user: User) -> Result<PlayerView, CasinoError> {
    let id = user.id;
    let wallet = house
        .database
        .read(move |connection| Ok(queries::account_of(connection, id)?.wallet))
        .await
        .map_err(|error: DatabaseError| CasinoError::from(error))?;
    Ok(PlayerView { user, wallet })
}
