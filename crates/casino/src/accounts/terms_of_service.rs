//! The Terms of Service: the version in force, and who accepted which version when.
//!
//! A player who has not accepted the version in force starts no rounds and makes no deposits; open
//! rounds can be finished, and withdrawals stay possible. A bet compares the version in the account's
//! row with the one that this server knows, so it costs no query.

use std::sync::atomic::Ordering;

use glasshouse_domain::UserId;
use glasshouse_persistence::accounts::{Account, TermsAcceptance, TermsVersion};
use glasshouse_persistence::{DatabaseError, Scope, queries};

use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// The most acceptances that are listed.
const LISTED_ACCEPTANCES: i64 = 100;

impl House {
    /// The newest version of the Terms of Service that this server knows; 0 if there is none.
    pub(crate) fn terms_version(&self) -> i64 {
        self.terms_version.load(Ordering::Relaxed)
    }

    /// Remembers a version. Versions only increase.
    pub(crate) fn know_terms_version(&self, version: i64) {
        self.terms_version.fetch_max(version, Ordering::Relaxed);
    }
}

/// Reads the number of the newest version, which another server or the command line may have
/// published.
///
/// # Errors
/// If the database fails.
pub(crate) async fn refresh_terms(house: &House) -> Result<(), DatabaseError> {
    let version: i64 = house
        .database
        .read::<_, DatabaseError, _>(queries::terms_version)
        .await?;
    house.know_terms_version(version);
    Ok(())
}

/// The version in force.
///
/// # Errors
/// [`Refusal::NotFound`] if none was published, or a fault.
pub async fn read_terms(house: &House) -> Result<TermsVersion, CasinoError> {
    let terms: Option<TermsVersion> = house
        .database
        .read::<_, DatabaseError, _>(queries::terms_in_force)
        .await?;
    Ok(terms.ok_or(Refusal::NotFound)?)
}

/// The versions that a user has accepted, newest first, at most 100.
///
/// # Errors
/// On a fault.
pub async fn read_acceptances(
    house: &House,
    user: UserId,
) -> Result<Vec<TermsAcceptance>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::terms_accepted_by(connection, user, LISTED_ACCEPTANCES)
        })
        .await?)
}

/// Records that a user accepts the version in force, which the user names. Accepting it again changes
/// nothing.
///
/// # Errors
/// [`AccountRefusal::TermsChanged`] if another version is in force, or a fault.
pub async fn accept_terms(house: &House, user: UserId, version: i64) -> Result<(), CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(user), move |transaction| {
            let account = transaction.account(user)?;
            if version < 1 || version != transaction.terms_version()? {
                return Err(AccountRefusal::TermsChanged.into());
            }
            Ok(transaction.accept_terms(account, version, at)?)
        })
        .await?;
    house.know_terms_version(version);
    Ok(())
}

/// Refuses a player who has not accepted the version in force.
pub(crate) fn require_terms(account: &Account, in_force: i64) -> Result<(), CasinoError> {
    if account.terms_version < in_force {
        return Err(AccountRefusal::TermsNotAccepted.into());
    }
    Ok(())
}
