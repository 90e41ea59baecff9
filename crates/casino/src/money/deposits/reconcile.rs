//! Reconciles deposits with the provider: callbacks get lost, and a restart must not lose a
//! payment.

use std::collections::HashSet;
use std::time::Duration;

use glasshouse_domain::{DepositId, ReviewKind};
use glasshouse_payments::{InvoiceId, Payment, PaymentFilter, PaymentId, PaymentStatus};
use glasshouse_persistence::money::{
    Deposit, DepositKey, MatchStatus, NewReview, PaymentRecord, PendingCallback,
};
use glasshouse_persistence::{Scope, queries};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::clock::date_of;
use crate::error::{CasinoError, Fault};
use crate::money::cashier::{Caller, Cashier};
use crate::money::deposits::status::{backoff, next_check_after_failure, recompute_status};
use crate::money::payments::reviews::open_review;
use crate::money::payments::settle::settle_payment;

/// The wait between two passes if nothing was due.
const RECONCILE_PERIOD: Duration = Duration::from_secs(2);
/// The maximum number of deposits, and of callbacks, per pass.
const DEPOSITS_PER_PASS: i64 = 32;
/// How long due work is reserved, so that no other server does it too.
const RECONCILE_LEASE: Duration = Duration::from_mins(2);
/// For how long a payment that cannot be fetched is retried.
const UNFETCHABLE_RETRY_WINDOW: Duration = Duration::from_hours(7 * 24);
const DAY: Duration = Duration::from_hours(24);

/// What one pass of the reconciliation did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// The number of deposits that were checked.
    pub deposits: usize,
    /// The number of callbacks whose payments were retried.
    pub callbacks: usize,
}

/// Reconciles due deposits and callbacks. Runs forever.
pub async fn reconcile(cashier: Cashier) {
    loop {
        match reconcile_due(&cashier).await {
            // There may be more to do.
            Ok(done) if done != Reconciled::default() => {
                tracing::debug!(?done, "reconciled");
            }
            Ok(_) => sleep(RECONCILE_PERIOD).await,
            Err(error) => {
                tracing::warn!(%error, "the reconciliation failed");
                sleep(RECONCILE_PERIOD).await;
            }
        }
    }
}

/// Asks the provider about everything that is due: callbacks whose payments could not be fetched,
/// and deposits with payments that are not final. Failed work is rescheduled with increasing
/// delays.
///
/// # Errors
/// If the database fails.
pub async fn reconcile_due(cashier: &Cashier) -> Result<Reconciled, CasinoError> {
    let cashier = cashier.calling_as(Caller::Background);
    let now = cashier.house.now();
    let lease = now.saturating_add(RECONCILE_LEASE);
    let (callbacks, deposits) = cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let callbacks = transaction.take_due_callbacks(now, lease, DEPOSITS_PER_PASS)?;
            let deposits = transaction.take_due_deposits(now, lease, DEPOSITS_PER_PASS)?;
            Ok::<_, CasinoError>((callbacks, deposits))
        })
        .await?;
    let done = Reconciled {
        deposits: deposits.len(),
        callbacks: callbacks.len(),
    };
    let mut work = JoinSet::new();
    for callback in callbacks {
        let cashier = cashier.clone();
        work.spawn(async move {
            if let Err(error) = retry_callback(&cashier, &callback).await {
                tracing::warn!(payment = callback.payment, %error, "a callback could not be processed and is retried later");
            }
        });
    }
    for deposit in deposits {
        let cashier = cashier.clone();
        work.spawn(async move {
            if let Err(error) = check_deposit(&cashier, deposit).await {
                tracing::warn!(%deposit, %error, "a deposit could not be checked and is retried later");
            }
        });
    }
    while let Some(finished) = work.join_next().await {
        if let Err(error) = finished {
            tracing::error!(%error, "a check was interrupted and is retried later");
        }
    }
    Ok(done)
}

/// Requests all payments of a deposit from the provider and settles them. If one of them fails, the
/// others are still settled and the deposit is rescheduled.
///
/// # Errors
/// The first error: the provider cannot be reached, or a fault.
pub(crate) async fn check_deposit(cashier: &Cashier, id: DepositId) -> Result<(), CasinoError> {
    let (deposit, known) = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let deposit = queries::deposit(connection, DepositKey::Id(id))?;
            Ok((deposit, queries::payments_of(connection, id)?))
        })
        .await?;
    let Some(deposit) = deposit else {
        return Ok(());
    };
    let mut first_failure = None;
    let mut seen = HashSet::new();
    match list_provider_payments(cashier, &deposit).await {
        Ok(payments) => {
            for payment in payments {
                seen.insert(payment.id.to_string());
                keep_first_error(
                    &mut first_failure,
                    settle_payment(cashier, payment, None).await,
                );
            }
        }
        Err(error) => first_failure = Some(error),
    }
    let is_open = |record: &PaymentRecord| {
        record.match_status == MatchStatus::Matched
            && !PaymentStatus::parse(&record.status).is_final()
    };
    for record in known.iter().filter(|record| is_open(record)) {
        if !seen.contains(&record.id) {
            keep_first_error(&mut first_failure, check_payment(cashier, record).await);
        }
    }
    reschedule(cashier, &deposit, first_failure.is_some()).await?;
    first_failure.map_or(Ok(()), Err)
}

