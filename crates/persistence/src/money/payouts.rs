//! The payments of approved withdrawals.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{
    PayoutMethod, PayoutState, Timestamp, UserId, WithdrawalId, WithdrawalStatus,
};

use crate::connection::{AnyConnection, locked, skip_locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::payout::{Payout, PayoutStop, ProviderPayout};
use crate::schema::{payouts, withdrawals};

/// A row as it is stored.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = payouts)]
struct PayoutRow {
    withdrawal_id: i64,
    method: String,
    state: String,
    external_id: String,
    coin_amount: Option<String>,
    rate: Option<String>,
    network_fee: Option<String>,
    transaction_id: Option<String>,
    requested_at_micros: Option<i64>,
    provider_id: Option<String>,
    batch_id: Option<String>,
    verified_at_micros: Option<i64>,
    problem: Option<String>,
    failed_calls: i64,
    next_step_at_micros: Option<i64>,
    claimed_at_micros: i64,
    sent_at_micros: Option<i64>,
    confirmed_at_micros: Option<i64>,
    failed_at_micros: Option<i64>,
    returned_at_micros: Option<i64>,
    sent_by: Option<i64>,
    confirmed_by: Option<i64>,
    failed_by: Option<i64>,
    returned_by: Option<i64>,
    stopped_at_micros: Option<i64>,
    stopped_by: Option<i64>,
    stop_reason: Option<String>,
    refused_codes: i64,
}

impl TryFrom<PayoutRow> for Payout {
    type Error = DatabaseError;

    fn try_from(row: PayoutRow) -> Result<Self, DatabaseError> {
        let corrupt =
            |what: &str| DatabaseError::corrupt(format!("payout {}: {what}", row.withdrawal_id));
        let time = |micros: Option<i64>| micros.map(Timestamp::from_micros);
        let provider = match (row.provider_id, row.batch_id) {
            (Some(id), Some(batch)) => Some(ProviderPayout { id, batch }),
            _ => None,
        };
        let stop = match (row.stopped_at_micros, row.stopped_by, row.stop_reason) {
            (Some(at), Some(by), Some(reason)) => Some(PayoutStop {
                at: Timestamp::from_micros(at),
                by: UserId::new(by),
                reason,
            }),
            _ => None,
        };
        Ok(Self {
            withdrawal: WithdrawalId::new(row.withdrawal_id),
            method: PayoutMethod::parse(&row.method).ok_or_else(|| corrupt("unknown method"))?,
            state: PayoutState::parse(&row.state).ok_or_else(|| corrupt("unknown state"))?,
            external_id: row.external_id,
            coin_amount: row.coin_amount,
            rate: row.rate,
            network_fee: row.network_fee,
            transaction_id: row.transaction_id,
            requested_at: time(row.requested_at_micros),
            provider,
            verified_at: time(row.verified_at_micros),
            problem: row.problem,
            failed_calls: row.failed_calls,
            next_step_at: time(row.next_step_at_micros),
            claimed_at: Timestamp::from_micros(row.claimed_at_micros),
            sent_at: time(row.sent_at_micros),
            confirmed_at: time(row.confirmed_at_micros),
            failed_at: time(row.failed_at_micros),
            returned_at: time(row.returned_at_micros),
            sent_by: row.sent_by.map(UserId::new),
            confirmed_by: row.confirmed_by.map(UserId::new),
            failed_by: row.failed_by.map(UserId::new),
            returned_by: row.returned_by.map(UserId::new),
            stop,
            refused_codes: row.refused_codes,
        })
    }
}

/// The payments of those withdrawals that were approved.
///
/// # Errors
/// If the database fails.
pub(crate) fn payouts_of(
    connection: &mut AnyConnection,
    withdrawals: impl IntoIterator<Item = (WithdrawalId, WithdrawalStatus)>,
) -> Result<HashMap<WithdrawalId, Payout>, DatabaseError> {
    let approved: Vec<i64> = withdrawals
        .into_iter()
        .filter(|(_, status)| *status == WithdrawalStatus::Approved)
        .map(|(id, _)| id.get())
        .collect();
    if approved.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<PayoutRow> = payouts::table
        .filter(payouts::withdrawal_id.eq_any(approved))
        .select(PayoutRow::as_select())
        .load(connection)?;
    rows.into_iter()
        .map(|row| Payout::try_from(row).map(|payout| (payout.withdrawal, payout)))
        .collect()
}

/// The payments of which an administrator has recorded something.
///
/// # Errors
/// If the database fails.
pub(crate) fn payouts_recorded_by_hand(
    connection: &mut AnyConnection,
) -> Result<Vec<Payout>, DatabaseError> {
    let is_recorded = payouts::sent_by
        .is_not_null()
        .or(payouts::confirmed_by.is_not_null())
        .or(payouts::failed_by.is_not_null())
        .or(payouts::returned_by.is_not_null())
        .or(payouts::stopped_by.is_not_null());
    let rows: Vec<PayoutRow> = payouts::table
        .filter(is_recorded)
        .order(payouts::withdrawal_id)
        .select(PayoutRow::as_select())
        .load(connection)?;
    rows.into_iter().map(Payout::try_from).collect()
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = BigInt)]
    withdrawal_id: i64,
}

