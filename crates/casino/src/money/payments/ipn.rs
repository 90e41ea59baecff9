//! The provider calls back. A callback is believed only to be about some payment; what that payment
//! is, the provider is asked.

use std::time::Duration;

use glasshouse_payments::{CallbackPayload, Payment, PaymentId};
use glasshouse_persistence::Scope;
use tokio::time::timeout;

use crate::error::{CasinoError, Fault, Refusal};
use crate::money::cashier::{Caller, Cashier};
use crate::money::payments::settle::settle_payment;

/// The provider wants an answer within three seconds; what takes longer is done later.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_800);
/// How much of the three seconds is left for remembering: a database that is held may not even
/// take that.
const SAVE_TIMEOUT: Duration = Duration::from_millis(700);
/// When a payment that could not be fetched is tried again first.
const FIRST_RETRY: Duration = Duration::from_secs(5);

/// What came of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpnOutcome {
    /// Its payment was fetched and settled.
    Processed,
    /// Its payment could not be fetched now: remembered, and tried again until it can.
    Deferred,
}

/// Hears a callback: checks its signature, fetches the payment that it is about, settles that.
///
/// # Errors
/// [`Refusal::CallbackSignature`] if it is not the provider's, [`Refusal::CallbackMalformed`] if it
/// names no payment, or a fault if nothing could even be remembered in time: the provider then sends
/// it again.
pub async fn handle_ipn(
    cashier: &Cashier,
    signature: Option<&str>,
    body: &[u8],
) -> Result<IpnOutcome, CasinoError> {
    let signature = signature.unwrap_or_default();
    if let Err(error) = cashier.ipn_secret().verify(body, signature) {
        count("refused");
        // Whoever knocks all night fills the metrics, not the log.
        if cashier.may_tell_of_refusal() {
            tracing::warn!(%error, bytes = body.len(), "a callback was refused");
        }
        return Err(Refusal::CallbackSignature.into());
    }
    let Ok(callback) = Payment::parse_callback(body) else {
        count("malformed");
        tracing::warn!(bytes = body.len(), "a callback names no payment");
        return Err(Refusal::CallbackMalformed.into());
    };
    let cashier = &cashier.calling_as(Caller::Callback);
    if !cashier.may_fetch(&callback.payment) {
        // The same callback over and over: one more question, later, answers all of them.
        return remember(cashier, &callback, &"it was fetched often just now").await;
    }
    match timeout(ANSWER_TIMEOUT, settle_callback(cashier, &callback)).await {
        Ok(Ok(())) => {
            count("settled");
            Ok(IpnOutcome::Processed)
        }
        Ok(Err(error)) => remember(cashier, &callback, &error).await,
        Err(_) => remember(cashier, &callback, &"it took too long").await,
    }
}

async fn settle_callback(cashier: &Cashier, callback: &CallbackPayload) -> Result<(), CasinoError> {
    let fetched = cashier.fetch(&callback.payment).await;
    let fetched = fetched.map_err(Fault::Provider)?;
    settle_payment(cashier, fetched, callback.parent.as_ref()).await
}

async fn remember(
    cashier: &Cashier,
    callback: &CallbackPayload,
    cause: &(dyn std::fmt::Display + Sync),
) -> Result<IpnOutcome, CasinoError> {
    tracing::info!(payment = %callback.payment, %cause, "a payment is to be settled later");
    let kept = timeout(SAVE_TIMEOUT, save_pending_callback(cashier, callback)).await;
    let outcome = kept.unwrap_or_else(|_| Err(Fault::Overloaded.into()));
    count(if outcome.is_ok() {
        "remembered"
    } else {
        "unheard"
    });
    outcome.map(|()| IpnOutcome::Deferred)
}

/// What is given up while it waits is written all the same, once the database is free.
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
