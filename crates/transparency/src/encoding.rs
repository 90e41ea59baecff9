//! Hexadecimal and base64 texts in serde's formats, shared by receipts and entries.

use std::borrow::Cow;

use serde::{Deserialize as _, Deserializer, Serializer, de};

/// A 32-byte hash in lower-case hexadecimal.
pub(crate) mod hex_hash {
    use super::{Deserializer, Serializer, parse_hex_hash, text};

    pub(crate) fn serialize<S: Serializer>(
        hash: &[u8; 32],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(hash))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u8; 32], D::Error> {
        text(deserializer, parse_hex_hash)
    }
}

/// 32-byte blocks, one after the other in lower-case hexadecimal.
pub(crate) mod hex_blocks {
    use super::{Deserializer, Serializer, text};

    pub(crate) fn serialize<S: Serializer>(
        blocks: &[[u8; 32]],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(blocks.as_flattened()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<[u8; 32]>, D::Error> {
        text(deserializer, |text| {
            let bytes = hex::decode(text).ok()?;
            let (blocks, rest) = bytes.as_chunks();
            rest.is_empty().then(|| blocks.to_vec())
        })
    }
}

/// A hash in base64.
pub(crate) mod base64_hash {
    use tlog_tiles::Hash;

    use super::{Deserializer, Serializer, text};

    pub(crate) fn serialize<S: Serializer>(hash: &Hash, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(hash)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Hash, D::Error> {
        text(deserializer, |text| Hash::parse_hash(text).ok())
    }
}

/// A list of hashes in base64.
pub(crate) mod base64_hashes {
    use serde::Deserialize as _;
    use tlog_tiles::Hash;

    use super::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        hashes: &[Hash],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(hashes.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Hash>, D::Error> {
        Vec::deserialize(deserializer)
    }
}

/// A value that implements `Display` and `FromStr`, as text.
pub(crate) mod display {
    use std::fmt::Display;
    use std::str::FromStr;

    use super::{Deserializer, Serializer, text};

    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        text(deserializer, |text| text.parse().ok())
    }
}

/// Parses 64 lower-case hexadecimal digits.
pub(crate) fn parse_hex_hash(text: &str) -> Option<[u8; 32]> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if !text.bytes().all(is_digit) {
        return None;
    }
    let mut hash = [0; 32];
    hex::decode_to_slice(text, &mut hash).ok()?;
    Some(hash)
}

fn text<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| de::Error::custom("malformed text"))
}
