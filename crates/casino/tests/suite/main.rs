//! The use cases against real databases: each test runs on SQLite and on PostgreSQL, each on a
//! database of its own.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is not as it should be"
)]

mod accounts;
mod administration;
mod all_rounds;
mod attempts;
mod audit_chain;
mod audit_keys;
mod b982bd5;
mod b982bd5_in_play;
mod bets;
mod books;
mod cash_outs;
mod cents;
mod confirmations;
mod crediting_amounts;
mod crediting_callbacks;
mod crediting_precision;
mod crediting_statuses;
mod deposits;
mod faults;
mod game_status;
mod history;
mod house_report;
mod house_totals;
mod keys_at_once;
mod mines;
mod orphans_and_rests;
mod payment_ids;
mod plans;
mod poker_hands;
mod poker_requests;
mod provider_budget;
mod rates;
mod reconciliation;
mod round_starts;
mod rounds_on_time;
mod streams;
mod support;
mod tampering;
mod transfer_limits;
mod two_servers;
mod withdrawals;
