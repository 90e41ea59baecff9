//! Rounds: writing, settling, listing and statistics.

pub(crate) mod all_bets;
pub(crate) mod by_key;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod high_wins;
pub(crate) mod history;
pub(crate) mod hourly_statistics;
pub(crate) mod in_transaction;
pub(crate) mod is_open;
pub(crate) mod open_rounds;
pub(crate) mod round;
pub(crate) mod statistics;

pub use crate::engine::exposure::Exposure;
pub use all_bets::PublicRound;
pub use export::{ExportPosition, ExportQuery, ExportedRound};
pub use games::GameSettings;
pub use high_wins::HighWinCursor;
pub use history::{HistoryCursor, HistoryQuery};
pub use hourly_statistics::{ProfitBucket, ProfitQuery};
pub use open_rounds::DueRound;
pub use round::{NewRound, Round, RoundWithSeeds, Settlement};
pub use statistics::GameStatistics;
