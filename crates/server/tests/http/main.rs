//! The server as a black box: the real binary, called over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics when an expectation fails"
)]

mod account_access;
mod accounts;
mod admin_alerts;
mod admin_audit;
mod admin_balance;
mod admin_bans;
mod admin_export;
mod admin_figures;
mod admin_house;
mod admin_lists;
mod admin_money_pages;
mod admin_outsiders;
mod admin_payments;
mod admin_players;
mod admin_reviews;
mod admin_rounds;
mod admin_step_up;
mod admin_withdrawals;
mod administration;
mod administrators_access;
mod audit;
mod audit_evidence;
mod audit_tampered;
mod audited;
mod backups;
mod bets;
mod cents;
mod check;
mod closures;
mod data_export;
mod database_role;
mod deposits;
mod dice;
mod doctor;
mod doctor_network;
mod dual_control;
mod email;
mod exposure;
mod fairness;
mod front_door;
mod game_limits;
mod history;
mod limits;
mod live;
mod live_future;
mod live_refused;
mod log_restart;
mod mines;
mod one_time_passwords;
mod outage;
mod pages;
mod passkeys;
mod password_strength;
mod payouts;
mod poker;
mod private_data;
mod provider;
mod provider_refused;
mod pseudonymisation;
mod public_log;
mod public_log_refused;
mod records;
mod request_ids;
mod responsible_gambling;
mod restorations;
mod roles;
mod sandbox_payments;
mod second_factor;
mod seed_key;
mod stopping;
mod support;
mod switches;
mod terms_of_service;
mod withdrawal_protection;
mod withdrawals;
mod witness;
mod witnessed;
mod witnesses;
mod worked_example;
