//! What a list tells of a settled round besides its stake and payout: what its row has of it, so that
//! a page of rounds costs one query.

use glasshouse_domain::{Game, Money, Multiplier};
use glasshouse_games::heads_up::Action;
use glasshouse_persistence::rounds::Round;

use crate::error::CasinoError;
use crate::play::dice::DiceDetails;
use crate::play::heads_up_hand;
use crate::play::timed::crash::CrashRoundView;

/// The terms and the result of a settled round, as far as its row tells them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoundResults {
    /// Of dice.
    Dice(DiceDetails),
    /// Of crash.
    Crash {
        /// Where it was to cash out by itself.
        auto_cashout: Option<Multiplier>,
        /// Where it crashed, or would have.
        crash_point: Option<Multiplier>,
        /// What the player left with the stake times of; none if it crashed first.
        cashout: Option<Multiplier>,
    },
    /// Of stonks.
    Stonks {
        /// What the position was sold at; none if the market crashed first.
        sold_at: Option<Multiplier>,
    },
    /// Of video poker.
    VideoPoker {
        /// What the hand was paid as, in words; none if it was not paid.
        hand_rank: Option<String>,
    },
    /// Of heads-up hold'em.
    HeadsUp {
        /// What the player and the house posted before the cards.
        opening_bet: Money,
        /// What the player did.
        action: Option<Action>,
    },
}

impl RoundResults {
    /// Reads them off a round. Of a round in play nothing is told that its player does not know.
    ///
    /// # Errors
    /// If its details are not what this program writes.
    pub fn of(round: &Round) -> Result<Self, CasinoError> {
        Ok(match round.game {
            Game::Dice => Self::Dice(DiceDetails::of(round)?),
            Game::Crash => {
                let view = CrashRoundView::of(round.clone())?;
                Self::Crash {
                    auto_cashout: view.bet.auto_cashout(),
                    crash_point: view.crash_point,
                    cashout: round.multiplier,
                }
            }
            Game::Stonks => Self::Stonks {
                sold_at: round.multiplier,
            },
            Game::Poker => Self::VideoPoker {
                hand_rank: remark(&round.outcome).map(str::to_owned),
            },
            Game::HeadsUp => {
                let (opening_bet, action) = heads_up_hand::terms(round)?;
                Self::HeadsUp {
                    opening_bet,
                    action,
                }
            }
        })
    }
}

/// What stands in brackets behind the word of an outcome.
fn remark(outcome: &str) -> Option<&str> {
    let (_, rest) = outcome.split_once(" (")?;
    rest.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remark_of_an_outcome_is_what_stands_in_brackets() {
        assert_eq!(remark("win (Full House)"), Some("Full House"));
        assert_eq!(remark("loss"), None);
    }
}
