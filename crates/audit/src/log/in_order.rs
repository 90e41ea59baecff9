//! Work on several things at a time, with results in the order in which it was begun.

use std::collections::VecDeque;

use tokio::task::JoinHandle;

use crate::fault::Fault;

/// Work in progress. What is not finished when this is dropped is cancelled.
pub(crate) struct InOrder<T> {
    running: VecDeque<JoinHandle<T>>,
    limit: usize,
}

impl<T: Send + 'static> InOrder<T> {
    /// Allows this much work at a time.
    pub(crate) const fn new(limit: usize) -> Self {
        Self {
            running: VecDeque::new(),
            limit,
        }
    }

    /// Whether more work may be begun before the next result is taken.
    pub(crate) fn has_room(&self) -> bool {
        self.running.len() < self.limit
    }

    /// Begins work.
    pub(crate) fn begin(&mut self, work: impl Future<Output = T> + Send + 'static) {
        self.running.push_back(tokio::spawn(work));
    }

    /// The result of the oldest work that was begun; `None` if there is none.
    pub(crate) async fn next(&mut self) -> Option<Result<T, Fault>> {
        // The work stays in the queue until it is finished, so that it is cancelled if this is not
        // awaited to the end.
        let result = self.running.front_mut()?.await;
        self.running.pop_front();
        Some(result.map_err(Fault::interrupted))
    }
}

impl<T> Drop for InOrder<T> {
    fn drop(&mut self) {
        for work in &self.running {
            work.abort();
        }
    }
}
