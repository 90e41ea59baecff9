//! What came of a request that may have been proposed to a second person instead.

use glasshouse_domain::ProposalId;

/// What came of a request.
#[derive(Debug, Clone)]
pub enum Outcome<T> {
    /// It was done.
    Done(T),
    /// It was proposed to a second person, and nothing has changed yet.
    Proposed(ProposalId),
}

impl<T> Outcome<T> {
    /// Continues with what was done.
    pub(crate) fn map<U>(self, continued: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Done(done) => Outcome::Done(continued(done)),
            Self::Proposed(id) => Outcome::Proposed(id),
        }
    }
}
