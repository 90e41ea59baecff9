//! Counters of clients' attempts, such as sign-ins: one row per subject, deleted after it expires.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::Timestamp;

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::attempt_counters;

diesel::alias!(const EXPIRED: Alias<Expired> = attempt_counters as expired);

/// A stored counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptCounter {
    /// The number of attempts.
    pub count: i64,
    /// When a limit based on the count ends, as determined by the caller.
    pub until: Timestamp,
    /// When the counter is reset to zero.
    pub expires_at: Timestamp,
}

#[derive(QueryableByName)]
struct CounterRow {
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = BigInt)]
    until_micros: i64,
    #[diesel(sql_type = BigInt)]
    expires_at_micros: i64,
}

impl Transaction<'_, '_> {
    /// Locks a counter until the commit and reads it. A counter that does not exist or has expired
    /// is at zero.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_attempts(
        &mut self,
        subject: &str,
        at: Timestamp,
    ) -> Result<AttemptCounter, DatabaseError> {
        let row: CounterRow = self.execute(|connection| {
            // An update that changes nothing locks an existing row.
            let row = diesel::sql_query(
                "INSERT INTO attempt_counters (subject, count, until_micros, expires_at_micros)
                 VALUES ($1, 0, $2, $2)
                 ON CONFLICT (subject) DO UPDATE SET count = attempt_counters.count
                 RETURNING count, until_micros, expires_at_micros",
            )
            .bind::<Text, _>(subject)
            .bind::<BigInt, _>(at.as_micros())
            .get_result(connection)?;
            Ok::<_, DatabaseError>(row)
        })?;
        let counter = AttemptCounter {
            count: row.count,
            until: Timestamp::from_micros(row.until_micros),
            expires_at: Timestamp::from_micros(row.expires_at_micros),
        };
        if counter.expires_at > at {
            return Ok(counter);
        }
        Ok(AttemptCounter {
            count: 0,
            until: at,
            expires_at: at,
        })
    }

    /// Writes a locked counter.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_attempts(
        &mut self,
        subject: &str,
        counter: &AttemptCounter,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(attempt_counters::table.find(subject))
                .set((
                    attempt_counters::count.eq(counter.count),
                    attempt_counters::until_micros.eq(counter.until.as_micros()),
                    attempt_counters::expires_at_micros.eq(counter.expires_at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Deletes up to `limit` expired counters and returns their number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_attempts(&mut self, at: Timestamp, limit: i64) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let expired = EXPIRED
                .filter(
                    EXPIRED
                        .field(attempt_counters::expires_at_micros)
                        .le(at.as_micros()),
                )
                .order(EXPIRED.field(attempt_counters::expires_at_micros))
                .limit(limit)
                .select(EXPIRED.field(attempt_counters::subject));
            let counters =
                attempt_counters::table.filter(attempt_counters::subject.eq_any(expired));
            Ok(diesel::delete(counters).execute(connection)?)
        })
    }
}
