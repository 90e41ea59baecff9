//! Receipts: the signed statements that a player gets about seed pairs, rounds and payments.

use std::fmt;

use serde::{Deserialize, Serialize};
use tlog_tiles::Hash;

use crate::checkpoint::ReceiptsRoot;
use crate::encoding::{base64_hashes, parse_hex_hash};
use crate::keys::{NoteError, VerifierKeys};
use crate::origin::Origin;
use crate::receipt_tree::{self, PathError};
use crate::time::UtcTime;

mod parse;

/// A statement of the house to one player. `Display` writes its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// The house.
    pub origin: Origin,
    /// The player's ID.
    pub player: i64,
    /// What is stated.
    pub statement: Statement,
    /// When the house made the statement.
    pub time: UtcTime,
}

/// What a receipt states.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// A stake was taken, or a round was settled.
    Round(RoundStatement),
    /// A seed pair became active.
    Pair(PairStatement),
    /// A deposit was credited, or a withdrawal was held, returned or paid.
    Payment(PaymentStatement),
}

/// What a receipt states about a round. Amounts are in US cents.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundStatement {
    /// The round's ID.
    pub round: i64,
    /// Whether it is settled.
    pub state: RoundState,
    /// The hash of the server seed.
    pub pair: SeedHash,
    /// The round's number among those of the pair.
    pub nonce: u64,
    /// The stake.
    pub stake: i64,
    /// The player's balance after the stake or the payout.
    pub balance: i64,
}

/// Whether a round is settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RoundState {
    /// The stake is taken, and the round is in play.
    Open,
    /// The round is over.
    Settled {
        /// The payout in US cents, 0 for a loss.
        payout: i64,
        /// The leaf hash of the round's entry in the public log.
        entry: Hash,
    },
}

/// What a receipt states about a seed pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairStatement {
    /// The hash of the pair's server seed.
    pub server_seed_hash: SeedHash,
    /// The pair's client seed.
    pub client_seed: ClientSeed,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
    /// The hash of the server seed that comes next.
    pub next_server_seed_hash: SeedHash,
}

/// Who chose a client seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientSeedBy {
    /// The player.
    Player,
    /// The house, as long as the player has not chosen one.
    House,
}

/// What a receipt states about a payment. Amounts are in US cents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentStatement {
    /// Which payment, and what happened to it.
    pub payment: Payment,
    /// The amount that was credited, held, returned or paid.
    pub amount: i64,
    /// The player's balance afterwards.
    pub balance: i64,
}

/// A payment and what happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payment {
    /// The deposit with this ID was credited.
    DepositCredited(i64),
    /// The withdrawal with this ID was requested, and its amount debited.
    WithdrawalHeld(i64),
    /// The withdrawal with this ID was refused or failed, and its amount credited again.
    WithdrawalReturned(i64),
    /// The withdrawal with this ID was paid out.
    WithdrawalPaid(i64),
}

/// The SHA-256 hash that commits to a server seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeedHash([u8; 32]);

/// A client seed: 1–64 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientSeed(String);

/// The text is not a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// A line is missing, misplaced or named otherwise.
    #[error("the receipt has no line `{0}` in its place")]
    Missing(&'static str),
    /// The value in a line is not valid.
    #[error("the receipt's line `{0}` is not valid")]
    Invalid(&'static str),
    /// Something follows the last line.
    #[error("the receipt has more lines than expected")]
    TooLong,
    /// A value is written in another way than usual, such as a number with a leading zero.
    #[error("the receipt is not written in the usual way")]
    NotCanonical,
}

impl Receipt {
    /// Parses a receipt.
    ///
    /// # Errors
    /// If the text differs in any way from what `Display` writes.
    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        let receipt = parse::receipt(text)?;
        if receipt.to_string() == text {
            Ok(receipt)
        } else {
            Err(ReceiptError::NotCanonical)
        }
    }

    /// The hash of the receipt in the tree of its commit's receipts.
    #[must_use]
    pub fn leaf_hash(&self) -> Hash {
        leaf_hash(&self.to_string())
    }
}

/// The hash of a receipt's text in the tree of its commit's receipts.
#[must_use]
pub fn leaf_hash(text: &str) -> Hash {
    tlog_tiles::record_hash(text.as_bytes())
}

