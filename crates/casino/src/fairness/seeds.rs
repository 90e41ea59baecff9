//! The seeds of a round, as they were stored when it was played.

use glasshouse_games::fairness::{ClientSeed, ClientSeedError, RoundSeeds, ServerSeed};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;

use crate::error::CasinoError;

/// The seeds of one of the account's rounds, from the pair in use or from a rotated pair.
pub(crate) fn seeds_of_round(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: &Round,
) -> Result<RoundSeeds, CasinoError> {
    if round.seed_pair == account.seeds.id {
        return seeds_in_use(account, round.nonce);
    }
    let (server_seed, client_seed) = transaction.seeds_of(round)?;
    round_seeds(&server_seed, &client_seed, round.nonce)
}

/// The seeds of the account's round with this nonce, from the pair in use.
pub(crate) fn seeds_in_use(account: &Account, nonce: u64) -> Result<RoundSeeds, CasinoError> {
    round_seeds(
        &account.seeds.server_seed,
        &account.seeds.client_seed,
        nonce,
    )
}

/// Parses the stored seeds of a round.
pub(crate) fn round_seeds(
    server_seed: &str,
    client_seed: &str,
    nonce: u64,
) -> Result<RoundSeeds, CasinoError> {
    let corrupt = |error: ClientSeedError| CasinoError::corrupt(format!("stored seed: {error}"));
    Ok(RoundSeeds {
        server_seed: ServerSeed::from_text(server_seed.to_owned()).map_err(corrupt)?,
        client_seed: ClientSeed::parse(client_seed).map_err(corrupt)?,
        nonce,
    })
}
