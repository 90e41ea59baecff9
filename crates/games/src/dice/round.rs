//! A round of dice.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{Bet, BetType, MAXIMUM_STAKE, MINIMUM_STAKE, Roll, Target};
use crate::fairness::Stream;
use crate::game_round::{BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf};
use crate::spread;

/// A round: the bet and its roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// The bet.
    pub bet: Bet,
    /// The outcome.
    pub roll: Roll,
}

/// The stored details of a round. Stake and payout have their own columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The number to roll over or under.
    pub target_number: u8,
    /// `over` or `under`.
    pub bet_type: String,
    /// The roll, from 1 to 100.
    pub dice_result: u8,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    target: u8,
    side: BetType,
}

impl Details {
    /// The side of the target that was bet on.
    ///
    /// # Errors
    /// If the stored text is not a known name.
    pub fn bet_type(&self) -> Result<BetType, BrokenRound> {
        BetType::parse(&self.bet_type)
            .ok_or_else(|| BrokenRound(format!("bet type {}", self.bet_type)))
    }
}

impl Round {
    fn end(&self) -> End {
        End {
            after: Some(Duration::ZERO),
            added_stake: Money::ZERO,
            payout: self.roll.payout,
            result: if self.roll.is_win {
                RoundResult::Win
            } else {
                RoundResult::Loss
            },
            multiplier: None,
        }
    }
}

impl GameRound for Round {
    const INFO: GameInfo = GameInfo {
        game: Game::Dice,
        wire_name: "dice",
        report_name: "dice",
        listed_name: "dice",
        kind: GameKind::Instant,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "99.00",
        return_of: ReturnOf::EveryStrategy,
    };
    type Bet = Bet;
    type Move = std::convert::Infallible;
    type Details = Details;
    type View = Self;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_profit(bet: &Bet) -> Money {
        bet.payout().profit_over(bet.stake)
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        let roll = bet.play(stream);
        Self { bet, roll }
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        let target = Target::new(details.target_number.into()).map_err(BrokenRound::because)?;
        let bet = Bet::new(stake, target, details.bet_type()?).map_err(BrokenRound::because)?;
        Ok(Self::begin(bet, stream))
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn natural_end(&self) -> Option<End> {
        Some(self.end())
    }

    fn play(&mut self, play: Self::Move, _elapsed: Duration) -> Result<Option<End>, MoveError> {
        match play {}
    }

    fn end_as_stored(&self, _elapsed: Duration, _multiplier: Option<Multiplier>) -> Option<End> {
        self.natural_end()
    }

    fn details(&self, _end: Option<&End>) -> Details {
        Details {
            target_number: self.bet.target.0,
            bet_type: self.bet.side.as_str().to_owned(),
            dice_result: self.roll.roll,
        }
    }

    fn view(&self, _end: Option<&End>) -> Self {
        *self
    }

    fn terms(&self, _end: &End) -> Terms {
        Terms {
            target: self.bet.target.0,
            side: self.bet.side,
        }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let target = Target::new(terms.target.into()).map_err(BrokenRound::because)?;
        let bet = Bet::new(stake, target, terms.side).map_err(BrokenRound::because)?;
        let round = Self::begin(bet, stream);
        Ok((round, round.end()))
    }

    fn spread(&self, _end: &End) -> Spread {
        spread::dice(&self.bet)
    }
}
