//! The casino's memory: accounts, rounds, ledger, sessions and audit log on SQLite or PostgreSQL.
//!
//! This crate knows tables, connections, transactions and how writes of many players share a
//! commit. It must not know the rules of a game or of the wallet, HTTP, or the clock: it stores
//! and returns what it is given, typed by `glasshouse-domain`.

mod accounts;
mod all_rounds;
mod audit;
mod batch;
mod changes;
mod checks;
mod connection;
mod database;
mod deposits;
mod error;
mod fixed_sql;
mod flush;
mod history;
mod house_clock;
mod house_counts;
mod house_totals;
mod is_open;
mod migrations;
mod open_rounds;
mod payment_hints;
mod payments;
#[cfg(test)]
mod query_plan;
mod reader;
mod reviews;
mod round_ids;
mod rounds;
mod schema;
mod sessions;
mod statistics;
mod transaction;
mod users;
mod withdrawals;
mod writer;

pub use accounts::{Account, SeedPairInUse};
pub use all_rounds::{AllRoundsQuery, PlayedRound};
pub use audit::{AuditRecord, NewAuditRecord};
pub use changes::ChangedRound;
pub use checks::{CheckCount, SeedPairRow, Violation};
pub use connection::{AnyConnection, DatabaseUrl, DatabaseUrlError};
pub use database::{Database, DatabaseOptions, OpenError};
pub use deposits::{Deposit, DepositKey, NewDeposit};
pub use error::DatabaseError;
pub use history::{HistoryCursor, HistoryQuery};
pub use house_counts::HouseCounts;
pub use house_totals::{HouseTotals, Moments};
pub use migrations::{migrate, pending_migrations};
pub use open_rounds::DueRound;
pub use payment_hints::PaymentHint;
pub use payments::{PaymentRecord, Standing};
pub use reviews::NewReview;
pub use rounds::{OpenedRound, Round, RoundWithSeeds, SettledRound, Settlement};
pub use sessions::SessionRow;
pub use statistics::GameStatistics;
pub use transaction::{Scope, Transaction};
pub use users::{Credentials, NewUser, User};
pub use withdrawals::{NewWithdrawal, Withdrawal};

/// Read queries, each one round trip, for use inside [`Database::read`].
pub mod queries {
    pub use crate::accounts::{account, account_of};
    pub use crate::all_rounds::all_rounds_page;
    pub use crate::checks::{counts, rounds_after, seed_pairs_after, violations};
    pub use crate::deposits::{credited_deposits, deposit, deposits_of, deposits_under_review};
    pub use crate::history::history_page;
    pub use crate::house_clock::{database_now, not_before};
    pub use crate::house_counts::house_counts;
    pub use crate::house_totals::{house_totals, house_totals_of_all_days};
    pub use crate::open_rounds::{due_rounds, open_rounds};
    pub use crate::payments::{payment, payments_of};
    pub use crate::rounds::round_with_seeds;
    pub use crate::sessions::session;
    pub use crate::statistics::statistics;
    pub use crate::users::{administrators, credentials, user};
    pub use crate::withdrawals::withdrawals_of;
}
