//! What is stored of a user's addresses and mails, for the data export.

use glasshouse_domain::UserId;
use glasshouse_persistence::email::{AddressRecord, MailRecord};
use glasshouse_persistence::{DatabaseError, Page, queries};

use crate::error::CasinoError;
use crate::house::House;

/// Reads all addresses of a user that are stored, those that were removed as well.
///
/// # Errors
/// On a fault.
pub async fn read_email_records(
    house: &House,
    user: UserId,
) -> Result<Vec<AddressRecord>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| queries::address_records(connection, user))
        .await?)
}

/// Reads a page of the mails to a user, newest first: those with a lower ID than `before`, if given.
///
/// # Errors
/// On a fault.
pub async fn read_mails(
    house: &House,
    user: UserId,
    before: Option<i64>,
    limit: usize,
) -> Result<Page<MailRecord, i64>, CasinoError> {
    Ok(house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::mail_records(connection, user, before, limit)
        })
        .await?)
}
