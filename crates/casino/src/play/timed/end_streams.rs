//! Ends event streams when their sessions end, even if this server was not notified.

use std::collections::HashSet;
use std::time::Duration;

use glasshouse_persistence::queries;

use crate::accounts::activity::IDLE_LIMIT;
use crate::accounts::session_key::SessionKeyHash;
use crate::accounts::sessions::ABSOLUTE_LIMIT;
use crate::error::CasinoError;
use crate::house::House;

/// The time between two checks of all streams' sessions, regardless of notifications.
const SWEEP_PERIOD: Duration = Duration::from_mins(1);
/// The number of sessions that are checked with one statement.
const SESSIONS_PER_READ: usize = 500;

/// Ends the event streams of sessions that have ended without a notification: the connection on
/// which other servers publish session ends may have been lost. Checks all sessions whenever that
/// connection is established, and once a minute. Runs until it is dropped; one instance per server.
pub async fn end_streams(house: House) {
    loop {
        tokio::select! {
            () = house.events.session_check_requested() => {}
            () = tokio::time::sleep(SWEEP_PERIOD) => {}
        }
        if let Err(error) = end_streams_of_ended_sessions(&house).await {
            tracing::warn!(%error, "the sessions of event streams could not be checked");
        }
    }
}

async fn end_streams_of_ended_sessions(house: &House) -> Result<(), CasinoError> {
    let open: Vec<SessionKeyHash> = house.events.sessions().into_iter().collect();
    let now = house.now();
    let idle_since = now.saturating_sub(IDLE_LIMIT);
    let old_since = now.saturating_sub(ABSOLUTE_LIMIT);
    for chunk in open.chunks(SESSIONS_PER_READ) {
        let keys: Vec<String> = chunk.iter().map(|key| key.as_str().to_owned()).collect();
        let live: Vec<String> = house
            .database
            .read::<_, CasinoError, _>(move |connection| {
                queries::live_sessions(connection, &keys, idle_since, old_since)
            })
            .await?;
        let live: HashSet<String> = live.into_iter().collect();
        let ended = chunk.iter().filter(|key| !live.contains(key.as_str()));
        house.events.close_sessions(&ended.cloned().collect());
    }
    Ok(())
}
