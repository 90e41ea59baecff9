//! Validation of withdrawal addresses for their currency (`docs/payments.md#addresses`). A valid
//! address has the format and checksum of a main-net address; who owns it cannot be checked.

use bech32::{Fe32, Hrp};
use glasshouse_domain::Currency;
use sha3::{Digest, Keccak256};

/// Longer than the addresses of every currency; longer texts are refused unread.
const MAXIMUM_LENGTH: usize = 128;
/// The length in bytes of the hash of a key or a script.
const HASH_BYTES: usize = 20;
const SOLANA_BYTES: usize = 32;
/// The version bytes that precede the hash.
const BITCOIN_VERSIONS: [u8; 2] = [0x00, 0x05];
/// 0x05 is left out because Bitcoin uses it too, and money sent to the wrong chain is lost.
const LITECOIN_VERSIONS: [u8; 2] = [0x30, 0x32];
const DOGECOIN_VERSIONS: [u8; 2] = [0x1e, 0x16];
/// Standard, integrated and subaddress, in this order.
const MONERO_NETWORK_BYTES: [u8; 3] = [18, 19, 42];

/// Whether `text` is a main-net address of the currency.
#[must_use]
pub fn is_address(currency: Currency, text: &str) -> bool {
    if text.is_empty() || text.len() > MAXIMUM_LENGTH || !text.is_ascii() {
        return false;
    }
    match currency {
        Currency::Btc => is_base58check(text, BITCOIN_VERSIONS) || is_segwit(text, "bc"),
        Currency::Ltc => is_base58check(text, LITECOIN_VERSIONS) || is_segwit(text, "ltc"),
        Currency::Doge => is_base58check(text, DOGECOIN_VERSIONS),
        Currency::Eth | Currency::Shib | Currency::UsdtErc20 | Currency::Bnb => is_ethereum(text),
        Currency::Sol | Currency::UsdtSol => is_solana(text),
        Currency::Xmr => is_monero(text),
        Currency::Bch => is_cash_address(text),
    }
}

/// The one form of an address that can be written in several ways: two addresses of a currency are the
/// same if and only if their normal forms are equal.
#[must_use]
pub fn normal_form(currency: Currency, address: &str) -> String {
    let lower = address.to_ascii_lowercase();
    match currency {
        Currency::Btc if lower.starts_with("bc1") => lower,
        Currency::Ltc if lower.starts_with("ltc1") => lower,
        Currency::Eth | Currency::Shib | Currency::UsdtErc20 | Currency::Bnb => lower,
        Currency::Bch => match lower.split_once(':') {
            Some((_, payload)) => payload.to_owned(),
            None => lower,
        },
        // Case matters in base58.
        Currency::Btc
        | Currency::Ltc
        | Currency::Doge
        | Currency::Sol
        | Currency::UsdtSol
        | Currency::Xmr => address.to_owned(),
    }
}

fn is_base58check(text: &str, versions: [u8; 2]) -> bool {
    let decoded = bs58::decode(text).with_check(None).into_vec();
    decoded.is_ok_and(|bytes| match bytes.split_first() {
        Some((version, hash)) => versions.contains(version) && hash.len() == HASH_BYTES,
        None => false,
    })
}

/// Accepts bech32 for version 0 and bech32m for later versions. The `bech32` crate checks that, and
/// the lengths of the witness programs.
fn is_segwit(text: &str, prefix: &str) -> bool {
    let expected = Hrp::parse(prefix);
    match (bech32::segwit::decode(text), expected) {
        (Ok((prefix, version, program)), Ok(expected)) => {
            prefix == expected && is_standard_program(version, program.len())
        }
        _ => false,
    }
}

/// Accepts version 0 for a key or a script, and version 1 for a Taproot key. Who can spend outputs
/// of later versions is not defined yet.
fn is_standard_program(version: Fe32, length: usize) -> bool {
    match version.to_u8() {
        0 => length == 20 || length == 32,
        1 => length == 32,
        _ => false,
    }
}

/// Accepts 40 hexadecimal digits; in mixed case they must match the EIP-55 checksum.
fn is_ethereum(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x") else {
        return false;
    };
    if digits.len() != 2 * HASH_BYTES || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return false;
    }
    let is_mixed = digits.bytes().any(|byte| byte.is_ascii_lowercase())
        && digits.bytes().any(|byte| byte.is_ascii_uppercase());
    !is_mixed || has_eip_55_case(digits)
}

