//! The provider calls back. A callback is believed only to be about some payment; what that payment
//! is, the provider is asked.

use std::time::Duration;

use glasshouse_payments::{Payment, PaymentId};
use glasshouse_persistence::Scope;
use tokio::time::timeout;

use crate::cashier::Cashier;
use crate::error::{CasinoError, Fault, Refusal};
use crate::settle_payment::settle_payment;

/// The provider wants an answer within three seconds; what takes longer is done later.
const PATIENCE: Duration = Duration::from_secs(2);
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
/// names no payment, or a fault if nothing could even be remembered: the provider then sends it
/// again.
pub async fn hear_callback(
    cashier: &Cashier,
    signature: Option<&str>,
    body: &[u8],
) -> Result<Heard, CasinoError> {
    let signature = signature.unwrap_or_default();
    if let Err(error) = cashier.ipn_secret().verify(body, signature) {
        count("refused");
        tracing::warn!(%error, bytes = body.len(), "a callback was refused");
        return Err(Refusal::CallbackSignature.into());
    }
    let Ok(id) = Payment::id_in_callback(body) else {
        count("malformed");
        tracing::warn!(bytes = body.len(), "a callback names no payment");
        return Err(Refusal::CallbackMalformed.into());
    };
    match timeout(PATIENCE, settle_by_id(cashier, &id)).await {
        Ok(Ok(())) => {
            count("settled");
            Ok(Heard::Settled)
        }
        Ok(Err(error)) => remember(cashier, &id, &error).await,
        Err(_) => remember(cashier, &id, &"it took too long").await,
    }
}

async fn settle_by_id(cashier: &Cashier, id: &PaymentId) -> Result<(), CasinoError> {
    let client = cashier.client().without_retries();
    let fetched = cashier.fetch(&client, id).await.map_err(Fault::Provider)?;
    settle_payment(cashier, &client, fetched).await.map(drop)
}

async fn remember(
    cashier: &Cashier,
    id: &PaymentId,
    cause: &(dyn std::fmt::Display + Sync),
) -> Result<Heard, CasinoError> {
    count("remembered");
    tracing::warn!(payment = %id, %cause, "a payment could not be settled now and is remembered");
    let now = cashier.house.now();
    let id = id.to_string();
    cashier
        .house
        .database
        .write(Scope::nobody(), move |transaction| {
            let next = now.saturating_add(FIRST_RETRY);
            Ok::<_, CasinoError>(transaction.add_hint(&id, now, next)?)
        })
        .await?;
    Ok(Heard::Remembered)
}

fn count(outcome: &'static str) {
    metrics::counter!("glasshouse_callbacks_total", "outcome" => outcome).increment(1);
}
