//! Probes the database once a second, so that readiness requests are answered immediately from the
//! last result, however many arrive. The probe reads which Terms of Service are in force.

use std::sync::atomic::Ordering;
use std::time::Duration;

use glasshouse_persistence::DatabaseError;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::accounts::terms_of_service::refresh_terms;
use crate::house::House;

/// The time between two probes.
const PROBE_PERIOD: Duration = Duration::from_secs(1);
/// A database that needs longer than this to read a single row counts as unavailable.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps [`House::is_ready`] up to date. Runs forever.
pub async fn watch_database(house: House) {
    let mut ticks = interval(PROBE_PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        probe(&house).await;
    }
}

async fn probe(house: &House) {
    let problem = match timeout(PROBE_TIMEOUT, refresh_terms(house)).await {
        Ok(Ok(())) => None,
        // The database is busy, not down: each waiting caller gets its own refusal.
        Ok(Err(DatabaseError::Overloaded)) => return,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!("no answer within {PROBE_TIMEOUT:?}")),
    };
    let is_ready = problem.is_none();
    if house.is_ready.swap(is_ready, Ordering::Relaxed) == is_ready {
        return;
    }
    match problem {
        None => tracing::info!("the database is available again"),
        Some(problem) => tracing::error!(
            problem,
            "the database is unavailable; requests are answered with 503"
        ),
    }
}
