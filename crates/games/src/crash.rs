//! Crash: the multiplier grows until it crashes; players who cash out before are paid
//! (`docs/games.md#crash`).
//!
//! `P(crash point ≥ m) = 0.99 / m`, so the RTP is 99 % wherever the player cashes out. 1 % of the
//! rounds crash at once.

use std::sync::LazyLock;
use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};
use serde::{Deserialize, Serialize};

use crate::bet::{BetError, judge_stake};
use crate::fairness::Stream;

mod round;

pub use round::{CashOut, Details, Round, Terms, View};

/// The smallest stake: one dollar.
pub const MINIMUM_STAKE: Money = Money::from_cents(100);
/// The largest stake: 1,000 dollars.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The default stake in the interface.
pub const DEFAULT_STAKE: Money = Money::from_cents(1_000);
/// The default automatic cash-out in the interface.
pub const DEFAULT_AUTO_CASHOUT: Multiplier = Multiplier::from_hundredths(200);
/// The multiplier at which a round is cashed out and ends.
pub const MAXIMUM_MULTIPLIER: Multiplier = Multiplier::from_hundredths(MAXIMUM_HUNDREDTHS);

const MINIMUM_HUNDREDTHS: u32 = 100;
const MAXIMUM_HUNDREDTHS: u32 = 10_000;
/// 100 % less the house edge of 1 %.
const RETURN_PERCENT: u64 = 99;

/// The growth of the multiplier over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Curve {
    /// 0.7 per second: `100 + floor(7·ms / 100)` hundredths.
    #[default]
    Linear,
    /// `1.1^seconds`.
    Exponential,
}

/// The millisecond at which `1.1^seconds` reaches each hundredth from 1.00 to 100.00:
/// `ceil(1000 · ln(k / 100) / ln 1.1)`. It is a table so that no outcome depends on floating point.
static EXPONENTIAL_MILLISECONDS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    include_str!("crash/exponential_milliseconds.txt")
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect()
});

impl Curve {
    /// Every curve, the default first.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Exponential];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Exponential => "exponential",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|curve| curve.as_str() == text)
    }

    /// The multiplier `elapsed` after the start, at most 100.00.
    #[must_use]
    pub fn multiplier_after(self, elapsed: Duration) -> Multiplier {
        let elapsed = crate::game_round::milliseconds(elapsed);
        let above_one = match self {
            Self::Linear => elapsed.saturating_mul(7) / 100,
            Self::Exponential => {
                let reached = EXPONENTIAL_MILLISECONDS.partition_point(|at| *at <= elapsed);
                u64::try_from(reached).unwrap_or(u64::MAX).saturating_sub(1)
            }
        };
        let hundredths = above_one.saturating_add(u64::from(MINIMUM_HUNDREDTHS));
        Multiplier::from_hundredths(
            u32::try_from(hundredths).map_or(MAXIMUM_HUNDREDTHS, |k| k.min(MAXIMUM_HUNDREDTHS)),
        )
    }

    /// The first millisecond at which the multiplier is `hundredths`, which is from 100 to 10,000.
    fn reached_after(self, hundredths: u32) -> Duration {
        let above_one = u64::from(hundredths.saturating_sub(MINIMUM_HUNDREDTHS));
        Duration::from_millis(match self {
            Self::Linear => (above_one * 100).div_ceil(7),
            Self::Exponential => usize::try_from(above_one)
                .ok()
                .and_then(|index| EXPONENTIAL_MILLISECONDS.get(index).copied())
                .unwrap_or(u64::MAX),
        })
    }
}

/// The multiplier at which a round crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashPoint {
    /// The round crashes at once and cannot be cashed out. Displayed as 1.00.
    Instant,
    /// The round crashes after reaching this multiplier, from 1.00 to 100.00.
    At(Multiplier),
}

impl CrashPoint {
    /// Draws the crash point of a round: `floor(99 × 2³² / word)` hundredths, at most 10,000.
    #[must_use]
    pub fn draw(stream: &mut Stream) -> Self {
        Self::of_word(stream.next_word())
    }

    /// The crash point for a word.
    #[must_use]
    pub fn of_word(word: u32) -> Self {
        let raw = match u64::from(word) {
            0 => u64::from(MAXIMUM_HUNDREDTHS),
            word => (RETURN_PERCENT << 32) / word,
        };
        let hundredths =
            u32::try_from(raw).map_or(MAXIMUM_HUNDREDTHS, |k| k.min(MAXIMUM_HUNDREDTHS));
        if hundredths < MINIMUM_HUNDREDTHS {
            Self::Instant
        } else {
            Self::At(Multiplier::from_hundredths(hundredths))
        }
    }

    /// The displayed value: 1.00 for an instant crash.
    #[must_use]
    pub const fn shown(self) -> Multiplier {
        match self {
            Self::Instant => Multiplier::ONE,
            Self::At(multiplier) => multiplier,
        }
    }
}

/// A bet that satisfies the rules, regardless of the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
    auto_cashout: Option<Multiplier>,
    curve: Curve,
}

impl Bet {
    /// Validates a bet. An automatic cash-out above the maximum multiplier is accepted, but the
    /// maximum applies first.
    ///
    /// # Errors
    /// If the stake is not from [`MINIMUM_STAKE`] to [`MAXIMUM_STAKE`], or the automatic cash-out
    /// is not above 1 or not in whole hundredths.
    pub fn new(
        stake: Money,
        auto_cashout: Option<Multiplier>,
        curve: Curve,
    ) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        let is_valid = |auto: Multiplier| auto > Multiplier::ONE && auto.is_whole_hundredths();
        if !auto_cashout.is_none_or(is_valid) {
            return Err(BetError::InvalidAutoCashout);
        }
        Ok(Self {
            stake,
            auto_cashout,
            curve,
        })
    }

    /// The stake.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The multiplier at which the round is cashed out automatically.
    #[must_use]
    pub const fn auto_cashout(&self) -> Option<Multiplier> {
        self.auto_cashout
    }

    /// The multiplier at which the round is cashed out if it has not crashed before.
    #[must_use]
    pub fn highest_multiplier(&self) -> Multiplier {
        let auto_cashout = self.auto_cashout.unwrap_or(MAXIMUM_MULTIPLIER);
        auto_cashout.min(MAXIMUM_MULTIPLIER)
    }

    /// The growth of the multiplier.
    #[must_use]
    pub const fn curve(&self) -> Curve {
        self.curve
    }
}
