//! The house asks the provider itself: callbacks get lost, and a restart must lose no payment.

use std::collections::HashSet;
use std::time::Duration;

use glasshouse_domain::{DepositId, ReviewKind, Timestamp};
use glasshouse_payments::{Client, InvoiceId, Payment, PaymentFilter, PaymentId, PaymentStatus};
use glasshouse_persistence::{
    Deposit, DepositKey, NewReview, PaymentHint, PaymentRecord, Scope, Standing, queries,
};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::cashier::Cashier;
use crate::error::{CasinoError, Fault};
use crate::judge_payment::backoff;
use crate::settle_payment::{open_review, save_conclusion, settle_payment};

/// How often the house looks whether something is due.
const PERIOD: Duration = Duration::from_secs(2);
/// How much of what is due is done at once.
const CHUNK: i64 = 32;
/// What is being done is not done by another server for so long.
const LEASE: Duration = Duration::from_mins(2);
/// For how long a payment that cannot be fetched is tried again.
const PATIENCE: Duration = Duration::from_hours(7 * 24);

/// What was done by one turn of the reconciliation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Deposits that the provider was asked about.
    pub deposits: usize,
    /// Callbacks whose payments were tried again.
    pub hints: usize,
}

/// Asks the provider about what is due, for as long as the house is open.
pub async fn reconcile(cashier: Cashier) {
    loop {
        match reconcile_due(&cashier).await {
            // There may be more.
            Ok(done) if done != Reconciled::default() => {
                tracing::debug!(?done, "reconciled");
            }
            Ok(_) => sleep(PERIOD).await,
            Err(error) => {
                tracing::warn!(%error, "the payments could not be reconciled");
                sleep(PERIOD).await;
            }
        }
    }
}

/// Asks the provider about what is due now: callbacks whose payments could not be fetched, and
/// deposits whose payments are not at their end. What fails is put off, ever longer.
///
/// # Errors
/// If the database fails.
pub async fn reconcile_due(cashier: &Cashier) -> Result<Reconciled, CasinoError> {
    let now = cashier.house.now();
    let lease = now.saturating_add(LEASE);
    let (hints, deposits) = cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let hints = transaction.take_due_hints(now, lease, CHUNK)?;
            let deposits = transaction.take_due_deposits(now, lease, CHUNK)?;
            Ok::<_, CasinoError>((hints, deposits))
        })
        .await?;
    let done = Reconciled {
        deposits: deposits.len(),
        hints: hints.len(),
    };
    let mut work = JoinSet::new();
    for hint in hints {
        let cashier = cashier.clone();
        work.spawn(async move {
            if let Err(error) = follow_hint(&cashier, &hint).await {
                tracing::warn!(payment = hint.payment, %error, "a callback is tried again later");
            }
        });
    }
    for deposit in deposits {
        let cashier = cashier.clone();
        work.spawn(async move {
            let client = cashier.client().clone();
            if let Err(error) = check_deposit(&cashier, &client, deposit).await {
                tracing::warn!(%deposit, %error, "a deposit is checked again later");
            }
        });
    }
    while let Some(finished) = work.join_next().await {
        finished.map_err(|error| Fault::Interrupted(error.to_string()))?;
    }
    Ok(done)
}

/// Asks the provider for all payments of a deposit, and settles them.
///
/// # Errors
/// If the provider cannot be asked, or on a fault.
pub(crate) async fn check_deposit(
    cashier: &Cashier,
    client: &Client,
    id: DepositId,
) -> Result<(), CasinoError> {
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
    let mut seen = HashSet::new();
    for payment in listed(cashier, client, &deposit).await? {
        seen.insert(payment.id.to_string());
        settle_payment(cashier, client, payment).await?;
    }
    let is_open = |record: &PaymentRecord| {
        record.standing == Standing::Tracked && !PaymentStatus::parse(&record.status).is_final()
    };
    for record in known.iter().filter(|record| is_open(record)) {
        if seen.contains(&record.id) {
            continue;
        }
        let Some(payment) = PaymentId::parse(&record.id) else {
            continue;
        };
        let fetched = cashier.fetch(client, &payment).await;
        settle_payment(cashier, client, fetched.map_err(Fault::Provider)?).await?;
    }
    put_off(cashier, deposit).await
}

/// The payments that the provider lists for a deposit. Without an account there is no listing, and
/// a payment whose callbacks were all lost is found by nobody.
async fn listed(
    cashier: &Cashier,
    client: &Client,
    deposit: &Deposit,
) -> Result<Vec<Payment>, CasinoError> {
    if !client.can_list() {
        return Ok(Vec::new());
    }
    let invoice = deposit.invoice_id.as_deref().and_then(InvoiceId::parse);
    let filter = PaymentFilter {
        // The answer to our call was lost: among the payments since then, ours names our order.
        from: invoice.is_none().then(|| day_before(deposit.created_at)),
        invoice,
    };
    let all = cashier
        .list(client, &filter)
        .await
        .map_err(Fault::Provider)?;
    let is_ours = |payment: &Payment| {
        filter.invoice.is_some() || payment.order_id.as_deref() == Some(&deposit.order_id)
    };
    Ok(all.into_iter().filter(is_ours).collect())
}

/// In UTC, with a day to spare for a provider that counts its days elsewhere.
fn day_before(at: Timestamp) -> jiff::civil::Date {
    let day = at.saturating_sub(Duration::from_hours(24));
    jiff::Timestamp::from_microsecond(day.as_micros())
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

/// Looks at a deposit's age too, and decides when it is looked at next.
async fn put_off(cashier: &Cashier, deposit: Deposit) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    let (id, player) = (deposit.id, deposit.player);
    cashier
        .house
        .database
        .write(
            Scope::player(player),
            move |transaction| match transaction.lock_deposit(id)? {
                Some(mut deposit) => save_conclusion(transaction, &mut deposit, now),
                None => Ok(()),
            },
        )
        .await
}

/// Tries again to fetch a payment that the provider has called back about.
async fn follow_hint(cashier: &Cashier, hint: &PaymentHint) -> Result<(), CasinoError> {
    let client = cashier.client();
    let outcome = match PaymentId::parse(&hint.payment) {
        Some(id) => match cashier.fetch(client, &id).await {
            Ok(fetched) => settle_payment(cashier, client, fetched).await.map(drop),
            Err(error) => Err(Fault::Provider(error).into()),
        },
        None => Err(CasinoError::corrupt(format!("hint {}", hint.payment))),
    };
    let now = cashier.house.now();
    let age = now.saturating_since(hint.heard_at);
    let payment = hint.payment.clone();
    let is_settled = outcome.is_ok();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            if !is_settled && age <= PATIENCE {
                let next = now.saturating_add(backoff(age, 2));
                return Ok(transaction.put_off_hint(&payment, next)?);
            }
            transaction.drop_hint(&payment)?;
            if is_settled {
                return Ok(());
            }
            let review = NewReview {
                payment: payment.clone(),
                deposit: None,
                kind: ReviewKind::Unfetchable,
                amount: None,
                details: "the provider called back about it and does not tell it".to_owned(),
                at: now,
            };
            open_review(transaction, &review)
        })
        .await?;
    outcome
}
