//! The entries of the public log: one line of JSON each.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tlog_tiles::Hash;

use crate::MAXIMUM_TREE_SIZE;
use crate::encoding::{base64_hash, display, hex_blocks, hex_hash};
use crate::keys::VerifierKeys;
use crate::origin::Origin;
use crate::time::UtcDay;

mod bundle;

pub use bundle::{BundleError, decode_bundle, encode_bundle};

/// The longest line in bytes, which is limited by the format of bundles.
pub const MAXIMUM_LENGTH: usize = 65_535;

/// A public record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Entry {
    /// A settled round.
    Round(Round),
    /// The published facts of the games, at each change.
    Rules(Rules),
    /// The daily totals.
    Books(Books),
    /// A verifier key that signs from here on.
    Key(Key),
    /// The first entry of a log that follows another one.
    Restart(Restart),
}

/// A settled round, without its player. Amounts are in US cents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The game's name.
    pub game: String,
    /// The number of the rules version.
    pub rules: u32,
    /// The stake.
    pub stake: i64,
    /// The payout.
    pub payout: i64,
    /// The player's choices.
    pub terms: Terms,
    /// The blocks of the round's stream in the order in which they were drawn, then the one that
    /// decided on a fraction of a cent, if there was one.
    #[serde(with = "hex_blocks")]
    pub words: Vec<[u8; 32]>,
    /// When the round was settled, in seconds since 1970.
    pub second: i64,
}

/// The player's choices in a round: a JSON object whose fields the game defines.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Terms(Box<RawValue>);

/// The facts that the house publishes about its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The number of the rules version.
    pub version: u32,
    /// The SHA-256 hash of the published document.
    #[serde(with = "hex_hash")]
    pub sha256: [u8; 32],
    /// When the entry was made, in seconds since 1970.
    pub second: i64,
}

/// The totals of all entries of rounds before this one, and of the accounts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Books {
    /// The day that is over.
    #[serde(with = "display")]
    pub day: UtcDay,
    /// The totals of each game.
    pub games: Vec<GameTotals>,
    /// The sum of all balances in US cents.
    pub balances: i64,
    /// The number of accounts.
    pub accounts: i64,
    /// When the entry was made, in seconds since 1970.
    pub second: i64,
}

/// The totals of one game since the log began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTotals {
    /// The game's name.
    pub game: String,
    /// The number of rounds.
    pub rounds: i64,
    /// The sum of the stakes in US cents.
    pub stake: i64,
    /// The sum of the payouts in US cents.
    pub payout: i64,
}

/// A verifier key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The key's text.
    pub vkey: String,
    /// When the entry was made, in seconds since 1970.
    pub second: i64,
}

/// The end of the log that this one follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// The origin of the other log.
    pub origin: String,
    /// Its number of entries.
    pub size: u64,
    /// Its root.
    #[serde(with = "base64_hash")]
    pub root: Hash,
    /// When the entry was made, in seconds since 1970.
    pub second: i64,
}

/// Why an entry cannot be written or is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It is not an entry of a known kind with exactly the fields of that kind.
    #[error("it is not an entry of a known kind with exactly its fields")]
    Malformed,
    /// It is written in another way than usual, such as with spaces or with fields in another order.
    #[error("the entry is not written in the usual way")]
    NotCanonical,
    /// A number is negative, a game's name is not made of letters, digits and `_`, or a key or origin
    /// is not valid.
    #[error("the entry has an invalid value")]
    Invalid,
    /// The line is longer than [`MAXIMUM_LENGTH`].
    #[error("the entry is longer than {MAXIMUM_LENGTH} bytes")]
    TooLong,
}

impl Entry {
    /// Writes the entry as its line, without a line end.
    ///
    /// # Errors
    /// If a value is invalid or the line would be too long.
    pub fn to_line(&self) -> Result<String, EntryError> {
        if !self.is_valid() {
            return Err(EntryError::Invalid);
        }
        let line = serde_json::to_string(self).map_err(|_| EntryError::Malformed)?;
        if line.len() > MAXIMUM_LENGTH {
            return Err(EntryError::TooLong);
        }
        Ok(line)
    }

