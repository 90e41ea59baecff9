//! Payments on their way: each goes through its script, one status after the other, and each status
//! is told to the house.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::Currency;

use crate::action::Action;
use crate::callback;
use crate::callback_record::OutgoingCallback;
use crate::error::SandboxError;
use crate::shared::Shared;
use crate::store::{PaymentRecord, Step};

/// A new payment of an invoice, told to the house as waiting.
pub(crate) fn open(
    shared: &Arc<Shared>,
    invoice: u64,
    currency: Currency,
) -> Result<u64, SandboxError> {
    let payment = shared.write(|store| store.open_payment(invoice, currency))?;
    run(shared, payment);
    Ok(payment)
}

/// Lets an action begin; which payment it happens to.
pub(crate) fn act(
    shared: &Arc<Shared>,
    payment: u64,
    action: &Action,
) -> Result<u64, SandboxError> {
    let acted = shared.write(|store| store.act(payment, action))?;
    run(shared, acted);
    Ok(acted)
}

/// Puts a payment at a status, sensible or not, after all that is under way.
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

/// Lets time pass for the sandbox, and what has waited too long expire.
pub(crate) fn pass_time(shared: &Arc<Shared>, passed: Duration) -> Result<(), SandboxError> {
    let expired = shared.write(|store| Ok(store.pass_time(passed)))?;
    for payment in expired {
        run(shared, payment);
    }
    Ok(())
}

/// Lets the price of a payment's coin write before it is passed on.
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

/// Takes up what a former process left on its way.
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

/// Sends a callback about a payment as it stands, beside all that is under way.
pub(crate) fn notify(shared: &Arc<Shared>, payment: u64) {
    let work = shared.begin_work();
    let outgoing = OutgoingCallback::about(shared, payment);
    let shared_there = Arc::clone(shared);
    shared.runtime.spawn(async move {
        if let Some(outgoing) = outgoing {
            callback::deliver(&shared_there, outgoing).await;
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
    let shared_there = Arc::clone(shared);
    shared.runtime.spawn(async move {
        go_through(&shared_there, payment).await;
        callback::release_held(&shared_there).await;
        drop(work);
    });
}

async fn go_through(shared: &Arc<Shared>, payment: u64) {
    let mut is_first = true;
    loop {
        // The first status comes at once: that is what the payer is waiting to see.
        if !std::mem::take(&mut is_first) {
            tokio::time::sleep(shared.options.status_delay).await;
        }
        match shared.write(|store| Ok(store.take_step(payment))) {
            Ok(Some(())) => {}
            Ok(None) => return,
            Err(error) => {
                tracing::error!(payment, %error, "a payment is stuck");
                return;
            }
        }
        if let Some(outgoing) = OutgoingCallback::about(shared, payment) {
            callback::deliver(shared, outgoing).await;
        }
    }
}
