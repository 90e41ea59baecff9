//! Registers a player: creates a user, an empty account and the first seed pairs: one to play with,
//! whose client seed the house chooses for the time being, and the commitment to the next one.

use glasshouse_domain::{ClientSeedBy, NewPassword, Role, UserId, Username, Wallet};
use glasshouse_persistence::accounts::NewUser;
use glasshouse_persistence::seeds::FirstSeedPairs;
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::password_rules::check_password;
use crate::accounts::player::PlayerView;
use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::randomness;
use crate::statements::{PairFacts, add_pair_receipt};

/// A registration request.
#[derive(Debug)]
pub struct Registration {
    /// The requested username.
    pub username: Username,
    /// The chosen password.
    pub password: NewPassword,
}

/// Registers a player.
///
/// # Errors
/// If the username is taken, the password is too easy to guess, or on a fault.
pub async fn register(house: &House, request: Registration) -> Result<PlayerView, CasinoError> {
    add_user(house, request, Role::Player, |_, _| Ok(())).await
}

/// Adds a user. `and` runs in the same transaction with the new user's ID.
pub(crate) async fn add_user(
    house: &House,
    request: Registration,
    role: Role,
    and: impl Fn(&mut Transaction<'_, '_>, UserId) -> Result<(), CasinoError> + Send + 'static,
) -> Result<PlayerView, CasinoError> {
    check_password(
        &request.password,
        request.username.as_str(),
        &house.names,
        role,
    )?;
    let password_hash = house.passwords.hash(request.password).await?;
    let keys = house.database.keys();
    let new = NewUser {
        username: request.username,
        password_hash,
        role,
        seeds: FirstSeedPairs {
            active: keys.seeds.commit(randomness::bytes()?),
            client_seed: randomness::client_seed()?.as_str().to_owned(),
            next: keys.seeds.commit(randomness::bytes()?),
        },
        at: house.now(),
    };
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let user = transaction.add_user(&new)?.ok_or(Refusal::UsernameTaken)?;
            let facts = PairFacts {
                server_seed_hash: &new.seeds.active.hash,
                client_seed: &new.seeds.client_seed,
                client_seed_by: ClientSeedBy::House,
                next_server_seed_hash: &new.seeds.next.hash,
            };
            add_pair_receipt(transaction, user.id, &facts, new.at)?;
            and(transaction, user.id)?;
            Ok(PlayerView {
                user,
                wallet: Wallet::EMPTY,
                shows_name: false,
            })
        })
        .await
}
