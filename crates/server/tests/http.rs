//! The server as a black box: the real binary, spoken to over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is not as it should be"
)]

#[path = "http/accounts.rs"]
mod accounts;
#[path = "http/admin_audit.rs"]
mod admin_audit;
#[path = "http/admin_balance.rs"]
mod admin_balance;
#[path = "http/admin_bans.rs"]
mod admin_bans;
#[path = "http/admin_export.rs"]
mod admin_export;
#[path = "http/admin_house.rs"]
mod admin_house;
#[path = "http/admin_lists.rs"]
mod admin_lists;
#[path = "http/admin_outsiders.rs"]
mod admin_outsiders;
#[path = "http/admin_payments.rs"]
mod admin_payments;
#[path = "http/admin_reviews.rs"]
mod admin_reviews;
#[path = "http/admin_step_up.rs"]
mod admin_step_up;
#[path = "http/admin_withdrawals.rs"]
mod admin_withdrawals;
#[path = "http/administration.rs"]
mod administration;
#[path = "http/cents.rs"]
mod cents;
#[path = "http/check.rs"]
mod check;
#[path = "http/deposits.rs"]
mod deposits;
#[path = "http/dice.rs"]
mod dice;
#[path = "http/exposure.rs"]
mod exposure;
#[path = "http/front_door.rs"]
mod front_door;
#[path = "http/history.rs"]
mod history;
#[path = "http/limits.rs"]
mod limits;
#[path = "http/live.rs"]
mod live;
#[path = "http/live_future.rs"]
mod live_future;
#[path = "http/live_refused.rs"]
mod live_refused;
#[path = "http/mines.rs"]
mod mines;
#[path = "http/outage.rs"]
mod outage;
#[path = "http/payer.rs"]
mod payer;
#[path = "http/poker.rs"]
mod poker;
#[path = "http/private_data.rs"]
mod private_data;
#[path = "http/provider.rs"]
mod provider;
#[path = "http/provider_refused.rs"]
mod provider_refused;
#[path = "http/support.rs"]
mod support;
#[path = "http/withdrawals.rs"]
mod withdrawals;