impl Transaction<'_, '_> {
    /// Adds the payment of a withdrawal that is approved in the same transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_payout(&mut self, payout: &Payout) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO payouts (withdrawal_id, method, state, external_id, next_step_at_micros,
                    claimed_at_micros)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind::<BigInt, _>(payout.withdrawal.get())
            .bind::<Text, _>(payout.method.as_str())
            .bind::<Text, _>(payout.state.as_str())
            .bind::<Text, _>(&payout.external_id)
            .bind::<Nullable<BigInt>, _>(payout.next_step_at.map(Timestamp::as_micros))
            .bind::<BigInt, _>(payout.claimed_at.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }

    /// Locks the payment of a withdrawal until the commit and reads it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_payout(
        &mut self,
        withdrawal: WithdrawalId,
    ) -> Result<Option<Payout>, DatabaseError> {
        self.execute(|connection| {
            let row = locked!(
                connection,
                payouts::table.find(withdrawal.get()),
                PayoutRow,
                for_update
            );
            row.map(Payout::try_from).transpose()
        })
    }

    /// Saves a payment that was locked in this transaction.
    ///
    /// # Errors
    /// If the database fails, or the payment would move back.
    pub fn save_payout(&mut self, payout: &Payout) -> Result<(), DatabaseError> {
        let micros = |time: Option<Timestamp>| time.map(Timestamp::as_micros);
        let person = |person: Option<UserId>| person.map(UserId::get);
        let provider = payout.provider.as_ref();
        let stop = payout.stop.as_ref();
        self.execute(|connection| {
            // SQLite numbers the parameters in the order in which they appear.
            diesel::sql_query(
                "UPDATE payouts SET state = $1, coin_amount = $2, rate = $3, network_fee = $4,
                    transaction_id = $5, requested_at_micros = $6, provider_id = $7, batch_id = $8,
                    verified_at_micros = $9, problem = $10, failed_calls = $11,
                    next_step_at_micros = $12, sent_at_micros = $13, confirmed_at_micros = $14,
                    failed_at_micros = $15, returned_at_micros = $16, sent_by = $17,
                    confirmed_by = $18, failed_by = $19, returned_by = $20, stopped_at_micros = $21,
                    stopped_by = $22, stop_reason = $23, refused_codes = $24
                 WHERE withdrawal_id = $25",
            )
            .bind::<Text, _>(payout.state.as_str())
            .bind::<Nullable<Text>, _>(&payout.coin_amount)
            .bind::<Nullable<Text>, _>(&payout.rate)
            .bind::<Nullable<Text>, _>(&payout.network_fee)
            .bind::<Nullable<Text>, _>(&payout.transaction_id)
            .bind::<Nullable<BigInt>, _>(micros(payout.requested_at))
            .bind::<Nullable<Text>, _>(provider.map(|known| known.id.as_str()))
            .bind::<Nullable<Text>, _>(provider.map(|known| known.batch.as_str()))
            .bind::<Nullable<BigInt>, _>(micros(payout.verified_at))
            .bind::<Nullable<Text>, _>(&payout.problem)
            .bind::<BigInt, _>(payout.failed_calls)
            .bind::<Nullable<BigInt>, _>(micros(payout.next_step_at))
            .bind::<Nullable<BigInt>, _>(micros(payout.sent_at))
            .bind::<Nullable<BigInt>, _>(micros(payout.confirmed_at))
            .bind::<Nullable<BigInt>, _>(micros(payout.failed_at))
            .bind::<Nullable<BigInt>, _>(micros(payout.returned_at))
            .bind::<Nullable<BigInt>, _>(person(payout.sent_by))
            .bind::<Nullable<BigInt>, _>(person(payout.confirmed_by))
            .bind::<Nullable<BigInt>, _>(person(payout.failed_by))
            .bind::<Nullable<BigInt>, _>(person(payout.returned_by))
            .bind::<Nullable<BigInt>, _>(stop.map(|stop| stop.at.as_micros()))
            .bind::<Nullable<BigInt>, _>(stop.map(|stop| stop.by.get()))
            .bind::<Nullable<Text>, _>(stop.map(|stop| stop.reason.as_str()))
            .bind::<BigInt, _>(payout.refused_codes)
            .bind::<BigInt, _>(payout.withdrawal.get())
            .execute(connection)?;
            Ok(())
        })?;
        match payout.confirmed_at {
            // The state is final, so a payment is saved in it only once.
            Some(at) if payout.state == PayoutState::Confirmed => self.count_payout(payout, at),
            _ => Ok(()),
        }
    }

    /// Counts a payment that has arrived in the house's flows.
    fn count_payout(&mut self, payout: &Payout, at: Timestamp) -> Result<(), DatabaseError> {
        let (amount, fee) = self.execute(|connection| {
            Ok(withdrawals::table
                .find(payout.withdrawal.get())
                .select((withdrawals::amount_cents, withdrawals::fee_cents))
                .first(connection)?)
        })?;
        self.count_arrival(amount, fee, at);
        Ok(())
    }

    /// Leases payments whose next step is due, by moving that step to `lease`. No other server takes the
    /// step meanwhile, and if this server dies, it is taken after the lease.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_due_payouts(
        &mut self,
        now: Timestamp,
        lease: Timestamp,
        limit: i64,
    ) -> Result<Vec<WithdrawalId>, DatabaseError> {
        self.execute(|connection| {
            let lock = skip_locked(connection);
            let leased: Vec<DueRow> = diesel::sql_query(format!(
                "UPDATE payouts SET next_step_at_micros = $1 WHERE next_step_at_micros <= $2
                    AND withdrawal_id IN (SELECT withdrawal_id FROM payouts
                        WHERE next_step_at_micros <= $2
                        ORDER BY next_step_at_micros LIMIT $3 {lock})
                 RETURNING withdrawal_id"
            ))
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(now.as_micros())
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            Ok(leased
                .into_iter()
                .map(|row| WithdrawalId::new(row.withdrawal_id))
                .collect())
        })
    }
}
