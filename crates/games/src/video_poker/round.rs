//! A hand of video poker as a round.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{
    Bet, Deal, HAND_SIZE, HoldValue, Holds, MAXIMUM_STAKE, MINIMUM_STAKE, PaidRank, hold_values,
};
use crate::cards::Card;
use crate::fairness::Stream;
use crate::game_round::{
    BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf, SettledRow,
};
use crate::payout::ExactPayout;
use crate::spread;

/// A hand: the bet, the ten cards, and the held positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    deal: Deal,
    holds: Holds,
}

/// A move of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Stores the holds, so that they survive a page reload.
    Hold(Holds),
    /// Replaces the cards that are not held, with the given holds or else with the stored ones.
    Draw(Option<Holds>),
}

/// The stored details of a hand. Stake and payout have their own columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    held: Vec<i64>,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    /// The positions of the held cards, from 0 to 4, in ascending order.
    held: Vec<i64>,
}

/// The part of a hand that the player may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The bet.
    pub bet: Bet,
    /// The held positions, current or at the draw.
    pub holds: Holds,
    /// The five cards dealt.
    pub dealt: [Card; HAND_SIZE],
    /// The visible cards: those dealt, or those after the draw.
    pub hand: [Card; HAND_SIZE],
    /// The paytable rank of the visible cards.
    pub rank: PaidRank,
}

impl View {
    /// The value of each choice of holds, the best first. Of equal values, the one with more holds
    /// comes first.
    #[must_use]
    pub fn hold_values(&self) -> Vec<HoldValue> {
        let mut values = hold_values(&self.dealt, self.bet.is_maximum());
        // Compares a/b with c/d as a·d with c·b, so that equal values compare equal.
        values.sort_by(|one, other| {
            let left = u128::from(other.paid_times) * u128::from(one.draws);
            let right = u128::from(one.paid_times) * u128::from(other.draws);
            let held = |value: &HoldValue| value.holds.positions().len();
            left.cmp(&right).then(held(other).cmp(&held(one)))
        });
        values
    }
}

/// The paytable rank that a hand was paid for, derived from payout and stake; `None` if nothing was
/// paid.
#[must_use]
pub fn paid_rank(row: &SettledRow) -> Option<PaidRank> {
    let times = row.payout.cents().checked_div(row.stake.cents())?;
    PaidRank::ALL
        .into_iter()
        .filter(|rank| *rank != PaidRank::HighCard)
        .find(|rank| {
            [true, false]
                .map(|is_maximum| i64::from(rank.times(is_maximum)))
                .contains(&times)
        })
}

impl Round {
    /// The positions of the held cards, in ascending order.
    fn held(&self) -> Vec<i64> {
        let positions = self.holds.positions().into_iter();
        positions
            .map(|position| i64::try_from(position).unwrap_or(i64::MAX))
            .collect()
    }

    fn end(&self) -> End {
        let hand = self.deal.finish(&self.bet, self.holds);
        End {
            after: None,
            added_stake: Money::ZERO,
            payout: ExactPayout::whole(hand.payout),
            result: if hand.multiplier.is_some() {
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
        game: Game::VideoPoker,
        wire_name: "poker",
        report_name: "poker",
        listed_name: "poker",
        kind: GameKind::Turns,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "97.29843375",
        return_of: ReturnOf::BestPlay,
    };
    type Bet = Bet;
    type Move = Move;
    type Details = Details;
    type View = View;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_profit(bet: &Bet) -> Money {
        let times = PaidRank::RoyalFlush.times(bet.is_maximum());
        ExactPayout::of(bet.stake, times, 1).profit_over(bet.stake)
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        Self {
            bet,
            deal: Deal::new(stream),
            holds: Holds::NONE,
        }
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        Ok(Self {
            bet: Bet::new(stake).map_err(BrokenRound::because)?,
            deal: Deal::new(stream),
            holds: Holds::of(&details.held).map_err(BrokenRound::because)?,
        })
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn play(&mut self, play: Move, _elapsed: Duration) -> Result<Option<End>, MoveError> {
        match play {
            Move::Hold(holds) => {
                self.holds = holds;
                Ok(None)
            }
            Move::Draw(holds) => {
                self.holds = holds.unwrap_or(self.holds);
                Ok(Some(self.end()))
            }
        }
    }

    fn was_ended_by(&self, play: &Move) -> bool {
        match play {
            Move::Hold(_) => false,
            Move::Draw(holds) => holds.is_none_or(|holds| holds == self.holds),
        }
    }

    fn end_as_stored(&self, _elapsed: Duration, _multiplier: Option<Multiplier>) -> Option<End> {
        Some(self.end())
    }

    fn details(&self, _end: Option<&End>) -> Details {
        Details { held: self.held() }
    }

    fn view(&self, end: Option<&End>) -> View {
        let dealt = *self.deal.dealt();
        let hand = if end.is_some() {
            self.deal.draw(self.holds)
        } else {
            dealt
        };
        View {
            bet: self.bet,
            holds: self.holds,
            dealt,
            hand,
            rank: PaidRank::of(hand.into_iter().collect()),
        }
    }

    fn terms(&self, _end: &End) -> Terms {
        Terms { held: self.held() }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let round = Self::restore(stake, Details { held: terms.held }, stream)?;
        let end = round.end();
        Ok((round, end))
    }

    fn spread(&self, _end: &End) -> Spread {
        spread::video_poker(&self.bet)
    }

    fn outcome_text(row: &SettledRow, _details: &Details) -> String {
        match paid_rank(row) {
            Some(rank) => format!("{} ({})", row.result.as_str(), rank.name()),
            None => row.outcome_text(),
        }
    }
}
