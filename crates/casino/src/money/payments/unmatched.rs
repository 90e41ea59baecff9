//! Payments without a deposit of ours: they are recorded for an administrator.

use glasshouse_domain::{DepositId, ReviewKind, Timestamp, UserId};
use glasshouse_payments::Payment;
use glasshouse_persistence::money::{MatchStatus, NewReview, PaymentRecord};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::CasinoError;
use crate::money::cashier::Cashier;
use crate::money::payments::assess::{apply_update, is_over_without_money, new_record, supersedes};
use crate::money::payments::reviews::open_review;

/// Records a payment without a deposit of ours, for an administrator (`docs/payments.md#rule-9`).
pub(crate) async fn record_unmatched_payment(
    cashier: &Cashier,
    fetched: Payment,
) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let stored = transaction.lock_payment(fetched.id.as_str())?;
            if stored
                .as_ref()
                .is_some_and(|stored| stored.match_status != MatchStatus::Unmatched)
            {
                // Its deposit was found in the meantime.
                return Ok(());
            }
            let is_new = stored.is_none();
            let mut record =
                stored.unwrap_or_else(|| new_record(&fetched, MatchStatus::Unmatched, now));
            if !is_new {
                if !supersedes(&record, &fetched) {
                    return Ok(());
                }
                apply_update(&mut record, &fetched, now);
            }
            transaction.save_payment(&record, is_new)?;
            match review_of_unmatched(&record, &fetched, now) {
                Some(review) => open_review(transaction, &review),
                None => Ok(()),
            }
        })
        .await
}

/// The review that an unmatched payment needs: because it exists, or because it failed after it was
/// credited manually. None while a credited payment proceeds normally.
fn review_of_unmatched(
    record: &PaymentRecord,
    fetched: &Payment,
    now: Timestamp,
) -> Option<NewReview> {
    let credited = record.credited;
    let review = |kind, amount, details| NewReview {
        payment: record.id.clone(),
        deposit: None,
        kind,
        amount,
        details,
        at: now,
    };
    if credited.is_positive() {
        return is_over_without_money(&fetched.status).then(|| {
            let details = format!("{} after {credited} was credited by hand", fetched.status);
            review(ReviewKind::ReturnedAfterCredit, Some(credited), details)
        });
    }
    let details = match &fetched.parent {
        Some(parent) => format!("sent after payment {parent}, which is not known"),
        None => "it belongs to no deposit of ours".to_owned(),
    };
    Some(review(ReviewKind::Orphan, None, details))
}

/// Handles an unmatched payment that was credited manually to one player but turns out to belong to
/// another player's deposit: it stays unmatched, and a single review is opened.
pub(crate) fn flag_credited_elsewhere(
    transaction: &mut Transaction<'_, '_>,
    unmatched: &PaymentRecord,
    fetched: &Payment,
    (deposit, player, owner): (DepositId, UserId, UserId),
    now: Timestamp,
) -> Result<(), CasinoError> {
    if supersedes(unmatched, fetched) {
        let mut record = unmatched.clone();
        apply_update(&mut record, fetched, now);
        transaction.save_payment(&record, false)?;
        if let Some(review) = review_of_unmatched(&record, fetched, now) {
            open_review(transaction, &review)?;
        }
    }
    if transaction.has_review(&unmatched.id, ReviewKind::CreditedToAnother)? {
        return Ok(());
    }
    let credited = unmatched.credited;
    let review = NewReview {
        payment: unmatched.id.clone(),
        deposit: None,
        kind: ReviewKind::CreditedToAnother,
        amount: Some(credited),
        details: format!(
            "{credited} was credited by hand to user {owner}, but it pays deposit {deposit} of user \
             {player}"
        ),
        at: now,
    };
    open_review(transaction, &review)
}