fn keep_first_error(first: &mut Option<CasinoError>, outcome: Result<(), CasinoError>) {
    if let Err(error) = outcome {
        first.get_or_insert(error);
    }
}

/// Requests a known payment that the provider has not listed.
async fn check_payment(cashier: &Cashier, record: &PaymentRecord) -> Result<(), CasinoError> {
    let Some(id) = PaymentId::parse(&record.id) else {
        return Ok(());
    };
    match cashier.fetch(&id).await {
        Ok(fetched) => settle_payment(cashier, fetched, None).await,
        Err(error) if error.is_not_found() => {
            let details = "the provider knew it once, and does not any more";
            request_review(cashier, &record.id, record.deposit, details.to_owned()).await
        }
        Err(error) => Err(Fault::Provider(error).into()),
    }
}

async fn request_review(
    cashier: &Cashier,
    payment: &str,
    deposit: Option<DepositId>,
    details: String,
) -> Result<(), CasinoError> {
    let review = NewReview {
        payment: payment.to_owned(),
        deposit,
        kind: ReviewKind::Unfetchable,
        amount: None,
        details,
        at: cashier.house.now(),
    };
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            open_review(transaction, &review)
        })
        .await
}

/// Lists the provider's payments for a deposit. Without an account at the provider there is no
/// list; then a payment whose callbacks were all lost is not found.
pub(crate) async fn list_provider_payments(
    cashier: &Cashier,
    deposit: &Deposit,
) -> Result<Vec<Payment>, CasinoError> {
    if !cashier.can_list() {
        return Ok(Vec::new());
    }
    let invoice = deposit.invoice_id.as_deref().and_then(InvoiceId::parse);
    // If the answer to our request was lost, our order is searched for by its ID among all payments
    // of the days around it.
    let is_lost = invoice.is_none();
    let filter = PaymentFilter {
        from: is_lost.then(|| date_of(deposit.created_at.saturating_sub(DAY))),
        until: is_lost.then(|| date_of(deposit.created_at.saturating_add(DAY * 2))),
        invoice,
    };
    let all = cashier.list(&filter).await.map_err(Fault::Provider)?;
    let is_ours = |payment: &Payment| {
        payment.order_id.as_deref() == Some(&deposit.order_id)
            || (payment.invoice.is_some() && payment.invoice == filter.invoice)
    };
    Ok(all.into_iter().filter(is_ours).collect())
}

/// Recomputes a deposit's status, which also depends on its age, and schedules its next check.
async fn reschedule(
    cashier: &Cashier,
    deposit: &Deposit,
    has_failed: bool,
) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    let (id, player) = (deposit.id, deposit.player);
    cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut deposit = transaction.lock_deposit(id)?;
            let payments = transaction.payments_of(id)?;
            recompute_status(&mut deposit, &payments, now);
            if has_failed {
                deposit.next_check_at = next_check_after_failure(&deposit, &payments, now);
            }
            Ok::<_, CasinoError>(transaction.save_deposit(&deposit)?)
        })
        .await
}

/// Retries to fetch the payment of a callback.
async fn retry_callback(cashier: &Cashier, callback: &PendingCallback) -> Result<(), CasinoError> {
    let parent = callback.parent.as_deref().and_then(PaymentId::parse);
    let outcome = match PaymentId::parse(&callback.payment) {
        Some(id) => match cashier.fetch(&id).await {
            Ok(fetched) => settle_payment(cashier, fetched, parent.as_ref()).await,
            Err(error) => Err(Fault::Provider(error).into()),
        },
        None => Err(CasinoError::corrupt(format!(
            "callback {}",
            callback.payment
        ))),
    };
    let now = cashier.house.now();
    let age = now.saturating_since(callback.received_at);
    let is_given_up = outcome.is_err() && age > UNFETCHABLE_RETRY_WINDOW;
    if let (Err(error), true) = (&outcome, is_given_up) {
        let details = format!("called back about, and for a week it could not be fetched: {error}");
        request_review(cashier, &callback.payment, None, details).await?;
    }
    let is_done = outcome.is_ok() || is_given_up;
    let callback = callback.clone();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            if is_done {
                return Ok::<_, CasinoError>(transaction.complete_callback(&callback)?);
            }
            let next = now.saturating_add(backoff(age, 2));
            Ok(transaction.reschedule_callback(&callback.payment, next)?)
        })
        .await?;
    outcome
}
