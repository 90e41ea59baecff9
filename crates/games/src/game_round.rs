//! The interface between the house and every game: a round that is determined by a bet and seeds,
//! the player's moves, and an end. The house plays, pays, restores and verifies all games through
//! this trait.

use std::ops::RangeInclusive;
use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, RulesVersion, Spread};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fairness::Stream;
use crate::payout::ExactPayout;

/// The static description of a game.
#[derive(Debug, Clone)]
pub struct GameInfo {
    /// The game.
    pub game: Game,
    /// The name of its field where the wire has one field per game, such as `headsUp`.
    pub wire_name: &'static str,
    /// Its name in the administrators' report.
    pub report_name: &'static str,
    /// The name in the history; several games can share one.
    pub listed_name: &'static str,
    /// How its rounds proceed.
    pub kind: GameKind,
    /// The smallest and the largest stake at the start of a round, by the rules.
    pub stakes: RangeInclusive<Money>,
    /// The RTP in percent of all that is staked, as a decimal number.
    pub rtp_percent: &'static str,
    /// The strategies that the RTP applies to.
    pub return_of: ReturnOf,
}

/// How the rounds of a game proceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameKind {
    /// A round ends when it starts.
    Instant,
    /// A round ends by itself after some time, unless the player leaves it earlier.
    Timed,
    /// A round waits for the player's moves.
    Turns,
}

/// The strategies that a game's RTP applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnOf {
    /// Every strategy has the same RTP.
    EveryStrategy,
    /// The RTP is that of optimal play; other strategies return less.
    BestPlay,
}

/// How a round ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The time from the start, in a timed game; in other games the round ends with the move.
    pub after: Option<Duration>,
    /// The additional stake of the last move.
    pub added_stake: Money,
    /// The payout.
    pub payout: ExactPayout,
    /// The result.
    pub result: RoundResult,
    /// The multiplier that the player left with, in a game that can be left.
    pub multiplier: Option<Multiplier>,
}

impl End {
    /// The end of a round that pays nothing.
    pub(crate) const fn lost(after: Option<Duration>) -> Self {
        Self {
            after,
            added_stake: Money::ZERO,
            payout: ExactPayout::NOTHING,
            result: RoundResult::Loss,
            multiplier: None,
        }
    }

    /// The end of a round that the player left with `stake × multiplier`: a win unless that is less
    /// than the stake.
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

    /// Whether the round ends when it starts.
    #[must_use]
    pub fn is_immediate(&self) -> bool {
        self.after.is_none_or(|after| after.is_zero())
    }
}

/// Why a move is refused. The round is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveError {
    /// The round has already ended by itself.
    TooLate,
    /// No point has been published yet to sell at.
    NothingPublished,
    /// The move is not allowed yet, with the reason shown to the player.
    TooEarly(&'static str),
}

/// A stored or published round is not possible under the game's rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenRound(pub String);

impl BrokenRound {
    /// Wraps the underlying error's text.
    pub(crate) fn because(reason: impl std::error::Error) -> Self {
        Self(reason.to_string())
    }
}

/// The columns of a settled round, without its seeds.
#[derive(Debug, Clone, Copy)]
pub struct SettledRow {
    /// The total stake.
    pub stake: Money,
    /// The amount credited.
    pub payout: Money,
    /// The result.
    pub result: RoundResult,
    /// The multiplier that the player left with.
    pub multiplier: Option<Multiplier>,
}

impl SettledRow {
    /// `win`, `loss` or `push`, with the multiplier that the player left with if there is one:
    /// `win (2.00x)`.
    #[must_use]
    pub fn outcome_text(&self) -> String {
        let result = self.result.as_str();
        match self.multiplier {
            Some(multiplier) => format!("{result} ({multiplier}x)"),
            None => result.to_owned(),
        }
    }
}

/// Details of a round that ended before the player could leave it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MissedEnd {
    /// The crash point, in a game that has one.
    pub crash_point: Option<Multiplier>,
    /// The multiplier that the player asked for, in a game whose moves state one.
    pub claim: Option<Multiplier>,
}

