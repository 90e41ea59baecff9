//! A round of crash.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, Spread};
use serde::{Deserialize, Serialize};

use super::{Bet, CrashPoint, Curve, MAXIMUM_STAKE, MINIMUM_STAKE};
use crate::fairness::Stream;
use crate::game_round::{
    BrokenRound, End, GameInfo, GameKind, GameRound, MissedEnd, MoveError, ReturnOf, milliseconds,
};
use crate::payout::ExactPayout;
use crate::spread::{self, CrashEnd};

/// A round: the bet and its crash point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    crash_point: CrashPoint,
}

/// The player's move: cashing out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CashOut {
    /// The multiplier displayed to the player, which is the most that is paid.
    pub claim: Multiplier,
}

/// The stored details of a round. Stake, payout and multiplier have their own columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    curve: String,
    /// The multiplier of the automatic cash-out, in thousandths.
    pub auto_cashout_thousandths: Option<u32>,
    /// The crash point in thousandths, also if the player cashed out before; `None` while the round
    /// is in play.
    pub crash_point_thousandths: Option<u32>,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    curve: Curve,
    /// The multiplier of the automatic cash-out.
    auto_cashout_hundredths: Option<u32>,
    /// The multiplier that the player cashed out at, automatically or not; `None` if the bet was
    /// lost.
    cashout_hundredths: Option<u32>,
}

impl Details {
    /// The multiplier of the automatic cash-out.
    #[must_use]
    pub fn auto_cashout(&self) -> Option<Multiplier> {
        self.auto_cashout_thousandths
            .map(Multiplier::from_thousandths)
    }

    /// The crash point, also if the player cashed out before; `None` while the round is in play.
    #[must_use]
    pub fn crash_point(&self) -> Option<Multiplier> {
        self.crash_point_thousandths
            .map(Multiplier::from_thousandths)
    }
}

/// The part of a round that the player may see.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The bet.
    pub bet: Bet,
    /// The crash point, also if the player cashed out before; `None` while the round is in play.
    pub crash_point: Option<Multiplier>,
}

impl Round {
    /// Creates a round with a given crash point.
    #[must_use]
    pub const fn crashing_at(bet: Bet, crash_point: CrashPoint) -> Self {
        Self { bet, crash_point }
    }

    /// The crash point, secret while the round is in play.
    #[must_use]
    pub const fn crash_point(&self) -> CrashPoint {
        self.crash_point
    }

    /// How the round ends if the player does nothing: with the automatic cash-out or the maximum
    /// multiplier if the crash point is not lower; otherwise with a crash, at the first millisecond
    /// at which the multiplier would exceed the crash point.
    #[must_use]
    pub fn ending(&self) -> End {
        let CrashPoint::At(crash_point) = self.crash_point else {
            return End::lost(Some(Duration::ZERO));
        };
        let curve = self.bet.curve;
        let target = self.bet.highest_multiplier();
        if target <= crash_point {
            let after = curve.reached_after(target.hundredths());
            return End::cashed_out(after, self.bet.stake, target);
        }
        End::lost(Some(curve.reached_after(crash_point.hundredths() + 1)))
    }

    /// Cashes out with the multiplier at `elapsed`, or with `claim` if that is lower.
    ///
    /// # Errors
    /// If the round has ended by then.
    pub fn leave(&self, elapsed: Duration, claim: Multiplier) -> Result<End, MoveError> {
        let end = self.ending().after.unwrap_or_default();
        if milliseconds(elapsed) >= milliseconds(end) {
            return Err(MoveError::TooLate);
        }
        let shown = self.bet.curve.multiplier_after(elapsed);
        let paid = Multiplier::from_hundredths(claim.min(shown).hundredths());
        Ok(End::cashed_out(elapsed, self.bet.stake, paid))
    }

