//! Callbacks: created, signed and sent, with injected faults.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_payments::PaymentId;
use glasshouse_payments::signature::IpnSecret;

use crate::callback_record::{Callback, CallbackOutcome, OutgoingCallback};
use crate::fault_injection::FaultInjection;
use crate::json::{Object, javascript_number};
use crate::shared::{Shared, Work};
use crate::wire::payment_json;

/// The header with the signature.
const SIGNATURE: &str = "x-nowpayments-sig";

impl OutgoingCallback {
    /// The callback about a payment's current status; `None` if the invoice has no callback URL.
    pub(crate) fn about(shared: &Shared, payment: u64) -> Option<Self> {
        let form = shared.callback_forms.next();
        let (_, in_coins) = shared.switches().payment_format();
        shared.read(|store| {
            let record = store.payments.get(&payment)?;
            let invoice = store.invoices.get(&record.invoice)?;
            let url = invoice.ipn_callback_url.clone()?;
            // A tiny fee: such a number is formatted differently in each language.
            let deposit_fee = javascript_number(&glasshouse_payments::Decimal::from_units(56, 8));
            let fee = Object::new(form)
                .text("currency", &record.currency)
                .literal("depositFee", &deposit_fee)
                .literal("withdrawalFee", "0")
                .literal("serviceFee", "0")
                .finish();
            let body = payment_json(invoice, record, form, true, in_coins).literal("fee", &fee);
            Some(Self {
                payment,
                status: record.status.clone(),
                url,
                body: body.finish(),
            })
        })
    }
}

/// Sends a callback, with the injected faults applied.
pub(crate) async fn deliver(shared: &Arc<Shared>, outgoing: OutgoingCallback) {
    let faults = shared.switches().for_callback();
    if faults.drop {
        record_callback(shared, &outgoing, String::new(), CallbackOutcome::Dropped);
        return;
    }
    if faults.reorder && !shared.is_holding() {
        shared.hold(Some(outgoing));
        return;
    }
    if faults.delay_ms > 0 {
        let work = shared.begin_work();
        let shared_clone = Arc::clone(shared);
        shared.runtime.spawn(async move {
            tokio::time::sleep(Duration::from_millis(faults.delay_ms)).await;
            send_all(&shared_clone, &outgoing, &faults).await;
            drop(work);
        });
        return;
    }
    send_all(shared, &outgoing, &faults).await;
    release_held(shared).await;
}

/// Sends the callback that was held back, if any.
pub(crate) async fn release_held(shared: &Arc<Shared>) {
    if let Some(held) = shared.hold(None) {
        send_all(shared, &held, &FaultInjection::default()).await;
    }
}

async fn send_all(shared: &Arc<Shared>, outgoing: &OutgoingCallback, faults: &FaultInjection) {
    let Some(signature) = sign(shared, outgoing, faults.wrong_signature) else {
        tracing::error!("failed to sign a callback");
        return;
    };
    let mut transmitted = outgoing.clone();
    if faults.truncate {
        let half = transmitted
            .body
            .floor_char_boundary(transmitted.body.len() / 2);
        transmitted.body.truncate(half);
    }
    for _ in 0..=faults.duplicate {
        if !send(shared, &transmitted, &signature).await && shared.options.callback_attempts > 1 {
            let work = shared.begin_work();
            let retries = retry(
                Arc::clone(shared),
                transmitted.clone(),
                signature.clone(),
                work,
            );
            shared.runtime.spawn(retries);
        }
    }
}

fn sign(shared: &Shared, outgoing: &OutgoingCallback, is_wrong: bool) -> Option<String> {
    if is_wrong {
        let other = format!("not {}", shared.options.ipn_secret);
        return IpnSecret::new(other).ok()?.sign(outgoing.body.as_bytes());
    }
    shared.secret.sign(outgoing.body.as_bytes())
}

/// Sends a callback once and records the outcome. Returns whether the response was 2xx.
async fn send(shared: &Shared, outgoing: &OutgoingCallback, signature: &str) -> bool {
    let (outcome, is_accepted) = match post(shared, outgoing, signature).await {
        Ok(answer) => {
            let status = answer.status();
            let outcome = CallbackOutcome::Answered(status.as_u16());
            (outcome, status.is_success())
        }
        Err(error) => (CallbackOutcome::NoAnswer(error.to_string()), false),
    };
    tracing::info!(
        payment = outgoing.payment,
        status = outgoing.status,
        ?outcome,
        "called back"
    );
    record_callback(shared, outgoing, signature.to_owned(), outcome);
    is_accepted
}

async fn post(
    shared: &Shared,
    outgoing: &OutgoingCallback,
    signature: &str,
) -> reqwest::Result<reqwest::Response> {
    shared
        .http()?
        .post(&outgoing.url)
        .header("content-type", "application/json")
        .header(SIGNATURE, signature)
        .body(outgoing.body.clone())
        .send()
        .await
}

async fn retry(shared: Arc<Shared>, outgoing: OutgoingCallback, signature: String, work: Work) {
    for _ in 1..shared.options.callback_attempts {
        tokio::time::sleep(shared.options.callback_retry_delay).await;
        if send(&shared, &outgoing, &signature).await {
            break;
        }
    }
    drop(work);
}

fn record_callback(
    shared: &Shared,
    outgoing: &OutgoingCallback,
    signature: String,
    outcome: CallbackOutcome,
) {
    let Some(payment) = PaymentId::parse(&outgoing.payment.to_string()) else {
        return;
    };
    shared.record_callback(Callback {
        payment,
        status: outgoing.status.clone(),
        url: outgoing.url.clone(),
        body: outgoing.body.clone(),
        signature,
        outcome,
    });
}
