//! A player's view of their own account.

use glasshouse_domain::{Timestamp, Wallet};
use glasshouse_persistence::accounts::User;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// A user with the balance of their account.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a player"
)]
#[derive(Debug, Clone)]
pub struct PlayerView {
    /// The user.
    pub user: User,
    /// The balance and the amount that must still be wagered.
    pub wallet: Wallet,
    /// Whether other players see the name at the user's bets.
    pub shows_name: bool,
    /// When the player's exclusion ends; `None` if the player is not excluded.
    pub excluded_until: Option<Timestamp>,
    /// Whether the player must accept a version of the Terms of Service before new rounds and deposits.
    pub must_accept_terms: bool,
    /// Whether the operator does not let the player bet.
    pub is_betting_blocked: bool,
    /// Whether the operator does not let the player withdraw.
    pub is_withdrawing_blocked: bool,
}

/// Reads the signed-in player's account.
///
/// # Errors
/// If the database fails.
pub async fn player(house: &House, user: User) -> Result<PlayerView, CasinoError> {
    let id = user.id;
    let (account, shows_name) = house
        .database
        .read(move |connection| {
            let account = queries::account_of(connection, id)?;
            Ok((account, queries::shows_name(connection, id)?))
        })
        .await
        .map_err(|error: DatabaseError| CasinoError::from(error))?;
    let must_accept_terms = account.terms_version < house.terms_version();
    let rules = account.play_rules.as_deref();
    Ok(PlayerView {
        user,
        wallet: account.wallet,
        shows_name,
        excluded_until: rules.and_then(|rules| rules.exclusion_at(house.now())),
        must_accept_terms,
        is_betting_blocked: rules.is_some_and(|rules| rules.is_betting_blocked),
        is_withdrawing_blocked: rules.is_some_and(|rules| rules.is_withdrawing_blocked),
    })
}
