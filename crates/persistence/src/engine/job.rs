//! Pieces of work that wait for a writer.

use tokio::sync::oneshot;

use crate::engine::caller::Caller;
use crate::engine::scope::Scope;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;

/// A piece of work that waits for a writer, including the way to reply.
pub(crate) trait Job: Send {
    fn scope(&self) -> &Scope;
    fn caller(&self) -> &Caller;
    /// Runs the work and stores its result. Returns whether its changes are to be kept.
    fn run(&mut self, transaction: &mut Transaction<'_, '_>) -> bool;
    /// Replies with the stored result, after the commit.
    fn answer(self: Box<Self>);
    /// Replies with a fault.
    fn fail(self: Box<Self>, error: DatabaseError);
}

/// The only implementation of [`Job`]: a closure that can run more than once.
pub(crate) struct ClosureJob<F, T, E> {
    scope: Scope,
    caller: Caller,
    work: F,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> ClosureJob<F, T, E> {
    /// Work of the current task, and the way to its result.
    pub(crate) fn new(scope: Scope, work: F) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let job = Self {
            scope,
            caller: Caller::current(),
            work,
            result: None,
            reply,
        };
        (job, answer)
    }
}

impl<F, T, E> Job for ClosureJob<F, T, E>
where
    F: Fn(&mut Transaction<'_, '_>) -> Result<T, E> + Send,
    T: Send,
    E: From<DatabaseError> + Send,
{
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn caller(&self) -> &Caller {
        &self.caller
    }

    fn run(&mut self, transaction: &mut Transaction<'_, '_>) -> bool {
        // If it panics, there is no answer, not that of a run before.
        self.result = None;
        let result = self.caller.span.in_scope(|| (self.work)(transaction));
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn answer(self: Box<Self>) {
        let result = self
            .result
            .unwrap_or_else(|| Err(DatabaseError::WorkerStopped.into()));
        // The caller may have stopped waiting.
        drop(self.reply.send(result));
    }

    fn fail(self: Box<Self>, error: DatabaseError) {
        drop(self.reply.send(Err(error.into())));
    }
}
