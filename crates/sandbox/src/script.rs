//! Runs the scripts of payments: one status after the other, each with a callback to the house.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::Currency;

use crate::action::Action;
use crate::callback;
use crate::callback_record::OutgoingCallback;
use crate::error::SandboxError;
use crate::shared::Shared;
use crate::store::{PaymentRecord, Step};

/// Opens a payment of an invoice and notifies the house of its status `waiting`.
pub(crate) fn open(
    shared: &Arc<Shared>,
    invoice: u64,
    currency: Currency,
) -> Result<u64, SandboxError> {
    let payment = shared.write(|store| store.open_payment(invoice, currency))?;
    run(shared, payment);
    Ok(payment)
}

/// Starts an action. Returns the affected payment.
pub(crate) fn act(
    shared: &Arc<Shared>,
    payment: u64,
    action: &Action,
) -> Result<u64, SandboxError> {
    let affected = shared.write(|store| store.act(payment, action))?;
    run(shared, affected);
    Ok(affected)
}

/// Appends any status to a payment's script.
pub(crate) fn set_status(
    shared: &Arc<Shared>,
    payment: u64,
    status: &str,
) -> Result<(), SandboxError> {
    shared.write(|store| {
        let record = store.payments.get_mut(&payment);
        let record = record.ok_or(SandboxError::UnknownPayment)?;
        let paid = record.last_paid().clone();
        let status = status.to_owned();
        record.script.push_back(Step { status, paid });
        Ok(())
    })?;
    run(shared, payment);
    Ok(())
}

/// Advances the sandbox's clock and expires payments that have waited too long.
pub(crate) fn pass_time(shared: &Arc<Shared>, passed: Duration) -> Result<(), SandboxError> {
    let expired = shared.write(|store| Ok(store.pass_time(passed)))?;
    for payment in expired {
        run(shared, payment);
    }
    Ok(())
}

/// Changes the price of a payment's coin before it is converted.
pub(crate) fn set_price(
    shared: &Arc<Shared>,
    payment: u64,
    percent: u32,
) -> Result<(), SandboxError> {
    shared.write(|store| {
        let record = store.payments.get_mut(&payment);
        record.ok_or(SandboxError::UnknownPayment)?.price_percent = percent;
        Ok(())
    })
}

/// Resumes the scripts that a previous process left unfinished.
pub(crate) fn resume(shared: &Arc<Shared>) {
    let is_unfinished = |record: &&PaymentRecord| !record.script.is_empty();
    let unfinished: Vec<u64> = shared.read(|store| {
        let records = store.payments.values().filter(is_unfinished);
        records.map(|record| record.id).collect()
    });
    for payment in unfinished {
        run(shared, payment);
    }
}

/// Sends a callback about a payment's current status, independently of its script.
pub(crate) fn notify(shared: &Arc<Shared>, payment: u64) {
    let work = shared.begin_work();
    let outgoing = OutgoingCallback::about(shared, payment);
    let shared_clone = Arc::clone(shared);
    shared.runtime.spawn(async move {
        if let Some(outgoing) = outgoing {
            callback::deliver(&shared_clone, outgoing).await;
        }
        drop(work);
    });
}

fn run(shared: &Arc<Shared>, payment: u64) {
    let is_new = shared.write(|store| Ok(store.running.insert(payment)));
    if is_new != Ok(true) {
        return;
    }
    let work = shared.begin_work();
    let shared_clone = Arc::clone(shared);
    shared.runtime.spawn(async move {
        run_script(&shared_clone, payment).await;
        callback::release_held(&shared_clone).await;
        drop(work);
    });
}

async fn run_script(shared: &Arc<Shared>, payment: u64) {
    let mut is_first = true;
    loop {
        // The first status has no delay, because the payer is waiting for it.
        if !std::mem::take(&mut is_first) {
            tokio::time::sleep(shared.options.status_delay).await;
        }
        match shared.write(|store| Ok(store.apply_next_step(payment))) {
            Ok(Some(())) => {}
            Ok(None) => return,
            Err(error) => {
                tracing::error!(payment, %error, "failed to run a payment's script");
                return;
            }
        }
        if let Some(outgoing) = OutgoingCallback::about(shared, payment) {
            callback::deliver(shared, outgoing).await;
        }
    }
}
