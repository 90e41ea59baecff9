//! Looks, now and then, whether the database is there: so that whoever asks for the house's readiness
//! is answered at once, however many ask.

use std::sync::atomic::Ordering;
use std::time::Duration;

use glasshouse_persistence::{DatabaseError, queries};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::house::House;

/// How often it is looked.
const PROBE_PERIOD: Duration = Duration::from_secs(1);
/// A database that takes longer to read a single row is as good as none.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps [`House::is_ready`] true to the database, for ever.
pub async fn watch_database(house: House) {
    let mut turns = interval(PROBE_PERIOD);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        turns.tick().await;
        look(&house).await;
    }
}

async fn look(house: &House) {
    let asked = house
        .database
        .read::<_, DatabaseError, _>(queries::clock_floor);
    let trouble = match timeout(PROBE_TIMEOUT, asked).await {
        Ok(Ok(_)) => None,
        // It has more to do than it can: those who wait are told so, one by one.
        Ok(Err(DatabaseError::Overloaded)) => return,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!("no answer within {PROBE_TIMEOUT:?}")),
    };
    let is_ready = trouble.is_none();
    if house.is_ready.swap(is_ready, Ordering::Relaxed) == is_ready {
        return;
    }
    match trouble {
        None => tracing::info!("the database is there again"),
        Some(trouble) => tracing::error!(
            trouble,
            "the database is not there: all calls are answered 503"
        ),
    }
}
