//! A round of stonks.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, Spread};
use serde::{Deserialize, Serialize};

use super::{
    Bet, FIRST_REGIME, LAST_TICK, MAXIMUM_STAKE, MINIMUM_STAKE, Step, TICK, published_after, steps,
};
use crate::fairness::Stream;
use crate::game_round::{
    BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf, milliseconds,
};
use crate::payout::ExactPayout;
use crate::spread;

/// A round: the bet and the path of its market.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    points: Arc<[u32]>,
    /// The regime of each tick.
    regimes: Arc<[u8]>,
}

/// The player's move: selling the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sell;

/// The stored details of a round. Stake, payout and multiplier have their own columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    auto_sell_cents: Option<i64>,
    /// The number of the point at which the position was sold; `None` if it crashed or is still in
    /// play.
    sold_at_tick: Option<usize>,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    /// The value of the position at which it is sold automatically.
    auto_sell_cents: Option<i64>,
    /// The number of the point at which the position was sold, automatically or not; `None` if it
    /// crashed.
    sold_at_tick: Option<usize>,
}

/// The part of a round that the player may see. It holds the whole path but returns only what has
/// been published.
#[derive(Clone)]
pub struct View {
    /// The bet.
    pub bet: Bet,
    /// The number of the point at which the position was sold.
    pub sold_at_tick: Option<usize>,
    is_over: bool,
    /// When the round ends by itself, measured from the start.
    ends_after: Duration,
    points: Arc<[u32]>,
}

impl std::fmt::Debug for View {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("View")
            .field("bet", &self.bet)
            .finish_non_exhaustive()
    }
}

impl View {
    /// The points published within `elapsed` of the start, in thousandths.
    #[must_use]
    pub fn published(&self, elapsed: Duration) -> &[u32] {
        published(&self.points, elapsed)
    }

    /// The complete path, once the round is over.
    #[must_use]
    pub fn path(&self) -> Option<&[u32]> {
        self.is_over.then_some(&*self.points)
    }

    /// The point published after point number `tick`, and its time from the start. `None` if the
    /// round ends before or at that time.
    #[must_use]
    pub fn next_point(&self, tick: usize) -> Option<(Duration, u32)> {
        let after = published_after(tick + 1);
        let is_published = !self.is_over && after < self.ends_after;
        let point = self.points.get(tick + 1).filter(|_| is_published)?;
        Some((after, *point))
    }
}

fn published(points: &[u32], elapsed: Duration) -> &[u32] {
    let count = Round::tick_after(elapsed).saturating_add(1);
    points.get(..count).unwrap_or(points)
}

impl Round {
    /// Creates a round with a given path, which starts with 1,000, in the first regime throughout.
    #[must_use]
    pub fn along(bet: Bet, points: Vec<u32>) -> Self {
        Self {
            bet,
            regimes: vec![FIRST_REGIME; points.len().saturating_sub(1)].into(),
            points: points.into(),
        }
    }

    /// The complete path in thousandths, secret while the round is in play.
    #[must_use]
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    /// The number of the last point published within `elapsed` of the start.
    #[must_use]
    pub fn tick_after(elapsed: Duration) -> usize {
        let ticks = milliseconds(elapsed) / milliseconds(TICK);
        usize::try_from(ticks).unwrap_or(usize::MAX)
    }

    /// The points published within `elapsed` of the start, including the first.
    #[must_use]
    pub fn published(&self, elapsed: Duration) -> &[u32] {
        published(&self.points, elapsed)
    }

    /// How the round ends if the player does nothing: at the first point at which the market
    /// crashes or the position's value reaches the auto-sell amount, or at the last point.
    #[must_use]
    pub fn ending(&self) -> End {
        let last = self.points.len().saturating_sub(1);
        for (tick, &point) in self.points.iter().enumerate().skip(1) {
            let after = published_after(tick);
            if point == 0 {
                return End::lost(Some(after));
            }
            if tick == last || self.bet.sells_at(point) {
                let multiplier = Multiplier::from_thousandths(point);
                return End::cashed_out(after, self.bet.stake, multiplier);
            }
        }
        // Every path has at least one tick.
        End::lost(Some(TICK))
    }

