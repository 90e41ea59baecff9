//! Payments that belong to no deposit of ours: they are kept, for an administrator.

use glasshouse_domain::{DepositId, ReviewKind, Timestamp, UserId};
use glasshouse_payments::Payment;
use glasshouse_persistence::money::{MatchStatus, NewReview, PaymentRecord};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::CasinoError;
use crate::money::cashier::Cashier;
use crate::money::payments::assess::{apply_update, has_come_to_nothing, new_record, supersedes};
use crate::money::payments::reviews::open_review;

/// Keeps a payment that belongs to nothing that we know, for an administrator
/// (`docs/payments.md#rule-9`).
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
                // Somebody has found its deposit in the meantime.
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
            match orphan_review(&record, &fetched, now) {
                Some(review) => open_review(transaction, &review),
                None => Ok(()),
            }
        })
        .await
}

/// What a person must know of an unmatched: that it is there, or that it came to nothing after it was
/// credited by hand. One that was credited and goes its way needs nobody.
fn orphan_review(record: &PaymentRecord, fetched: &Payment, now: Timestamp) -> Option<NewReview> {
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
        return has_come_to_nothing(&fetched.status).then(|| {
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

/// An unmatched that was credited by hand to one player turns out to pay the deposit of another: it
/// stays what it is, and a person looks at it, once.
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
        if let Some(review) = orphan_review(&record, fetched, now) {
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
