//! The domain types and rules that do not depend on any game: money, the wallet and its wagering
//! requirement, the ledger, users.
//!
//! Pure: no I/O, clock, randomness, database or wire format. A refused operation leaves its subject
//! unchanged.

mod audit;
mod client_seed_by;
mod codes;
mod currency;
mod deposit;
mod game;
mod ids;
mod ledger;
mod money;
mod multiplier;
mod review;
mod round;
mod rules_version;
mod spread;
mod stored_names;
mod timestamp;
mod user;
mod wallet;
mod withdrawal;

pub use audit::{AuditAction, AuditSubject};
pub use client_seed_by::ClientSeedBy;
pub use currency::Currency;
pub use deposit::{DepositStatus, WageredDeposit, wagered_deposits};
pub use game::{Game, GameStatus};
pub use ids::{
    AuditId, DepositId, IdError, ReceiptId, ReviewId, RoundId, SeedPairId, UserId, WithdrawalId,
};
pub use ledger::{EntryKind, LedgerPosting, LedgerReference};
pub use money::{MAXIMUM_AMOUNT, Money, ParseMoneyError};
pub use multiplier::{Multiplier, ParseMultiplierError};
pub use review::ReviewKind;
pub use round::{RoundResult, RoundState};
pub use rules_version::RulesVersion;
pub use spread::Spread;
pub use timestamp::Timestamp;
pub use user::{
    NewPassword, PasswordError, Role, TypedPassword, UserStatus, Username, UsernameError,
};
pub use wallet::{Wallet, WalletCorrupt, WalletError};
pub use withdrawal::{MINIMUM_WITHDRAWAL, WithdrawalStatus, WithdrawalTerms, WithdrawalTermsError};
