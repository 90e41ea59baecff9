//! Payments as the provider told of them, and their credits.

use diesel::prelude::*;
use glasshouse_domain::{DepositId, Money, Timestamp, UserId};

use crate::accounts::account::{signed, unsigned};
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{payment_credits, payments};

/// Whether a payment is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchStatus {
    /// It is that of its deposit.
    Matched,
    /// It is not what our record says; nothing more of it is credited without a person.
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

    /// The match status of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A payment as stored. Amounts of coins are literal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRecord {
    /// The provider's id.
    pub id: String,
    /// The deposit that it pays; none for an orphan.
    pub deposit: Option<DepositId>,
    /// The payment that it was sent after.
    pub parent: Option<String>,
    /// Whether it is believed.
    pub match_status: MatchStatus,
    /// The provider's word for it.
    pub status: String,
    /// The coin.
    pub pay_currency: Option<String>,
    /// What was asked for.
    pub pay_amount: Option<String>,
    /// What was received.
    pub actually_paid: Option<String>,
    /// When what was received by now had all come, as far as is known; none before anything has.
    pub received_at: Option<Timestamp>,
    /// What the whole price was asked for in, and in which coin.
    pub rate: Option<(String, String)>,
    /// What was credited of it.
    pub credited: Money,
    /// By how many credits.
    pub credits: u64,
    /// The whole of it as the provider last told it.
    pub details: String,
    /// When it was first heard of.
    pub first_seen_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A credit of a payment.
#[derive(Debug, Clone, Copy)]
pub struct NewPaymentCredit<'a> {
    /// The provider's id of the payment.
    pub payment: &'a str,
    /// Which of its credits, from 1.
    pub number: u64,
    /// To whom.
    pub player: UserId,
    /// How much.
    pub amount: Money,
    /// By whose word, if not the provider's.
    pub confirmed_by: Option<UserId>,
    /// When.
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

/// The payments of a deposit, in the order of their ids.
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
    /// The payment as the transaction sees it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn payment(&mut self, id: &str) -> Result<Option<PaymentRecord>, DatabaseError> {
        self.execute(|connection| payment(connection, id))
    }

    /// Locks and reads a payment until the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_payment(&mut self, id: &str) -> Result<Option<PaymentRecord>, DatabaseError> {
        self.execute(|connection| {
            let row = locked!(connection, payments::table.find(id), PaymentRow, for_update);
            row.map(PaymentRecord::try_from).transpose()
        })
    }

    /// The payments of a deposit as the transaction sees them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn payments_of(&mut self, deposit: DepositId) -> Result<Vec<PaymentRecord>, DatabaseError> {
        self.execute(|connection| payments_of(connection, deposit))
    }

    /// Adds a payment, or writes it back.
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

    /// Whom a payment was credited to first, if it was.
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

    /// Notes when the provider was asked about a payment, whether or not it had news.
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

    /// Records a credit of a payment. Its number is the key that no second credit can have.
    ///
    /// # Errors
    /// If the database fails, or there is a credit of that number.
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
