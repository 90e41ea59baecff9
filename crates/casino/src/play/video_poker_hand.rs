//! A hand of video poker as it is stored, and as its player may see it.

use glasshouse_games::cards::Card;
use glasshouse_games::fairness::Stream;
use glasshouse_games::video_poker::{Bet, Deal, FinalHand, HAND_SIZE, Holds, PaidRank};
use glasshouse_persistence::rounds::Round;
use serde::{Deserialize, Serialize};

use crate::error::CasinoError;

/// What a hand keeps besides stake and payout. Its cards follow from its seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PokerDetails {
    held: Vec<i64>,
}

/// A hand of video poker as its player may see it. It knows all ten cards and shows five.
#[derive(Clone)]
pub struct PokerHandView {
    /// The round.
    pub round: Round,
    /// Its bet.
    pub bet: Bet,
    /// The positions that are held, or were at the draw.
    pub holds: Holds,
    deal: Deal,
}

impl std::fmt::Debug for PokerHandView {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("PokerHandView")
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}

/// The details of a hand with these holds.
pub(crate) fn details(holds: Holds) -> Result<String, CasinoError> {
    let held = holds.positions().into_iter();
    let details = PokerDetails {
        held: held
            .map(|position| i64::try_from(position).unwrap_or(i64::MAX))
            .collect(),
    };
    serde_json::to_string(&details).map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// The ten cards of a stream.
pub(crate) fn deal(stream: &mut Stream) -> Result<Deal, CasinoError> {
    Deal::new(stream).ok_or_else(|| CasinoError::corrupt("a deck of fewer than ten cards"))
}

impl PokerHandView {
    /// The stored hand with the cards that its stream decides.
    pub(crate) fn restore(round: Round, stream: &mut Stream) -> Result<Self, CasinoError> {
        let corrupt = |what: String| CasinoError::corrupt(format!("round {}: {what}", round.id));
        let details: PokerDetails =
            serde_json::from_str(&round.details).map_err(|error| corrupt(error.to_string()))?;
        let holds = Holds::of(&details.held).map_err(|error| corrupt(error.to_string()))?;
        let bet = Bet::new(round.stake).map_err(|error| corrupt(error.to_string()))?;
        Ok(Self {
            bet,
            holds,
            deal: deal(stream)?,
            round,
        })
    }

    /// The five cards that were dealt.
    #[must_use]
    pub const fn dealt(&self) -> &[Card; HAND_SIZE] {
        self.deal.dealt()
    }

    /// The five cards on the table: those dealt, or those after the draw.
    #[must_use]
    pub fn hand(&self) -> [Card; HAND_SIZE] {
        if self.round.is_open() {
            *self.deal.dealt()
        } else {
            self.deal.draw(self.holds)
        }
    }

    /// What the cards on the table are paid as.
    #[must_use]
    pub fn rank(&self) -> PaidRank {
        PaidRank::of(self.hand().into_iter().collect())
    }

    /// How it ends with these holds.
    pub(crate) fn finish(&self, holds: Holds) -> FinalHand {
        self.deal.finish(&self.bet, holds)
    }
}
