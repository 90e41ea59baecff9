//! Notices that no call to the payment provider succeeds.

use std::time::Duration;

use glasshouse_payments::CallCounts;
use glasshouse_persistence::alerts::AlertWatch;
use glasshouse_persistence::{Scope, queries};
use tokio::time::sleep;

use crate::alerts::facts::Facts;
use crate::alerts::raise::judge;
use crate::error::CasinoError;
use crate::house::House;
use crate::money::cashier::{Caller, Cashier};

const PERIOD: Duration = Duration::from_mins(1);

/// Watches the calls to the provider. Runs forever, on every server.
pub async fn watch_provider(cashier: Cashier, alert_after: Duration) {
    let mut watch = ProviderWatch::default();
    loop {
        if let Err(error) = watch.look(&cashier, alert_after).await {
            tracing::warn!(%error, "failed to record whether the payment provider answers");
        }
        sleep(PERIOD).await;
    }
}

/// What a server has seen of its calls to the provider.
#[derive(Debug, Default)]
pub struct ProviderWatch {
    seen: CallCounts,
}

impl ProviderWatch {
    /// Records whether a call has succeeded since the last time, and raises an alert if for `alert_after`
    /// none has on any server. Where nothing was asked, it asks.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn look(
        &mut self,
        cashier: &Cashier,
        alert_after: Duration,
    ) -> Result<(), CasinoError> {
        if cashier.client().call_counts() == self.seen {
            // What it answers does not matter. Unlike the provider's own status, this needs our key.
            let _ = cashier.calling_as(Caller::Background).currencies().await;
        }
        let counts = cashier.client().call_counts();
        let is_answered = counts.answered > self.seen.answered;
        self.seen = counts;
        let house = &cashier.house;
        if is_answered && !is_failing(house).await? {
            return Ok(());
        }
        let now = house.now();
        house
            .database
            .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
                let Some(watch) = transaction.lock_alert_watch()? else {
                    // Another server is at it, and there is a next time.
                    return Ok(());
                };
                let failing_since = watch.provider_failing_since.unwrap_or(now);
                let since = (!is_answered).then_some(failing_since);
                let facts = Facts::ProviderFailure {
                    since_micros: failing_since.as_micros(),
                };
                let holds = since.is_some_and(|since| now.saturating_since(since) >= alert_after);
                judge(transaction, &facts, holds, now)?;
                Ok(transaction.save_alert_watch(AlertWatch {
                    provider_failing_since: since,
                    ..watch
                })?)
            })
            .await
    }
}

/// Whether the last call of some server has failed.
async fn is_failing(house: &House) -> Result<bool, CasinoError> {
    let since = house
        .database
        .read::<_, CasinoError, _>(queries::provider_failing_since)
        .await?;
    Ok(since.is_some())
}
