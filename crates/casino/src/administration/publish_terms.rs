//! Publishes versions of the Terms of Service.

use glasshouse_domain::{AuditAction, TermsText, Timestamp};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::TermsVersion;
use glasshouse_persistence::audit::NewAuditRecord;

use crate::administration::operator::operator_record;
use crate::error::CasinoError;
use crate::house::House;

/// The terms that a house has until its operator publishes others.
const FIRST_TERMS: &str = include_str!("first_terms.txt");

/// Publishes a new version. All servers ask their players to accept it within two seconds. Returns its
/// number.
///
/// # Errors
/// On a fault.
pub async fn publish_terms(house: &House, text: TermsText) -> Result<i64, CasinoError> {
    let published_at = house.now();
    let text = text.into_string();
    let version = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            // One after the other, so that no number is given twice.
            transaction.lock_audit_log()?;
            let terms = TermsVersion {
                version: transaction.terms_version()? + 1,
                text: text.clone(),
                published_at,
            };
            transaction.add_terms_version(&terms)?;
            transaction.add_audit_record(&record(terms.version, published_at))?;
            Ok(terms.version)
        })
        .await?;
    house.know_terms_version(version);
    Ok(version)
}

fn record(version: i64, at: Timestamp) -> NewAuditRecord {
    NewAuditRecord {
        old_value: (version > 1).then(|| (version - 1).to_string()),
        new_value: Some(version.to_string()),
        ..operator_record(AuditAction::TermsPublished, None, at)
    }
}

/// Publishes the terms that come with the software, unless there are any. To be called when a server
/// starts.
///
/// # Errors
/// On a fault.
pub async fn publish_first_terms(house: &House) -> Result<(), CasinoError> {
    let terms = TermsVersion {
        version: 1,
        text: FIRST_TERMS.trim().to_owned(),
        published_at: house.now(),
    };
    let version = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let version = transaction.terms_version()?;
            if version == 0 {
                transaction.add_terms_version(&terms)?;
            }
            Ok(version.max(1))
        })
        .await?;
    house.know_terms_version(version);
    Ok(())
}
