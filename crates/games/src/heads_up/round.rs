//! A hand of heads-up hold'em as a round.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{Action, Bet, Deal, Equity, FinalHands, Showdown};
use crate::cards::{Card, CardSet};
use crate::fairness::{RoundSeeds, Stream};
use crate::game_round::{
    BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf, SettledRow,
};
use crate::hand_rank::HandRank;
use crate::payout::ExactPayout;
use crate::spread;

/// A hand: its opening bet, its nine cards, and what the player did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    deal: Deal,
    action: Option<Action>,
}

/// What is stored of a hand besides stake and payout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The opening bet; what is staked in all may be two or three of them.
    bet_cents: i64,
    /// None while the hand is in play.
    action: Option<String>,
}

impl Details {
    /// What the player and the house posted before the cards.
    #[must_use]
    pub const fn opening_bet(&self) -> Money {
        Money::from_cents(self.bet_cents)
    }

    /// What the player did; none while the hand is in play.
    ///
    /// # Errors
    /// If it is not what this program writes.
    pub fn action(&self) -> Result<Option<Action>, BrokenRound> {
        let parse =
            |text: &str| Action::parse(text).ok_or_else(|| BrokenRound(format!("action {text}")));
        self.action.as_deref().map(parse).transpose()
    }
}

/// A hand as its player may see it.
#[derive(Debug, Clone)]
pub struct View {
    /// The opening bet.
    pub bet: Bet,
    /// What the player did; none while the hand is in play.
    pub action: Option<Action>,
    /// The player's two cards.
    pub player_cards: [Card; 2],
    /// The first three cards of the board.
    pub flop: [Card; 3],
    /// The board as it lies: the flop, or all five cards once the hand is over.
    pub board: Vec<Card>,
    /// What the player's cards make with the board as it lies.
    pub player_rank: HandRank,
    /// The house's cards and the result, once the hand is over.
    pub shown_down: Option<ShownDown>,
}

/// What is on the table once a hand is over.
#[derive(Debug, Clone, Copy)]
pub struct ShownDown {
    /// The house's two cards.
    pub house: [Card; 2],
    /// Who won, by what, and what was paid.
    pub result: FinalHands,
}

impl View {
    /// How often what would have happened: some tens of milliseconds of work.
    #[must_use]
    pub fn equity(&self) -> Equity {
        Equity::of(self.player_cards, self.flop)
    }
}

impl Round {
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
        listed_as: "poker",
        kind: GameKind::Turns,
        rtp_percent: "98.94",
        return_of: ReturnOf::BestPlay,
    };
    type Bet = Bet;
    type Move = Action;
    type Details = Details;
    type View = View;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        Self {
            bet,
            deal: Deal::new(stream),
            action: None,
        }
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        let bet = Bet::new(details.opening_bet()).map_err(BrokenRound::because)?;
        let action = details.action()?;
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

    fn spread(&self, end: &End, _seeds: &RoundSeeds) -> Spread {
        let staked = self
            .bet
            .stake
            .cents()
            .saturating_add(end.added_stake.cents());
        spread::heads_up(&self.bet, Money::from_cents(staked))
    }

    /// `win (heads-up)`, and `fold (heads-up)` where the player gave up.
    fn outcome_text(row: &SettledRow, details: &Details) -> String {
        let is_fold = matches!(details.action(), Ok(Some(Action::Fold)));
        let word = if is_fold {
            Showdown::Fold.as_str()
        } else {
            row.result.as_str()
        };
        format!("{word} (heads-up)")
    }
}
