//! What is stored of a user's addresses and mails, without the content of mails: their links are secret.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rows_before::rows_before;
use crate::schema::{email_addresses, mails};

/// An address that a user has verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressRecord {
    /// The address as the user wrote it.
    pub address: String,
    /// When it was verified.
    pub verified_at: Timestamp,
    /// When it was removed or replaced; `None` while it is in use.
    pub removed_at: Option<Timestamp>,
}

/// A mail to a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailRecord {
    /// The mail's ID.
    pub id: i64,
    /// What kind of mail it is.
    pub kind: String,
    /// The address.
    pub recipient: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was sent; `None` if it waits to be sent or was given up.
    pub sent_at: Option<Timestamp>,
}

type MailRow = (i64, String, String, i64, Option<i64>);

impl TryFrom<MailRow> for MailRecord {
    type Error = DatabaseError;

    fn try_from((id, kind, recipient, created_at, sent_at): MailRow) -> Result<Self, Self::Error> {
        Ok(Self {
            id,
            kind,
            recipient,
            created_at: Timestamp::from_micros(created_at),
            sent_at: sent_at.map(Timestamp::from_micros),
        })
    }
}

/// All stored addresses of a user, the oldest first.
///
/// # Errors
/// If the database fails.
pub fn address_records(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<Vec<AddressRecord>, DatabaseError> {
    let rows: Vec<(String, i64, Option<i64>)> = email_addresses::table
        .filter(email_addresses::user_id.eq(user.get()))
        .order(email_addresses::id)
        .select((
            email_addresses::address,
            email_addresses::verified_at_micros,
            email_addresses::removed_at_micros,
        ))
        .load(connection)?;
    let record = |(address, verified_at, removed_at): (String, i64, Option<i64>)| AddressRecord {
        address,
        verified_at: Timestamp::from_micros(verified_at),
        removed_at: removed_at.map(Timestamp::from_micros),
    };
    Ok(rows.into_iter().map(record).collect())
}

/// A page of the mails to a user, newest first: those with a lower ID than `before`, if given.
///
/// # Errors
/// If the database fails.
pub fn mail_records(
    connection: &mut AnyConnection,
    user: UserId,
    before: Option<i64>,
    limit: usize,
) -> Result<Page<MailRecord, i64>, DatabaseError> {
    let rows: Vec<MailRow> = mails::table
        .filter(rows_before("user_id", user, before.unwrap_or(i64::MAX)))
        .order((mails::user_id.desc(), mails::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((
            mails::id,
            mails::kind,
            mails::recipient,
            mails::created_at_micros,
            mails::sent_at_micros,
        ))
        .load(connection)?;
    Page::of(rows, limit, |mail: &MailRecord| mail.id)
}
