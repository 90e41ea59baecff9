//! How much work that no response waits for may wait.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many pieces of work may wait at the same time.
const MAXIMUM_WAITING: usize = 64;

/// Limits how much work waits in the background.
pub(crate) struct WaitingRoom {
    places: Arc<Semaphore>,
}

impl Default for WaitingRoom {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAXIMUM_WAITING)),
        }
    }
}

impl WaitingRoom {
    /// A place to wait in; none if too much work is waiting.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }
}
