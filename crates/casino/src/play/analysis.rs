//! The trainer: what every decision in a hand was worth, exactly, once the hand is over.

use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::heads_up::{Action, Equity};
use glasshouse_games::video_poker::{HoldValue, Holds, hold_values};
use tokio::sync::Semaphore;

use crate::error::{CasinoError, Fault, Refusal};
use crate::house::House;
use crate::play::history::{VerifiableGame, read_round};

/// How many hands are analysed at once: each keeps a core busy for some tens of milliseconds.
const PARALLEL: usize = 1;
/// How many may run or wait.
const WAITING: usize = 64;

static RUNNING: Semaphore = Semaphore::const_new(PARALLEL);
static PLACES: Semaphore = Semaphore::const_new(WAITING);

/// What the decisions in a hand were worth.
#[derive(Debug, Clone)]
pub enum Analysis {
    /// Of video poker.
    Poker {
        /// Each choice of holds, the best first; of equals the one that holds more.
        values: Vec<HoldValue>,
        /// What the player held.
        chosen: Holds,
    },
    /// Of heads-up.
    HeadsUp {
        /// How often what happens.
        equity: Equity,
        /// What the player did.
        chosen: Action,
    },
}

/// Analyses a hand of the player's that is over, off the threads that serve requests.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such hand, or it is in play; or a fault.
pub async fn analyse_round(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<Analysis, CasinoError> {
    let game = read_round(house, player, id).await?.game;
    let place = PLACES.try_acquire().map_err(|_| Fault::Overloaded)?;
    let turn = RUNNING.acquire().await.map_err(|_| Fault::Overloaded)?;
    let work = move || {
        // Held by the work itself: it goes on where the caller goes away.
        let _held = (place, turn);
        analyse(&game)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| CasinoError::corrupt(error.to_string()))?
        .ok_or_else(|| Refusal::NotFound.into())
}

fn analyse(game: &VerifiableGame) -> Option<Analysis> {
    match game {
        VerifiableGame::Poker(hand) => {
            let mut values = hold_values(hand.dealt(), hand.bet.is_maximum());
            // a/b against c/d as a·d against c·b, so that equal values are equal.
            values.sort_by(|one, other| {
                let left = u128::from(other.paid_times) * u128::from(one.draws);
                let right = u128::from(one.paid_times) * u128::from(other.draws);
                let held = |value: &HoldValue| value.holds.positions().len();
                left.cmp(&right).then(held(other).cmp(&held(one)))
            });
            Some(Analysis::Poker {
                values,
                chosen: hand.holds,
            })
        }
        VerifiableGame::HeadsUp(hand) => Some(Analysis::HeadsUp {
            equity: Equity::of(*hand.player_cards(), hand.flop()?),
            chosen: hand.action?,
        }),
        VerifiableGame::Dice(_) | VerifiableGame::Crash(_) | VerifiableGame::Stonks(_) => None,
    }
}
