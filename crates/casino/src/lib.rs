//! The use cases of the casino, one transaction each, in one folder per topic.
//!
//! A use case takes a typed command, opens a transaction through `persistence` and applies the
//! rules of `domain` and `games` in it. This crate must not know HTTP, cookies or the wire format,
//! and it contains no game rules and no SQL itself.

pub mod accounts;
pub mod administration;
pub mod alerts;
pub mod books;
pub mod email;
pub mod fairness;
pub mod limits;
pub mod mail;
pub mod money;
pub mod operating;
pub mod play;
pub mod privacy;
pub mod public_log;

mod background;
mod clock;
mod error;
mod examination;
mod house;
mod idempotency;
mod outgoing_call;
mod randomness;
mod statements;
mod watch_database;

pub use clock::{Bounds, CLOCK_TOLERANCE, Clock, SystemClock};
pub use error::{
    AccountRefusal, ApprovalRefusal, CasinoError, ClosureRefusal, EmailRefusal, Fault, LateCashOut,
    LimitRefusal, OperatingRefusal, PasskeyRefusal, PayoutRefusal, Refusal, RefusalCode,
    RefusalKind, whole_seconds,
};
pub use examination::{Examination, ExaminedContents, PostgresServer, examine_database};
pub use house::House;
pub use idempotency::{IdempotencyKey, IdempotencyKeyError};
pub use randomness::random_password;
pub use watch_database::watch_database;

// Types of the lower layers that the layers above need.
pub use glasshouse_persistence::accounts::{
    DailyStatement, FactorKeys, LedgerEntry, OpenSession, Passkey, RequestOrigin,
    SecondFactorStatus, SecurityEvent, TermsAcceptance, User,
};
pub use glasshouse_persistence::admin::*;
pub use glasshouse_persistence::approval::ProposalEntry;
pub use glasshouse_persistence::audit::AuditKeys;
pub use glasshouse_persistence::books::HouseCounts;
pub use glasshouse_persistence::limits::{ChangeAction, RecordedChange, SessionUsage};
pub use glasshouse_persistence::money::{
    Deposit, MatchStatus, PaidWithdrawal, PaymentRecord, Payout, PlayerTotals, Withdrawal,
    WithdrawalAddress,
};
pub use glasshouse_persistence::operating::{HouseSettings, SwitchEntry};
pub use glasshouse_persistence::rounds::{
    ExportedRound, GameSettings, GameStatistics, HighWinCursor, HistoryCursor, ProfitBucket,
    PublicRound, Round,
};
pub use glasshouse_persistence::seeds::{FormerSeedPair, SeedKeys, seed_keys_in_use};
pub use glasshouse_persistence::{
    Database, DatabaseError, DatabaseOptions, DatabaseUrl, HouseKeys, Inventory, KeysError,
    NeededKeys, OpenError, Page, READERS, RestorationTarget, SchemaVersion, ServerRole,
    ServerRoleError, Snapshot, SnapshotError, copy_sqlite, current_request, for_request, is_in_use,
    postgres_writers, prepare_server_role,
};
