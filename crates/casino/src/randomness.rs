//! Random values from the operating system's generator.

use glasshouse_domain::NewPassword;
use glasshouse_games::fairness::{ClientSeed, ClientSeedError};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::accounts::breached_passwords::is_breached;
use crate::error::{CasinoError, Fault};

/// Random bytes.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], CasinoError> {
    let mut bytes = [0; N];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Fault::Entropy(error.to_string()))?;
    Ok(bytes)
}

/// A random client seed for a player who has not chosen one.
pub(crate) fn client_seed() -> Result<ClientSeed, CasinoError> {
    let text = hex::encode(bytes::<8>()?);
    ClientSeed::parse(&text)
        .map_err(|error: ClientSeedError| Fault::Entropy(error.to_string()).into())
}

/// A password for an administrator: 120 random bits in hexadecimal.
///
/// # Errors
/// If the operating system cannot provide random bytes.
pub fn random_password() -> Result<String, CasinoError> {
    loop {
        let password = hex::encode(bytes::<15>()?);
        // One in 65,536 random passwords is mistaken for a breached one, and refused.
        let parsed = NewPassword::parse(password.clone());
        if parsed.is_ok_and(|parsed| !is_breached(&parsed)) {
            return Ok(password);
        }
    }
}
