//! The random token of a link in a mail. Only its hash is stored, so the database's readers cannot use
//! the link.

use sha2::{Digest, Sha256};

use crate::error::CasinoError;
use crate::randomness;

/// The length of a token in hexadecimal digits: 256 random bits.
const TOKEN_DIGITS: usize = 64;

/// A new token.
pub(crate) fn new_token() -> Result<String, CasinoError> {
    Ok(hex::encode(randomness::bytes::<32>()?))
}

/// The hash under which a token is stored; `None` for a text that is no token. The hash can be looked
/// up: whoever measures how long that takes learns nothing of a token.
pub(crate) fn hash_of(token: &str) -> Option<String> {
    let is_token =
        token.len() == TOKEN_DIGITS && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token.then(|| hex::encode(Sha256::digest(token.as_bytes())))
}
