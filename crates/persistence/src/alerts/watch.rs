//! What the house's watch reads, and what it remembers.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use glasshouse_domain::Timestamp;

use crate::admin::pending_work::{PendingWork, pending_work};
use crate::connection::{AnyConnection, skip_locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::alert_watch;

/// What the watch remembers, for all servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertWatch {
    /// When the house is looked at next.
    pub next_pass_at: Timestamp,
    /// Since when no call to the payment provider has succeeded.
    pub provider_failing_since: Option<Timestamp>,
}

#[derive(QueryableByName)]
struct WatchRow {
    #[diesel(sql_type = BigInt)]
    next_pass_at_micros: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    provider_failing_since_micros: Option<i64>,
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = BigInt)]
    next_pass_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    waiting: i64,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// Literally the conditions of partial indexes.
const DUE: &str = "SELECT next_pass_at_micros,
        (SELECT COUNT(*) FROM (SELECT 1 AS one FROM alerts WHERE next_message IS NOT NULL LIMIT 1) AS a)
        + (SELECT COUNT(*) FROM (SELECT 1 AS one FROM large_wins LIMIT 1) AS w) AS waiting
    FROM alert_watch WHERE id = 1";

/// The conditions on the kind and the ID are literally those of a partial index. Reads no more rows than the limit.
const REFUSED_SIGN_INS: &str = "SELECT COUNT(*) AS value FROM (
        SELECT 1 AS one FROM security_events
        WHERE kind IN ('sign_in_failed', 'second_factor_failed', 'passkey_failed')
            AND id > 0 AND created_at_micros > $1
        LIMIT $2
    ) AS recent";

/// Whether the watch has something to do: the house is to be looked at again, or something waits.
///
/// # Errors
/// If the database fails.
pub fn is_alert_work_due(
    connection: &mut AnyConnection,
    now: Timestamp,
) -> Result<bool, DatabaseError> {
    let row: DueRow = diesel::sql_query(DUE).get_result(connection)?;
    Ok(row.waiting > 0 || row.next_pass_at_micros <= now.as_micros())
}

/// Since when no call to the payment provider has succeeded.
///
/// # Errors
/// If the database fails.
pub fn provider_failing_since(
    connection: &mut AnyConnection,
) -> Result<Option<Timestamp>, DatabaseError> {
    let since: Option<i64> = alert_watch::table
        .find(1)
        .select(alert_watch::provider_failing_since_micros)
        .first(connection)?;
    Ok(since.map(Timestamp::from_micros))
}

impl Transaction<'_, '_> {
    /// Locks what the watch remembers until the commit; `None` if another server has locked it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_alert_watch(&mut self) -> Result<Option<AlertWatch>, DatabaseError> {
        self.execute(|connection| {
            let lock = skip_locked(connection);
            let row: Option<WatchRow> = diesel::sql_query(format!(
                "UPDATE alert_watch SET next_pass_at_micros = next_pass_at_micros
                 WHERE id IN (SELECT id FROM alert_watch WHERE id = 1 {lock})
                 RETURNING next_pass_at_micros, provider_failing_since_micros"
            ))
            .get_result(connection)
            .optional()?;
            Ok(row.map(|row| AlertWatch {
                next_pass_at: Timestamp::from_micros(row.next_pass_at_micros),
                provider_failing_since: row
                    .provider_failing_since_micros
                    .map(Timestamp::from_micros),
            }))
        })
    }

    /// Changes what the watch remembers. To be called under its lock.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_alert_watch(&mut self, watch: AlertWatch) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(alert_watch::table.find(1))
                .set((
                    alert_watch::next_pass_at_micros.eq(watch.next_pass_at.as_micros()),
                    alert_watch::provider_failing_since_micros
                        .eq(watch.provider_failing_since.map(Timestamp::as_micros)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Reads what waits for an administrator.
    ///
    /// # Errors
    /// If the database fails.
    pub fn pending_work(&mut self, at: Timestamp) -> Result<PendingWork, DatabaseError> {
        self.execute(|connection| pending_work(connection, at))
    }

    /// The number of refused sign-ins to existing accounts after `since`, up to `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn refused_sign_ins(&mut self, since: Timestamp, limit: i64) -> Result<i64, DatabaseError> {
        self.execute(|connection| {
            let count: Count = diesel::sql_query(REFUSED_SIGN_INS)
                .bind::<BigInt, _>(since.as_micros())
                .bind::<BigInt, _>(limit)
                .get_result(connection)?;
            Ok(count.value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn the_watch_reads_only_what_it_looks_for() {
        let found = plan(DUE);
        assert!(
            found.contains("alerts USING INDEX alerts_to_announce"),
            "{found}"
        );
        let query = REFUSED_SIGN_INS.replace("$1", "1").replace("$2", "5");
        let found = plan(&query);
        assert!(found.contains("INDEX security_events_refused"), "{found}");
    }
}
