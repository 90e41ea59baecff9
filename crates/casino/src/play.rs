//! Rounds of all games: bets, moves, ends and history. All games share this code through the
//! `GameRound` trait.

pub mod timed;

pub(crate) mod all_bets;
pub(crate) mod analysis;
pub(crate) mod bet_feed;
pub(crate) mod conditions;
pub(crate) mod crash_points;
pub(crate) mod current;
pub(crate) mod export;
pub(crate) mod history;
pub(crate) mod make_move;
pub(crate) mod profit;
pub(crate) mod publish;
pub(crate) mod publish_bets;
pub(crate) mod round_view;
pub(crate) mod settlement;
pub(crate) mod start;

pub use all_bets::{HIGH_WIN_DAYS, read_high_wins, read_newest_bets};
pub use analysis::analyse_round;
pub use bet_feed::BetListener;
pub use crash_points::{CrashPoints, Reached, SettledCrash, read_crash_points};
pub use export::{RoundsExport, read_rounds};
pub use history::{
    HistoryRequest, ListedStatistics, VerifiableRound, read_history, read_round, read_statistics,
};
pub use make_move::{RoundMove, make_move};
pub use profit::{Profit, ProfitRange, read_profit};
pub use publish_bets::{listen_to_bets, publish_bets};
pub use round_view::{AnyRound, RoundView, details_of, outcome_text, settled_row};
pub use start::start;
