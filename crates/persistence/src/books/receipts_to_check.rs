//! What the check compares the receipts of seed pairs, deposits and withdrawals with.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::UserId;

use crate::connection::{AnyConnection, number_list};
use crate::error::DatabaseError;
use crate::schema::{payouts, receipts, seed_pairs, withdrawals};

/// A stored receipt.
#[derive(Debug, Clone, Queryable)]
pub struct ReceiptToCheck {
    /// The ID of the receipt.
    pub id: i64,
    /// The player who has it.
    pub player: i64,
    /// The text.
    pub text: String,
    /// The batch with its leaf hash.
    pub batch: i64,
    /// Its number within the batch.
    pub index: i64,
}

/// Reads the next stored receipts in ascending order of IDs.
///
/// # Errors
/// If the database fails.
pub fn receipts_after(
    connection: &mut AnyConnection,
    after: i64,
    limit: i64,
) -> Result<Vec<ReceiptToCheck>, DatabaseError> {
    Ok(receipts::table
        .filter(receipts::id.gt(after))
        .order(receipts::id)
        .limit(limit)
        .select((
            receipts::id,
            receipts::player_id,
            receipts::text,
            receipts::batch_id,
            receipts::receipt_index,
        ))
        .load(connection)?)
}

/// A seed pair that receipts name.
#[derive(Debug, Clone, Queryable)]
pub struct NamedPair {
    /// The hash of the server seed.
    pub server_seed_hash: String,
    /// The player.
    pub player: i64,
    /// The client seed, once the pair is active.
    pub client_seed: Option<String>,
    /// Who chose it.
    pub client_seed_by: Option<String>,
    /// When the pair became active.
    pub activated_at_micros: Option<i64>,
}

/// The seed pairs with these hashes.
///
/// # Errors
/// If the database fails.
pub fn pairs_by_hash(
    connection: &mut AnyConnection,
    hashes: &[String],
) -> Result<Vec<NamedPair>, DatabaseError> {
    Ok(seed_pairs::table
        .filter(seed_pairs::server_seed_hash.eq_any(hashes))
        .select((
            seed_pairs::server_seed_hash,
            seed_pairs::player_id,
            seed_pairs::client_seed,
            seed_pairs::client_seed_by,
            seed_pairs::activated_at_micros,
        ))
        .load(connection)?)
}

/// A withdrawal that receipts name.
#[derive(Debug, Clone, Queryable)]
pub struct NamedWithdrawal {
    /// The ID.
    pub id: i64,
    /// The player.
    pub player: i64,
    /// The amount.
    pub amount_cents: i64,
    /// The stored name of the status.
    pub status: String,
    /// The stored name of the state of its payment, if it was approved.
    pub payout: Option<String>,
}

/// The withdrawals with these IDs.
///
/// # Errors
/// If the database fails.
pub fn withdrawals_by_id(
    connection: &mut AnyConnection,
    ids: &[i64],
) -> Result<Vec<NamedWithdrawal>, DatabaseError> {
    Ok(withdrawals::table
        .left_join(payouts::table.on(payouts::withdrawal_id.eq(withdrawals::id)))
        .filter(withdrawals::id.eq_any(ids))
        .select((
            withdrawals::id,
            withdrawals::player_id,
            withdrawals::amount_cents,
            withdrawals::status,
            payouts::state.nullable(),
        ))
        .load(connection)?)
}

/// A credit of a deposit in the ledger.
#[derive(Debug, Clone, QueryableByName)]
pub struct CreditOfDeposit {
    /// The deposit.
    #[diesel(sql_type = BigInt)]
    pub deposit: i64,
    /// The player.
    #[diesel(sql_type = BigInt)]
    pub player: i64,
    /// The amount.
    #[diesel(sql_type = BigInt)]
    pub amount_cents: i64,
    /// The balance afterwards.
    #[diesel(sql_type = BigInt)]
    pub balance_cents: i64,
}

/// The credits of the deposits with these IDs.
///
/// # Errors
/// If the database fails.
pub fn credits_of_deposits(
    connection: &mut AnyConnection,
    ids: &[i64],
) -> Result<Vec<CreditOfDeposit>, DatabaseError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(diesel::sql_query(format!(
        "SELECT p.deposit_id AS deposit, c.player_id AS player, c.amount_cents,
            e.balance_after_cents AS balance_cents
         FROM payments p JOIN payment_credits c ON c.payment_id = p.id
         JOIN ledger_entries e ON e.kind = 'deposit'
            AND e.reference = 'payment:' || c.payment_id || '/' || c.number
         WHERE p.deposit_id IN ({})",
        number_list(ids)
    ))
    .load(connection)?)
}

/// How many receipts of a kind there must be.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct ReceiptCount {
    /// The kind: `deposit`, `withdrawal`, `withdrawal_returned`, `withdrawal_paid` or `pair`.
    #[diesel(sql_type = Text)]
    pub kind: String,
    /// The number of credits, withdrawals or activated pairs since receipts exist.
    #[diesel(sql_type = BigInt)]
    pub value: i64,
}

/// How many receipts of each kind there must be.
///
/// # Errors
/// If the database fails.
pub fn receipt_counts(connection: &mut AnyConnection) -> Result<Vec<ReceiptCount>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT kind, CAST(SUM(value) AS BIGINT) AS value FROM (
            SELECT 'deposit' AS kind, COUNT(*) AS value FROM payment_credits c
                JOIN payments p ON p.id = c.payment_id WHERE p.deposit_id IS NOT NULL
            UNION ALL SELECT 'withdrawal', COUNT(*) FROM withdrawals
            UNION ALL SELECT 'withdrawal_returned', COUNT(*) FROM withdrawals
                WHERE status IN ('rejected', 'cancelled')
            UNION ALL SELECT 'withdrawal_returned', COUNT(*) FROM payouts WHERE state = 'returned'
            UNION ALL SELECT 'withdrawal_paid', COUNT(*) FROM payouts WHERE state = 'confirmed'
            UNION ALL SELECT 'pair', COUNT(*) FROM seed_pairs WHERE activated_at_micros IS NOT NULL
            UNION ALL SELECT kind, -number FROM before_receipts
         ) counts GROUP BY kind ORDER BY kind",
    )
    .load(connection)?)
}

#[derive(QueryableByName)]
struct Repeated {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    player_id: i64,
}

/// Receipts with the text of an earlier one: each with its ID and its player.
///
/// # Errors
/// If the database fails.
pub fn repeated_receipts(
    connection: &mut AnyConnection,
    limit: i64,
) -> Result<Vec<(i64, UserId)>, DatabaseError> {
    let rows: Vec<Repeated> = diesel::sql_query(
        "SELECT MAX(id) AS id, player_id FROM receipts GROUP BY player_id, text HAVING COUNT(*) > 1
         ORDER BY 1 LIMIT $1",
    )
    .bind::<BigInt, _>(limit)
    .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id, UserId::new(row.player_id)))
        .collect())
}
