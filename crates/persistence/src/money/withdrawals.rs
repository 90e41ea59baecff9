//! Withdrawals: players' requests and the decisions on them.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{
    AuditSubject, Currency, DelayReasons, Money, Timestamp, UserId, WithdrawalDelay, WithdrawalId,
    WithdrawalRisk, WithdrawalStatus, WithdrawalTerms,
};

use crate::accounts::users::NewId;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::payout::Payout;
use crate::money::payouts::payouts_of;
use crate::rows_before::rows_before;
use crate::schema::withdrawals;

/// A withdrawal to be added.
#[derive(Debug, Clone)]
pub struct NewWithdrawal {
    /// The player's ID.
    pub player: UserId,
    /// The amount and the fee.
    pub terms: WithdrawalTerms,
    /// The currency to send.
    pub currency: Currency,
    /// The recipient's address.
    pub address: String,
    /// The idempotency key of the call.
    pub idempotency_key: Option<String>,
    /// The time of the request.
    pub at: Timestamp,
    /// Why and until when it cannot be approved.
    pub delay: Option<WithdrawalDelay>,
    /// Why it deserves a closer look.
    pub risk: WithdrawalRisk,
}

/// A stored withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The withdrawal's ID.
    pub id: WithdrawalId,
    /// The player's ID.
    pub player: UserId,
    /// The amount debited from the balance.
    pub amount: Money,
    /// The fee, which is part of the amount.
    pub fee: Money,
    /// The currency to send.
    pub currency: Currency,
    /// The recipient's address.
    pub address: String,
    /// The status.
    pub status: WithdrawalStatus,
    /// The reason for a rejection.
    pub reason: Option<String>,
    /// When the decision was made, or the withdrawal cancelled.
    pub decided_at: Option<Timestamp>,
    /// When the withdrawal was requested.
    pub created_at: Timestamp,
    /// Why and until when it cannot be approved.
    pub delay: Option<WithdrawalDelay>,
    /// Why it deserves a closer look.
    pub risk: WithdrawalRisk,
}

impl Withdrawal {
    /// The amount sent: the amount minus the fee.
    #[must_use]
    pub fn net(&self) -> Money {
        // A database constraint keeps the fee below the amount.
        self.amount.checked_sub(self.fee).unwrap_or(Money::ZERO)
    }

    /// The subject of audit records about this withdrawal.
    #[must_use]
    pub const fn subject(&self) -> AuditSubject {
        AuditSubject::Withdrawal {
            id: self.id,
            amount: self.amount,
        }
    }

