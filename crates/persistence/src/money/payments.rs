//! Payments as reported by the provider, and their credits.

use diesel::prelude::*;
use glasshouse_domain::{DepositId, Money, Timestamp, UserId};

use crate::accounts::account::{signed, unsigned};
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{payment_credits, payments};

/// Whether a payment matches our record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchStatus {
    /// It matches its deposit.
    Matched,
    /// It does not match our record. Nothing more is credited without manual review.
    OnHold,
    /// It belongs to no deposit of ours.
    Unmatched,
}

impl MatchStatus {
    const ALL: [Self; 3] = [Self::Matched, Self::OnHold, Self::Unmatched];

    /// The name in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Matched => "tracked",
            Self::OnHold => "quarantined",
            Self::Unmatched => "orphan",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A stored payment. Amounts of coins are decimal literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRecord {
    /// The provider's ID of the payment.
    pub id: String,
    /// The deposit that is paid; `None` if the payment is unmatched.
    pub deposit: Option<DepositId>,
    /// The provider's ID of the parent payment.
    pub parent: Option<String>,
    /// Whether the payment matches our record.
    pub match_status: MatchStatus,
    /// The provider's status.
    pub status: String,
    /// The provider's code of the coin.
    pub pay_currency: Option<String>,
    /// The amount requested, in the coin.
    pub pay_amount: Option<String>,
    /// The amount received, in the coin.
    pub actually_paid: Option<String>,
    /// When the amount received so far had arrived in full, as far as known; `None` before anything
    /// has arrived.
    pub received_at: Option<Timestamp>,
    /// The amount requested for the whole price, and the provider's code of its coin.
    pub rate: Option<(String, String)>,
    /// The amount credited.
    pub credited: Money,
    /// The number of credits.
    pub credits: u64,
    /// The payment as last reported by the provider.
    pub details: String,
    /// When the payment was first seen.
    pub first_seen_at: Timestamp,
    /// When the payment last changed.
    pub updated_at: Timestamp,
}

/// A credit to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewPaymentCredit<'a> {
    /// The provider's ID of the payment.
    pub payment: &'a str,
    /// The number of the credit among those of the payment, starting at 1.
    pub number: u64,
    /// The player who is credited.
    pub player: UserId,
    /// The amount credited.
    pub amount: Money,
    /// The administrator who confirmed the payment by hand, if one did.
    pub confirmed_by: Option<UserId>,
    /// The time of the credit.
    pub at: Timestamp,
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = payments, treat_none_as_null = true)]
struct PaymentRow {
    id: String,
    deposit_id: Option<i64>,
    parent_id: Option<String>,
    standing: String,
    status: String,
    pay_currency: Option<String>,
    pay_amount: Option<String>,
    actually_paid: Option<String>,
    rate_amount: Option<String>,
    rate_currency: Option<String>,
    credited_cents: i64,
    credits: i64,
    details: String,
    first_seen_at_micros: i64,
    updated_at_micros: i64,
    received_at_micros: Option<i64>,
}

impl TryFrom<PaymentRow> for PaymentRecord {
    type Error = DatabaseError;

    fn try_from(row: PaymentRow) -> Result<Self, DatabaseError> {
        let match_status = MatchStatus::parse(&row.standing)
            .ok_or_else(|| DatabaseError::corrupt(format!("payment {}: standing", row.id)))?;
        Ok(Self {
            id: row.id,
            deposit: row.deposit_id.map(DepositId::new),
            parent: row.parent_id,
            match_status,
            status: row.status,
            pay_currency: row.pay_currency,
            pay_amount: row.pay_amount,
            actually_paid: row.actually_paid,
            rate: row.rate_amount.zip(row.rate_currency),
            credited: Money::from_cents(row.credited_cents),
            credits: unsigned(row.credits, "credits")?,
            details: row.details,
            first_seen_at: Timestamp::from_micros(row.first_seen_at_micros),
            updated_at: Timestamp::from_micros(row.updated_at_micros),
            received_at: row.received_at_micros.map(Timestamp::from_micros),
        })
    }
}

impl TryFrom<&PaymentRecord> for PaymentRow {
    type Error = DatabaseError;

