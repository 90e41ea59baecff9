//! Rounds of all games: bets, moves, ends and history. All games share this code through the
//! `GameRound` trait.

pub mod timed;

pub(crate) mod analysis;
pub(crate) mod conditions;
pub(crate) mod current;
pub(crate) mod history;
pub(crate) mod make_move;
pub(crate) mod publish;
pub(crate) mod round_view;
pub(crate) mod settlement;
pub(crate) mod start;
pub(crate) mod status_cache;
pub(crate) mod statuses;

pub use analysis::analyse_round;
pub use history::{
    HistoryRequest, ListedStatistics, VerifiableRound, read_history, read_round, read_statistics,
};
pub use make_move::{RoundMove, make_move};
pub use round_view::{AnyRound, RoundView, details_of, outcome_text, settled_row};
pub use start::start;
pub use statuses::game_statuses;