    /// The text of an audit record about a decision: status, amounts, recipient and the end of the delay
    /// as `key=value`. The reason comes last because it can contain any characters.
    #[must_use]
    pub fn decision_text(&self, status: WithdrawalStatus, reason: Option<&str>) -> String {
        let reason = reason.map(|reason| format!("; reason={reason}"));
        let delay = self.delay.as_ref().map(|delay| {
            let (micros, reasons) = (delay.payable_from.as_micros(), delay.reasons.to_text());
            format!("; payable_from_micros={micros}; delay_reasons={reasons}")
        });
        format!(
            "{}; amount={}; fee={}; net={}; currency={}; address={}{}{}",
            status.as_str(),
            self.amount,
            self.fee,
            self.net(),
            self.currency.code(),
            self.address,
            delay.unwrap_or_default(),
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
    payable_from_micros: Option<i64>,
    delay_reasons: Option<String>,
    risk_factors: String,
}

impl TryFrom<WithdrawalRow> for Withdrawal {
    type Error = DatabaseError;

    fn try_from(row: WithdrawalRow) -> Result<Self, DatabaseError> {
        let corrupt = |what: &str| DatabaseError::corrupt(format!("withdrawal {}: {what}", row.id));
        let delay = match (row.payable_from_micros, &row.delay_reasons) {
            (None, None) => None,
            (Some(payable_from), Some(reasons)) => Some(WithdrawalDelay {
                payable_from: Timestamp::from_micros(payable_from),
                reasons: DelayReasons::parse(reasons)
                    .ok_or_else(|| corrupt("unknown reason of a delay"))?,
            }),
            _ => return Err(corrupt("half a delay")),
        };
        Ok(Self {
            id: WithdrawalId::new(row.id),
            player: UserId::new(row.player_id),
            amount: Money::from_cents(row.amount_cents),
            fee: Money::from_cents(row.fee_cents),
            currency: Currency::parse(&row.currency).ok_or_else(|| corrupt("unknown currency"))?,
            status: WithdrawalStatus::parse(&row.status)
                .ok_or_else(|| corrupt("unknown status"))?,
            risk: WithdrawalRisk::parse(&row.risk_factors)
                .ok_or_else(|| corrupt("unknown risk factor"))?,
            address: row.address,
            reason: row.reason,
            decided_at: row.decided_at_micros.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(row.created_at_micros),
            delay,
        })
    }
}

/// A withdrawal and its payment, if it was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidWithdrawal {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// Its payment.
    pub payout: Option<Payout>,
}

/// Reads a page of a player's withdrawals older than `before`, newest first.
///
/// # Errors
/// If the database fails.
pub fn withdrawals_of(
    connection: &mut AnyConnection,
    player: UserId,
    before: Option<WithdrawalId>,
    limit: usize,
) -> Result<Vec<PaidWithdrawal>, DatabaseError> {
    let before = before.map_or(i64::MAX, WithdrawalId::get);
    let rows: Vec<WithdrawalRow> = withdrawals::table
        .filter(rows_before("player_id", player, before))
        .order((withdrawals::player_id.desc(), withdrawals::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(WithdrawalRow::as_select())
        .load(connection)?;
    with_payouts(connection, rows)
}

/// Withdrawals with their payments.
pub(crate) fn with_payouts(
    connection: &mut AnyConnection,
    rows: Vec<WithdrawalRow>,
) -> Result<Vec<PaidWithdrawal>, DatabaseError> {
    let withdrawals: Vec<Withdrawal> = rows
        .into_iter()
        .map(Withdrawal::try_from)
        .collect::<Result<_, _>>()?;
    let statuses = withdrawals.iter().map(|one| (one.id, one.status));
    let mut payouts = payouts_of(connection, statuses)?;
    Ok(withdrawals
        .into_iter()
        .map(|withdrawal| PaidWithdrawal {
            payout: payouts.remove(&withdrawal.id),
            withdrawal,
        })
        .collect())
}

impl Transaction<'_, '_> {
    /// Adds a withdrawal. Its amount must be debited in the same transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_withdrawal(&mut self, new: &NewWithdrawal) -> Result<Withdrawal, DatabaseError> {
        let inserted: NewId =
            self.execute(|connection| {
                Ok(diesel::sql_query(
                "INSERT INTO withdrawals (player_id, amount_cents, fee_cents, currency, address,
                    status, idempotency_key, created_at_micros, payable_from_micros, delay_reasons,
                    risk_factors, risk_points)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id",
            )
            .bind::<BigInt, _>(new.player.get())
            .bind::<BigInt, _>(new.terms.amount.cents())
            .bind::<BigInt, _>(new.terms.fee.cents())
            .bind::<Text, _>(new.currency.code())
            .bind::<Text, _>(&new.address)
            .bind::<Text, _>(WithdrawalStatus::Pending.as_str())
            .bind::<Nullable<Text>, _>(&new.idempotency_key)
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<Nullable<BigInt>, _>(
                new.delay.as_ref().map(|delay| delay.payable_from.as_micros()),
            )
            .bind::<Nullable<Text>, _>(new.delay.as_ref().map(|delay| delay.reasons.to_text()))
            .bind::<Text, _>(new.risk.to_text())
            .bind::<BigInt, _>(new.risk.points())
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
            delay: new.delay.clone(),
            risk: new.risk.clone(),
        })
    }

    /// Marks a withdrawal as cancelled by its player. Its amount must be returned in the same
    /// transaction.
    ///
    /// # Errors
    /// If the database fails, or a decision was made before.
    pub fn cancel_withdrawal(
        &mut self,
        id: WithdrawalId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(withdrawals::table.find(id.get()))
                .set((
                    withdrawals::status.eq(WithdrawalStatus::Cancelled.as_str()),
                    withdrawals::decided_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// The player's withdrawal that was requested by a call with this idempotency key.
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
