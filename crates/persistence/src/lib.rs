//! Storage: accounts, rounds, ledger, sessions and audit log on SQLite or PostgreSQL.
//!
//! This crate knows tables, connections, transactions, and how the writes of many players share a
//! commit. It must not know the rules of games or of the wallet, HTTP, or the clock: it stores and
//! returns values typed by `glasshouse-domain`.

pub mod accounts;
pub mod admin;
pub mod alerts;
pub mod approval;
pub mod audit;
pub mod books;
pub mod email;
pub mod limits;
pub mod money;
pub mod operating;
pub mod public_log;
pub mod rounds;
pub mod seeds;

mod backup;
mod connection;
mod engine;
mod error;
mod house_clock;
mod house_keys;
mod in_one_snapshot;
mod in_use;
mod inventory;
mod keys;
mod migrations;
mod page;
#[cfg(test)]
mod query_plan;
mod rows_before;
mod schema;
mod server_role;
mod snapshot;

pub use backup::{RestorationTarget, copy_sqlite};
pub use connection::{AnyConnection, DatabaseUrl, DatabaseUrlError};
pub use engine::caller::{current_request, for_request};
pub use engine::database::{Database, DatabaseOptions, OpenError, READERS, postgres_writers};
pub use engine::notifications::{Change, ChangedRound};
pub use engine::scope::Scope;
pub use engine::transaction::Transaction;
pub use error::DatabaseError;
pub use house_keys::HouseKeys;
pub use in_use::is_in_use;
pub use inventory::{Inventory, NeededKeys};
pub use keys::{KeysError, SecretKey};
pub use migrations::{migrate, pending_migrations};
pub use page::Page;
pub use server_role::{ServerRole, ServerRoleError, prepare_server_role};
pub use snapshot::{SchemaVersion, Snapshot, SnapshotError};

/// Read-only queries, each one round trip, for use in [`Database::read`].
pub mod queries {
    pub use crate::accounts::account::{account, account_of};
    pub use crate::accounts::daily_statements::daily_statements;
    pub use crate::accounts::ledger::{ledger_entries, ledger_range};
    pub use crate::accounts::name_visibility::shows_name;
    pub use crate::accounts::passkeys::passkeys_of;
    pub use crate::accounts::pseudonymisation::accounts_to_pseudonymise;
    pub use crate::accounts::second_factors::second_factor_status;
    pub use crate::accounts::security_events::security_events_of;
    pub use crate::accounts::sessions::{live_sessions, open_sessions_of};
    pub use crate::accounts::terms_of_service::{terms_accepted_by, terms_in_force, terms_version};
    pub use crate::accounts::users::{credentials, owners, user};
    pub use crate::admin::alerts::alert_entry;
    pub use crate::admin::payment_details::payment_details;
    pub use crate::admin::pending_work::pending_work;
    pub use crate::admin::player_figures::player_figures;
    pub use crate::admin::reviews::review_entry;
    pub use crate::admin::timeline::timeline_events;
    pub use crate::admin::users::user_entry;
    pub use crate::admin::withdrawal_details::withdrawal_details;
    pub use crate::admin::withdrawals::withdrawal_entry;
    pub use crate::alerts::deliveries::is_alert_delivery_due;
    pub use crate::alerts::records::alert;
    pub use crate::alerts::watch::{is_alert_work_due, provider_failing_since};
    pub use crate::approval::money_acts::moved_today;
    pub use crate::approval::proposal_list::{open_proposals, proposal_entry};
    pub use crate::approval::proposals::proposal;
    pub use crate::approval::second_persons::administrators;
    pub use crate::approval::thresholds::approval_thresholds;
    pub use crate::audit::log::{audit_head, audit_records_after};
    pub use crate::books::check_role::check_role;
    pub use crate::books::check_rows::recorded_acts;
    pub use crate::books::check_schema::{check_schema, describe_schema, written_schema};
    pub use crate::books::checks::{counts, violations};
    pub use crate::books::house_counts::house_counts;
    pub use crate::books::house_flows::flows_of_days;
    pub use crate::books::house_totals::{house_totals, house_totals_of_all_days};
    pub use crate::books::log_to_check::{
        batches_after, batches_by_id, batches_of_log, missing_rounds, opening_totals,
        rounds_without_receipts, tile_totals, totals_without_receipts, uneven_batches,
        wrongly_waiting_batches,
    };
    pub use crate::books::receipts_to_check::{
        credits_of_deposits, pairs_by_hash, receipt_counts, receipts_after, repeated_receipts,
        withdrawals_by_id,
    };
    pub use crate::books::seeds_to_check::{
        accounts_with_other_seeds, rounds_after, seed_pairs_after,
    };
    pub use crate::connection::unsafe_settings;
    pub use crate::email::addresses::verified_address;
    pub use crate::email::declined_notices::declined_notices_of;
    pub use crate::email::outbox::is_mail_due;
    pub use crate::email::records::{address_records, mail_records};
    pub use crate::email::recoveries::recovery_by_token;
    pub use crate::email::verifications::{verification_by_token, verification_of};
    pub use crate::house_clock::{clock_floor, database_now};
    pub use crate::limits::changes::limit_changes;
    pub use crate::limits::exclusions::exclusions_of;
    pub use crate::limits::play_time::session_usage;
    pub use crate::limits::reality_checks::reality_check_minutes;
    pub use crate::limits::records::{limit_records, open_deposits, play_days};
    pub use crate::limits::to_check::play_rules_after;
    pub use crate::money::deposits::{
        credited_deposits, deposit, deposits_of, deposits_under_review,
    };
    pub use crate::money::payments::{payment, payments_of};
    pub use crate::money::withdrawal_addresses::{withdrawal_addresses_of, withdrawal_risks};
    pub use crate::money::withdrawal_risk::automatic_candidates;
    pub use crate::money::withdrawals::withdrawals_of;
    pub use crate::operating::{house_settings, switch_entries};
    pub use crate::public_log::cosignatures::last_cosignatures;
    pub use crate::public_log::receipts::{receipt_batch, receipts_of};
    pub use crate::public_log::state::{log_state, log_state_of, log_states};
    pub use crate::public_log::tiles::{log_tile, place_of, placed_batches};
    pub use crate::public_log::waiting::{first_waiting_batch, waiting_batches};
    pub use crate::rounds::all_bets::{latest_bets, newest_bets, newest_rounds_of};
    pub use crate::rounds::export::{exported_rounds, rounds_to_export};
    pub use crate::rounds::games::exposures;
    pub use crate::rounds::high_wins::high_wins;
    pub use crate::rounds::history::history_page;
    pub use crate::rounds::hourly_statistics::profit_buckets;
    pub use crate::rounds::open_rounds::{due_rounds, open_rounds};
    pub use crate::rounds::round::{any_round_with_seeds, round_with_seeds};
    pub use crate::rounds::statistics::statistics;
    pub use crate::seeds::published::{former_seed_pairs, seed_state};
    pub use crate::server_role::may_migrate;
}
