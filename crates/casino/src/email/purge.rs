//! Forgets addresses and links that are no longer needed.

use std::time::Duration;

use glasshouse_persistence::Scope;

use crate::error::CasinoError;
use crate::house::House;
use crate::mail::message::{RECOVERY_VALIDITY, VERIFICATION_VALIDITY};

/// How long removed addresses are kept. Those of excluded players are kept until the exclusion ends.
const RETENTION: Duration = Duration::from_hours(24 * 365);
/// The maximum number of rows of each kind removed per call.
const PURGE_LIMIT: i64 = 1_000;

/// Removes expired links and addresses that were removed a year ago, a bounded number per call, and
/// returns how many were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_email(house: &House) -> Result<usize, CasinoError> {
    let now = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let expired = now.saturating_sub(VERIFICATION_VALIDITY);
            let verifications = transaction.purge_verifications(expired, PURGE_LIMIT)?;
            let expired = now.saturating_sub(RECOVERY_VALIDITY);
            let recoveries = transaction.purge_recoveries(expired, PURGE_LIMIT)?;
            let old = now.saturating_sub(RETENTION);
            let addresses = transaction.purge_addresses(old, now, PURGE_LIMIT)?;
            Ok(verifications + recoveries + addresses)
        })
        .await
}
