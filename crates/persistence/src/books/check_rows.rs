//! What the audit log is held against: the rows that administrators' acts have left behind. There
//! are about as many of them as there are records.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::schema::{games, withdrawals};

/// A user who is an administrator, or banned, or both.
#[derive(Debug, Clone, QueryableByName)]
pub struct StandingRow {
    /// The user's number.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// The stored word.
    #[diesel(sql_type = Text)]
    pub role: String,
    /// Why the user is banned.
    #[diesel(sql_type = Nullable<Text>)]
    pub ban_reason: Option<String>,
}

/// A balance that was set by hand, as the ledger has it.
#[derive(Debug, Clone, QueryableByName)]
pub struct AdjustmentRow {
    /// Whose.
    #[diesel(sql_type = BigInt)]
    pub player_id: i64,
    /// The number of the entry.
    #[diesel(sql_type = BigInt)]
    pub sequence: i64,
    /// What was added, in cents.
    #[diesel(sql_type = BigInt)]
    pub amount_cents: i64,
    /// The balance that was set, in cents.
    #[diesel(sql_type = BigInt)]
    pub balance_after_cents: i64,
    /// When, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub created_at_micros: i64,
}

/// A credit of a payment that an administrator made by hand.
#[derive(Debug, Clone, QueryableByName)]
pub struct ConfirmedCreditRow {
    /// The provider's id of the payment.
    #[diesel(sql_type = Text)]
    pub payment_id: String,
    /// Which of the payment's credits.
    #[diesel(sql_type = BigInt)]
    pub number: i64,
    /// To whom.
    #[diesel(sql_type = BigInt)]
    pub player_id: i64,
    /// How many cents.
    #[diesel(sql_type = BigInt)]
    pub amount_cents: i64,
    /// By whom.
    #[diesel(sql_type = BigInt)]
    pub confirmed_by: i64,
    /// When, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub created_at_micros: i64,
}

/// A review that an administrator closed.
#[derive(Debug, Clone, QueryableByName)]
pub struct ResolvedReviewRow {
    /// Its number.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// The provider's id of the payment.
    #[diesel(sql_type = Text)]
    pub payment_id: String,
    /// What came of it.
    #[diesel(sql_type = Text)]
    pub resolution: String,
    /// By whom.
    #[diesel(sql_type = BigInt)]
    pub resolved_by: i64,
    /// When, in microseconds since the Unix epoch.
    #[diesel(sql_type = BigInt)]
    pub resolved_at_micros: i64,
}

/// All that the log must agree with.
#[derive(Debug, Clone)]
pub struct RecordedActs {
    /// Administrators and banned users.
    pub standings: Vec<StandingRow>,
    /// Balances set by hand.
    pub adjustments: Vec<AdjustmentRow>,
    /// Decided withdrawals, each with who decided.
    pub decisions: Vec<(Withdrawal, i64)>,
    /// Credits by hand.
    pub confirmed_credits: Vec<ConfirmedCreditRow>,
    /// Reviews closed by administrators.
    pub resolved_reviews: Vec<ResolvedReviewRow>,
    /// Each game with its status.
    pub games: Vec<(String, String)>,
}

/// Reads all that administrators' acts have left behind.
///
/// # Errors
/// If the database fails.
pub fn recorded_acts(connection: &mut AnyConnection) -> Result<RecordedActs, DatabaseError> {
    let decisions: Vec<(WithdrawalRow, Option<i64>)> = withdrawals::table
        .filter(withdrawals::decided_by.is_not_null())
        .order(withdrawals::id)
        .select((WithdrawalRow::as_select(), withdrawals::decided_by))
        .load(connection)?;
    Ok(RecordedActs {
        standings: diesel::sql_query(
            "SELECT id, role, ban_reason FROM users
             WHERE role <> 'player' OR ban_reason IS NOT NULL ORDER BY id",
        )
        .load(connection)?,
        adjustments: diesel::sql_query(
            "SELECT player_id, sequence, amount_cents, balance_after_cents, created_at_micros
             FROM ledger_entries WHERE kind = 'adjustment' ORDER BY player_id, sequence",
        )
        .load(connection)?,
        decisions: decisions
            .into_iter()
            .map(|(row, by)| Ok((row.try_into()?, by.unwrap_or_default())))
            .collect::<Result<_, DatabaseError>>()?,
        confirmed_credits: diesel::sql_query(
            "SELECT payment_id, number, player_id, amount_cents, confirmed_by, created_at_micros
             FROM payment_credits WHERE confirmed_by IS NOT NULL ORDER BY payment_id, number",
        )
        .load(connection)?,
        games: games::table
            .order(games::name)
            .select((games::name, games::status))
            .load(connection)?,
        resolved_reviews: diesel::sql_query(
            "SELECT id, payment_id, resolution, resolved_by, resolved_at_micros
             FROM reviews WHERE resolved_by IS NOT NULL ORDER BY id",
        )
        .load(connection)?,
    })
}
