//! How many failed attempts may wait for being recorded.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many failed attempts may wait for being recorded at the same time; others are only counted.
const MAXIMUM_WAITING: usize = 64;

/// Limits how many failed attempts wait for being recorded.
pub(crate) struct FailureSlots {
    waiting: Arc<Semaphore>,
}

impl Default for FailureSlots {
    fn default() -> Self {
        Self {
            waiting: Arc::new(Semaphore::new(MAXIMUM_WAITING)),
        }
    }
}

impl FailureSlots {
    /// A slot to wait in; none if too many attempts are waiting.
    pub(crate) fn slot(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.waiting).try_acquire_owned().ok()
    }
}
