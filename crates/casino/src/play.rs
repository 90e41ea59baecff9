//! Rounds of all games: bets, moves, settlement, history.

pub mod timed;

pub(crate) mod analysis;
pub(crate) mod dice;
pub(crate) mod engine;
pub(crate) mod heads_up;
pub(crate) mod heads_up_hand;
pub(crate) mod history;
pub(crate) mod results;
pub(crate) mod video_poker;
pub(crate) mod video_poker_hand;

pub use analysis::{Analysis, analyse_round};
pub use dice::{DiceBetPlaced, DiceDetails, place_dice_bet};
pub use heads_up::{HeadsUpPlay, deal_heads_up, play_heads_up};
pub use heads_up_hand::{HeadsUpView, ShownDown};
pub use history::{
    HistoryPage, HistoryRequest, VerifiableGame, VerifiableRound, read_history, read_round,
    read_statistics, read_stonks_round,
};
pub use results::RoundResults;
pub use video_poker::{deal_poker_hand, draw_cards, hold_cards};
pub use video_poker_hand::PokerHandView;