    /// Parses a line.
    ///
    /// # Errors
    /// If the line differs in any way from what [`Entry::to_line`] writes.
    pub fn parse(line: &str) -> Result<Self, EntryError> {
        if line.len() > MAXIMUM_LENGTH {
            return Err(EntryError::TooLong);
        }
        let entry = Self::parse_fields(line)?;
        if entry.to_line()? == line {
            Ok(entry)
        } else {
            Err(EntryError::NotCanonical)
        }
    }

    fn parse_fields(line: &str) -> Result<Self, EntryError> {
        // serde's tagged enums cannot contain raw JSON, so the tag is cut off.
        let (kind, fields) = line
            .strip_prefix(r#"{"kind":""#)
            .and_then(|rest| rest.split_once(r#"","#))
            .ok_or(EntryError::Malformed)?;
        let object = format!("{{{fields}");
        match kind {
            "round" => fields_of(&object).map(Self::Round),
            "rules" => fields_of(&object).map(Self::Rules),
            "books" => fields_of(&object).map(Self::Books),
            "key" => fields_of(&object).map(Self::Key),
            "restart" => fields_of(&object).map(Self::Restart),
            _ => Err(EntryError::Malformed),
        }
    }

    fn is_valid(&self) -> bool {
        let is_valid_total = |total: &GameTotals| {
            is_game(&total.game) && total.rounds >= 0 && total.stake >= 0 && total.payout >= 0
        };
        match self {
            Self::Round(round) => {
                is_game(&round.game)
                    && round.stake >= 0
                    && round.payout >= 0
                    && round.second >= 0
                    && round.terms.is_compact_object()
            }
            Self::Rules(rules) => rules.second >= 0,
            Self::Books(books) => {
                books.games.iter().all(is_valid_total)
                    && books.balances >= 0
                    && books.accounts >= 0
                    && books.second >= 0
            }
            Self::Key(key) => {
                let is_one_key = !key.vkey.contains('\n') && VerifierKeys::parse(&key.vkey).is_ok();
                is_one_key && key.second >= 0
            }
            Self::Restart(restart) => {
                Origin::parse(&restart.origin).is_ok()
                    && restart.size <= MAXIMUM_TREE_SIZE
                    && restart.second >= 0
            }
        }
    }
}

/// The leaf hash of an entry's line in the log.
#[must_use]
pub fn leaf_hash(line: &[u8]) -> Hash {
    tlog_tiles::record_hash(line)
}

fn fields_of<T: DeserializeOwned>(object: &str) -> Result<T, EntryError> {
    serde_json::from_str(object).map_err(|_| EntryError::Malformed)
}

fn is_game(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_allowed)
}

impl Terms {
    /// Writes a game's terms.
    ///
    /// # Errors
    /// If they are not written as a JSON object.
    pub fn new(terms: &impl Serialize) -> Result<Self, EntryError> {
        let json = serde_json::value::to_raw_value(terms).map_err(|_| EntryError::Malformed)?;
        let terms = Self(json);
        if terms.is_compact_object() {
            Ok(terms)
        } else {
            Err(EntryError::Malformed)
        }
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Whether the JSON is an object without spaces around its tokens.
    fn is_compact_object(&self) -> bool {
        let json = self.as_str();
        let mut is_in_string = false;
        let mut is_escaped = false;
        json.starts_with('{')
            && json.bytes().all(|byte| {
                if is_escaped {
                    is_escaped = false;
                } else {
                    is_escaped = is_in_string && byte == b'\\';
                    is_in_string ^= byte == b'"';
                }
                is_in_string || !byte.is_ascii_whitespace()
            })
    }
}

impl PartialEq for Terms {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}
