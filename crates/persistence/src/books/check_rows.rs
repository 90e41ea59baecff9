//! The rows that the audit log is compared with: those that administrators have created or changed.
//! There are about as many of them as audit records.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::GameLimits;

use crate::approval::ApprovalRows;
use crate::approval::to_check::approval_rows;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::money::payout::Payout;
use crate::money::payouts::payouts_recorded_by_hand;
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::rounds::games::stored_games;
use crate::schema::withdrawals;

/// A user who is an administrator, or banned, or both.
#[derive(Debug, Clone, QueryableByName)]
pub struct StandingRow {
    /// The user's ID.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// The stored name of the role.
    #[diesel(sql_type = Text)]
    pub role: String,
    /// The reason of the ban, if the user is banned.
    #[diesel(sql_type = Nullable<Text>)]
    pub ban_reason: Option<String>,
}

/// A user whose account is closed, or marked as pseudonymised.
#[derive(Debug, Clone, QueryableByName)]
pub struct ClosedRow {
    /// The user's ID.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// When the account was closed, in microseconds since the Unix epoch; `None` if it is open.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub closed_at_micros: Option<i64>,
    /// When everything personal was removed from it, in the same unit.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub pseudonymised_at_micros: Option<i64>,
}

/// A switch of the house.
#[derive(Debug, Clone, QueryableByName)]
pub struct SwitchRow {
    /// Its stored name.
    #[diesel(sql_type = Text)]
    pub name: String,
    /// 1 if it is on, 0 if it is off.
    #[diesel(sql_type = BigInt)]
    pub is_on: i64,
    /// The reason of the last change.
    #[diesel(sql_type = Nullable<Text>)]
    pub reason: Option<String>,
}

/// A user who may not bet or not withdraw.
#[derive(Debug, Clone, QueryableByName)]
pub struct RestrictionRow {
    /// The user's ID.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// Why betting is blocked, if it is.
    #[diesel(sql_type = Nullable<Text>)]
    pub betting_block_reason: Option<String>,
    /// Why withdrawing is blocked, if it is.
    #[diesel(sql_type = Nullable<Text>)]
    pub withdrawing_block_reason: Option<String>,
}

/// A ledger entry for a balance that was set by hand.
#[derive(Debug, Clone, QueryableByName)]
pub struct AdjustmentRow {
    /// The player's ID.
    #[diesel(sql_type = BigInt)]
    pub player_id: i64,
    /// The sequence number of the entry.
    #[diesel(sql_type = BigInt)]
    pub sequence: i64,
    /// The change of the balance, in US cents.
    #[diesel(sql_type = BigInt)]
    pub amount_cents: i64,
    /// The new balance, in US cents.
    #[diesel(sql_type = BigInt)]
    pub balance_after_cents: i64,
    /// The time of the change, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub created_at_micros: i64,
}

/// A credit that an administrator confirmed by hand.
#[derive(Debug, Clone, QueryableByName)]
pub struct ConfirmedCreditRow {
    /// The provider's ID of the payment.
    #[diesel(sql_type = Text)]
    pub payment_id: String,
    /// The number of the credit among those of the payment.
    #[diesel(sql_type = BigInt)]
    pub number: i64,
    /// The ID of the player who was credited.
    #[diesel(sql_type = BigInt)]
    pub player_id: i64,
    /// The amount in US cents.
    #[diesel(sql_type = BigInt)]
    pub amount_cents: i64,
    /// The administrator's ID.
    #[diesel(sql_type = BigInt)]
    pub confirmed_by: i64,
    /// The time of the credit, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub created_at_micros: i64,
}

/// A review that an administrator closed.
#[derive(Debug, Clone, QueryableByName)]
pub struct ResolvedReviewRow {
    /// The review's ID.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// The provider's ID of the payment.
    #[diesel(sql_type = Text)]
    pub payment_id: String,
    /// The outcome as described by the administrator.
    #[diesel(sql_type = Text)]
    pub resolution: String,
    /// The administrator's ID.
    #[diesel(sql_type = BigInt)]
    pub resolved_by: i64,
    /// The time of closing, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub resolved_at_micros: i64,
}

