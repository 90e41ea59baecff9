//! The endpoints of the games, one file each, and what rounds in play have in common.

pub(crate) mod analysis;
pub(crate) mod crash;
pub(crate) mod dice;
pub(crate) mod events;
pub(crate) mod heads_up;
pub(crate) mod mines;
pub(crate) mod open_rounds;
pub(crate) mod statuses;
pub(crate) mod stonks;
pub(crate) mod timed;
pub(crate) mod trainer;
pub(crate) mod video_poker;
pub(crate) mod wire;
