//! Why an audit stops before its end.

use crate::audit::contradiction::Contradiction;
use crate::fault::Fault;

/// Why an audit stops.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The house contradicts itself.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// Something could not be verified.
    #[error(transparent)]
    Fault(#[from] Fault),
}
