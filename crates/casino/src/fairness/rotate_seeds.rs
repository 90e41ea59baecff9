//! Rotating the seeds: the active pair is revealed, and the next pair becomes active with the
//! player's client seed. Its server seed was committed to before that client seed existed.

use glasshouse_domain::{ClientSeedBy, UserId};
use glasshouse_games::fairness::ClientSeed;
use glasshouse_persistence::Scope;
use glasshouse_persistence::seeds::SeedRotation;

use crate::error::{CasinoError, Refusal};
use crate::fairness::pairs::FairnessState;
use crate::house::House;
use crate::randomness;

/// The number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 64;

/// A request to rotate the seeds.
#[derive(Debug, Clone)]
pub struct RotationRequest {
    client_seed: ClientSeed,
    next_server_seed_hash: String,
}

impl RotationRequest {
    /// Parses a request: the client seed of the pair that becomes active, and the hash of its
    /// server seed as the player knows it.
    ///
    /// # Errors
    /// If the client seed or the hash is malformed.
    pub fn parse(client_seed: &str, next_server_seed_hash: String) -> Result<Self, Refusal> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_hash = next_server_seed_hash.len() == HASH_DIGITS
            && next_server_seed_hash.bytes().all(is_digit);
        if !is_hash {
            return Err(Refusal::SeedHash);
        }
        Ok(Self {
            client_seed: ClientSeed::parse(client_seed)?,
            next_server_seed_hash,
        })
    }
}

/// A seed pair that is no longer in use, with its server seed.
#[derive(Debug, Clone)]
pub struct RevealedSeeds {
    /// The revealed server seed.
    pub server_seed: String,
    /// The server seed's hash, which was published before the client seed was chosen.
    pub server_seed_hash: String,
    /// The client seed.
    pub client_seed: String,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
    /// The number of rounds played with the pair.
    pub rounds: u64,
}

/// The result of a rotation: the revealed pair, and the pair that is now active with the commitment
/// to the one after it.
#[derive(Debug, Clone)]
pub struct Rotation {
    /// The revealed pair.
    pub revealed: RevealedSeeds,
    /// The pairs in use.
    pub current: FairnessState,
}

/// Reveals the active server seed, activates the next pair with the given client seed, and commits
/// to another next pair, in one transaction.
///
/// # Errors
/// If a round is in play, because the seed would reveal its outcome; if the next pair is not the
/// one that the player knows; or on a fault.
pub async fn rotate_seeds(
    house: &House,
    player: UserId,
    request: RotationRequest,
) -> Result<Rotation, CasinoError> {
    let next = house.database.keys().seeds.commit(randomness::bytes()?);
    let now = house.now();
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(id) = transaction.any_open_round(player)? {
                return Err(CasinoError::from(Refusal::RoundOpen { id }));
            }
            let pairs = transaction.unrevealed_pairs(&account)?;
            if pairs.next.commitment.hash != request.next_server_seed_hash {
                return Err(Refusal::NextSeedChanged.into());
            }
            let at = pairs.next_step_at(now);
            let before = account.seeds.clone();
            let client_seed_by = pairs.client_seed_by;
            let rotation = SeedRotation {
                client_seed: request.client_seed.as_str(),
                next: &next,
                at,
            };
            let server_seed = transaction.rotate_seed_pair(&mut account, pairs, &rotation)?;
            let committed = next.hash.clone();
            let current = FairnessState::chosen_by_player(transaction, &account, committed, at)?;
            transaction.save_account(account);
            Ok(Rotation {
                revealed: RevealedSeeds {
                    server_seed,
                    server_seed_hash: before.commitment.hash,
                    client_seed: before.client_seed,
                    client_seed_by,
                    rounds: before.next_nonce,
                },
                current,
            })
        })
        .await
}
