//! Runs the scripts of payouts: one status after the other, once their batch is verified.

use std::sync::Arc;

use crate::error::SandboxError;
use crate::fault_injection::{FaultInjection, Switches};
use crate::payout_store::{PayoutRecord, StepOutcome, Verification};
use crate::shared::Shared;
use crate::store::Store;

/// Verifies a batch, and starts the scripts of its payouts.
pub(crate) fn verify(
    shared: &Arc<Shared>,
    batch: u64,
    code: &str,
) -> Result<Verification, SandboxError> {
    // An authenticator knows nothing of the sandbox's own clock.
    let seconds = u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or_default();
    let is_right = shared.authenticator.check(code, seconds).is_some();
    let outcome = shared.write(|store| {
        let now = store.now();
        let next_fate = || shared.switches().next_fate();
        Ok(store.payouts.verify(batch, is_right, next_fate, &now))
    })?;
    if outcome == Verification::Verified {
        resume(shared);
    }
    Ok(outcome)
}

/// Injects faults into the next callbacks and requests, and resumes the payouts that are no longer
/// held.
pub(crate) fn set_faults(shared: &Arc<Shared>, faults: FaultInjection) {
    *shared.switches() = Switches::new(faults);
    resume(shared);
}

/// Resumes all scripts that are not finished and not running.
pub(crate) fn resume(shared: &Arc<Shared>) {
    let unfinished: Vec<u64> = shared.read(|store| {
        let payouts = store.payouts.payouts.iter();
        let unfinished = payouts.filter(|payout| payout.is_unfinished());
        unfinished.map(|payout: &PayoutRecord| payout.id).collect()
    });
    for payout in unfinished {
        run(shared, payout);
    }
}

fn run(shared: &Arc<Shared>, payout: u64) {
    let is_new = shared.write(|store| Ok(store.payouts.running.insert(payout)));
    if is_new != Ok(true) {
        return;
    }
    let work = shared.begin_work();
    let shared_clone = Arc::clone(shared);
    shared.runtime.spawn(async move {
        run_script(&shared_clone, payout).await;
        drop(work);
    });
}

async fn run_script(shared: &Arc<Shared>, payout: u64) {
    loop {
        tokio::time::sleep(shared.options.status_delay).await;
        match shared.write(|store| Ok(apply_next_step(shared, store, payout))) {
            Ok(StepOutcome::Continues) => {}
            Ok(StepOutcome::Ended) => return,
            Err(error) => {
                tracing::error!(payout, %error, "failed to run a payout's script");
                return;
            }
        }
    }
}

/// Reads the switches while the store is locked, so that a payout that is released at the same time
/// either goes on here or is resumed.
fn apply_next_step(shared: &Shared, store: &mut Store, payout: u64) -> StepOutcome {
    let is_held = shared.switches().is_holding_payouts();
    let now = store.now();
    store.payouts.apply_next_step(payout, is_held, &now)
}
