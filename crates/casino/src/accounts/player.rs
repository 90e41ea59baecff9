//! A player as the player sees himself.

use glasshouse_domain::Wallet;
use glasshouse_games::fairness::{ClientSeed, SeedRefused, ServerSeed, Stream};
use glasshouse_persistence::accounts::{Account, User};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// A user and the money of the user's account.
#[derive(Debug, Clone)]
pub struct PlayerView {
    /// Who.
    pub user: User,
    /// How much.
    pub wallet: Wallet,
}

/// Reads the signed-in player's account.
///
/// # Errors
/// If the database fails.
pub async fn player(house: &House, user: User) -> Result<PlayerView, CasinoError> {
    let id = user.id;
    let wallet = house
        .database
        .read(move |connection| Ok(queries::account_of(connection, id)?.wallet))
        .await
        .map_err(|error: DatabaseError| CasinoError::from(error))?;
    Ok(PlayerView { user, wallet })
}

/// The reference of a round's ledger entries.
pub(crate) fn round_reference(id: glasshouse_domain::RoundId) -> String {
    format!("round:{id}")
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