    fn try_from(record: &PaymentRecord) -> Result<Self, DatabaseError> {
        let record = record.clone();
        let (rate_amount, rate_currency) = record.rate.unzip();
        Ok(Self {
            id: record.id,
            deposit_id: record.deposit.map(DepositId::get),
            parent_id: record.parent,
            standing: record.match_status.as_str().to_owned(),
            status: record.status,
            pay_currency: record.pay_currency,
            pay_amount: record.pay_amount,
            actually_paid: record.actually_paid,
            rate_amount,
            rate_currency,
            credited_cents: record.credited.cents(),
            credits: signed(record.credits, "credits")?,
            details: record.details,
            first_seen_at_micros: record.first_seen_at.as_micros(),
            updated_at_micros: record.updated_at.as_micros(),
            received_at_micros: record.received_at.map(Timestamp::as_micros),
        })
    }
}

/// Finds a payment.
///
/// # Errors
/// If the database fails.
pub fn payment(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Option<PaymentRecord>, DatabaseError> {
    payments::table
        .find(id)
        .select(PaymentRow::as_select())
        .first(connection)
        .optional()?
        .map(PaymentRecord::try_from)
        .transpose()
}

/// Reads the payments of a deposit, in the order of their IDs.
///
/// # Errors
/// If the database fails.
pub fn payments_of(
    connection: &mut AnyConnection,
    deposit: DepositId,
) -> Result<Vec<PaymentRecord>, DatabaseError> {
    let rows: Vec<PaymentRow> = payments::table
        .filter(payments::deposit_id.eq(deposit.get()))
        .order(payments::id)
        .select(PaymentRow::as_select())
        .load(connection)?;
    rows.into_iter().map(PaymentRecord::try_from).collect()
}

impl Transaction<'_, '_> {
    /// Reads a payment, including uncommitted changes of this transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn payment(&mut self, id: &str) -> Result<Option<PaymentRecord>, DatabaseError> {
        self.execute(|connection| payment(connection, id))
    }

    /// Locks a payment until the commit and reads it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_payment(&mut self, id: &str) -> Result<Option<PaymentRecord>, DatabaseError> {
        self.execute(|connection| {
            let row = locked!(connection, payments::table.find(id), PaymentRow, for_update);
            row.map(PaymentRecord::try_from).transpose()
        })
    }

    /// Reads the payments of a deposit, including uncommitted changes of this transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn payments_of(&mut self, deposit: DepositId) -> Result<Vec<PaymentRecord>, DatabaseError> {
        self.execute(|connection| payments_of(connection, deposit))
    }

    /// Inserts or updates a payment.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_payment(
        &mut self,
        record: &PaymentRecord,
        is_new: bool,
    ) -> Result<(), DatabaseError> {
        let row = PaymentRow::try_from(record)?;
        self.execute(|connection| {
            if is_new {
                diesel::insert_into(payments::table)
                    .values(&row)
                    .execute(connection)?;
            } else {
                diesel::update(payments::table.find(&record.id))
                    .set(&row)
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// The player whom the payment was first credited to, if it was credited.
    ///
    /// # Errors
    /// If the database fails.
    pub fn credited_player(&mut self, payment: &str) -> Result<Option<UserId>, DatabaseError> {
        self.execute(|connection| {
            let player: Option<i64> = payment_credits::table
                .find((payment, 1))
                .select(payment_credits::player_id)
                .get_result(connection)
                .optional()?;
            Ok(player.map(UserId::new))
        })
    }

    /// Records when the provider was polled for a payment, whether or not anything had changed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn note_check(&mut self, payment: &str, at: Timestamp) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(payments::table.find(payment))
                .set(payments::checked_at_micros.eq(at.as_micros()))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Records a credit of a payment. The unique number prevents a second credit.
    ///
    /// # Errors
    /// If the database fails, or the payment already has a credit with this number.
    pub fn add_payment_credit(
        &mut self,
        credit: &NewPaymentCredit<'_>,
    ) -> Result<(), DatabaseError> {
        let number = signed(credit.number, "credits")?;
        self.execute(|connection| {
            diesel::insert_into(payment_credits::table)
                .values((
                    payment_credits::payment_id.eq(credit.payment),
                    payment_credits::number.eq(number),
                    payment_credits::player_id.eq(credit.player.get()),
                    payment_credits::amount_cents.eq(credit.amount.cents()),
                    payment_credits::created_at_micros.eq(credit.at.as_micros()),
                    payment_credits::confirmed_by.eq(credit.confirmed_by.map(UserId::get)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
