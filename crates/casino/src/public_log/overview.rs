//! What the public page about transparency shows: the log, and what the games have returned.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_persistence::public_log::LogState;
use glasshouse_persistence::queries;

use crate::books::report::read_returns_of_all_days;
use crate::error::CasinoError;
use crate::house::House;
use crate::public_log::cosigned::{statuses, with_cosignatures};
use crate::public_log::last_overview::{LatestEntry, Overview};

/// How many of the latest entries are shown.
const LATEST_ENTRIES: u64 = 20;
/// Anyone may ask, so the answer is computed at most this often.
const PERIOD: Duration = Duration::from_secs(5);

/// Reads the overview, which is at most a few seconds old.
///
/// # Errors
/// On a fault.
pub async fn read_overview(house: &House) -> Result<Arc<Overview>, CasinoError> {
    // While one caller computes it, the others wait for the result.
    let mut last = house.overview.0.lock().await;
    let now = house.now();
    if let Some((at, overview)) = &*last
        && now.saturating_since(*at) < PERIOD
    {
        return Ok(Arc::clone(overview));
    }
    let overview = Arc::new(compute(house).await?);
    *last = Some((now, Arc::clone(&overview)));
    Ok(overview)
}

async fn compute(house: &House) -> Result<Overview, CasinoError> {
    let games = read_returns_of_all_days(house).await?;
    let (state, latest, cosignatures) = house
        .database
        .read::<_, CasinoError, _>(|connection| {
            let state = queries::log_state(connection)?;
            let from = state.size.saturating_sub(LATEST_ENTRIES);
            let mut latest = Vec::new();
            for batch in queries::placed_batches(connection, state.id, (from, state.size))? {
                for (index, line) in batch.lines_in(from..state.size)? {
                    let line = String::from_utf8_lossy(line).into_owned();
                    latest.push(LatestEntry { index, line });
                }
            }
            latest.reverse();
            let cosignatures = queries::last_cosignatures(connection)?;
            Ok((state, latest, cosignatures))
        })
        .await?;
    let witnesses = &house.witnesses;
    let LogState {
        size, checkpoint, ..
    } = state;
    Ok(Overview {
        origin: state.origin,
        size,
        checkpoint: with_cosignatures(checkpoint, size, &cosignatures, witnesses),
        witnesses: statuses(witnesses, &cosignatures),
        latest,
        games,
    })
}
