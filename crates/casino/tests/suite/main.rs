//! The use cases against real databases: each test runs on SQLite and on PostgreSQL, on a fresh
//! database.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics when an expectation fails"
)]

mod account_access;
mod accounts;
mod administration;
mod all_rounds;
mod approval_races;
mod approval_tampering;
mod approvals;
mod attempts;
mod audit_chain;
mod audit_keys;
mod b982bd5;
mod b982bd5_in_play;
mod b982bd5_receipts;
mod bets;
mod books;
mod cash_outs;
mod cents;
mod closures;
mod concurrent_keys;
mod confirmations;
mod crediting_amounts;
mod crediting_callbacks;
mod crediting_precision;
mod crediting_statuses;
mod deposits;
mod email_closures;
mod email_exclusions;
mod email_notices;
mod email_recovery;
mod email_verification;
mod exclusions;
mod faults;
mod game_status;
mod history;
mod house_report;
mod house_totals;
mod limit_changes;
mod limit_races;
mod limit_tampering;
mod limits;
mod log_tampering;
mod mines;
mod one_time_passwords;
mod outbox;
mod passkey_changes;
mod passkeys;
mod payment_ids;
mod payout_races;
mod payouts;
mod payouts_automatic;
mod payouts_by_hand;
mod plans;
mod play_time;
mod poker_hands;
mod poker_requests;
mod proposals;
mod provider_budget;
mod pseudonymisation;
mod pseudonymised_data;
mod public_bets;
mod public_log;
mod public_log_books;
mod public_log_refusals;
mod public_log_restart;
mod public_log_tiles;
mod public_log_waiting;
mod rates;
mod receipts;
mod receipts_of_payments;
mod reconciliation;
mod records;
mod round_starts;
mod rounds_on_time;
mod second_factor_changes;
mod second_factor_sessions;
mod second_factors;
mod seed_keys;
mod seed_pairs;
mod streams;
mod support;
mod tampering;
mod terms_of_service;
mod transfer_limits;
mod two_servers;
mod unmatched_and_overpaid;
mod withdrawal_cancellations;
mod withdrawal_delays;
mod withdrawals;
