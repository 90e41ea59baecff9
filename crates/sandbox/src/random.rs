//! Random IDs and hexadecimal texts.

use rand::TryRng;
use rand::rngs::{SysError, SysRng};

use crate::error::SandboxError;

/// Generates a random ten-digit ID, so that a sandbox that has lost its state does not reuse old
/// IDs.
pub(crate) fn random_id(from: u64) -> Result<u64, SandboxError> {
    Ok(from + SysRng.try_next_u64().map_err(no_randomness)? % 1_000_000_000)
}

/// Generates 16 random hexadecimal digits.
pub(crate) fn random_hex() -> Result<String, SandboxError> {
    let number = SysRng.try_next_u64().map_err(no_randomness)?;
    Ok(format!("{number:016x}"))
}

fn no_randomness(error: SysError) -> SandboxError {
    SandboxError::machine("No random numbers are available", error)
}
