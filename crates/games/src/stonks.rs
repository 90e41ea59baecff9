//! Stonks: sell a position before a simulated market crashes to zero (`docs/games.md#stonks`).
//!
//! The expected value of the position does not depend on when it is sold: every factor has
//! expectation one, except for the first, whose expectation is the RTP of 0.99.

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};

use crate::bet::{BetError, judge_stake};
use crate::fairness::Stream;

mod round;

pub use round::{Details, Round, Sell, Terms, View};

/// The smallest stake: one cent.
pub const MINIMUM_STAKE: Money = Money::from_cents(1);
/// The largest stake: 1,000 dollars.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The default stake in the interface.
pub const DEFAULT_STAKE: Money = Money::from_cents(1_000);
/// The interval between two points.
pub const TICK: Duration = Duration::from_millis(500);
/// The number of the last point, at which the position is sold.
pub const LAST_TICK: usize = 240;

/// After a point of at least 60.000, the closing tick follows: 100.000 or zero.
const CLOSING_FROM: u32 = 60_000;
const CLOSING_POINT: u32 = 100_000;
/// The number of words among 65,536 that crash the market, in the regimes calm, normal and wild.
const CRASH_CHANCES: [u32; 3] = [393, 1_180, 2_949];
/// The same for the first tick, in every regime.
const FIRST_CRASH_CHANCE: u32 = 1_823;
/// The size of a step by regime, in 65,536ths per unit of the centred sum of four bytes.
const STEPS: [i64; 3] = [12, 32, 60];
/// The mean sum of four bytes.
const MEAN_BYTE_SUM: i64 = 510;
/// 2³²: the sum of the factors of a tick.
const WHOLE: u64 = 1 << 32;
/// 0.99 · 2³²: the sum of the factors of the first tick, which contains the house edge.
const FIRST_WHOLE: u64 = 4_252_017_623;
/// The number of words among 256 that change the regime.
const REGIME_CHANGES: u32 = 24;
const NEXT_REGIMES: [u8; 8] = [0, 0, 0, 1, 1, 1, 2, 2];
const FIRST_REGIME: u8 = 1;

/// The distribution of one tick of the market: the probability of a crash, and the factor
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// The number of words among 65,536 that crash the market.
    pub crash_chance: u32,
    /// The sum of the factors of all other words, without the steps.
    pub whole: u64,
    /// The size of a step.
    pub step: i64,
}

impl Tick {
    /// The tick with a number, starting at 1, in a regime: 0 calm, 1 normal, 2 wild.
    #[must_use]
    pub fn new(number: usize, regime: u8) -> Self {
        let is_first = number == 1;
        let regime = usize::from(regime);
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

    /// The factor in 65,536ths, without the step, for the upper half of a word that does not crash.
    #[must_use]
    pub fn factor(&self, upper_half: u32) -> u64 {
        let survivors = u64::from(65_536 - self.crash_chance);
        let (base, remainder) = (self.whole / survivors, self.whole % survivors);
        base + u64::from(u64::from(upper_half) >= 65_536 - remainder)
    }

    /// The point after `point`; zero is a crash.
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
        // The factor is between 0.5 and 1.5 times 65,536 and the point below 60,000, so the result
        // neither overflows nor is negative. Adding the lower half of the word rounds without bias.
        let next = (i64::from(point) * factor + i64::from(first & 0xFFFF)) >> 16;
        u32::try_from(next).unwrap_or(0)
    }
}

/// One step of a market, from a point to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The number of the tick, starting at 1.
    pub number: usize,
    /// The point before the step, in thousandths.
    pub point: u32,
    /// The regime of the step: 0 calm, 1 normal, 2 wild.
    pub regime: u8,
    /// The point after the step, in thousandths; zero is a crash.
    pub next: u32,
}

impl Step {
    /// The distribution of the step; `None` for the closing tick.
    #[must_use]
    pub fn tick(&self) -> Option<Tick> {
        (self.point < CLOSING_FROM).then(|| Tick::new(self.number, self.regime))
    }
}

