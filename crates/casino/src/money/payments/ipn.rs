//! Handles the provider's callbacks (IPNs). A callback only names a payment; the payment itself is
//! always fetched from the provider.

use std::time::Duration;

use glasshouse_payments::{CallbackPayload, Payment, PaymentId};
use glasshouse_persistence::Scope;
use tokio::time::timeout;

use crate::error::{CasinoError, Fault, Refusal};
use crate::money::cashier::{Caller, Cashier};
use crate::money::payments::settle::settle_payment;

/// The provider expects an answer within three seconds; what takes longer is deferred.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_800);
/// How much of the three seconds is reserved for storing a deferred callback. Even that can take
/// longer if the database is blocked.
const SAVE_TIMEOUT: Duration = Duration::from_millis(700);
/// The wait before the first retry to fetch a payment.
const FIRST_RETRY: Duration = Duration::from_secs(5);

/// The result of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpnOutcome {
    /// The payment was fetched and settled.
    Processed,
    /// The payment could not be fetched now; the callback was stored and is retried until it can.
    Deferred,
}

/// Handles a callback: verifies its signature, then fetches and settles its payment.
///
/// # Errors
/// [`Refusal::CallbackSignature`] if the signature is missing or wrong,
/// [`Refusal::CallbackMalformed`] if the callback does not name a payment, or a fault if it could
/// not even be stored in time. The provider then sends it again.
pub async fn handle_ipn(
    cashier: &Cashier,
    signature: Option<&str>,
    body: &[u8],
) -> Result<IpnOutcome, CasinoError> {
    let signature = signature.unwrap_or_default();
    if let Err(error) = cashier.ipn_secret().verify(body, signature) {
        count("refused");
        // The log is rate-limited, so that a flood of forged callbacks cannot fill it; the metric
        // counts all of them.
        if cashier.may_log_refusal() {
            tracing::warn!(%error, bytes = body.len(), "a callback was refused");
        }
        return Err(Refusal::CallbackSignature.into());
    }
    let Ok(callback) = Payment::parse_callback(body) else {
        count("malformed");
        tracing::warn!(bytes = body.len(), "a callback does not name a payment");
        return Err(Refusal::CallbackMalformed.into());
    };
    let cashier = &cashier.calling_as(Caller::Callback);
    if !cashier.may_fetch(&callback.payment) {
        // The same callback arrives repeatedly: one later request to the provider covers all of
        // them.
        return defer(cashier, &callback, &"the payment was fetched too often").await;
    }
    match timeout(ANSWER_TIMEOUT, settle_callback(cashier, &callback)).await {
        Ok(Ok(())) => {
            count("settled");
            Ok(IpnOutcome::Processed)
        }
        Ok(Err(error)) => defer(cashier, &callback, &error).await,
        Err(_) => defer(cashier, &callback, &"the settlement timed out").await,
    }
}

async fn settle_callback(cashier: &Cashier, callback: &CallbackPayload) -> Result<(), CasinoError> {
    let fetched = cashier.fetch(&callback.payment).await;
    let fetched = fetched.map_err(Fault::Provider)?;
    settle_payment(cashier, fetched, callback.parent.as_ref()).await
}

async fn defer(
    cashier: &Cashier,
    callback: &CallbackPayload,
    cause: &(dyn std::fmt::Display + Sync),
) -> Result<IpnOutcome, CasinoError> {
    tracing::info!(payment = %callback.payment, %cause, "a callback is deferred");
    let saved = timeout(SAVE_TIMEOUT, save_pending_callback(cashier, callback)).await;
    let outcome = saved.unwrap_or_else(|_| Err(Fault::Overloaded.into()));
    count(if outcome.is_ok() {
        "remembered"
    } else {
        "unheard"
    });
    outcome.map(|()| IpnOutcome::Deferred)
}

/// If the caller times out while it waits, the callback is still stored once the database is
/// available.
async fn save_pending_callback(
    cashier: &Cashier,
    callback: &CallbackPayload,
) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    let callback = callback.clone();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let next = now.saturating_add(FIRST_RETRY);
            let parent = callback.parent.as_ref().map(PaymentId::as_str);
            let payment = callback.payment.as_str();
            Ok::<_, CasinoError>(transaction.add_pending_callback(payment, parent, now, next)?)
        })
        .await
}

fn count(outcome: &'static str) {
    metrics::counter!("glasshouse_callbacks_total", "outcome" => outcome).increment(1);
}
