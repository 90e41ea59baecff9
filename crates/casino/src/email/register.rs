//! Registers a player who may give an e-mail address.

use glasshouse_domain::EmailAddress;

use crate::accounts::player::PlayerView;
use crate::accounts::register::{NewAccount, Registration, add_user};
use crate::email::address::add_verification;
use crate::email::link_token::new_token;
use crate::error::CasinoError;
use crate::house::House;

/// Registers a player, and sends the link that verifies the address, if one is given. An address that
/// belongs to another account makes no difference.
///
/// # Errors
/// As for [`register`](crate::accounts::register).
pub async fn register_with_email(
    house: &House,
    request: Registration,
    email: Option<EmailAddress>,
) -> Result<PlayerView, CasinoError> {
    let token = new_token()?;
    let at = house.now();
    add_user(
        house,
        request,
        NewAccount::PLAYER,
        move |transaction, user| match &email {
            Some(address) => add_verification(transaction, user, address, &token, at),
            None => Ok(()),
        },
    )
    .await
}
