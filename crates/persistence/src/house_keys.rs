//! All secret keys that the house works with.

use crate::audit::key::AuditKeys;
use crate::seeds::key::SeedKeys;

/// The keys of the house, which are not stored in its database.
#[derive(Debug, Clone)]
pub struct HouseKeys {
    /// The keys that seal the audit log.
    pub audit: AuditKeys,
    /// The keys that server seeds are derived from.
    pub seeds: SeedKeys,
}
