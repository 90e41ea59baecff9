//! The stream of random numbers that decides a round, from the seeds it was played with.

use glasshouse_games::fairness::{ClientSeed, SeedRefused, ServerSeed, Stream};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;

use crate::error::CasinoError;

/// Reads the seeds of a round, which may have been rotated away, and returns its stream.
pub(crate) fn stream_of_round(
    transaction: &mut Transaction<'_, '_>,
    round: &Round,
) -> Result<Stream, CasinoError> {
    let (server_seed, client_seed) = transaction.seeds_of(round)?;
    stream(&server_seed, &client_seed, round.nonce)
}

/// The stream of a round of the account's: by the seeds at hand, or by those that were rotated away.
pub(crate) fn stream_by_account(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: &Round,
) -> Result<Stream, CasinoError> {
    if round.seed_pair == account.seeds.id {
        stream_of(account, round.nonce)
    } else {
        stream_of_round(transaction, round)
    }
}

/// The stream of the account's round with that nonce.
pub(crate) fn stream_of(account: &Account, nonce: u64) -> Result<Stream, CasinoError> {
    stream(
        &account.seeds.server_seed,
        &account.seeds.client_seed,
        nonce,
    )
}

/// The stream of a round from its stored seeds.
pub(crate) fn stream(
    server_seed: &str,
    client_seed: &str,
    nonce: u64,
) -> Result<Stream, CasinoError> {
    let corrupt = |error: SeedRefused| CasinoError::corrupt(format!("stored seed: {error}"));
    let server_seed = ServerSeed::from_text(server_seed.to_owned()).map_err(corrupt)?;
    let client_seed = ClientSeed::parse(client_seed).map_err(corrupt)?;
    Ok(Stream::new(&server_seed, &client_seed, nonce))
}
