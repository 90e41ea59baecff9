//! A hand of heads-up hold'em as it is stored, and as its player may see it.

use glasshouse_domain::Money;
use glasshouse_games::cards::{Card, CardSet};
use glasshouse_games::fairness::Stream;
use glasshouse_games::hand_rank::HandRank;
use glasshouse_games::heads_up::{Action, Bet, Deal, FinalHands};
use glasshouse_persistence::rounds::Round;
use serde::{Deserialize, Serialize};

use crate::error::CasinoError;

/// What a hand keeps besides stake and payout. Its cards follow from its seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeadsUpDetails {
    /// The opening bet; what is staked in all may be two or three of them.
    bet_cents: i64,
    /// None while the hand is in play.
    action: Option<String>,
}

/// A hand of heads-up as its player may see it. It knows all nine cards.
#[derive(Clone)]
pub struct HeadsUpView {
    /// The round.
    pub round: Round,
    /// Its opening bet.
    pub bet: Bet,
    /// What the player did; none while the hand is in play.
    pub action: Option<Action>,
    deal: Deal,
}

/// What is on the table once the hand is over.
#[derive(Debug, Clone, Copy)]
pub struct ShownDown {
    /// The house's two cards.
    pub house: [Card; 2],
    /// Who won, by what, and what was paid.
    pub result: FinalHands,
}

impl std::fmt::Debug for HeadsUpView {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HeadsUpView")
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

/// The details of a hand, in play or over.
pub(crate) fn details(bet: Bet, action: Option<Action>) -> Result<String, CasinoError> {
    let details = HeadsUpDetails {
        bet_cents: bet.stake().cents(),
        action: action.map(|action| action.as_str().to_owned()),
    };
    serde_json::to_string(&details).map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// The opening bet and the action of a stored hand.
pub(crate) fn terms(round: &Round) -> Result<(Money, Option<Action>), CasinoError> {
    let corrupt = |what: String| CasinoError::corrupt(format!("round {}: {what}", round.id));
    let details: HeadsUpDetails =
        serde_json::from_str(&round.details).map_err(|error| corrupt(error.to_string()))?;
    let action = details
        .action
        .map(|text| Action::parse(&text).ok_or_else(|| corrupt(format!("action {text}"))))
        .transpose()?;
    Ok((Money::from_cents(details.bet_cents), action))
}

impl HeadsUpView {
    /// The stored hand with the cards that its stream decides.
    pub(crate) fn restore(round: Round, stream: &mut Stream) -> Result<Self, CasinoError> {
        let corrupt = |what: String| CasinoError::corrupt(format!("round {}: {what}", round.id));
        let (opening_bet, action) = terms(&round)?;
        let bet = Bet::new(opening_bet).map_err(|error| corrupt(error.to_string()))?;
        let deal =
            Deal::new(stream).ok_or_else(|| corrupt("a deck of fewer than nine cards".into()))?;
        Ok(Self {
            round,
            bet,
            action,
            deal,
        })
    }

    /// The player's two cards.
    #[must_use]
    pub const fn player_cards(&self) -> &[Card; 2] {
        self.deal.player()
    }

    /// The board as it lies: the flop, or all five cards once the hand is over.
    #[must_use]
    pub fn board(&self) -> &[Card] {
        if self.round.is_open() {
            self.deal.flop()
        } else {
            self.deal.board()
        }
    }

    /// What the player's cards make with the board as it lies.
    #[must_use]
    pub fn player_rank(&self) -> HandRank {
        let cards = self.player_cards().iter().chain(self.board()).copied();
        HandRank::of(cards.collect::<CardSet>())
    }

    /// The house's cards and the result, once the hand is over.
    #[must_use]
    pub fn shown_down(&self) -> Option<ShownDown> {
        let action = self.action.filter(|_| !self.round.is_open())?;
        Some(ShownDown {
            house: *self.deal.house(),
            result: self.finish(action),
        })
    }

    /// How it ends by an action.
    pub(crate) fn finish(&self, action: Action) -> FinalHands {
        self.deal.finish(&self.bet, action)
    }

    /// The three cards of the flop, where there are three.
    pub(crate) fn flop(&self) -> Option<[Card; 3]> {
        self.deal.flop().first_chunk::<3>().copied()
    }
}
