//! Runs work that keeps a core busy on threads for blocking work, with bounded concurrency.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::error::{CasinoError, Fault};

/// A queue of work that keeps a core busy: a bounded number runs at once, so that a flood of it
/// cannot slow down bets, and a bounded number waits.
pub(crate) struct WorkQueue {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl WorkQueue {
    /// A queue that runs `concurrent` pieces of work at once and holds `queued` that run or wait.
    pub(crate) fn new(concurrent: usize, queued: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(concurrent)),
            waiting: Arc::new(Semaphore::new(queued)),
        }
    }

    /// Runs the work when its turn comes. Fails at once if the queue is full.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, CasinoError> + Send + 'static,
    ) -> Result<T, CasinoError> {
        let slot = Arc::clone(&self.waiting)
            .try_acquire_owned()
            .map_err(|_| Fault::Overloaded)?;
        let permit = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| Fault::Overloaded)?;
        let guarded = move || {
            // The work itself holds both permits, because it continues even if the caller
            // disconnects.
            let _permits = (slot, permit);
            work()
        };
        tokio::task::spawn_blocking(guarded)
            .await
            .map_err(|error| CasinoError::Fault(Fault::Interrupted(error.to_string())))?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_beyond_the_queue_is_refused_and_work_in_it_waits() {
        let queue = Arc::new(WorkQueue::new(1, 2));
        let (release, released) = mpsc::channel::<()>();
        let (start, started) = tokio::sync::oneshot::channel();
        let first = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move {
                let work = move || {
                    start.send(()).unwrap();
                    released.recv().unwrap();
                    Ok(1)
                };
                queue.run(work).await.unwrap()
            }
        });
        started.await.unwrap();
        let mut second = Box::pin(queue.run(|| Ok(2)));
        assert!(is_pending(second.as_mut()).await);
        let third = queue.run(|| Ok(3)).await;
        assert!(matches!(third, Err(CasinoError::Fault(Fault::Overloaded))));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), 1);
        assert_eq!(second.await.unwrap(), 2);
    }

    /// Whether the future is not ready when polled once.
    async fn is_pending<F: Future + Unpin>(mut future: F) -> bool {
        std::future::poll_fn(|context| {
            let polled = std::pin::Pin::new(&mut future).poll(context);
            std::task::Poll::Ready(polled.is_pending())
        })
        .await
    }
}
