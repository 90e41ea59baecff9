//! Receipts and the public log: what makes the house verifiable.

pub(crate) mod statements;

// Types of the lower layers that the layers above need.
pub use glasshouse_persistence::public_log::{LogSigner, Receipt};
pub use glasshouse_transparency::keys::{SigningKeys, new_private_key};
pub use glasshouse_transparency::origin::Origin;
