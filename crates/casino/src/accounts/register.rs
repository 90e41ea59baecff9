//! Registers a player: creates a user, an empty account and the first seed pairs: one to play with,
//! whose client seed the house chooses for the time being, and the commitment to the next one.

use glasshouse_domain::{
    ClientSeedBy, HouseSwitch, NewPassword, Role, Timestamp, UserId, Username, Wallet,
};
use glasshouse_persistence::accounts::NewUser;
use glasshouse_persistence::seeds::FirstSeedPairs;
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::new_password::hash_new_password;
use crate::accounts::player::PlayerView;
use crate::error::{AccountRefusal, CasinoError};
use crate::house::House;
use crate::operating::{house_settings, require_running};
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
/// If registration is closed, the username is taken, the password is too easy to guess, or on a fault.
pub async fn register(house: &House, request: Registration) -> Result<PlayerView, CasinoError> {
    add_user(house, request, NewAccount::PLAYER, |_, _| Ok(())).await
}

/// What is decided about a new account by whoever creates it.
pub(crate) struct NewAccount {
    pub(crate) role: Role,
    /// Until when the password can be used to sign in, if it is a one-time password.
    pub(crate) one_time_password_until: Option<Timestamp>,
    /// Whether the user accepts the Terms of Service in force with the registration, as everybody does
    /// who registers.
    pub(crate) accepts_terms: bool,
}

impl NewAccount {
    /// An account that its player registers.
    pub(crate) const PLAYER: Self = Self {
        role: Role::Player,
        one_time_password_until: None,
        accepts_terms: true,
    };
}

/// Adds a user, unless that is a player and registration is closed. `and` runs in the same transaction with the new user's ID.
pub(crate) async fn add_user(
    house: &House,
    request: Registration,
    account: NewAccount,
    and: impl Fn(&mut Transaction<'_, '_>, UserId) -> Result<(), CasinoError> + Send + 'static,
) -> Result<PlayerView, CasinoError> {
    if account.role == Role::Player {
        // Whoever creates administrators is not a player who registers.
        let settings = house_settings(house).await?;
        require_running(&settings.switches, HouseSwitch::Registration)?;
    }
    let name = request.username.as_str();
    let password_hash = hash_new_password(house, request.password, name, account.role).await?;
    let keys = house.database.keys();
    let new = NewUser {
        username: request.username,
        password_hash,
        role: account.role,
        one_time_password_until: account.one_time_password_until,
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
            let user = transaction
                .add_user(&new)?
                .ok_or(AccountRefusal::UsernameTaken)?;
            let facts = PairFacts {
                server_seed_hash: &new.seeds.active.hash,
                client_seed: &new.seeds.client_seed,
                client_seed_by: ClientSeedBy::House,
                next_server_seed_hash: &new.seeds.next.hash,
            };
            add_pair_receipt(transaction, user.id, &facts, new.at)?;
            let version = transaction.terms_version()?;
            if account.accepts_terms && version > 0 {
                let account = transaction.account(user.id)?;
                transaction.accept_terms(account, version, new.at)?;
            }
            and(transaction, user.id)?;
            Ok(PlayerView {
                user,
                wallet: Wallet::EMPTY,
                shows_name: false,
                excluded_until: None,
                must_accept_terms: version > 0 && !account.accepts_terms,
                is_betting_blocked: false,
                is_withdrawing_blocked: false,
            })
        })
        .await
}
