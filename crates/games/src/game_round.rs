//! What every game is to the house: a round that a bet and the seeds decide, moves of the player,
//! and an end. The house plays, pays, restores and verifies all games through this trait alone.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, RulesVersion, Spread};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fairness::{RoundSeeds, Stream};
use crate::payout::ExactPayout;

/// What the house knows about a game without playing it.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// Which game.
    pub game: Game,
    /// Its name where the wire has a field for each game, such as `headsUp`.
    pub wire_name: &'static str,
    /// Its name in the administrators' report.
    pub report_name: &'static str,
    /// The name that the history lists it under; games can share one.
    pub listed_as: &'static str,
    /// How its rounds run.
    pub kind: GameKind,
    /// What it returns of all that is staked, in percent, in decimals.
    pub rtp_percent: &'static str,
    /// Whether every way of playing returns that, or the best one only.
    pub return_of: ReturnOf,
}

/// How the rounds of a game run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameKind {
    /// A round is over the moment it begins.
    Instant,
    /// A round ends by itself after a while, and the player may leave it before.
    Timed,
    /// A round waits for the player's moves.
    Turns,
}

/// Whose return a game states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnOf {
    /// Every way of playing returns the same.
    EveryStrategy,
    /// Nobody can do better than that; most do worse.
    BestPlay,
}

/// How a round ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// How long after the start, in a timed game; in others it ends with the move.
    pub after: Option<Duration>,
    /// What the last move staked in addition.
    pub added_stake: Money,
    /// What is to be credited.
    pub payout: ExactPayout,
    /// Who won.
    pub result: RoundResult,
    /// What the player left with the stake times of, in a game that can be left.
    pub multiplier: Option<Multiplier>,
}

impl End {
    /// A round that pays nothing.
    pub(crate) const fn lost(after: Option<Duration>) -> Self {
        Self {
            after,
            added_stake: Money::ZERO,
            payout: ExactPayout::NOTHING,
            result: RoundResult::Loss,
            multiplier: None,
        }
    }

    /// A round that was left with `stake × multiplier`: a win unless that is less than the stake.
    pub(crate) fn cashed_out(after: Duration, stake: Money, multiplier: Multiplier) -> Self {
        Self {
            after: Some(after),
            added_stake: Money::ZERO,
            payout: ExactPayout::of(stake, multiplier.thousandths(), 1_000),
            result: if multiplier >= Multiplier::ONE {
                RoundResult::Win
            } else {
                RoundResult::Loss
            },
            multiplier: Some(multiplier),
        }
    }

    /// Whether the round is over the moment it begins.
    #[must_use]
    pub fn is_immediate(&self) -> bool {
        self.after.is_none_or(|after| after.is_zero())
    }
}

/// Why a move is not made. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveError {
    /// The round ended by itself before.
    TooLate,
    /// Nothing was published yet that could be sold at.
    NothingPublished,
    /// Not yet, and why, as the player reads it.
    TooEarly(&'static str),
}

/// A stored round is not one that this game's rules allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenRound(pub String);

impl BrokenRound {
    /// For whatever reason.
    pub(crate) fn because(reason: impl std::error::Error) -> Self {
        Self(reason.to_string())
    }
}

/// A settled round as its row tells it, without its seeds.
#[derive(Debug, Clone, Copy)]
pub struct SettledRow {
    /// All that was staked.
    pub stake: Money,
    /// What was credited.
    pub payout: Money,
    /// Who won.
    pub result: RoundResult,
    /// What the player left with the stake times of.
    pub multiplier: Option<Multiplier>,
}

impl SettledRow {
    /// `win`, `loss`, `push`, or with the multiplier that the player left with: `win (2.00x)`.
    #[must_use]
    pub fn outcome_text(&self) -> String {
        let result = self.result.as_str();
        match self.multiplier {
            Some(multiplier) => format!("{result} ({multiplier}x)"),
            None => result.to_owned(),
        }
    }
}

/// What is known of a round that ended before the player could leave it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MissedEnd {
    /// Where it crashed, in a game that has a crash point.
    pub crash_point: Option<Multiplier>,
    /// What the player wanted to leave with, in a game where that is said.
    pub claim: Option<Multiplier>,
}

/// A round of a game with its whole future, which is a secret of the server while it is in play.
///
/// Pure: the same bet, moves and seeds always give the same round.
pub trait GameRound: Clone + Send + Sync + Sized + 'static {
    /// What is known of the game.
    const INFO: GameInfo;
    /// A bet that the rules allow.
    type Bet: Copy + PartialEq + Send + Sync + 'static;
    /// What a player can do in a round.
    type Move: Clone + Send + Sync + 'static;
    /// What is stored of a round besides stake, payout and result: the bet's terms and what the
    /// player did. All else follows from the seeds.
    type Details: Serialize + DeserializeOwned;
    /// What the player may see.
    type View: Clone + Send + Sync + 'static;

    /// What a bet stakes at the start.
    fn stake(bet: &Self::Bet) -> Money;

    /// The round that the stream decides.
    fn begin(bet: Self::Bet, stream: &mut Stream) -> Self;

    /// A stored round: `stake` is all that was staked on it.
    ///
    /// # Errors
    /// If the rules do not allow it.
    fn restore(
        stake: Money,
        details: Self::Details,
        stream: &mut Stream,
    ) -> Result<Self, BrokenRound>;

    /// The bet it was started with.
    fn bet(&self) -> Self::Bet;

    /// How it ends if the player does nothing more; none where it waits for a move.
    fn natural_end(&self) -> Option<End> {
        None
    }

    /// Makes a move `elapsed` after the start. Returns how the round ended if it did.
    ///
    /// # Errors
    /// If the move cannot be made now; the round is as before.
    fn play(&mut self, play: Self::Move, elapsed: Duration) -> Result<Option<End>, MoveError>;

    /// Whether a repeated call that ended this round was the same move.
    fn was_ended_by(&self, _play: &Self::Move) -> bool {
        true
    }

    /// How a restored round that is over has ended, `elapsed` after its start and with
    /// `multiplier`; none if it cannot have ended so.
    fn end_as_stored(&self, elapsed: Duration, multiplier: Option<Multiplier>) -> Option<End>;

    /// What is stored of it: while it is in play, or once it has ended.
    fn details(&self, end: Option<&End>) -> Self::Details;

    /// What the player may see of it: while it is in play, or once it has ended.
    fn view(&self, end: Option<&End>) -> Self::View;

    /// What the rules let expect of a round that ended so.
    fn spread(&self, end: &End, seeds: &RoundSeeds) -> Spread;

    /// The history's text, such as `win (2.00x)`.
    fn outcome_text(row: &SettledRow, _details: &Self::Details) -> String {
        row.outcome_text()
    }

    /// What a player who left too late is told besides the time.
    fn missed_end(_details: &Self::Details, _play: &Self::Move) -> MissedEnd {
        MissedEnd::default()
    }
}

/// What an ended round pays in whole cents by its rules.
#[must_use]
pub fn payout_in_cents(end: &End, rules: RulesVersion, seeds: &RoundSeeds) -> Money {
    end.payout.in_cents(rules, || seeds.stream().cent_word())
}

/// Whole milliseconds, the resolution of every round's clock.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
