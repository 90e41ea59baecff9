//! What about payments a person must look at.

use diesel::prelude::*;
use glasshouse_domain::{DepositId, Money, ReviewKind, Timestamp};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::reviews;

/// Something that a person must look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// Which payment.
    pub payment: String,
    /// Of which deposit, if of any.
    pub deposit: Option<DepositId>,
    /// Why.
    pub kind: ReviewKind,
    /// The money in question, where it is known.
    pub amount: Option<Money>,
    /// In words.
    pub details: String,
    /// When.
    pub at: Timestamp,
}

impl Transaction<'_, '_> {
    /// Asks for a person, once for each kind and payment until it is resolved. Whether it is new.
    ///
    /// # Errors
    /// If the database fails.
    pub fn open_review(&mut self, review: &NewReview) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let open = reviews::table
                .filter(reviews::payment_id.eq(&review.payment))
                .filter(reviews::kind.eq(review.kind.as_str()))
                .filter(reviews::resolved_at_micros.is_null());
            let amount = review.amount.map(Money::cents);
            let updated = diesel::update(open)
                .set((
                    reviews::deposit_id.eq(review.deposit.map(DepositId::get)),
                    reviews::amount_cents.eq(amount),
                    reviews::details.eq(&review.details),
                ))
                .execute(connection)?;
            if updated > 0 {
                return Ok(false);
            }
            diesel::insert_into(reviews::table)
                .values((
                    reviews::payment_id.eq(&review.payment),
                    reviews::deposit_id.eq(review.deposit.map(DepositId::get)),
                    reviews::kind.eq(review.kind.as_str()),
                    reviews::amount_cents.eq(amount),
                    reviews::details.eq(&review.details),
                    reviews::opened_at_micros.eq(review.at.as_micros()),
                ))
                .execute(connection)?;
            Ok(true)
        })
    }

    /// Whether there is or was a review of that kind of a payment.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_review(&mut self, payment: &str, kind: ReviewKind) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let found: i64 = reviews::table
                .filter(reviews::payment_id.eq(payment))
                .filter(reviews::kind.eq(kind.as_str()))
                .count()
                .get_result(connection)?;
            Ok(found > 0)
        })
    }

    /// The amount in question of a payment's open review of a kind, if there is one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn open_amount(
        &mut self,
        payment: &str,
        kind: ReviewKind,
    ) -> Result<Option<Money>, DatabaseError> {
        self.execute(|connection| {
            let amount: Option<Option<i64>> = reviews::table
                .filter(reviews::payment_id.eq(payment))
                .filter(reviews::kind.eq(kind.as_str()))
                .filter(reviews::resolved_at_micros.is_null())
                .select(reviews::amount_cents)
                .first(connection)
                .optional()?;
            Ok(amount.flatten().map(Money::from_cents))
        })
    }

    /// Closes a payment's open review of a kind, because it has settled itself.
    ///
    /// # Errors
    /// If the database fails.
    pub fn resolve_review(
        &mut self,
        payment: &str,
        kind: ReviewKind,
        resolution: &str,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let open = reviews::table
                .filter(reviews::payment_id.eq(payment))
                .filter(reviews::kind.eq(kind.as_str()))
                .filter(reviews::resolved_at_micros.is_null());
            diesel::update(open)
                .set((
                    reviews::resolved_at_micros.eq(at.as_micros()),
                    reviews::resolution.eq(resolution),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
