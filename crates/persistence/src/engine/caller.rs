//! For whom work is done on a database thread, so that log entries of either side can be put together.

use tracing::Span;
use uuid::Uuid;

use crate::connection::APPLICATION_NAME;

tokio::task_local! {
    static REQUEST: Uuid;
}

/// Runs `future` for the request with this ID: what the database logs meanwhile, and PostgreSQL's sessions
/// while they run statements of this request alone, are named after it.
pub async fn for_request<F: Future>(id: Uuid, future: F) -> F::Output {
    REQUEST.scope(id, future).await
}

/// The ID of the request that the current task works for.
#[must_use]
pub fn current_request() -> Option<Uuid> {
    REQUEST.try_with(|id| *id).ok()
}

/// Who waits for a piece of work.
#[derive(Debug)]
pub(crate) struct Caller {
    /// The span of the caller's log entries, in which the work is done.
    pub(crate) span: Span,
    /// The request that the caller serves; `None` for the house's own work.
    pub(crate) request: Option<Uuid>,
}

impl Caller {
    /// The current task.
    pub(crate) fn current() -> Self {
        Self {
            span: Span::current(),
            request: current_request(),
        }
    }
}

/// The name of PostgreSQL's session while it works for a request, or for none alone.
pub(crate) fn session_name(request: Option<Uuid>) -> String {
    match request {
        Some(id) => format!("{APPLICATION_NAME} {id}"),
        None => APPLICATION_NAME.to_owned(),
    }
}
