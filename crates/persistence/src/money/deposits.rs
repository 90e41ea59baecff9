//! Deposits: orders that the provider is asked to collect, and what was credited for them.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use glasshouse_domain::{Currency, DepositId, DepositStatus, Money, Timestamp, UserId};

use crate::accounts::users::NewId;
use crate::connection::{AnyConnection, locked, skip_locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::rows_before::rows_before;
use crate::schema::{deposits, reviews};

/// A deposit to be added.
#[derive(Debug, Clone)]
pub struct NewDeposit {
    /// The player's ID.
    pub player: UserId,
    /// Our own random ID of the order.
    pub order_id: String,
    /// The currency to pay in.
    pub currency: Currency,
    /// The price in dollars.
    pub price: Money,
    /// The idempotency key of the call.
    pub idempotency_key: Option<String>,
    /// The time of the request.
    pub at: Timestamp,
    /// When the provider is polled, if nothing happens before.
    pub next_check_at: Timestamp,
}

/// A stored deposit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deposit {
    /// The deposit's ID.
    pub id: DepositId,
    /// The player's ID.
    pub player: UserId,
    /// Our own random ID of the order.
    pub order_id: String,
    /// The currency to pay in.
    pub currency: Currency,
    /// The price in dollars.
    pub price: Money,
    /// The status.
    pub status: DepositStatus,
    /// The provider's status of the payment that matters most.
    pub external_status: Option<String>,
    /// The amount credited.
    pub credited: Money,
    /// The provider's ID of the invoice, once it has answered.
    pub invoice_id: Option<String>,
    /// The URL of the payment page.
    pub invoice_url: Option<String>,
    /// When the deposit was requested.
    pub created_at: Timestamp,
    /// When the deposit last changed.
    pub updated_at: Timestamp,
    /// When the full amount had been credited.
    pub completed_at: Option<Timestamp>,
    /// When the provider is polled next; `None` once the deposit is final.
    pub next_check_at: Option<Timestamp>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = deposits)]
pub(crate) struct DepositRow {
    id: i64,
    player_id: i64,
    order_id: String,
    currency: String,
    price_cents: i64,
    status: String,
    external_status: Option<String>,
    credited_cents: i64,
    invoice_id: Option<String>,
    invoice_url: Option<String>,
    created_at_micros: i64,
    updated_at_micros: i64,
    completed_at_micros: Option<i64>,
    next_check_at_micros: Option<i64>,
}

impl TryFrom<DepositRow> for Deposit {
    type Error = DatabaseError;

    fn try_from(row: DepositRow) -> Result<Self, DatabaseError> {
        let corrupt = |what: &str| DatabaseError::corrupt(format!("deposit {}: {what}", row.id));
        Ok(Self {
            id: DepositId::new(row.id),
            player: UserId::new(row.player_id),
            currency: Currency::parse(&row.currency).ok_or_else(|| corrupt("unknown currency"))?,
            price: Money::from_cents(row.price_cents),
            status: DepositStatus::parse(&row.status).ok_or_else(|| corrupt("unknown status"))?,
            order_id: row.order_id,
            external_status: row.external_status,
            credited: Money::from_cents(row.credited_cents),
            invoice_id: row.invoice_id,
            invoice_url: row.invoice_url,
            created_at: Timestamp::from_micros(row.created_at_micros),
            updated_at: Timestamp::from_micros(row.updated_at_micros),
            completed_at: row.completed_at_micros.map(Timestamp::from_micros),
            next_check_at: row.next_check_at_micros.map(Timestamp::from_micros),
        })
    }
}