    /// The end at a multiplier that the player cashed out at, or with a crash; `None` if the rules
    /// do not allow it.
    fn end_at(&self, cashout: Option<Multiplier>) -> Option<End> {
        let natural = self.ending();
        if natural.multiplier == cashout {
            return Some(natural);
        }
        // At every multiplier that is reached before the end, the round lasts a millisecond or
        // more, so the player may have left at it.
        let cashout = cashout.filter(|cashout| *cashout >= Multiplier::ONE)?;
        let after = self.bet.curve.reached_after(cashout.hundredths());
        let end = self.leave(after, cashout).ok()?;
        (end.multiplier == Some(cashout)).then_some(end)
    }
}

impl GameRound for Round {
    const INFO: GameInfo = GameInfo {
        game: Game::Crash,
        wire_name: "crash",
        report_name: "crash",
        listed_name: "crash",
        kind: GameKind::Timed,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "99.00",
        return_of: ReturnOf::EveryStrategy,
    };
    type Bet = Bet;
    type Move = CashOut;
    type Details = Details;
    type View = View;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_profit(bet: &Bet) -> Money {
        let target = bet.highest_multiplier();
        ExactPayout::of(bet.stake, target.thousandths(), 1_000).profit_over(bet.stake)
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        Self::crashing_at(bet, CrashPoint::draw(stream))
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        let curve = Curve::parse(&details.curve)
            .ok_or_else(|| BrokenRound(format!("curve {}", details.curve)))?;
        let bet = Bet::new(stake, details.auto_cashout(), curve).map_err(BrokenRound::because)?;
        Ok(Self::begin(bet, stream))
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn natural_end(&self) -> Option<End> {
        Some(self.ending())
    }

    fn play(&mut self, play: CashOut, elapsed: Duration) -> Result<Option<End>, MoveError> {
        self.leave(elapsed, play.claim).map(Some)
    }

    fn end_as_stored(&self, elapsed: Duration, multiplier: Option<Multiplier>) -> Option<End> {
        let natural = self.ending();
        if natural.after == Some(elapsed) {
            return Some(natural);
        }
        self.leave(elapsed, multiplier?).ok()
    }

    fn details(&self, end: Option<&End>) -> Details {
        Details {
            curve: self.bet.curve.as_str().to_owned(),
            auto_cashout_thousandths: self.bet.auto_cashout.map(Multiplier::thousandths),
            crash_point_thousandths: end.map(|_| self.crash_point.shown().thousandths()),
        }
    }

    fn view(&self, end: Option<&End>) -> View {
        View {
            bet: self.bet,
            crash_point: end.map(|_| self.crash_point.shown()),
        }
    }

    fn terms(&self, end: &End) -> Terms {
        Terms {
            curve: self.bet.curve,
            auto_cashout_hundredths: self.bet.auto_cashout.map(Multiplier::hundredths),
            cashout_hundredths: end.multiplier.map(Multiplier::hundredths),
        }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let auto_cashout = terms
            .auto_cashout_hundredths
            .map(Multiplier::from_hundredths);
        let bet = Bet::new(stake, auto_cashout, terms.curve).map_err(BrokenRound::because)?;
        let round = Self::begin(bet, stream);
        let cashout = terms.cashout_hundredths.map(Multiplier::from_hundredths);
        let end = round.end_at(cashout).ok_or_else(|| {
            let crash_point = round.crash_point.shown();
            let cashout = cashout.map_or_else(|| "never".to_owned(), |at| at.to_string());
            BrokenRound(format!("cashed out: {cashout}, crash point {crash_point}"))
        })?;
        Ok((round, end))
    }

    fn spread(&self, end: &End) -> Spread {
        let end = match end.multiplier {
            Some(multiplier) => CrashEnd::CashedOut(multiplier),
            None if end.is_immediate() => CrashEnd::AtOnce,
            None => CrashEnd::Crashed(self.crash_point.shown()),
        };
        spread::crash(self.bet.stake, end)
    }

    fn missed_end(details: &Details, play: &CashOut) -> MissedEnd {
        MissedEnd {
            crash_point: details.crash_point(),
            claim: Some(play.claim),
        }
    }
}
