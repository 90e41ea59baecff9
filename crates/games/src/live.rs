//! What crash and stonks have in common: a round that runs for a while though all of it is decided
//! at its start, and that the player may leave before its end.

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};

use crate::payout::ExactPayout;

/// How a round ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// How long after the start.
    pub after: Duration,
    /// What the stake is paid times; none if it crashed.
    pub multiplier: Option<Multiplier>,
    /// What is to be credited: nothing if it crashed.
    pub payout: ExactPayout,
}

/// Why a player cannot leave a round now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaveRefused {
    /// It ended before.
    TooLate,
    /// Nothing was published yet.
    TooEarly,
}

/// A round in play. Its future is a secret of the server.
pub trait LiveRound {
    /// How it ends if the player does nothing more.
    fn ending(&self) -> Ending;

    /// How it ends if the player leaves `elapsed` after the start, having seen `claim`.
    ///
    /// # Errors
    /// If it is over by then, or has hardly begun.
    fn leave(&self, elapsed: Duration, claim: Multiplier) -> Result<Ending, LeaveRefused>;
}

impl Ending {
    pub(crate) const fn crash(after: Duration) -> Self {
        Self {
            after,
            multiplier: None,
            payout: ExactPayout::NOTHING,
        }
    }

    /// `stake × multiplier`.
    pub(crate) fn paid(after: Duration, stake: Money, multiplier: Multiplier) -> Self {
        Self {
            after,
            multiplier: Some(multiplier),
            payout: ExactPayout::of(stake, multiplier.thousandths(), 1_000),
        }
    }
}

/// Whole milliseconds, the resolution of every round's clock.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
