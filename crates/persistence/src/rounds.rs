//! Rounds: writing, settling, listing and statistics.

pub(crate) mod games;
pub(crate) mod history;
pub(crate) mod in_transaction;
pub(crate) mod is_open;
pub(crate) mod open_rounds;
pub(crate) mod round;
pub(crate) mod statistics;

pub use history::{HistoryCursor, HistoryQuery};
pub use open_rounds::DueRound;
pub use round::{NewRound, Round, RoundWithSeeds, Settlement};
pub use statistics::GameStatistics;