/// An alert as far as the audit log knows it.
#[derive(Debug, Clone, QueryableByName)]
pub struct AlertRow {
    /// The alert's ID.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// Whom it is about.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub user_id: Option<i64>,
    /// The ID of the administrator who has acknowledged it.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub acknowledged_by: Option<i64>,
    /// When it was acknowledged, in microseconds since the Unix epoch.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub acknowledged_at_micros: Option<i64>,
}

/// All rows that the audit log must agree with.
#[derive(Debug, Clone)]
pub struct RecordedActs {
    /// Administrators and banned users.
    pub standings: Vec<StandingRow>,
    /// Users whose accounts are closed, or marked as pseudonymised.
    pub closed: Vec<ClosedRow>,
    /// Ledger entries for balances that were set by hand.
    pub adjustments: Vec<AdjustmentRow>,
    /// Decided withdrawals, each with the ID of the administrator who decided; `None` if it was approved
    /// automatically.
    pub decisions: Vec<(Withdrawal, Option<i64>)>,
    /// Payments of withdrawals of which an administrator has recorded something.
    pub payouts: Vec<Payout>,
    /// Credits that were confirmed by hand.
    pub confirmed_credits: Vec<ConfirmedCreditRow>,
    /// Reviews that administrators closed.
    pub resolved_reviews: Vec<ResolvedReviewRow>,
    /// The approval thresholds, the proposals, and the acts that move money.
    pub approval: ApprovalRows,
    /// The name, status and limits of each game.
    pub games: Vec<(String, String, GameLimits)>,
    /// The switches of the house.
    pub switches: Vec<SwitchRow>,
    /// The alerts of the last year, acknowledged or not.
    pub alerts: Vec<AlertRow>,
    /// Restricted users.
    pub restricted: Vec<RestrictionRow>,
}

/// Reads all rows that the audit log must agree with.
///
/// # Errors
/// If the database fails.
pub fn recorded_acts(connection: &mut AnyConnection) -> Result<RecordedActs, DatabaseError> {
    let decisions: Vec<(WithdrawalRow, Option<i64>)> = withdrawals::table
        .filter(withdrawals::status.eq_any(["approved", "rejected"]))
        .order(withdrawals::id)
        .select((WithdrawalRow::as_select(), withdrawals::decided_by))
        .load(connection)?;
    Ok(RecordedActs {
        standings: diesel::sql_query(
            "SELECT id, role, ban_reason FROM users
             WHERE role <> 'player' OR ban_reason IS NOT NULL ORDER BY id",
        )
        .load(connection)?,
        closed: diesel::sql_query(
            "SELECT id, closed_at_micros, pseudonymised_at_micros FROM users
             WHERE closed_at_micros IS NOT NULL OR pseudonymised_at_micros IS NOT NULL ORDER BY id",
        )
        .load(connection)?,
        adjustments: diesel::sql_query(
            "SELECT player_id, sequence, amount_cents, balance_after_cents, created_at_micros
             FROM ledger_entries WHERE kind = 'adjustment' ORDER BY player_id, sequence",
        )
        .load(connection)?,
        decisions: decisions
            .into_iter()
            .map(|(row, administrator)| Ok((row.try_into()?, administrator)))
            .collect::<Result<_, DatabaseError>>()?,
        payouts: payouts_recorded_by_hand(connection)?,
        confirmed_credits: diesel::sql_query(
            "SELECT payment_id, number, player_id, amount_cents, confirmed_by, created_at_micros
             FROM payment_credits WHERE confirmed_by IS NOT NULL ORDER BY payment_id, number",
        )
        .load(connection)?,
        approval: approval_rows(connection)?,
        games: stored_games(connection)?,
        switches: diesel::sql_query("SELECT name, is_on, reason FROM switches ORDER BY name")
            .load(connection)?,
        alerts: diesel::sql_query(
            "SELECT id, user_id, acknowledged_by, acknowledged_at_micros FROM alerts ORDER BY id",
        )
        .load(connection)?,
        restricted: diesel::sql_query(
            "SELECT id, betting_block_reason, withdrawing_block_reason FROM users
             WHERE betting_block_reason IS NOT NULL OR withdrawing_block_reason IS NOT NULL
             ORDER BY id",
        )
        .load(connection)?,
        resolved_reviews: diesel::sql_query(
            "SELECT id, payment_id, resolution, resolved_by, resolved_at_micros
             FROM reviews WHERE resolved_by IS NOT NULL ORDER BY id",
        )
        .load(connection)?,
    })
}
