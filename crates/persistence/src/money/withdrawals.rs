//! Withdrawals: what players ask for, and what was decided.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{
    Currency, Money, Timestamp, UserId, WithdrawalId, WithdrawalStatus, WithdrawalTerms,
};

use crate::accounts::users::NewId;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::rows_before::rows_before;
use crate::schema::withdrawals;

/// A request to be written.
#[derive(Debug, Clone)]
pub struct NewWithdrawal {
    /// Whose.
    pub player: UserId,
    /// What leaves the balance, and what of it is the fee.
    pub terms: WithdrawalTerms,
    /// What it is to be sent in.
    pub currency: Currency,
    /// Where to.
    pub address: String,
    /// The caller's key for repeating the call.
    pub idempotency_key: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A request as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// Its number.
    pub id: WithdrawalId,
    /// Whose.
    pub player: UserId,
    /// What left the balance.
    pub amount: Money,
    /// What of it the house keeps.
    pub fee: Money,
    /// What it is sent in.
    pub currency: Currency,
    /// Where to.
    pub address: String,
    /// Where it stands.
    pub status: WithdrawalStatus,
    /// Why it was rejected.
    pub reason: Option<String>,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
}

impl Withdrawal {
    /// What is sent: the amount less the fee.
    #[must_use]
    pub fn net(&self) -> Money {
        // The database holds the fee below the amount.
        self.amount.checked_sub(self.fee).unwrap_or(Money::ZERO)
    }

    /// What the audit log calls it.
    #[must_use]
    pub fn subject(&self) -> String {
        format!("withdrawal {} of {}", self.id, self.amount)
    }

    /// What the audit log says of a decision on it: all that tells where how much money went, as
    /// `key=value`; the reason stands last, because it may hold anything.
    #[must_use]
    pub fn decision_text(&self, status: WithdrawalStatus, reason: Option<&str>) -> String {
        let reason = reason.map(|reason| format!("; reason={reason}"));
        format!(
            "{}; amount={}; fee={}; net={}; currency={}; address={}{}",
            status.as_str(),
            self.amount,
            self.fee,
            self.net(),
            self.currency.code(),
            self.address,
            reason.unwrap_or_default()
        )
    }
}

#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = withdrawals)]
pub(crate) struct WithdrawalRow {
    id: i64,
    player_id: i64,
    amount_cents: i64,
    fee_cents: i64,
    currency: String,
    address: String,
    status: String,
    reason: Option<String>,
    decided_at_micros: Option<i64>,
    created_at_micros: i64,
}

impl TryFrom<WithdrawalRow> for Withdrawal {
    type Error = DatabaseError;

    fn try_from(row: WithdrawalRow) -> Result<Self, DatabaseError> {
        let corrupt = |what: &str| DatabaseError::corrupt(format!("withdrawal {}: {what}", row.id));
        Ok(Self {
            id: WithdrawalId::new(row.id),
            player: UserId::new(row.player_id),
            amount: Money::from_cents(row.amount_cents),
            fee: Money::from_cents(row.fee_cents),
            currency: Currency::parse(&row.currency).ok_or_else(|| corrupt("unknown currency"))?,
            status: WithdrawalStatus::parse(&row.status)
                .ok_or_else(|| corrupt("unknown status"))?,
            address: row.address,
            reason: row.reason,
            decided_at: row.decided_at_micros.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(row.created_at_micros),
        })
    }
}

/// A page of a player's withdrawals, newest first: those older than `before`.
///
/// # Errors
/// If the database fails.
pub fn withdrawals_of(
    connection: &mut AnyConnection,
    player: UserId,
    before: Option<WithdrawalId>,
    limit: usize,
) -> Result<Vec<Withdrawal>, DatabaseError> {
    let before = before.map_or(i64::MAX, WithdrawalId::get);
    let rows: Vec<WithdrawalRow> = withdrawals::table
        .filter(rows_before(player, before))
        .order((withdrawals::player_id.desc(), withdrawals::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(WithdrawalRow::as_select())
        .load(connection)?;
    rows.into_iter().map(Withdrawal::try_from).collect()
}

impl Transaction<'_, '_> {
    /// Adds a request, whose amount must leave the balance in the same transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_withdrawal(&mut self, new: &NewWithdrawal) -> Result<Withdrawal, DatabaseError> {
        let inserted: NewId = self.execute(|connection| {
            Ok(diesel::sql_query(
                "INSERT INTO withdrawals (player_id, amount_cents, fee_cents, currency, address,
                    status, idempotency_key, created_at_micros)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
            )
            .bind::<BigInt, _>(new.player.get())
            .bind::<BigInt, _>(new.terms.amount.cents())
            .bind::<BigInt, _>(new.terms.fee.cents())
            .bind::<Text, _>(new.currency.code())
            .bind::<Text, _>(&new.address)
            .bind::<Text, _>(WithdrawalStatus::Pending.as_str())
            .bind::<Nullable<Text>, _>(&new.idempotency_key)
            .bind::<BigInt, _>(new.at.as_micros())
            .get_result(connection)?)
        })?;
        Ok(Withdrawal {
            id: WithdrawalId::new(inserted.id),
            player: new.player,
            amount: new.terms.amount,
            fee: new.terms.fee,
            currency: new.currency,
            address: new.address.clone(),
            status: WithdrawalStatus::Pending,
            reason: None,
            decided_at: None,
            created_at: new.at,
        })
    }

    /// The request that already answered this idempotency key of the player.
    ///
    /// # Errors
    /// If the database fails.
    pub fn withdrawal_by_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Withdrawal>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<WithdrawalRow> = withdrawals::table
                .filter(withdrawals::player_id.eq(player.get()))
                .filter(withdrawals::idempotency_key.eq(key))
                .select(WithdrawalRow::as_select())
                .first(connection)
                .optional()?;
            row.map(Withdrawal::try_from).transpose()
        })
    }
}
