//! What a player sees of the seed pairs: the commitments to the active and the next pair, and the
//! former pairs with their server seeds.

use glasshouse_domain::{ClientSeedBy, SeedPairId, Timestamp, UserId};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::public_log::Receipt;
use glasshouse_persistence::seeds::{FormerSeedPair, SeedState};
use glasshouse_persistence::{Page, Transaction, queries};

use crate::error::CasinoError;
use crate::house::House;
use crate::statements::{PairFacts, add_pair_receipt};

/// The active seed pair without its server seed, and the commitment to the next one.
#[derive(Debug, Clone)]
pub struct FairnessState {
    /// SHA-256 of the active server seed's text.
    pub server_seed_hash: String,
    /// The client seed of the active pair.
    pub client_seed: String,
    /// Who chose that client seed.
    pub client_seed_by: ClientSeedBy,
    /// The nonce of the next round.
    pub next_nonce: u64,
    /// SHA-256 of the server seed that the next rotation activates.
    pub next_server_seed_hash: String,
    /// The receipt, if the call has changed the pair.
    pub receipt: Option<Receipt>,
}

impl FairnessState {
    /// The state of an account whose client seed the player has just chosen, with its receipt.
    pub(crate) fn chosen_by_player(
        transaction: &mut Transaction<'_, '_>,
        account: &Account,
        next_server_seed_hash: String,
        at: Timestamp,
    ) -> Result<Self, CasinoError> {
        let facts = PairFacts {
            server_seed_hash: &account.seeds.commitment.hash,
            client_seed: &account.seeds.client_seed,
            client_seed_by: ClientSeedBy::Player,
            next_server_seed_hash: &next_server_seed_hash,
        };
        let receipt = add_pair_receipt(transaction, account.player, &facts, at)?;
        Ok(Self {
            server_seed_hash: account.seeds.commitment.hash.clone(),
            client_seed: account.seeds.client_seed.clone(),
            client_seed_by: ClientSeedBy::Player,
            next_nonce: account.seeds.next_nonce,
            next_server_seed_hash,
            receipt: Some(receipt),
        })
    }
}

impl From<SeedState> for FairnessState {
    fn from(state: SeedState) -> Self {
        Self {
            server_seed_hash: state.server_seed_hash,
            client_seed: state.client_seed,
            client_seed_by: state.client_seed_by,
            next_nonce: state.next_nonce,
            next_server_seed_hash: state.next_server_seed_hash,
            receipt: None,
        }
    }
}

/// The seeds that the player's next round will use, and the commitment to those after them.
///
/// # Errors
/// On a fault.
pub async fn fairness_state(house: &House, player: UserId) -> Result<FairnessState, CasinoError> {
    house
        .database
        .read(move |connection| Ok(queries::seed_state(connection, player)?.into()))
        .await
}

/// Reads a page of the player's former seed pairs, newest first, after the pair `after`.
///
/// # Errors
/// On a fault.
pub async fn former_seed_pairs(
    house: &House,
    player: UserId,
    after: Option<SeedPairId>,
    limit: usize,
) -> Result<Page<FormerSeedPair, SeedPairId>, CasinoError> {
    house
        .database
        .read(move |connection| queries::former_seed_pairs(connection, player, after, limit))
        .await
}
