//! The trainer: the exact value of every decision in a hand that is over.

use glasshouse_domain::{RoundId, UserId};
use tokio::sync::Semaphore;

use crate::error::{CasinoError, Fault, Refusal};
use crate::house::House;
use crate::play::history::read_round;
use crate::play::round_view::AnyRound;

/// The number of concurrent analyses. Each keeps a core busy for some tens of milliseconds.
const PARALLEL_ANALYSES: usize = 1;
/// The maximum number of analyses that run or wait.
const WAITING_ANALYSES: usize = 64;

static RUNNING: Semaphore = Semaphore::const_new(PARALLEL_ANALYSES);
static QUEUE: Semaphore = Semaphore::const_new(WAITING_ANALYSES);

/// Analyses one of the player's settled rounds, off the threads that serve requests.
///
/// # Errors
/// [`Refusal::NotFound`] if the round does not exist, is still open, or its game has no trainer; or
/// a fault.
pub async fn analyse_round<T: Send + 'static>(
    house: &House,
    player: UserId,
    id: RoundId,
    analyse: impl FnOnce(&AnyRound) -> Option<T> + Send + 'static,
) -> Result<T, CasinoError> {
    let round = read_round(house, player, id).await?.round;
    let slot = QUEUE.try_acquire().map_err(|_| Fault::Overloaded)?;
    let permit = RUNNING.acquire().await.map_err(|_| Fault::Overloaded)?;
    let work = move || {
        // The work itself holds both permits, because it continues even if the caller disconnects.
        let _permits = (slot, permit);
        analyse(&round)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| CasinoError::corrupt(error.to_string()))?
        .ok_or_else(|| Refusal::NotFound.into())
}
