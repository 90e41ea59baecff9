//! Counts of users and of items that wait for an administrator.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::Money;

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// Counts for administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HouseCounts {
    /// The number of users, including administrators.
    pub users: u64,
    /// The number of banned users.
    pub banned_users: u64,
    /// The number of withdrawals that wait for a decision.
    pub pending_withdrawals: u64,
    /// The total amount of these withdrawals.
    pub pending_withdrawal_total: Money,
    /// The number of payments that need review.
    pub open_reviews: u64,
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = BigInt)]
    users: i64,
    #[diesel(sql_type = BigInt)]
    banned_users: i64,
    #[diesel(sql_type = BigInt)]
    pending_withdrawals: i64,
    #[diesel(sql_type = BigInt)]
    pending_withdrawal_cents: i64,
    #[diesel(sql_type = BigInt)]
    open_reviews: i64,
}

/// The conditions are literally those of partial indexes, so that finished items are not read.
const COUNTS: &str = "SELECT (SELECT COUNT(*) FROM users) AS users,
        (SELECT COUNT(*) FROM users WHERE ban_reason IS NOT NULL) AS banned_users,
        pending.number AS pending_withdrawals, pending.cents AS pending_withdrawal_cents,
        (SELECT COUNT(*) FROM reviews WHERE resolved_at_micros IS NULL) AS open_reviews
     FROM (
        SELECT COUNT(*) AS number, CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) AS cents
        FROM withdrawals WHERE status = 'pending'
     ) pending";

/// Reads all counts in one query.
///
/// # Errors
/// If the database fails.
pub fn house_counts(connection: &mut AnyConnection) -> Result<HouseCounts, DatabaseError> {
    let row: CountsRow = diesel::sql_query(COUNTS).get_result(connection)?;
    Ok(HouseCounts {
        users: unsigned(row.users, "count of users")?,
        banned_users: unsigned(row.banned_users, "count of banned users")?,
        pending_withdrawals: unsigned(row.pending_withdrawals, "count of withdrawals")?,
        pending_withdrawal_total: Money::from_cents(row.pending_withdrawal_cents),
        open_reviews: unsigned(row.open_reviews, "count of reviews")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn finished_items_are_not_read() {
        let found = plan(COUNTS);
        for step in [
            "users USING COVERING INDEX",
            "users USING INDEX users_banned",
            "withdrawals USING COVERING INDEX withdrawals_by_amount",
            "reviews USING INDEX reviews_open",
        ] {
            assert!(found.contains(step), "{step}: {found}");
        }
    }
}
