//! The casino's memory: accounts, rounds, ledger, sessions and audit log on SQLite or PostgreSQL.
//!
//! This crate knows tables, connections, transactions and how writes of many players share a
//! commit. It must not know the rules of a game or of the wallet, HTTP, or the clock: it stores
//! and returns what it is given, typed by `glasshouse-domain`.

mod accounts;
mod all_rounds;
mod attempt_counters;
mod audit;
mod audit_key;
mod audit_list;
mod audit_seal;
mod backup;
mod batch;
mod changes;
mod check_rows;
mod check_schema;
mod checks;
mod connection;
mod database;
mod deposit_list;
mod deposits;
mod error;
mod fixed_sql;
mod flush;
mod history;
mod house_clock;
mod house_counts;
mod house_totals;
mod is_open;
mod listing;
mod migrations;
mod open_rounds;
mod payment_hints;
mod payment_list;
mod payments;
#[cfg(test)]
mod query_plan;
mod reader;
mod review_list;
mod reviews;
mod round_ids;
mod rounds;
mod schema;
mod sessions;
mod snapshot;
mod staged;
mod statistics;
mod transaction;
mod user_list;
mod users;
mod withdrawal_list;
mod withdrawals;
mod writer;

pub use accounts::{Account, SeedPairInUse};
pub use all_rounds::{AllRoundsQuery, PlayedRound};
pub use attempt_counters::AttemptCounter;
pub use audit::{AuditHead, AuditRecord, NewAuditRecord};
pub use audit_key::{AuditKey, AuditKeys, AuditKeysError};
pub use audit_list::{AuditEntry, AuditQuery};
pub use backup::{BackupError, back_up};
pub use changes::{Change, ChangedRound};
pub use check_rows::{
    AdjustmentRow, ConfirmedCreditRow, RecordedActs, ResolvedReviewRow, StandingRow,
};
pub use check_schema::SchemaCheck;
pub use checks::{CheckCount, RoundToCheck, SeedPairRow, Violation};
pub use connection::{AnyConnection, DatabaseUrl, DatabaseUrlError};
pub use database::{Database, DatabaseOptions, OpenError};
pub use deposit_list::{DepositEntry, DepositQuery};
pub use deposits::{Deposit, DepositKey, NewDeposit};
pub use error::DatabaseError;
pub use history::{HistoryCursor, HistoryQuery};
pub use house_counts::HouseCounts;
pub use house_totals::HouseTotals;
pub use listing::Named;
pub use migrations::{migrate, pending_migrations};
pub use open_rounds::DueRound;
pub use payment_hints::PaymentHint;
pub use payment_list::{ActivePayment, ActivePaymentQuery};
pub use payments::{NewPaymentCredit, PaymentRecord, Standing};
pub use review_list::{ReviewEntry, ReviewQuery};
pub use reviews::NewReview;
pub use rounds::{OpenedRound, Round, RoundWithSeeds, SettledRound, Settlement};
pub use sessions::SessionRow;
pub use snapshot::{Snapshot, SnapshotError};
pub use statistics::GameStatistics;
pub use transaction::{Scope, Transaction};
pub use user_list::{UserEntry, UserOrder, UserQuery};
pub use users::{Credentials, NewUser, User};
pub use withdrawal_list::{WithdrawalEntry, WithdrawalQuery};
pub use withdrawals::{NewWithdrawal, Withdrawal};

/// Read queries, each one round trip, for use inside [`Database::read`].
pub mod queries {
    pub use crate::accounts::{account, account_of};
    pub use crate::all_rounds::all_rounds_page;
    pub use crate::audit::{audit_head, audit_records_after};
    pub use crate::audit_list::audit_page;
    pub use crate::check_rows::recorded_acts;
    pub use crate::check_schema::{check_schema, describe_schema, written_schema};
    pub use crate::checks::{counts, rounds_after, seed_pairs_after, violations};
    pub use crate::deposit_list::deposits_page;
    pub use crate::deposits::{credited_deposits, deposit, deposits_of, deposits_under_review};
    pub use crate::history::history_page;
    pub use crate::house_clock::{database_now, not_before};
    pub use crate::house_counts::house_counts;
    pub use crate::house_totals::{house_totals, house_totals_of_all_days};
    pub use crate::open_rounds::{due_rounds, open_rounds};
    pub use crate::payment_list::active_payments_page;
    pub use crate::payments::{payment, payments_of};
    pub use crate::review_list::{review_entry, reviews_page};
    pub use crate::rounds::round_with_seeds;
    pub use crate::sessions::{live_sessions, session};
    pub use crate::statistics::statistics;
    pub use crate::user_list::{user_entry, users_page};
    pub use crate::users::{administrators, credentials, user};
    pub use crate::withdrawal_list::{withdrawal_entry, withdrawals_page};
    pub use crate::withdrawals::withdrawals_of;
}
