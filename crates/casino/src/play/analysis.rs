//! The trainer: what every decision in a hand was worth, exactly, once the hand is over.

use glasshouse_domain::{RoundId, UserId};
use tokio::sync::Semaphore;

use crate::error::{CasinoError, Fault, Refusal};
use crate::house::House;
use crate::play::history::read_round;
use crate::play::round_view::AnyRound;

/// How many hands are analysed at once: each keeps a core busy for some tens of milliseconds.
const PARALLEL_ANALYSES: usize = 1;
/// How many may run or wait.
const WAITING_ANALYSES: usize = 64;

static RUNNING: Semaphore = Semaphore::const_new(PARALLEL_ANALYSES);
static PLACES: Semaphore = Semaphore::const_new(WAITING_ANALYSES);

/// Analyses a round of the player's that is over, off the threads that serve requests.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such round, it is in play, or its game has no trainer; or a
/// fault.
pub async fn analyse_round<T: Send + 'static>(
    house: &House,
    player: UserId,
    id: RoundId,
    analyse: impl FnOnce(&AnyRound) -> Option<T> + Send + 'static,
) -> Result<T, CasinoError> {
    let round = read_round(house, player, id).await?.round;
    let place = PLACES.try_acquire().map_err(|_| Fault::Overloaded)?;
    let turn = RUNNING.acquire().await.map_err(|_| Fault::Overloaded)?;
    let work = move || {
        // Held by the work itself: it goes on where the caller goes away.
        let _held = (place, turn);
        analyse(&round)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| CasinoError::corrupt(error.to_string()))?
        .ok_or_else(|| Refusal::NotFound.into())
}
