//! The use cases against real databases: each test runs on SQLite and on PostgreSQL, each on a
//! database of its own.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is not as it should be"
)]

#[path = "suite/accounts.rs"]
mod accounts;
#[path = "suite/administration.rs"]
mod administration;
#[path = "suite/all_rounds.rs"]
mod all_rounds;
#[path = "suite/attempts.rs"]
mod attempts;
#[path = "suite/audit_chain.rs"]
mod audit_chain;
#[path = "suite/audit_keys.rs"]
mod audit_keys;
#[path = "suite/b982bd5.rs"]
mod b982bd5;
#[path = "suite/b982bd5_in_play.rs"]
mod b982bd5_in_play;
#[path = "suite/bets.rs"]
mod bets;
#[path = "suite/books.rs"]
mod books;
#[path = "suite/cashier_fixture.rs"]
mod cashier_fixture;
#[path = "suite/cents.rs"]
mod cents;
#[path = "suite/confirmations.rs"]
mod confirmations;
#[path = "suite/crediting.rs"]
mod crediting;
#[path = "suite/crediting_amounts.rs"]
mod crediting_amounts;
#[path = "suite/deposits.rs"]
mod deposits;
#[path = "suite/faults.rs"]
mod faults;
#[path = "suite/game_status.rs"]
mod game_status;
#[path = "suite/history.rs"]
mod history;
#[path = "suite/house_books.rs"]
mod house_books;
#[path = "suite/keys_at_once.rs"]
mod keys_at_once;
#[path = "suite/manipulations.rs"]
mod manipulations;
#[path = "suite/mines.rs"]
mod mines;
#[path = "suite/orphans_and_rests.rs"]
mod orphans_and_rests;
#[path = "suite/payment_ids.rs"]
mod payment_ids;
#[path = "suite/plans.rs"]
mod plans;
#[path = "suite/plans_acts.rs"]
mod plans_acts;
#[path = "suite/play.rs"]
mod play;
#[path = "suite/poker.rs"]
mod poker;
#[path = "suite/provider_budget.rs"]
mod provider_budget;
#[path = "suite/rates.rs"]
mod rates;
#[path = "suite/reconciliation.rs"]
mod reconciliation;
#[path = "suite/rounds.rs"]
mod rounds;
#[path = "suite/rounds_on_time.rs"]
mod rounds_on_time;
#[path = "suite/streams.rs"]
mod streams;
#[path = "suite/support.rs"]
mod support;
#[path = "suite/transfer_limits.rs"]
mod transfer_limits;
#[path = "suite/two_servers.rs"]
mod two_servers;
#[path = "suite/withdrawals.rs"]
mod withdrawals;
