//! Provable fairness: the stream of numbers that is determined by two seeds and a nonce.
//!
//! Block b of a round's stream is HMAC-SHA256 over `clientSeed:nonce:b` with the text of the server
//! seed as the key, read as eight big-endian 32-bit words (`docs/games.md#seeds`). The largest
//! crypto casinos use the same scheme, so their published verifiers can check our rounds.

use std::fmt;

use sha2::{Digest, Sha256};

mod stream;

pub use stream::{Block, Stream, WrongBlocks, scale};

/// The house's part of a seed pair, secret until the pair is rotated.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed(String);

/// The player's part of a seed pair: 1–64 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSeed(String);

/// The text is not a valid seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClientSeedError {
    /// The server seed is not 1–128 visible ASCII characters.
    #[error("A server seed is 1 to 128 visible characters")]
    Server,
    /// The client seed is not 1–64 letters, digits, `_` and `-`.
    #[error("A client seed is 1 to 64 letters, digits, _ and -")]
    Client,
}

impl ServerSeed {
    /// Creates a seed from 32 random bytes, as 64 hexadecimal digits.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(hex::encode(bytes))
    }

    /// Restores a stored or published seed.
    ///
    /// # Errors
    /// If it is empty, longer than 128 characters or not visible ASCII.
    pub fn from_text(text: String) -> Result<Self, ClientSeedError> {
        let is_seed =
            (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_seed {
            Ok(Self(text))
        } else {
            Err(ClientSeedError::Server)
        }
    }

    /// The secret text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The commitment shown before the first bet: SHA-256 of the seed's text, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerSeed(hidden)")
    }
}

impl ClientSeed {
    /// Parses a client seed.
    ///
    /// # Errors
    /// If it is empty, longer than 64 characters, or contains other characters.
    pub fn parse(text: &str) -> Result<Self, ClientSeedError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ClientSeedError::Client)
        }
    }

    /// The seed as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The seeds and the nonce of one round.
#[derive(Debug, Clone)]
pub struct RoundSeeds {
    /// The house's part.
    pub server_seed: ServerSeed,
    /// The player's part.
    pub client_seed: ClientSeed,
    /// The round's number among those of the pair.
    pub nonce: u64,
}

impl RoundSeeds {
    /// The round's stream, from its beginning.
    #[must_use]
    pub fn stream(&self) -> Stream {
        Stream::new(&self.server_seed, &self.client_seed, self.nonce)
    }
}
