//! Provable fairness: the commitment to a seed pair, and its rotation.

use glasshouse_domain::UserId;
use glasshouse_games::fairness::ClientSeed;
use glasshouse_persistence::accounts::SeedPairInUse;
use glasshouse_persistence::{Scope, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::randomness;

/// The seed pair in use, without the server seed.
#[derive(Debug, Clone)]
pub struct FairnessState {
    /// SHA-256 of the server seed's text.
    pub server_seed_hash: String,
    /// The player's client seed.
    pub client_seed: String,
    /// The nonce of the next round.
    pub next_nonce: u64,
}

/// A seed pair that is no longer in use, with its server seed.
#[derive(Debug, Clone)]
pub struct RevealedSeeds {
    /// The revealed server seed.
    pub server_seed: String,
    /// The server seed's hash, which was published before the first round.
    pub server_seed_hash: String,
    /// The player's client seed.
    pub client_seed: String,
    /// The number of rounds played with the pair.
    pub rounds: u64,
}

/// The result of a rotation: the revealed pair and the new commitment.
#[derive(Debug, Clone)]
pub struct Rotation {
    /// The revealed pair.
    pub revealed: RevealedSeeds,
    /// The new pair in use.
    pub current: FairnessState,
}

impl From<&SeedPairInUse> for FairnessState {
    fn from(seeds: &SeedPairInUse) -> Self {
        Self {
            server_seed_hash: seeds.server_seed_hash.clone(),
            client_seed: seeds.client_seed.clone(),
            next_nonce: seeds.next_nonce,
        }
    }
}

/// The seed pair that the player's next round will use.
///
/// # Errors
/// On a fault.
pub async fn fairness_state(house: &House, player: UserId) -> Result<FairnessState, CasinoError> {
    house
        .database
        .read(move |connection| Ok((&queries::account_of(connection, player)?.seeds).into()))
        .await
}

/// Reveals the server seed in use and commits to a new one. The client seed is the given one, or
/// random.
///
/// # Errors
/// If a round is in play, because the seed would reveal its outcome; or on a fault.
pub async fn rotate_seeds(
    house: &House,
    player: UserId,
    client_seed: Option<ClientSeed>,
) -> Result<Rotation, CasinoError> {
    let client_seed = client_seed.map_or_else(randomness::client_seed, Ok)?;
    let server_seed = randomness::server_seed()?;
    let server_seed_hash = server_seed.hash();
    let at = house.now();
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(id) = transaction.any_open_round(player)? {
                return Err(Refusal::RoundOpen { id }.into());
            }
            let revealed = RevealedSeeds {
                server_seed: account.seeds.server_seed.clone(),
                server_seed_hash: account.seeds.server_seed_hash.clone(),
                client_seed: account.seeds.client_seed.clone(),
                rounds: account.seeds.next_nonce,
            };
            transaction.rotate_seed_pair(
                &mut account,
                server_seed.as_str(),
                &server_seed_hash,
                client_seed.as_str(),
                at,
            )?;
            let current = (&account.seeds).into();
            transaction.save_account(account);
            Ok(Rotation { revealed, current })
        })
        .await
}
