//! The callbacks: written, signed, sent, and spoiled where the sandbox was told to.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_payments::PaymentId;
use glasshouse_payments::signature::IpnSecret;

use crate::callback_record::{Callback, CallbackOutcome, OutgoingCallback};
use crate::fault_injection::FaultInjection;
use crate::json::{Object, javascript_number};
use crate::shared::{Shared, Work};
use crate::wire::payment_json;

/// The header that the signature stands in.
const SIGNATURE: &str = "x-nowpayments-sig";

impl OutgoingCallback {
    /// The callback about a payment as it stands; none if nobody wants one.
    pub(crate) fn about(shared: &Shared, payment: u64) -> Option<Self> {
        let form = shared.next_form();
        let (_, in_coins) = shared.switches().telling();
        shared.read(|store| {
            let record = store.payments.get(&payment)?;
            let invoice = store.invoices.get(&record.invoice)?;
            let url = invoice.ipn_callback_url.clone()?;
            // The provider keeps a hair of it: a number that every language writes differently.
            let kept = javascript_number(&glasshouse_payments::Decimal::from_units(56, 8));
            let fee = Object::new(form)
                .text("currency", &record.currency)
                .literal("depositFee", &kept)
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

/// Sends a callback, or does with it what the sandbox was told to do.
pub(crate) async fn deliver(shared: &Arc<Shared>, outgoing: OutgoingCallback) {
    let corrupted = shared.switches().for_callback();
    if corrupted.drop {
        remember(shared, &outgoing, String::new(), CallbackOutcome::Dropped);
        return;
    }
    if corrupted.reorder && !shared.is_holding() {
        shared.hold(Some(outgoing));
        return;
    }
    if corrupted.delay_ms > 0 {
        let work = shared.begin_work();
        let shared_there = Arc::clone(shared);
        shared.runtime.spawn(async move {
            tokio::time::sleep(Duration::from_millis(corrupted.delay_ms)).await;
            send_all(&shared_there, &outgoing, &corrupted).await;
            drop(work);
        });
        return;
    }
    send_all(shared, &outgoing, &corrupted).await;
    release_held(shared).await;
}

/// Sends what was held back until after the next one.
pub(crate) async fn release_held(shared: &Arc<Shared>) {
    if let Some(held) = shared.hold(None) {
        send_all(shared, &held, &FaultInjection::default()).await;
    }
}

async fn send_all(shared: &Arc<Shared>, outgoing: &OutgoingCallback, corrupted: &FaultInjection) {
    let Some(signature) = sign(shared, outgoing, corrupted.wrong_signature) else {
        tracing::error!("a callback cannot be signed");
        return;
    };
    let mut sent = outgoing.clone();
    if corrupted.truncate {
        let half = sent.body.floor_char_boundary(sent.body.len() / 2);
        sent.body.truncate(half);
    }
    for _ in 0..=corrupted.duplicate {
        if !send(shared, &sent, &signature).await && shared.options.callback_attempts > 1 {
            let work = shared.begin_work();
            let again = send_again(Arc::clone(shared), sent.clone(), signature.clone(), work);
            shared.runtime.spawn(again);
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

/// Whether it was answered with 2xx.
async fn send(shared: &Shared, outgoing: &OutgoingCallback, signature: &str) -> bool {
    let answer = shared
        .http
        .post(&outgoing.url)
        .header("content-type", "application/json")
        .header(SIGNATURE, signature)
        .body(outgoing.body.clone())
        .send()
        .await;
    let (outcome, is_taken) = match answer {
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
    remember(shared, outgoing, signature.to_owned(), outcome);
    is_taken
}

async fn send_again(
    shared: Arc<Shared>,
    outgoing: OutgoingCallback,
    signature: String,
    work: Work,
) {
    for _ in 1..shared.options.callback_attempts {
        tokio::time::sleep(shared.options.callback_retry_delay).await;
        if send(&shared, &outgoing, &signature).await {
            break;
        }
    }
    drop(work);
}

fn remember(
    shared: &Shared,
    outgoing: &OutgoingCallback,
    signature: String,
    outcome: CallbackOutcome,
) {
    let Some(payment) = PaymentId::parse(&outgoing.payment.to_string()) else {
        return;
    };
    shared.remember(Callback {
        payment,
        status: outgoing.status.clone(),
        url: outgoing.url.clone(),
        body: outgoing.body.clone(),
        signature,
        outcome,
    });
}
