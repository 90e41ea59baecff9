//! The provider calls back. A callback is believed only to be about some payment; what that payment
//! is, the provider is asked.

use std::time::Duration;

use glasshouse_payments::{CallbackHint, Payment, PaymentId};
use glasshouse_persistence::Scope;
use tokio::time::timeout;

use crate::error::{CasinoError, Fault, Refusal};
use crate::money::cashier::{Caller, Cashier};
use crate::money::payments::settle::settle_payment;

/// The provider wants an answer within three seconds; what takes longer is done later.
const PATIENCE: Duration = Duration::from_millis(1_800);
/// How much of the three seconds is left for remembering: a database that is held may not even
/// take that.
const PATIENCE_FOR_REMEMBERING: Duration = Duration::from_millis(700);
/// When a payment that could not be fetched is tried again first.
const FIRST_RETRY: Duration = Duration::from_secs(5);

/// What came of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Its payment was fetched and settled.
    Settled,
    /// Its payment could not be fetched now: remembered, and tried again until it can.
    Remembered,
}

/// Hears a callback: checks its signature, fetches the payment that it is about, settles that.
///
/// # Errors
/// [`Refusal::CallbackSignature`] if it is not the provider's, [`Refusal::CallbackMalformed`] if it
/// names no payment, or a fault if nothing could even be remembered in time: the provider then sends
/// it again.
pub async fn hear_callback(
    cashier: &Cashier,
    signature: Option<&str>,
    body: &[u8],
) -> Result<Heard, CasinoError> {
    let signature = signature.unwrap_or_default();
    if let Err(error) = cashier.ipn_secret().verify(body, signature) {
        count("refused");
        // Whoever knocks all night fills the metrics, not the log.
        if cashier.may_tell_of_refusal() {
            tracing::warn!(%error, bytes = body.len(), "a callback was refused");
        }
        return Err(Refusal::CallbackSignature.into());
    }
    let Ok(hint) = Payment::hint_in_callback(body) else {
        count("malformed");
        tracing::warn!(bytes = body.len(), "a callback names no payment");
        return Err(Refusal::CallbackMalformed.into());
    };
    let cashier = &cashier.calling_as(Caller::Callback);
    if !cashier.may_fetch(&hint.payment) {
        // The same callback over and over: one more question, later, answers all of them.
        return remember(cashier, &hint, &"it was fetched often just now").await;
    }
    match timeout(PATIENCE, settle_hint(cashier, &hint)).await {
        Ok(Ok(())) => {
            count("settled");
            Ok(Heard::Settled)
        }
        Ok(Err(error)) => remember(cashier, &hint, &error).await,
        Err(_) => remember(cashier, &hint, &"it took too long").await,
    }
}

async fn settle_hint(cashier: &Cashier, hint: &CallbackHint) -> Result<(), CasinoError> {
    let fetched = cashier.fetch(&hint.payment).await;
    let fetched = fetched.map_err(Fault::Provider)?;
    settle_payment(cashier, fetched, hint.parent.as_ref()).await
}

async fn remember(
    cashier: &Cashier,
    hint: &CallbackHint,
    cause: &(dyn std::fmt::Display + Sync),
) -> Result<Heard, CasinoError> {
    tracing::info!(payment = %hint.payment, %cause, "a payment is to be settled later");
    let kept = timeout(PATIENCE_FOR_REMEMBERING, keep_hint(cashier, hint)).await;
    let outcome = kept.unwrap_or_else(|_| Err(Fault::Overloaded.into()));
    count(if outcome.is_ok() {
        "remembered"
    } else {
        "unheard"
    });
    outcome.map(|()| Heard::Remembered)
}

/// What is given up while it waits is written all the same, once the database is free.
async fn keep_hint(cashier: &Cashier, hint: &CallbackHint) -> Result<(), CasinoError> {
    let now = cashier.house.now();
    let hint = hint.clone();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let next = now.saturating_add(FIRST_RETRY);
            let parent = hint.parent.as_ref().map(PaymentId::as_str);
            let payment = hint.payment.as_str();
            Ok::<_, CasinoError>(transaction.add_hint(payment, parent, now, next)?)
        })
        .await
}

fn count(outcome: &'static str) {
    metrics::counter!("glasshouse_callbacks_total", "outcome" => outcome).increment(1);
}
