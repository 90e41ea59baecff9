//! Payments that need manual review.

use glasshouse_domain::DepositId;
use glasshouse_persistence::Transaction;
use glasshouse_persistence::money::NewReview;

use crate::alerts::facts::Facts;
use crate::alerts::raise::raise;
use crate::error::CasinoError;

/// Opens a review of a payment, unless one of the same kind is open already.
pub(crate) fn open_review(
    transaction: &mut Transaction<'_, '_>,
    review: &NewReview,
) -> Result<(), CasinoError> {
    if transaction.open_review(review)? {
        metrics::counter!("glasshouse_reviews_opened_total").increment(1);
        tracing::warn!(
            payment = review.payment,
            kind = review.kind.as_str(),
            details = review.details,
            "a payment needs manual review"
        );
        let facts = Facts::Review {
            review: review.kind.as_str().to_owned(),
            payment: review.payment.clone(),
            deposit: review.deposit.map(DepositId::get),
            opened_at_micros: review.at.as_micros(),
        };
        raise(transaction, &facts, None, review.at)?;
    }
    Ok(())
}