/// Iterator over the steps of a market.
struct Market<'s> {
    stream: &'s mut Stream,
    point: u32,
    regime: u8,
    /// The number of the last point; [`LAST_TICK`] once the market has ended.
    number: usize,
}

/// The steps of a market until its end.
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
        let mut step = Step {
            number: self.number,
            point: self.point,
            regime: self.regime,
            next: 0,
        };
        let Some(tick) = step.tick() else {
            self.number = LAST_TICK;
            step.next = closing_point(step.point, first);
            return Some(step);
        };
        step.next = tick.next_point(step.point, first, second);
        self.point = step.next;
        if self.point == 0 {
            self.number = LAST_TICK;
        }
        if first & 0xFF < REGIME_CHANGES {
            let choice = usize::try_from((first >> 8) & 7).unwrap_or_default();
            self.regime = NEXT_REGIMES.get(choice).copied().unwrap_or(FIRST_REGIME);
        }
        Some(step)
    }
}

/// The complete path of a market: its points in thousandths, starting at 1,000. The last is zero if
/// the market crashed.
#[must_use]
pub fn path(stream: &mut Stream) -> Vec<u32> {
    let mut points = Vec::with_capacity(LAST_TICK + 1);
    points.push(Multiplier::ONE.thousandths());
    points.extend(steps(stream).map(|step| step.next));
    points
}

/// The closing point: 100.000 with the probability that preserves the expected value, otherwise
/// zero.
#[must_use]
pub fn closing_point(point: u32, word: u32) -> u32 {
    let is_hundred = (u64::from(word) + 1) * u64::from(CLOSING_POINT) <= u64::from(point) << 32;
    if is_hundred { CLOSING_POINT } else { 0 }
}

/// A bet that satisfies the rules, regardless of the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
    auto_sell: Option<Money>,
}

impl Bet {
    /// Validates a bet.
    ///
    /// # Errors
    /// If the stake is not from one cent to [`MAXIMUM_STAKE`], or the auto-sell amount does not
    /// exceed the stake.
    pub fn new(stake: Money, auto_sell: Option<Money>) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if auto_sell.is_some_and(|amount| amount <= stake) {
            return Err(BetError::InvalidAutoSell);
        }
        Ok(Self { stake, auto_sell })
    }

    /// The stake, which is invested.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The value of the position at which it is sold automatically.
    #[must_use]
    pub const fn auto_sell(&self) -> Option<Money> {
        self.auto_sell
    }

    /// The highest point, in thousandths, at which the position can be sold: with an auto-sell amount, the
    /// highest that one tick can reach from just below it.
    #[must_use]
    pub fn highest_point(&self) -> u32 {
        let Some(amount) = self.auto_sell else {
            return CLOSING_POINT;
        };
        // The position is sold at points of at least 1,000 × amount / stake; this is the highest below.
        let kept = (i128::from(amount.cents()) * 1_000 - 1) / i128::from(self.stake.cents());
        match u32::try_from(kept) {
            Ok(kept) if kept < CLOSING_FROM => NEXT_REGIMES
                .into_iter()
                .map(|regime| Tick::new(LAST_TICK, regime).next_point(kept, u32::MAX, u32::MAX))
                .fold(0, u32::max),
            _ => CLOSING_POINT,
        }
    }

    /// Whether the position's value has reached the auto-sell amount: `stake × point ≥ amount`,
    /// exactly.
    fn sells_at(&self, point: u32) -> bool {
        self.auto_sell.is_some_and(|amount| {
            i128::from(self.stake.cents()) * i128::from(point) >= i128::from(amount.cents()) * 1_000
        })
    }
}

/// The time from the start until the point with a number is published.
#[must_use]
pub fn published_after(tick: usize) -> Duration {
    TICK.saturating_mul(u32::try_from(tick).unwrap_or(u32::MAX))
}
