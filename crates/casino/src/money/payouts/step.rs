//! Pays withdrawals through the provider: the steps that are due, one after the other.
//!
//! The provider pays a batch only after it was verified, so creating a payment twice does no harm. A payment
//! has one batch for all times: the one that is stored first. It is the only one that is ever verified, and
//! verifying it again does not pay it again. That is why each withdrawal is paid at most once, whatever is
//! lost, repeated or done by two servers at the same time.

use std::time::Duration;

use glasshouse_domain::WithdrawalId;
use glasshouse_persistence::money::{Payout, Withdrawal};
use glasshouse_persistence::{Scope, queries};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::error::{CasinoError, Fault};
use crate::money::cashier::{Caller, Cashier};
use crate::money::payouts::automatic::approve_automatically;
use crate::money::payouts::job::{Job, Outcome};
use crate::money::payouts::plan::{Step, next_step};

/// The wait between two passes if nothing was due.
const PERIOD: Duration = Duration::from_secs(2);
/// The maximum number of payments per pass.
const PAYOUTS_PER_PASS: i64 = 16;
/// How long a due step is reserved. If it takes longer, another server may take it too, which does no harm; if a
/// server dies, a payment waits no longer than this.
const LEASE: Duration = Duration::from_secs(10);
/// More steps than any payment needs in a pass.
const MAXIMUM_STEPS: usize = 8;

/// Pays withdrawals. Runs forever.
pub async fn pay_withdrawals(cashier: Cashier) {
    loop {
        if let Err(error) = approve_automatically(&cashier).await {
            tracing::warn!(%error, "withdrawals could not be approved automatically");
        }
        match pay_due(&cashier).await {
            Ok(0) => sleep(PERIOD).await,
            // There may be more to do.
            Ok(paid) => tracing::debug!(paid, "payments of withdrawals went on"),
            Err(error) => {
                tracing::warn!(%error, "withdrawals could not be paid");
                sleep(PERIOD).await;
            }
        }
    }
}

/// Takes the due steps of payments through the provider, and returns how many payments had one. A failed step
/// is repeated later.
///
/// # Errors
/// If the database fails.
pub async fn pay_due(cashier: &Cashier) -> Result<usize, CasinoError> {
    let cashier = cashier.calling_as(Caller::Background);
    if !cashier.client().can_pay_out() {
        return Ok(0);
    }
    let now = cashier.house.now();
    let lease = now.saturating_add(LEASE);
    let due = cashier
        .house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.take_due_payouts(now, lease, PAYOUTS_PER_PASS)?)
        })
        .await?;
    let count = due.len();
    let mut work = JoinSet::new();
    for id in due {
        let cashier = cashier.clone();
        work.spawn(async move {
            if let Err(error) = go_on(&cashier, id).await {
                tracing::warn!(withdrawal = %id, %error, "a withdrawal could not be paid and is tried later");
            }
        });
    }
    while let Some(finished) = work.join_next().await {
        if let Err(error) = finished {
            tracing::error!(%error, "a payment was interrupted and goes on later");
        }
    }
    Ok(count)
}

/// Takes one step after the other, until there is something to wait for.
async fn go_on(cashier: &Cashier, id: WithdrawalId) -> Result<(), CasinoError> {
    for _ in 0..MAXIMUM_STEPS {
        let Some((withdrawal, payout)) = read(cashier, id).await? else {
            return Ok(());
        };
        let Some(step) = next_step(&payout) else {
            return Ok(());
        };
        let job = Job {
            cashier,
            withdrawal: &withdrawal,
            payout: &payout,
        };
        let outcome = match step {
            Step::Create => job.create().await,
            Step::Search => job.search().await,
            Step::Verify => job.verify().await,
            Step::Follow => job.follow().await,
        };
        match outcome {
            Ok(Outcome::GoOn) => {}
            Ok(Outcome::Wait) => return Ok(()),
            Err(CasinoError::Fault(Fault::Provider(error))) => {
                job.retry_later(error.to_string()).await?;
                return Err(Fault::Provider(error).into());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

async fn read(
    cashier: &Cashier,
    id: WithdrawalId,
) -> Result<Option<(Withdrawal, Payout)>, CasinoError> {
    cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let entry = queries::withdrawal_entry(connection, id)?;
            Ok(entry.and_then(|entry| Some((entry.withdrawal, entry.payout?))))
        })
        .await
}