/// A letter is in upper case if the digit at the same position of the lower-case text's hash is 8
/// or more.
fn has_eip_55_case(digits: &str) -> bool {
    let hash = hex::encode(Keccak256::digest(digits.to_ascii_lowercase().as_bytes()));
    digits.chars().zip(hash.chars()).all(|(digit, hashed)| {
        let is_upper = hashed.to_digit(16).is_some_and(|value| value >= 8);
        !digit.is_ascii_alphabetic() || digit.is_ascii_uppercase() == is_upper
    })
}

fn is_solana(text: &str) -> bool {
    let decoded = bs58::decode(text).into_vec();
    decoded.is_ok_and(|bytes| bytes.len() == SOLANA_BYTES)
}

/// The body is the network byte, two keys and, in an integrated address, a payment ID; four bytes
/// of checksum follow.
fn is_monero(text: &str) -> bool {
    let Ok(bytes) = base58_monero::decode(text) else {
        return false;
    };
    let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
        return false;
    };
    let has_length = match body.first() {
        Some(19) => body.len() == 73,
        Some(network) => MONERO_NETWORK_BYTES.contains(network) && body.len() == 65,
        None => false,
    };
    has_length && Keccak256::digest(body).starts_with(checksum)
}

/// The alphabet of `CashAddr`, which is that of bech32.
const CASH_ALPHABET: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CASH_PREFIX: &str = "bitcoincash";
/// The length of a version byte and a 20-byte hash in 5-bit groups, plus eight groups of checksum.
const CASH_LENGTH: usize = 42;
/// The version bytes for a 20-byte hash of a key and of a script.
const CASH_VERSIONS: [u8; 2] = [0, 8];

/// Accepts a main-net `CashAddr` with or without its prefix, all in one case.
fn is_cash_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if text != lower && text != text.to_ascii_uppercase() {
        return false;
    }
    let payload = match lower.split_once(':') {
        Some((CASH_PREFIX, payload)) => payload,
        Some(_) => return false,
        None => lower.as_str(),
    };
    let groups: Option<Vec<u8>> = payload
        .chars()
        .map(|character| {
            CASH_ALPHABET
                .find(character)
                .and_then(|position| u8::try_from(position).ok())
        })
        .collect();
    let Some(groups) = groups.filter(|groups| groups.len() == CASH_LENGTH) else {
        return false;
    };
    let prefix = CASH_PREFIX.bytes().map(|byte| byte & 0x1f).chain([0]);
    let has_checksum = cash_polymod(prefix.chain(groups.iter().copied())) == 0;
    // The first eight bits are the version byte.
    let version = match groups.as_slice() {
        [first, second, ..] => (first << 3) | (second >> 2),
        _ => return false,
    };
    has_checksum && CASH_VERSIONS.contains(&version)
}

/// The checksum in the `CashAddr` specification: a BCH code over 5-bit groups.
fn cash_polymod(groups: impl Iterator<Item = u8>) -> u64 {
    const GENERATOR: [u64; 5] = [
        0x98_f2bc_8e61,
        0x79_b76d_99e2,
        0xf3_3e5f_b3c4,
        0xae_2eab_e2a8,
        0x1e_4f43_e470,
    ];
    let checksum = groups.fold(1_u64, |checksum, group| {
        let top = checksum >> 35;
        let shifted = ((checksum & 0x07_ffff_ffff) << 5) ^ u64::from(group);
        GENERATOR
            .iter()
            .enumerate()
            .filter(|(bit, _)| (top >> bit) & 1 == 1)
            .fold(shifted, |checksum, (_, generator)| checksum ^ generator)
    });
    checksum ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_one_normal_form() {
        const SEGWIT: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        const CASH: &str = "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
        let check = |currency, spellings: &[&str]| {
            for spelling in spellings {
                assert!(is_address(currency, spelling), "{spelling}");
                assert_eq!(
                    normal_form(currency, spelling),
                    normal_form(currency, spellings[0])
                );
            }
        };
        check(Currency::Btc, &[SEGWIT, &SEGWIT.to_uppercase()]);
        let checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        check(Currency::Eth, &[checksummed, &checksummed.to_lowercase()]);
        let prefixed = format!("{CASH_PREFIX}:{CASH}");
        check(
            Currency::Bch,
            &[
                CASH,
                &CASH.to_uppercase(),
                &prefixed,
                &prefixed.to_uppercase(),
            ],
        );
        // Case matters in base58.
        let base58 = "12KYrjTdVGjFMtaxERSk3gphreJ5US8aUP";
        assert_eq!(normal_form(Currency::Btc, base58), base58);
    }
}
