//! The JSON representation of values.

pub(crate) mod approval_thresholds;
pub(crate) mod cards;
pub(crate) mod cell;
pub(crate) mod currency;
pub(crate) mod integer;
pub(crate) mod money;
pub(crate) mod multiplier;
pub(crate) mod payout;
pub(crate) mod ratio;
pub(crate) mod receipt;
pub(crate) mod role;
pub(crate) mod time;
