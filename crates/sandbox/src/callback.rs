//! The callbacks: written, signed, sent, and spoiled where the sandbox was told to.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_payments::PaymentId;
use glasshouse_payments::signature::IpnSecret;

use crate::callback_record::{Callback, CallbackOutcome, Envelope};
use crate::json::{Object, javascript_number};
use crate::misbehaviour::Misbehaviour;
use crate::shared::{Shared, Work};
use crate::wire::payment_json;

/// The header that the signature stands in.
const SIGNATURE: &str = "x-nowpayments-sig";

impl Envelope {
    /// The callback about a payment as it stands; none if nobody wants one.
    pub(crate) fn about(shared: &Shared, payment: u64) -> Option<Self> {
        let form = shared.next_form();
        let (_, in_coins) = shared.switches().telling();
        shared.look(|book| {
            let record = book.payments.get(&payment)?;
            let invoice = book.invoices.get(&record.invoice)?;
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
pub(crate) async fn deliver(shared: &Arc<Shared>, envelope: Envelope) {
    let spoiled = shared.switches().for_callback();
    if spoiled.drop {
        remember(shared, &envelope, String::new(), CallbackOutcome::Dropped);
        return;
    }
    if spoiled.reorder && !shared.is_holding() {
        shared.hold(Some(envelope));
        return;
    }
    if spoiled.delay_ms > 0 {
        let work = shared.begin_work();
        let shared_there = Arc::clone(shared);
        shared.runtime.spawn(async move {
            tokio::time::sleep(Duration::from_millis(spoiled.delay_ms)).await;
            send_all(&shared_there, &envelope, &spoiled).await;
            drop(work);
        });
        return;
    }
    send_all(shared, &envelope, &spoiled).await;
    release_held(shared).await;
}

/// Sends what was held back until after the next one.
pub(crate) async fn release_held(shared: &Arc<Shared>) {
    if let Some(held) = shared.hold(None) {
        send_all(shared, &held, &Misbehaviour::default()).await;
    }
}

async fn send_all(shared: &Arc<Shared>, envelope: &Envelope, spoiled: &Misbehaviour) {
    let Some(signature) = sign(shared, envelope, spoiled.wrong_signature) else {
        tracing::error!("a callback cannot be signed");
        return;
    };
    let mut sent = envelope.clone();
    if spoiled.truncate {
        let half = sent.body.floor_char_boundary(sent.body.len() / 2);
        sent.body.truncate(half);
    }
    for _ in 0..=spoiled.duplicate {
        if !send(shared, &sent, &signature).await && shared.options.callback_attempts > 1 {
            let work = shared.begin_work();
            let again = send_again(Arc::clone(shared), sent.clone(), signature.clone(), work);
            shared.runtime.spawn(again);
        }
    }
}

fn sign(shared: &Shared, envelope: &Envelope, is_wrong: bool) -> Option<String> {
    if is_wrong {
        let other = format!("not {}", shared.options.ipn_secret);
        return IpnSecret::new(other).ok()?.sign(envelope.body.as_bytes());
    }
    shared.secret.sign(envelope.body.as_bytes())
}

/// Whether it was answered with 2xx.
async fn send(shared: &Shared, envelope: &Envelope, signature: &str) -> bool {
    let answer = shared
        .http
        .post(&envelope.url)
        .header("content-type", "application/json")
        .header(SIGNATURE, signature)
        .body(envelope.body.clone())
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
        payment = envelope.payment,
        status = envelope.status,
        ?outcome,
        "called back"
    );
    remember(shared, envelope, signature.to_owned(), outcome);
    is_taken
}

async fn send_again(shared: Arc<Shared>, envelope: Envelope, signature: String, work: Work) {
    for _ in 1..shared.options.callback_attempts {
        tokio::time::sleep(shared.options.callback_retry_delay).await;
        if send(&shared, &envelope, &signature).await {
            break;
        }
    }
    drop(work);
}

fn remember(shared: &Shared, envelope: &Envelope, signature: String, outcome: CallbackOutcome) {
    let Some(payment) = PaymentId::parse(&envelope.payment.to_string()) else {
        return;
    };
    shared.remember(Callback {
        payment,
        status: envelope.status.clone(),
        url: envelope.url.clone(),
        body: envelope.body.clone(),
        signature,
        outcome,
    });
}
