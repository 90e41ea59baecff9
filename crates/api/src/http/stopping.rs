//! Whether the server has been asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the server has been asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    /// From now on the server is not ready, and lets go of its connections.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
        // So that nobody is woken because it is not ready.
        metrics::gauge!("glasshouse_stopping").set(1.0);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
