//! Whether the server has been asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

/// Whether the server has been asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stopping(Arc<State>);

#[derive(Debug, Default)]
struct State {
    has_begun: AtomicBool,
    streams_end: watch::Sender<bool>,
}

/// Tells an event stream when to end.
pub(crate) struct StreamsEnd(watch::Receiver<bool>);

impl Stopping {
    /// From now on the server is not ready, and lets go of its connections.
    pub fn begin(&self) {
        self.0.has_begun.store(true, Ordering::Relaxed);
        // So that nobody is woken because it is not ready.
        metrics::gauge!("glasshouse_stopping").set(1.0);
    }

    /// From now on event streams end, so that the server need not wait for them and their pages connect to another one.
    pub fn end_streams(&self) {
        self.0.streams_end.send_replace(true);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.has_begun.load(Ordering::Relaxed)
    }

    pub(crate) fn streams_end(&self) -> StreamsEnd {
        StreamsEnd(self.0.streams_end.subscribe())
    }
}

impl StreamsEnd {
    /// Waits until event streams end.
    pub(crate) async fn wait(&mut self) {
        // It fails without a sender, which also means that the server has ended.
        let _ = self.0.wait_for(|end| *end).await;
    }
}
