//! What waits for an administrator, read often: no query grows with what is finished.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use glasshouse_domain::Timestamp;

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// What waits for an administrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingWork {
    /// The number of withdrawals that wait for a decision.
    pub withdrawals: u64,
    /// When the oldest of them was requested.
    pub oldest_withdrawal_at: Option<Timestamp>,
    /// The ID of the newest withdrawal, pending or not.
    pub newest_withdrawal: Option<i64>,
    /// The number of approved withdrawals that are not sent yet.
    pub payouts_to_send: u64,
    /// The number of withdrawals whose payment has failed and was not returned yet.
    pub failed_payouts: u64,
    /// The number of payments that need review.
    pub reviews: u64,
    /// The ID of the newest review, open or not.
    pub newest_review: Option<i64>,
    /// The number of proposals that can be approved.
    pub proposals: u64,
    /// The ID of the newest proposal, open or not.
    pub newest_proposal: Option<i64>,
    /// The number of alerts that nobody has acknowledged, up to a thousand.
    pub alerts: u64,
    /// The ID of the newest alert, acknowledged or not.
    pub newest_alert: Option<i64>,
}

/// More alerts are not counted, because a house can do without acknowledging them.
const MOST_ALERTS: i64 = 1_000;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    withdrawals: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    oldest_withdrawal_at: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    newest_withdrawal: Option<i64>,
    #[diesel(sql_type = BigInt)]
    payouts_to_send: i64,
    #[diesel(sql_type = BigInt)]
    failed_payouts: i64,
    #[diesel(sql_type = BigInt)]
    reviews: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    newest_review: Option<i64>,
    #[diesel(sql_type = BigInt)]
    proposals: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    newest_proposal: Option<i64>,
    #[diesel(sql_type = BigInt)]
    alerts: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    newest_alert: Option<i64>,
}

/// The conditions are literally those of partial indexes.
const PENDING_WORK: &str = "SELECT
        (SELECT COUNT(*) FROM withdrawals WHERE status = 'pending') AS withdrawals,
        (SELECT created_at_micros FROM withdrawals WHERE status = 'pending' ORDER BY id LIMIT 1)
            AS oldest_withdrawal_at,
        (SELECT MAX(id) FROM withdrawals) AS newest_withdrawal,
        (SELECT COUNT(*) FROM payouts WHERE state = 'claimed') AS payouts_to_send,
        (SELECT COUNT(*) FROM payouts WHERE state = 'failed') AS failed_payouts,
        (SELECT COUNT(*) FROM reviews WHERE resolved_at_micros IS NULL) AS reviews,
        (SELECT MAX(id) FROM reviews) AS newest_review,
        (SELECT COUNT(*) FROM proposals WHERE state = 'open' AND expires_at_micros > $1) AS proposals,
        (SELECT MAX(id) FROM proposals) AS newest_proposal,
        (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM alerts WHERE acknowledged_at_micros IS NULL LIMIT $2
        ) AS unacknowledged) AS alerts,
        (SELECT MAX(id) FROM alerts) AS newest_alert";

/// Reads what waits for an administrator, in one query.
///
/// # Errors
/// If the database fails.
pub fn pending_work(
    connection: &mut AnyConnection,
    at: Timestamp,
) -> Result<PendingWork, DatabaseError> {
    let row: Row = diesel::sql_query(PENDING_WORK)
        .bind::<BigInt, _>(at.as_micros())
        .bind::<BigInt, _>(MOST_ALERTS)
        .get_result(connection)?;
    Ok(PendingWork {
        withdrawals: unsigned(row.withdrawals, "count of withdrawals")?,
        oldest_withdrawal_at: row.oldest_withdrawal_at.map(Timestamp::from_micros),
        newest_withdrawal: row.newest_withdrawal,
        payouts_to_send: unsigned(row.payouts_to_send, "count of payouts")?,
        failed_payouts: unsigned(row.failed_payouts, "count of payouts")?,
        reviews: unsigned(row.reviews, "count of reviews")?,
        newest_review: row.newest_review,
        proposals: unsigned(row.proposals, "count of proposals")?,
        newest_proposal: row.newest_proposal,
        alerts: unsigned(row.alerts, "count of alerts")?,
        newest_alert: row.newest_alert,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn finished_items_are_not_read() {
        let found = plan(&PENDING_WORK.replace("$1", "1").replace("$2", "9"));
        for step in [
            "withdrawals USING COVERING INDEX withdrawals_by_",
            "payouts USING COVERING INDEX payouts_by_state (state=?)",
            "reviews USING INDEX reviews_open",
            "proposals USING INDEX proposals_",
            "alerts USING COVERING INDEX alerts_unacknowledged",
        ] {
            assert!(found.contains(step), "{step}: {found}");
        }
        assert!(!found.contains("TEMP B-TREE"), "{found}");
    }
}
