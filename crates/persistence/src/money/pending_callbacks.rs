//! Callbacks whose payments could not be fetched from the provider yet. They are stored so that
//! none is lost when something fails.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::Timestamp;

use crate::connection::skip_locked;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::pending_callbacks;

/// A callback whose payment is still to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCallback {
    /// The provider's ID of the payment.
    pub payment: String,
    /// The provider's ID of the parent payment, if a callback contained it.
    pub parent: Option<String>,
    /// The number of callbacks received for the payment. Completing a callback checks that it has
    /// not changed.
    pub version: i64,
    /// When the first callback was received.
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
    /// Stores a callback for a later attempt. If one is already stored for the payment, its version
    /// is incremented.
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

    /// Leases callbacks that are due, by moving their next attempt to `lease`. No other server
    /// handles them meanwhile, and if this server dies, they are handled after the lease.
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

    /// Reschedules a callback's next attempt.
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

    /// Deletes a callback, because the payment was fetched or given up on. Does nothing if another
    /// callback for the payment has arrived since this one was leased.
    ///
    /// # Errors
    /// If the database fails.
    pub fn complete_callback(&mut self, callback: &PendingCallback) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let unchanged = pending_callbacks::table
                .find(&callback.payment)
                .filter(pending_callbacks::version.eq(callback.version));
            diesel::delete(unchanged).execute(connection)?;
            Ok(())
        })
    }
}
