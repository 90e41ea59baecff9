//! Payments that belong to no deposit of ours: they are kept, for an administrator.

use glasshouse_domain::{DepositId, ReviewKind, Timestamp, UserId};
use glasshouse_payments::Payment;
use glasshouse_persistence::money::{NewReview, PaymentRecord, Standing};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::CasinoError;
use crate::money::cashier::Cashier;
use crate::money::payments::assess::{advance, has_come_to_nothing, is_news, new_record};
use crate::money::payments::reviews::open_review;

/// Keeps a payment that belongs to nothing that we know, for an administrator
/// (`docs/payments.md#rule-9`).
pub(crate) async fn keep_orphan(cashier: &Cashier, fetched: Payment) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let stored = transaction.lock_payment(fetched.id.as_str())?;
            if stored
                .as_ref()
                .is_some_and(|stored| stored.standing != Standing::Orphan)
            {
                // Somebody has found its deposit in the meantime.
                return Ok(());
            }
            let is_new = stored.is_none();
            let mut record = stored.unwrap_or_else(|| new_record(&fetched, Standing::Orphan, now));
            if !is_new {
                if !is_news(&record, &fetched) {
                    return Ok(());
                }
                advance(&mut record, &fetched, now);
            }
            transaction.save_payment(&record, is_new)?;
            match orphan_review(&record, &fetched, now) {
                Some(review) => open_review(transaction, &review),
                None => Ok(()),
            }
        })
        .await
}

/// What a person must know of an orphan: that it is there, or that it came to nothing after it was
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

/// An orphan that was credited by hand to one player turns out to pay the deposit of another: it
/// stays what it is, and a person looks at it, once.
pub(crate) fn leave_to_owner(
    transaction: &mut Transaction<'_, '_>,
    orphan: &PaymentRecord,
    fetched: &Payment,
    (deposit, player, owner): (DepositId, UserId, UserId),
    now: Timestamp,
) -> Result<(), CasinoError> {
    if is_news(orphan, fetched) {
        let mut record = orphan.clone();
        advance(&mut record, fetched, now);
        transaction.save_payment(&record, false)?;
        if let Some(review) = orphan_review(&record, fetched, now) {
            open_review(transaction, &review)?;
        }
    }
    if transaction.has_review(&orphan.id, ReviewKind::CreditedToAnother)? {
        return Ok(());
    }
    let credited = orphan.credited;
    let review = NewReview {
        payment: orphan.id.clone(),
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
