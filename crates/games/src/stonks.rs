//! Stonks: sell before a simulated market crashes to zero (`docs/games.md#stonks`).
//!
//! The market's expected value does not depend on when one sells: every factor's expectation is
//! one, but for the first, which is 0.99, the RTP.

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};

use crate::bet::{BetError, judge_stake};
use crate::fairness::Stream;

mod round;

pub use round::{Details, Round, Sell, View};

/// The smallest stake: one cent.
pub const MINIMUM_STAKE: Money = Money::from_cents(1);
/// The largest stake: 1,000 dollars.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The stake that a player is first offered.
pub const DEFAULT_STAKE: Money = Money::from_cents(1_000);
/// The time between two points.
pub const TICK: Duration = Duration::from_millis(500);
/// After this point the position is sold.
pub const LAST_TICK: usize = 240;

/// A point of 60.000 or more is followed by the closing tick: 100.000 or nothing.
const CLOSING_FROM: u32 = 60_000;
const CLOSING_POINT: u32 = 100_000;
/// How many of 65,536 words crash the market, calm, normal and wild.
const CRASH_CHANCES: [u32; 3] = [393, 1_180, 2_949];
/// The same at the first tick, whatever the regime.
const FIRST_CRASH_CHANCE: u32 = 1_823;
/// How far a step goes, in 65,536ths for each unit of its centred sum.
const STEPS: [i64; 3] = [12, 32, 60];
/// Four bytes average 510.
const MEAN_BYTE_SUM: i64 = 510;
/// 2³², which the factors of a tick add up to.
const WHOLE: u64 = 1 << 32;
/// 0.99 · 2³², which those of the first tick add up to: the house edge.
const FIRST_WHOLE: u64 = 4_252_017_623;
/// How many of 256 words change the regime, and to which.
const REGIME_CHANGES: u32 = 24;
const NEXT_REGIMES: [usize; 8] = [0, 0, 0, 1, 1, 1, 2, 2];
const FIRST_REGIME: usize = 1;

/// How the market moves at one tick: the chance of a crash, and the factor else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// How many of 65,536 words crash the market.
    pub crash_chance: u32,
    /// What the factors of the other words add up to, without the steps.
    pub whole: u64,
    /// How far a step goes.
    pub step: i64,
}

impl Tick {
    /// The tick with that number, from 1 on, in a regime: 0 calm, 1 normal, 2 wild.
    #[must_use]
    pub fn new(number: usize, regime: usize) -> Self {
        let is_first = number == 1;
        Self {
            crash_chance: if is_first {
                FIRST_CRASH_CHANCE
            } else {
                CRASH_CHANCES.get(regime).copied().unwrap_or_default()
            },
            whole: if is_first { FIRST_WHOLE } else { WHOLE },
            step: STEPS.get(regime).copied().unwrap_or_default(),
        }
    }

    /// The factor in 65,536ths, before the step, of a word's upper half that does not crash.
    #[must_use]
    pub fn factor(&self, upper_half: u32) -> u64 {
        let survivors = u64::from(65_536 - self.crash_chance);
        let (base, remainder) = (self.whole / survivors, self.whole % survivors);
        base + u64::from(u64::from(upper_half) >= 65_536 - remainder)
    }

    /// The next point after `point`; zero is a crash.
    #[must_use]
    pub fn next_point(&self, point: u32, first: u32, second: u32) -> u32 {
        let upper_half = first >> 16;
        if upper_half < self.crash_chance {
            return 0;
        }
        let byte_sum: i64 = second
            .to_be_bytes()
            .iter()
            .map(|byte| i64::from(*byte))
            .sum();
        let factor = i64::try_from(self.factor(upper_half)).unwrap_or(i64::MAX)
            + self.step * (byte_sum - MEAN_BYTE_SUM);
        // The factor is between half and one and a half of 65,536 and the point below 60,000, so
        // nothing overflows and nothing is negative. The lower half of the word rounds fairly.
        let next = (i64::from(point) * factor + i64::from(first & 0xFFFF)) >> 16;
        u32::try_from(next).unwrap_or(0)
    }
}

/// A step of a market, from one point to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The point before it, in thousandths.
    pub point: u32,
    /// How the market moves; none for the closing tick.
    pub tick: Option<Tick>,
    /// The point after it; zero is a crash.
    pub next: u32,
}

/// A market that goes on from a point.
struct Market<'s> {
    stream: &'s mut Stream,
    point: u32,
    regime: usize,
    /// The number of the last point; past the last tick once the market is over.
    number: usize,
}

/// The steps of a market, up to its end.
pub fn steps(stream: &mut Stream) -> impl Iterator<Item = Step> {
    Market {
        stream,
        point: Multiplier::ONE.thousandths(),
        regime: FIRST_REGIME,
        number: 0,
    }
}

impl Iterator for Market<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.number >= LAST_TICK {
            return None;
        }
        self.number += 1;
        let (first, second) = (self.stream.next_word(), self.stream.next_word());
        let point = self.point;
        if point >= CLOSING_FROM {
            self.number = LAST_TICK;
            return Some(Step {
                point,
                tick: None,
                next: closing_point(point, first),
            });
        }
        let tick = Tick::new(self.number, self.regime);
        self.point = tick.next_point(point, first, second);
        if self.point == 0 {
            self.number = LAST_TICK;
        }
        if first & 0xFF < REGIME_CHANGES {
            let choice = usize::try_from((first >> 8) & 7).unwrap_or_default();
            self.regime = NEXT_REGIMES.get(choice).copied().unwrap_or(FIRST_REGIME);
        }
        Some(Step {
            point,
            tick: Some(tick),
            next: self.point,
        })
    }
}

/// The whole path of a market: the points in thousandths, beginning with 1,000. The last is zero
/// if it crashed.
#[must_use]
pub fn path(stream: &mut Stream) -> Vec<u32> {
    let mut points = Vec::with_capacity(LAST_TICK + 1);
    points.push(Multiplier::ONE.thousandths());
    points.extend(steps(stream).map(|step| step.next));
    points
}

/// A hundred with the chance that keeps the expectation, else nothing.
#[must_use]
pub fn closing_point(point: u32, word: u32) -> u32 {
    let is_hundred = (u64::from(word) + 1) * u64::from(CLOSING_POINT) <= u64::from(point) << 32;
    if is_hundred { CLOSING_POINT } else { 0 }
}

/// A bet that the house takes, whatever the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
    auto_sell: Option<Money>,
}

impl Bet {
    /// Judges a bet by the rules of the game.
    ///
    /// # Errors
    /// If the stake is not from one cent to [`MAXIMUM_STAKE`], or the auto-sell amount is not above
    /// it.
    pub fn new(stake: Money, auto_sell: Option<Money>) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if auto_sell.is_some_and(|amount| amount <= stake) {
            return Err(BetError::InvalidAutoSell);
        }
        Ok(Self { stake, auto_sell })
    }

    /// What is invested.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The worth of the position at which it is sold by itself.
    #[must_use]
    pub const fn auto_sell(&self) -> Option<Money> {
        self.auto_sell
    }

    /// Whether the position is worth the auto-sell amount: `stake × point ≥ amount`, exactly.
    fn sells_at(&self, point: u32) -> bool {
        self.auto_sell.is_some_and(|amount| {
            i128::from(self.stake.cents()) * i128::from(point) >= i128::from(amount.cents()) * 1_000
        })
    }
}

/// When the point with that number is published.
#[must_use]
pub fn published_after(tick: usize) -> Duration {
    TICK.saturating_mul(u32::try_from(tick).unwrap_or(u32::MAX))
}
