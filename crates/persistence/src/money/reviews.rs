//! Payments that need manual review.

use diesel::prelude::*;
use glasshouse_domain::{DepositId, Money, ReviewKind, Timestamp};

use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::reviews;

/// A review to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// The provider's ID of the payment.
    pub payment: String,
    /// The deposit, if the payment belongs to one.
    pub deposit: Option<DepositId>,
    /// The reason.
    pub kind: ReviewKind,
    /// The amount in question, if it is known.
    pub amount: Option<Money>,
    /// A description for administrators.
    pub details: String,
    /// The time of opening.
    pub at: Timestamp,
}

impl Transaction<'_, '_> {
    /// Opens a review, unless the payment already has an open one of this kind, which is then
    /// updated. Returns whether a new one was opened.
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

    /// Whether the payment has an open or resolved review of this kind.
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

    /// The amount in question in the payment's open review of this kind, if there is one.
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

    /// Closes the payment's open review of this kind automatically, because its reason no longer
    /// applies.
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
