//! The seeds of a round, as they were when it was played.

use glasshouse_games::fairness::{ClientSeed, ClientSeedError, RoundSeeds, ServerSeed};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{Round, RoundWithSeeds};
use glasshouse_persistence::seeds::{SeedKeys, StoredServerSeed};

use crate::error::CasinoError;

/// The seeds of one of the account's rounds, from the active pair or from a revealed pair.
pub(crate) fn seeds_of_round(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: &Round,
) -> Result<RoundSeeds, CasinoError> {
    let keys = transaction.keys();
    if round.seed_pair == account.seeds.id {
        return active_seeds(&keys.seeds, account, round.nonce);
    }
    let (server_seed, client_seed) = transaction.seeds_of_pair(round.seed_pair)?;
    stored_seeds(&keys.seeds, &server_seed, &client_seed, round.nonce)
}

/// The seeds of the account's round with this nonce, from the active pair.
pub(crate) fn active_seeds(
    keys: &SeedKeys,
    account: &Account,
    nonce: u64,
) -> Result<RoundSeeds, CasinoError> {
    let server_seed = keys.server_seed(&account.seeds.commitment)?;
    round_seeds(server_seed, &account.seeds.client_seed, nonce)
}

/// The seeds of a round that was read with them.
pub(crate) fn seeds_read_with(
    keys: &SeedKeys,
    found: &RoundWithSeeds,
) -> Result<RoundSeeds, CasinoError> {
    stored_seeds(
        keys,
        &found.server_seed,
        &found.client_seed,
        found.round.nonce,
    )
}

/// The seeds of a round from its stored pair.
pub(crate) fn stored_seeds(
    keys: &SeedKeys,
    server_seed: &StoredServerSeed,
    client_seed: &str,
    nonce: u64,
) -> Result<RoundSeeds, CasinoError> {
    round_seeds(keys.text_of(server_seed)?, client_seed, nonce)
}

/// Parses the seeds of a round.
pub(crate) fn round_seeds(
    server_seed: String,
    client_seed: &str,
    nonce: u64,
) -> Result<RoundSeeds, CasinoError> {
    let corrupt = |error: ClientSeedError| CasinoError::corrupt(format!("stored seed: {error}"));
    Ok(RoundSeeds {
        server_seed: ServerSeed::from_text(server_seed).map_err(corrupt)?,
        client_seed: ClientSeed::parse(client_seed).map_err(corrupt)?,
        nonce,
    })
}