/// A round of a game, including its future, which the server keeps secret while the round is in
/// play.
///
/// Pure: the same bet, moves and seeds always give the same round.
pub trait GameRound: Clone + Send + Sync + Sized + 'static {
    /// The static description of the game.
    const INFO: GameInfo;
    /// A bet that the rules allow.
    type Bet: Copy + PartialEq + Send + Sync + 'static;
    /// A move of the player.
    type Move: Clone + Send + Sync + 'static;
    /// The stored details of a round: the terms of the bet and the player's moves. Stake, payout
    /// and result have their own columns; everything else follows from the seeds.
    type Details: Serialize + DeserializeOwned;
    /// The part of a round that the player may see.
    type View: Clone + Send + Sync + 'static;
    /// What the player chose in a settled round, completely and without anything that the seeds
    /// decide: the terms of the bet and the moves. It is published
    /// (`docs/games.md#published`), so its text must never change.
    type Terms: Serialize + DeserializeOwned;

    /// The stake of a bet at the start.
    fn stake(bet: &Self::Bet) -> Money;

    /// The most that moves can add to an opening stake. A player's limits admit a round only if this
    /// fits as well, because they never refuse a move.
    #[must_use]
    fn maximum_added_stake(_opening: Money) -> Money {
        Money::ZERO
    }

    /// The most that a round with this bet can win, whatever its seeds and moves are: what the house can
    /// lose.
    fn maximum_profit(bet: &Self::Bet) -> Money;

    /// Starts the round that the stream determines.
    fn begin(bet: Self::Bet, stream: &mut Stream) -> Self;

    /// Restores a stored round; `stake` is its total stake.
    ///
    /// # Errors
    /// If the round is not possible under the rules.
    fn restore(
        stake: Money,
        details: Self::Details,
        stream: &mut Stream,
    ) -> Result<Self, BrokenRound>;

    /// The bet that the round was started with.
    fn bet(&self) -> Self::Bet;

    /// The end if the player makes no further move; `None` if the round waits for one.
    fn natural_end(&self) -> Option<End> {
        None
    }

    /// Makes a move `elapsed` after the start. Returns the end if the move ended the round.
    ///
    /// # Errors
    /// If the move is not allowed now; the round is unchanged.
    fn play(&mut self, play: Self::Move, elapsed: Duration) -> Result<Option<End>, MoveError>;

    /// Whether the move that ended this round equals `play`, so that a repeated call can be
    /// replayed.
    fn was_ended_by(&self, _play: &Self::Move) -> bool {
        true
    }

    /// The end of a restored settled round, `elapsed` after its start and with `multiplier`; `None`
    /// if the rules do not allow such an end.
    fn end_as_stored(&self, elapsed: Duration, multiplier: Option<Multiplier>) -> Option<End>;

    /// The details to store, with `end` once the round has ended.
    fn details(&self, end: Option<&End>) -> Self::Details;

    /// The view of the player, with `end` once the round has ended.
    fn view(&self, end: Option<&End>) -> Self::View;

    /// The player's choices in a round that ended like this.
    fn terms(&self, end: &End) -> Self::Terms;

    /// Restores a settled round and its end from the player's choices; `stake` is its total stake.
    ///
    /// The time of a move is not among the choices. The end has the earliest time at which it was
    /// possible.
    ///
    /// # Errors
    /// If the rules do not allow such a round, or do not allow it to end like this.
    fn replay(
        stake: Money,
        terms: Self::Terms,
        stream: &mut Stream,
    ) -> Result<(Self, End), BrokenRound>;

    /// The expected payout and its variance for a round that ended like this.
    fn spread(&self, end: &End) -> Spread;

    /// The text in the history, such as `win (2.00x)`.
    fn outcome_text(row: &SettledRow, _details: &Self::Details) -> String {
        row.outcome_text()
    }

    /// Details for a player who tried to leave after the end.
    fn missed_end(_details: &Self::Details, _play: &Self::Move) -> MissedEnd {
        MissedEnd::default()
    }
}

/// The payout of an ended round in whole cents, under the given rules. `stream` is the round's.
#[must_use]
pub fn payout_in_cents(end: &End, rules: RulesVersion, stream: &mut Stream) -> Money {
    end.payout.in_cents(rules, || stream.cent_word())
}

/// Truncates to whole milliseconds, the resolution of all round times.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
