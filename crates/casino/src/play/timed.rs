//! Rounds that run by the clock: crash and stonks.

pub(crate) mod cash_out;
pub(crate) mod crash;
pub(crate) mod end;
pub(crate) mod end_streams;
pub(crate) mod events;
pub(crate) mod listen;
pub(crate) mod plan;
pub(crate) mod remote_changes;
pub(crate) mod schedule;
pub(crate) mod start;
pub(crate) mod stonks;

pub use cash_out::{Leaving, cash_out, sell};
pub use crash::CrashRoundView;
pub use end::{end_rounds, open_rounds};
pub use end_streams::end_streams;
pub use events::{OpenRound, RoundEvent};
pub use listen::{forget_closed_streams, listen_in_session, listen_to_rounds};
pub use start::{start_crash_round, start_stonks_round};
pub use stonks::StonksRoundView;