impl fmt::Display for Receipt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", parse::TITLE)?;
        writeln!(formatter, "origin {}", self.origin)?;
        writeln!(formatter, "player {}", self.player)?;
        match &self.statement {
            Statement::Round(round) => round.fmt(formatter)?,
            Statement::Pair(pair) => pair.fmt(formatter)?,
            Statement::Payment(payment) => payment.fmt(formatter)?,
        }
        writeln!(formatter, "time {}", self.time)
    }
}

impl fmt::Display for RoundStatement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            RoundState::Open => "open",
            RoundState::Settled { .. } => "settled",
        };
        writeln!(formatter, "subject round {}", self.round)?;
        writeln!(formatter, "state {state}")?;
        writeln!(formatter, "pair {} nonce {}", self.pair, self.nonce)?;
        writeln!(formatter, "stake {}", self.stake)?;
        match self.state {
            RoundState::Open => writeln!(formatter, "payout -")?,
            RoundState::Settled { payout, .. } => writeln!(formatter, "payout {payout}")?,
        }
        writeln!(formatter, "balance {}", self.balance)?;
        match self.state {
            RoundState::Open => writeln!(formatter, "entry -"),
            RoundState::Settled { entry, .. } => {
                writeln!(formatter, "entry {}", hex::encode(entry.0))
            }
        }
    }
}

impl fmt::Display for PairStatement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "subject pair {}", self.server_seed_hash)?;
        writeln!(formatter, "state active")?;
        let by = match self.client_seed_by {
            ClientSeedBy::Player => "player",
            ClientSeedBy::House => "house",
        };
        writeln!(formatter, "client {} by {by}", self.client_seed.0)?;
        writeln!(formatter, "next {}", self.next_server_seed_hash)
    }
}

impl fmt::Display for PaymentStatement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, id, state) = match self.payment {
            Payment::DepositCredited(id) => ("deposit", id, "credited"),
            Payment::WithdrawalHeld(id) => ("withdrawal", id, "held"),
            Payment::WithdrawalReturned(id) => ("withdrawal", id, "returned"),
            Payment::WithdrawalPaid(id) => ("withdrawal", id, "paid"),
        };
        writeln!(formatter, "subject {kind} {id}")?;
        writeln!(formatter, "state {state}")?;
        writeln!(formatter, "amount {}", self.amount)?;
        writeln!(formatter, "balance {}", self.balance)
    }
}

impl SeedHash {
    /// Wraps a hash.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex_hash(text).map(Self)
    }
}

impl fmt::Display for SeedHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl ClientSeed {
    /// Parses a client seed; `None` if it is empty, too long or contains other characters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let is_seed = (1..=64).contains(&text.len()) && text.bytes().all(is_allowed);
        is_seed.then(|| Self(text.to_owned()))
    }

    /// The seed as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A receipt with everything that proves that the house issued it, as it is sent to the player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedReceipt {
    /// The receipt's text.
    pub text: String,
    /// The number of the receipt among those of its commit.
    pub index: u64,
    /// The inclusion proof.
    #[serde(with = "base64_hashes")]
    pub path: Vec<Hash>,
    /// The signed root of the commit's receipts.
    pub note: String,
}

/// Why a signed receipt is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignedReceiptError {
    /// Its text is not a receipt.
    #[error(transparent)]
    Receipt(#[from] ReceiptError),
    /// Its note is not valid.
    #[error("the note of the receipt is not valid: {0}")]
    Note(#[from] NoteError),
    /// Its path does not lead to the root.
    #[error(transparent)]
    Path(#[from] PathError),
    /// It names another house than the keys.
    #[error("the receipt names another origin than the key")]
    OtherOrigin,
}

impl SignedReceipt {
    /// Verifies the signature and the path, and returns the receipt.
    ///
    /// # Errors
    /// If the note, the path or the text is not valid, or the receipt is of another house.
    pub fn verify(&self, keys: &VerifierKeys) -> Result<Receipt, SignedReceiptError> {
        let root = ReceiptsRoot::open(&self.note, keys)?;
        receipt_tree::verify_path(&self.path, self.index, leaf_hash(&self.text), &root)?;
        let receipt = Receipt::parse(&self.text)?;
        if receipt.origin == *keys.origin() {
            Ok(receipt)
        } else {
            Err(SignedReceiptError::OtherOrigin)
        }
    }
}