/// A unique key of a deposit.
#[derive(Debug, Clone, Copy)]
pub enum DepositKey<'k> {
    /// The deposit's ID.
    Id(DepositId),
    /// Our own random ID of the order.
    Order(&'k str),
    /// The provider's ID of the invoice.
    Invoice(&'k str),
}

/// Finds a deposit.
///
/// # Errors
/// If the database fails.
pub fn deposit(
    connection: &mut AnyConnection,
    key: DepositKey<'_>,
) -> Result<Option<Deposit>, DatabaseError> {
    let all = deposits::table.select(DepositRow::as_select());
    let row: Option<DepositRow> = match key {
        DepositKey::Id(id) => all.filter(deposits::id.eq(id.get())).first(connection),
        DepositKey::Order(order) => all.filter(deposits::order_id.eq(order)).first(connection),
        DepositKey::Invoice(invoice) => all
            .filter(deposits::invoice_id.eq(invoice))
            .first(connection),
    }
    .optional()?;
    row.map(Deposit::try_from).transpose()
}

/// Reads a page of a player's deposits older than `before`, newest first.
///
/// # Errors
/// If the database fails.
pub fn deposits_of(
    connection: &mut AnyConnection,
    player: UserId,
    before: Option<DepositId>,
    limit: usize,
) -> Result<Vec<Deposit>, DatabaseError> {
    let before = before.map_or(i64::MAX, DepositId::get);
    let rows: Vec<DepositRow> = deposits::table
        .filter(rows_before("player_id", player, before))
        .order((deposits::player_id.desc(), deposits::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(DepositRow::as_select())
        .load(connection)?;
    rows.into_iter().map(Deposit::try_from).collect()
}

/// Reads a player's newest deposits with a credited amount.
///
/// # Errors
/// If the database fails.
pub fn credited_deposits(
    connection: &mut AnyConnection,
    player: UserId,
    limit: i64,
) -> Result<Vec<Deposit>, DatabaseError> {
    let rows: Vec<DepositRow> = deposits::table
        .filter(rows_before("player_id", player, i64::MAX))
        .filter(deposits::credited_cents.gt(0))
        .order((deposits::player_id.desc(), deposits::id.desc()))
        .limit(limit)
        .select(DepositRow::as_select())
        .load(connection)?;
    rows.into_iter().map(Deposit::try_from).collect()
}

/// The deposits among `ids` that have an open review.
///
/// # Errors
/// If the database fails.
pub fn deposits_under_review(
    connection: &mut AnyConnection,
    ids: &[DepositId],
) -> Result<Vec<DepositId>, DatabaseError> {
    let numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let found: Vec<Option<i64>> = reviews::table
        .filter(reviews::deposit_id.eq_any(numbers))
        .filter(reviews::resolved_at_micros.is_null())
        .select(reviews::deposit_id)
        .distinct()
        .load(connection)?;
    Ok(found.into_iter().flatten().map(DepositId::new).collect())
}

impl Transaction<'_, '_> {
    /// Adds a deposit before its invoice is requested from the provider.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_deposit(&mut self, new: &NewDeposit) -> Result<Deposit, DatabaseError> {
        let inserted: NewId = self.execute(|connection| {
            Ok(diesel::sql_query(
                "INSERT INTO deposits (player_id, order_id, currency, price_cents, status,
                    credited_cents, idempotency_key, created_at_micros, updated_at_micros,
                    next_check_at_micros)
                 VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $7, $8) RETURNING id",
            )
            .bind::<BigInt, _>(new.player.get())
            .bind::<Text, _>(&new.order_id)
            .bind::<Text, _>(new.currency.code())
            .bind::<BigInt, _>(new.price.cents())
            .bind::<Text, _>(DepositStatus::Requested.as_str())
            .bind::<Nullable<Text>, _>(&new.idempotency_key)
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<BigInt, _>(new.next_check_at.as_micros())
            .get_result(connection)?)
        })?;
        self.lock_deposit(DepositId::new(inserted.id))
    }

    /// The player's deposit that was requested by a call with this idempotency key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn deposit_by_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Deposit>, DatabaseError> {
        self.execute(|connection| {
            let row: Option<DepositRow> = deposits::table
                .filter(deposits::player_id.eq(player.get()))
                .filter(deposits::idempotency_key.eq(key))
                .select(DepositRow::as_select())
                .first(connection)
                .optional()?;
            row.map(Deposit::try_from).transpose()
        })
    }

    /// The deposit of an invoice, including uncommitted changes of this transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn deposit_by_invoice(&mut self, invoice: &str) -> Result<Option<Deposit>, DatabaseError> {
        self.execute(|connection| deposit(connection, DepositKey::Invoice(invoice)))
    }

    /// Counts a player's unpaid invoices: pending ones, and orders created after `requested_since`
    /// whose invoices are still being requested. Invoices with one of the provider's statuses in
    /// `under_way` count as paid.
    ///
    /// # Errors
    /// If the database fails.
    pub fn unpaid_deposits(
        &mut self,
        player: UserId,
        requested_since: Timestamp,
        under_way: &[&str],
    ) -> Result<i64, DatabaseError> {
        let is_waiting = deposits::status.eq(DepositStatus::Pending.as_str()).and(
            deposits::external_status
                .is_null()
                .or(deposits::external_status.ne_all(under_way)),
        );
        let is_being_requested = deposits::status
            .eq(DepositStatus::Requested.as_str())
            .and(deposits::created_at_micros.gt(requested_since.as_micros()));
        self.execute(|connection| {
            Ok(deposits::table
                .filter(deposits::player_id.eq(player.get()))
                // The condition of a partial index, which a bound value would not match.
                .filter(sql::<Bool>("status IN ('requested', 'pending')"))
                .filter(is_waiting.or(is_being_requested))
                .count()
                .get_result(connection)?)
        })
    }

    /// Locks a deposit until the commit and reads it. On SQLite the transaction already holds the
    /// only write lock. Deposits are never deleted.
    ///
    /// # Errors
    /// [`DatabaseError::Corrupt`] if the deposit does not exist, or another error if the database
    /// fails.
    pub fn lock_deposit(&mut self, id: DepositId) -> Result<Deposit, DatabaseError> {
        self.execute(|connection| {
            let row = locked!(
                connection,
                deposits::table.find(id.get()),
                DepositRow,
                for_update
            );
            row.map(Deposit::try_from)
                .transpose()?
                .ok_or_else(|| DatabaseError::corrupt(format!("deposit {id} does not exist")))
        })
    }

    /// Writes a deposit. The terms of the order never change.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_deposit(&mut self, deposit: &Deposit) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(deposits::table.find(deposit.id.get()))
                .set((
                    deposits::status.eq(deposit.status.as_str()),
                    deposits::external_status.eq(&deposit.external_status),
                    deposits::credited_cents.eq(deposit.credited.cents()),
                    deposits::invoice_id.eq(&deposit.invoice_id),
                    deposits::invoice_url.eq(&deposit.invoice_url),
                    deposits::updated_at_micros.eq(deposit.updated_at.as_micros()),
                    deposits::completed_at_micros
                        .eq(deposit.completed_at.map(Timestamp::as_micros)),
                    deposits::next_check_at_micros
                        .eq(deposit.next_check_at.map(Timestamp::as_micros)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Leases deposits that are due to be polled, by moving their next check to `lease`. No other
    /// server polls them meanwhile, and if this server dies, they are polled after the lease.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_due_deposits(
        &mut self,
        now: Timestamp,
        lease: Timestamp,
        limit: i64,
    ) -> Result<Vec<DepositId>, DatabaseError> {
        self.execute(|connection| {
            let lock = skip_locked(connection);
            let leased: Vec<NewId> = diesel::sql_query(format!(
                "UPDATE deposits SET next_check_at_micros = $1 WHERE next_check_at_micros <= $2
                    AND id IN (SELECT id FROM deposits WHERE next_check_at_micros <= $2
                        ORDER BY next_check_at_micros LIMIT $3 {lock})
                 RETURNING id"
            ))
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(now.as_micros())
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            Ok(leased
                .into_iter()
                .map(|row| DepositId::new(row.id))
                .collect())
        })
    }
}
