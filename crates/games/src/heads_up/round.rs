//! A hand of heads-up hold'em as a round.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{Action, Bet, Deal, Equity, FinalHands, MAXIMUM_STAKE, MINIMUM_STAKE, Showdown};
use crate::cards::{Card, CardSet};
use crate::fairness::Stream;
use crate::game_round::{
    BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf, SettledRow,
};
use crate::hand_rank::HandRank;
use crate::payout::ExactPayout;
use crate::spread;

/// A hand: the opening bet, the nine cards, and the player's action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    deal: Deal,
    action: Option<Action>,
}

/// The stored details of a hand. Total stake and payout have their own columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The opening bet in US cents. The total stake may be two or three times as much.
    bet_cents: i64,
    /// `None` while the hand is in play.
    action: Option<String>,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    /// The opening bet in US cents, which the action adds to.
    bet_cents: i64,
    action: Action,
}

impl Details {
    /// The opening bet, which both the player and the house post before the deal.
    #[must_use]
    pub const fn opening_bet(&self) -> Money {
        Money::from_cents(self.bet_cents)
    }

    /// The player's action; `None` while the hand is in play.
    ///
    /// # Errors
    /// If the stored text is not a known name.
    pub fn action(&self) -> Result<Option<Action>, BrokenRound> {
        let parse =
            |text: &str| Action::parse(text).ok_or_else(|| BrokenRound(format!("action {text}")));
        self.action.as_deref().map(parse).transpose()
    }
}

/// The part of a hand that the player may see.
#[derive(Debug, Clone)]
pub struct View {
    /// The opening bet.
    pub bet: Bet,
    /// The player's action; `None` while the hand is in play.
    pub action: Option<Action>,
    /// The player's hole cards.
    pub player_cards: [Card; 2],
    /// The flop.
    pub flop: [Card; 3],
    /// The visible board: the flop, or all five cards once the hand is over.
    pub board: Vec<Card>,
    /// The rank of the player's cards with the visible board.
    pub player_rank: HandRank,
    /// The house's hole cards and the result, once the hand is over.
    pub shown_down: Option<ShownDown>,
}

/// What the showdown reveals.
#[derive(Debug, Clone, Copy)]
pub struct ShownDown {
    /// The house's hole cards.
    pub house: [Card; 2],
    /// The result of the hand.
    pub result: FinalHands,
}

impl View {
    /// Computes how often each result would have occurred, which takes tens of milliseconds.
    #[must_use]
    pub fn equity(&self) -> Equity {
        Equity::of(self.player_cards, self.flop)
    }
}

impl Round {
    /// The hand in which the player took the action, if any, and staked `stake` in total.
    fn acted(
        stake: Money,
        opening_bet: Money,
        action: Option<Action>,
        stream: &mut Stream,
    ) -> Result<Self, BrokenRound> {
        let bet = Bet::new(opening_bet).map_err(BrokenRound::because)?;
        let added = action.map_or(Money::ZERO, |action| bet.added(action));
        if bet.stake.checked_add(added) != Some(stake) {
            return Err(BrokenRound(format!(
                "${stake} staked on a bet of ${}",
                bet.stake
            )));
        }
        Ok(Self {
            bet,
            deal: Deal::new(stream),
            action,
        })
    }

    fn end(&self, action: Action) -> End {
        let hands = self.deal.finish(&self.bet, action);
        End {
            after: None,
            added_stake: self.bet.added(action),
            payout: ExactPayout::whole(hands.payout),
            result: match hands.showdown {
                Showdown::Win => RoundResult::Win,
                Showdown::Push => RoundResult::Push,
                Showdown::Loss | Showdown::Fold => RoundResult::Loss,
            },
            multiplier: None,
        }
    }
}

impl GameRound for Round {
    const INFO: GameInfo = GameInfo {
        game: Game::HeadsUp,
        wire_name: "headsUp",
        report_name: "heads_up",
        listed_name: "poker",
        kind: GameKind::Turns,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "98.94",
        return_of: ReturnOf::BestPlay,
    };
    type Bet = Bet;
    type Move = Action;
    type Details = Details;
    type View = View;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_added_stake(opening: Money) -> Money {
        Bet { stake: opening }.added(Action::Raise)
    }

    fn maximum_profit(bet: &Bet) -> Money {
        let profit = |action| {
            let payout = bet.payout(action, Showdown::Win, true);
            payout.cents() - bet.stake.cents() - bet.added(action).cents()
        };
        let most = Action::ALL.into_iter().map(profit).fold(0, i64::max);
        Money::from_cents(most)
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        Self {
            bet,
            deal: Deal::new(stream),
            action: None,
        }
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        Self::acted(stake, details.opening_bet(), details.action()?, stream)
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn play(&mut self, action: Action, _elapsed: Duration) -> Result<Option<End>, MoveError> {
        self.action = Some(action);
        Ok(Some(self.end(action)))
    }

    fn was_ended_by(&self, action: &Action) -> bool {
        self.action == Some(*action)
    }

    fn end_as_stored(&self, _elapsed: Duration, _multiplier: Option<Multiplier>) -> Option<End> {
        self.action.map(|action| self.end(action))
    }

    fn details(&self, _end: Option<&End>) -> Details {
        Details {
            bet_cents: self.bet.stake.cents(),
            action: self.action.map(|action| action.as_str().to_owned()),
        }
    }

    fn view(&self, end: Option<&End>) -> View {
        let board: Vec<Card> = if end.is_some() {
            self.deal.board().to_vec()
        } else {
            self.deal.flop().to_vec()
        };
        let player_cards = *self.deal.player();
        let seen: CardSet = player_cards.iter().chain(&board).copied().collect();
        View {
            bet: self.bet,
            action: self.action,
            player_cards,
            flop: self.deal.flop(),
            board,
            player_rank: HandRank::of(seen),
            shown_down: self
                .action
                .filter(|_| end.is_some())
                .map(|action| ShownDown {
                    house: *self.deal.house(),
                    result: self.deal.finish(&self.bet, action),
                }),
        }
    }

    fn terms(&self, _end: &End) -> Terms {
        Terms {
            bet_cents: self.bet.stake.cents(),
            // A hand ends only with an action.
            action: self.action.unwrap_or(Action::Fold),
        }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let opening_bet = Money::from_cents(terms.bet_cents);
        let round = Self::acted(stake, opening_bet, Some(terms.action), stream)?;
        let end = round.end(terms.action);
        Ok((round, end))
    }

    fn spread(&self, end: &End) -> Spread {
        let staked = self
            .bet
            .stake
            .cents()
            .saturating_add(end.added_stake.cents());
        spread::heads_up(&self.bet, Money::from_cents(staked))
    }

    /// `win (heads-up)`, for example, or `fold (heads-up)` if the player folded.
    fn outcome_text(row: &SettledRow, details: &Details) -> String {
        let is_fold = matches!(details.action(), Ok(Some(Action::Fold)));
        let label = if is_fold {
            Showdown::Fold.as_str()
        } else {
            row.result.as_str()
        };
        format!("{label} (heads-up)")
    }
}