    /// Sells at the last published point. The starting point does not count.
    ///
    /// # Errors
    /// If the round has ended by then, or no point has been published after the starting point.
    pub fn leave(&self, elapsed: Duration) -> Result<End, MoveError> {
        let end = self.ending().after.unwrap_or_default();
        if milliseconds(elapsed) >= milliseconds(end) {
            return Err(MoveError::TooLate);
        }
        match Self::tick_after(elapsed) {
            0 => Err(MoveError::NothingPublished),
            tick => {
                let point = self.points.get(tick).ok_or(MoveError::TooLate)?;
                let multiplier = Multiplier::from_thousandths(*point);
                Ok(End::cashed_out(elapsed, self.bet.stake, multiplier))
            }
        }
    }

    /// The end with a sale at the point with a number, or with a crash; `None` if the rules do not
    /// allow it.
    fn end_at(&self, sold_at_tick: Option<usize>) -> Option<End> {
        let natural = self.ending();
        if Self::sold_at_tick(Some(&natural)) == sold_at_tick {
            return Some(natural);
        }
        self.leave(published_after(sold_at_tick?)).ok()
    }

    fn sold_at_tick(end: Option<&End>) -> Option<usize> {
        let end = end.filter(|end| end.multiplier.is_some())?;
        end.after.map(Self::tick_after)
    }
}

impl GameRound for Round {
    const INFO: GameInfo = GameInfo {
        game: Game::Stonks,
        wire_name: "stonks",
        report_name: "stonks",
        listed_name: "stonks",
        kind: GameKind::Timed,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "99.00",
        return_of: ReturnOf::EveryStrategy,
    };
    type Bet = Bet;
    type Move = Sell;
    type Details = Details;
    type View = View;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_profit(bet: &Bet) -> Money {
        ExactPayout::of(bet.stake, bet.highest_point(), 1_000).profit_over(bet.stake)
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        let mut points = Vec::with_capacity(LAST_TICK + 1);
        points.push(Multiplier::ONE.thousandths());
        let mut regimes = Vec::with_capacity(LAST_TICK);
        for step in steps(stream) {
            points.push(step.next);
            regimes.push(step.regime);
        }
        Self {
            bet,
            points: points.into(),
            regimes: regimes.into(),
        }
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        let auto_sell = details.auto_sell_cents.map(Money::from_cents);
        let bet = Bet::new(stake, auto_sell).map_err(BrokenRound::because)?;
        Ok(Self::begin(bet, stream))
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn natural_end(&self) -> Option<End> {
        Some(self.ending())
    }

    fn play(&mut self, _sell: Sell, elapsed: Duration) -> Result<Option<End>, MoveError> {
        self.leave(elapsed).map(Some)
    }

    fn end_as_stored(&self, elapsed: Duration, _multiplier: Option<Multiplier>) -> Option<End> {
        let natural = self.ending();
        if natural.after == Some(elapsed) {
            return Some(natural);
        }
        self.leave(elapsed).ok()
    }

    fn details(&self, end: Option<&End>) -> Details {
        Details {
            auto_sell_cents: self.bet.auto_sell.map(Money::cents),
            sold_at_tick: Self::sold_at_tick(end),
        }
    }

    fn view(&self, end: Option<&End>) -> View {
        View {
            bet: self.bet,
            sold_at_tick: Self::sold_at_tick(end),
            is_over: end.is_some(),
            ends_after: self.ending().after.unwrap_or_default(),
            points: Arc::clone(&self.points),
        }
    }

    fn terms(&self, end: &End) -> Terms {
        Terms {
            auto_sell_cents: self.bet.auto_sell.map(Money::cents),
            sold_at_tick: Self::sold_at_tick(Some(end)),
        }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let auto_sell = terms.auto_sell_cents.map(Money::from_cents);
        let bet = Bet::new(stake, auto_sell).map_err(BrokenRound::because)?;
        let round = Self::begin(bet, stream);
        let end = round.end_at(terms.sold_at_tick).ok_or_else(|| {
            let last = round.regimes.len();
            BrokenRound(match terms.sold_at_tick {
                Some(tick) => format!("sold at tick {tick} of {last}"),
                None => format!("not sold in {last} ticks"),
            })
        })?;
        Ok((round, end))
    }

    fn spread(&self, end: &End) -> Spread {
        let tick = Self::tick_after(end.after.unwrap_or_default());
        let points = self.points.iter().zip(self.points.iter().skip(1));
        let steps = points.zip(self.regimes.iter()).zip(1..);
        let steps = steps.map(|(((point, next), regime), number)| Step {
            number,
            point: *point,
            regime: *regime,
            next: *next,
        });
        spread::stonks(self.bet.stake, steps.take(tick))
    }
}
