//! The games as pure functions from a bet and its seeds to an outcome.
//!
//! All of it is integer arithmetic, so that anyone can recompute a round exactly. This crate must
//! not know players, balances, databases, HTTP, the clock or any source of randomness.

pub mod bet;
pub mod cards;
pub mod crash;
pub mod dice;
pub mod fairness;
pub mod game_round;
pub mod hand_rank;
pub mod heads_up;
pub mod mines;
pub mod payout;
pub mod published;
pub mod registry;
pub mod spread;
pub mod stonks;
mod urn;
pub mod video_poker;

pub use glasshouse_domain::Game;
