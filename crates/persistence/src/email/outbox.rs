//! The mails to be sent.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Timestamp, UserId};

use crate::connection::{AnyConnection, skip_locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::mails;

/// A mail to be sent.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// The user whom it is about.
    pub user: UserId,
    /// What kind of mail it is.
    pub kind: &'static str,
    /// The address.
    pub recipient: String,
    /// What its text is made of, as JSON.
    pub content: String,
    /// When it is written.
    pub at: Timestamp,
    /// When it is given up.
    pub expires_at: Timestamp,
}

/// A mail that this server has leased to send it.
#[derive(Clone)]
pub struct WaitingMail {
    /// The mail's ID.
    pub id: i64,
    /// What kind of mail it is.
    pub kind: String,
    /// The address.
    pub recipient: String,
    /// What its text is made of, as JSON.
    pub content: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is given up.
    pub expires_at: Timestamp,
    /// The number of attempts, including the one that the mail was leased for.
    pub attempts: i64,
}

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    recipient: String,
    #[diesel(sql_type = Text)]
    content: String,
    #[diesel(sql_type = BigInt)]
    created_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    expires_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    attempts: i64,
}

/// Whether a mail is due.
///
/// # Errors
/// If the database fails.
pub fn is_mail_due(connection: &mut AnyConnection, now: Timestamp) -> Result<bool, DatabaseError> {
    let due: Option<i64> = mails::table
        .filter(mails::next_attempt_at_micros.le(now.as_micros()))
        .order(mails::next_attempt_at_micros)
        .select(mails::id)
        .first(connection)
        .optional()?;
    Ok(due.is_some())
}

impl Transaction<'_, '_> {
    /// Adds a mail to be sent.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_mail(&mut self, new: &NewMail) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(mails::table)
                .values((
                    mails::user_id.eq(new.user.get()),
                    mails::kind.eq(new.kind),
                    mails::recipient.eq(&new.recipient),
                    mails::content.eq(&new.content),
                    mails::created_at_micros.eq(new.at.as_micros()),
                    mails::expires_at_micros.eq(new.expires_at.as_micros()),
                    mails::next_attempt_at_micros.eq(new.at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Leases mails that are due, by moving their next attempt to `lease`. No other server sends them
    /// meanwhile, and if this server dies, they are sent after the lease.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_due_mails(
        &mut self,
        now: Timestamp,
        lease: Timestamp,
        limit: i64,
    ) -> Result<Vec<WaitingMail>, DatabaseError> {
        self.execute(|connection| {
            let lock = skip_locked(connection);
            let rows: Vec<WaitingRow> = diesel::sql_query(format!(
                "UPDATE mails SET next_attempt_at_micros = $1, attempts = attempts + 1
                 WHERE next_attempt_at_micros <= $2 AND id IN (
                    SELECT id FROM mails WHERE next_attempt_at_micros <= $2
                    ORDER BY next_attempt_at_micros LIMIT $3 {lock})
                 RETURNING id, kind, recipient, content, created_at_micros, expires_at_micros,
                    attempts"
            ))
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(now.as_micros())
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            let mail = |row: WaitingRow| WaitingMail {
                id: row.id,
                kind: row.kind,
                recipient: row.recipient,
                content: row.content,
                created_at: Timestamp::from_micros(row.created_at_micros),
                expires_at: Timestamp::from_micros(row.expires_at_micros),
                attempts: row.attempts,
            };
            Ok(rows.into_iter().map(mail).collect())
        })
    }

    /// Reschedules a leased mail. Does nothing if the lease has ended and another server has the mail.
    ///
    /// # Errors
    /// If the database fails.
    pub fn reschedule_mail(
        &mut self,
        mail: &WaitingMail,
        next_attempt_at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let leased = mails::table
                .find(mail.id)
                .filter(mails::attempts.eq(mail.attempts))
                .filter(mails::next_attempt_at_micros.is_not_null());
            diesel::update(leased)
                .set(mails::next_attempt_at_micros.eq(next_attempt_at.as_micros()))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Records that a mail was sent at `sent_at`, or given up, and deletes its content.
    ///
    /// # Errors
    /// If the database fails.
    pub fn complete_mail(
        &mut self,
        mail: &WaitingMail,
        sent_at: Option<Timestamp>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let waiting = mails::table
                .find(mail.id)
                .filter(mails::next_attempt_at_micros.is_not_null());
            diesel::update(waiting)
                .set((
                    mails::content.eq(None::<String>),
                    mails::next_attempt_at_micros.eq(None::<i64>),
                    mails::sent_at_micros.eq(sent_at.map(Timestamp::as_micros)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Gives up the mails to a user that wait to be sent and contain a link.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdraw_mails_with_links(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let waiting = mails::table
                .filter(mails::user_id.eq(user.get()))
                .filter(mails::next_attempt_at_micros.is_not_null())
                .filter(mails::kind.eq_any(["verify_address", "recover_password"]));
            diesel::update(waiting)
                .set((
                    mails::content.eq(None::<String>),
                    mails::next_attempt_at_micros.eq(None::<i64>),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Deletes up to `limit` mails from before `before` that were sent or given up, and returns their
    /// number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_mails(&mut self, before: Timestamp, limit: i64) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<i64> = mails::table
                .filter(mails::next_attempt_at_micros.is_null())
                .filter(mails::created_at_micros.lt(before.as_micros()))
                .order(mails::created_at_micros)
                .limit(limit)
                .select(mails::id)
                .load(connection)?;
            let mails = mails::table.filter(mails::id.eq_any(old));
            Ok(diesel::delete(mails).execute(connection)?)
        })
    }
}
