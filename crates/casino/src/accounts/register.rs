//! A new player registers: a user, an empty account and a first seed pair, committed to at once.

use glasshouse_domain::{NewPassword, Role, UserId, Username, Wallet};
use glasshouse_persistence::accounts::NewUser;
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::password_rules::judge_password;
use crate::accounts::player::PlayerView;
use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::randomness;

/// What a visitor fills in.
#[derive(Debug)]
pub struct Registration {
    /// The wished name.
    pub username: Username,
    /// The chosen password.
    pub password: NewPassword,
}

/// Registers a player.
///
/// # Errors
/// If the name is taken, others would guess the password, or on a fault.
pub async fn register(house: &House, request: Registration) -> Result<PlayerView, CasinoError> {
    add_user(house, request, Role::Player, |_, _| Ok(())).await
}

/// Adds a user, and what belongs to it in the same transaction.
pub(crate) async fn add_user(
    house: &House,
    request: Registration,
    role: Role,
    and: impl Fn(&mut Transaction<'_, '_>, UserId) -> Result<(), CasinoError> + Send + 'static,
) -> Result<PlayerView, CasinoError> {
    judge_password(
        &request.password,
        request.username.as_str(),
        &house.names,
        role,
    )?;
    let password_hash = house.passwords.hash(request.password).await?;
    let server_seed = randomness::server_seed()?;
    let new = NewUser {
        username: request.username,
        password_hash,
        role,
        server_seed: server_seed.as_str().to_owned(),
        server_seed_hash: server_seed.hash(),
        client_seed: randomness::client_seed()?.as_str().to_owned(),
        at: house.now(),
    };
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let user = transaction.add_user(&new)?.ok_or(Refusal::UsernameTaken)?;
            and(transaction, user.id)?;
            Ok(PlayerView {
                user,
                wallet: Wallet::EMPTY,
            })
        })
        .await
}
