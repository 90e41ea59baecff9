//! Payments that the provider has called back about and that could not be fetched yet: nothing that
//! it told is lost, whatever fails.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::Timestamp;

use crate::connection::skip_locked;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::pending_callbacks;

/// A payment that was called back about and is still to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCallback {
    /// Its id at the provider.
    pub payment: String,
    /// The payment that it was sent after, if a callback said so.
    pub parent: Option<String>,
    /// How often it was heard of: what is forgotten is forgotten as of then.
    pub version: i64,
    /// When it was first heard of.
    pub received_at: Timestamp,
}

#[derive(QueryableByName)]
struct PendingCallbackRow {
    #[diesel(sql_type = Text)]
    payment_id: String,
    #[diesel(sql_type = Nullable<Text>)]
    parent_id: Option<String>,
    #[diesel(sql_type = BigInt)]
    version: i64,
    #[diesel(sql_type = BigInt)]
    received_at_micros: i64,
}

impl Transaction<'_, '_> {
    /// Remembers that a payment is to be fetched, as of this callback if it is remembered already.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_pending_callback(
        &mut self,
        payment: &str,
        parent: Option<&str>,
        at: Timestamp,
        next_attempt_at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO pending_callbacks
                    (payment_id, parent_id, version, received_at_micros, next_attempt_at_micros)
                 VALUES ($1, $2, 1, $3, $4)
                 ON CONFLICT (payment_id) DO UPDATE SET version = pending_callbacks.version + 1,
                    parent_id = COALESCE(pending_callbacks.parent_id, excluded.parent_id)",
            )
            .bind::<Text, _>(payment)
            .bind::<Nullable<Text>, _>(parent)
            .bind::<BigInt, _>(at.as_micros())
            .bind::<BigInt, _>(next_attempt_at.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }

    /// Takes hints whose time has come, and puts their next attempt off to `lease`, so that no
    /// other server fetches them at the same time, and that a server that dies loses none.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_due_callbacks(
        &mut self,
        now: Timestamp,
        lease: Timestamp,
        limit: i64,
    ) -> Result<Vec<PendingCallback>, DatabaseError> {
        self.execute(|connection| {
            let lock = skip_locked(connection);
            let rows: Vec<PendingCallbackRow> = diesel::sql_query(format!(
                "UPDATE pending_callbacks SET next_attempt_at_micros = $1
                 WHERE next_attempt_at_micros <= $2 AND payment_id IN (
                    SELECT payment_id FROM pending_callbacks WHERE next_attempt_at_micros <= $2
                    ORDER BY next_attempt_at_micros LIMIT $3 {lock})
                 RETURNING payment_id, parent_id, version, received_at_micros"
            ))
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(now.as_micros())
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            let callback = |row: PendingCallbackRow| PendingCallback {
                payment: row.payment_id,
                parent: row.parent_id,
                version: row.version,
                received_at: Timestamp::from_micros(row.received_at_micros),
            };
            Ok(rows.into_iter().map(callback).collect())
        })
    }

    /// Puts a callback's next attempt off.
    ///
    /// # Errors
    /// If the database fails.
    pub fn reschedule_callback(
        &mut self,
        payment: &str,
        next_attempt_at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(pending_callbacks::table.find(payment))
                .set(pending_callbacks::next_attempt_at_micros.eq(next_attempt_at.as_micros()))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Forgets a callback, because the payment was fetched or given up; not one that was heard again
    /// since it was taken.
    ///
    /// # Errors
    /// If the database fails.
    pub fn complete_callback(&mut self, callback: &PendingCallback) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let same = pending_callbacks::table
                .find(&callback.payment)
                .filter(pending_callbacks::version.eq(callback.version));
            diesel::delete(same).execute(connection)?;
            Ok(())
        })
    }
}
