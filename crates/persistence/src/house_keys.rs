//! All secret keys that the house works with.

use crate::accounts::factor_keys::FactorKeys;
use crate::audit::key::AuditKeys;
use crate::public_log::batch::LogSigner;
use crate::seeds::key::SeedKeys;

/// The keys of the house, which are not stored in its database.
#[derive(Debug, Clone)]
pub struct HouseKeys {
    /// The keys that seal the audit log.
    pub audit: AuditKeys,
    /// The keys that server seeds are derived from.
    pub seeds: SeedKeys,
    /// The keys that sign receipts and the public log.
    pub log: LogSigner,
    /// The keys that the secrets of second factors are encrypted with.
    pub factors: FactorKeys,
}

#[cfg(test)]
impl HouseKeys {
    /// The keys of all unit tests.
    pub(crate) fn for_tests() -> Self {
        use glasshouse_transparency::keys::{SigningKeys, new_private_key};
        use glasshouse_transparency::origin::Origin;
        use secrecy::ExposeSecret as _;

        let origin = Origin::parse("house.example/glasshouse").unwrap();
        let key = new_private_key(&origin, [7; 32]);
        Self {
            audit: AuditKeys::parse(&"5ea1".repeat(16)).unwrap(),
            seeds: SeedKeys::parse(&"5eed".repeat(16)).unwrap(),
            log: LogSigner::new(SigningKeys::parse(key.expose_secret()).unwrap()),
            factors: FactorKeys::parse(&"fac7".repeat(16)).unwrap(),
        }
    }
}
