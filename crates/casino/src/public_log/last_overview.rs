//! The last overview of the log and the games, kept so that it is not computed for each visitor.

use std::sync::Arc;

use glasshouse_domain::Timestamp;
use tokio::sync::Mutex;

use crate::books::house_game::HouseGame;
use crate::public_log::witness::WitnessStatus;

/// The log and the games at a glance.
#[derive(Debug, Clone)]
pub struct Overview {
    /// The name of the log; `None` before it has begun.
    pub origin: Option<String>,
    /// The number of entries.
    pub size: u64,
    /// The last signed checkpoint, with the cosignatures that it has so far; empty before the log has
    /// begun.
    pub checkpoint: String,
    /// The witnesses of the log, in the order of the configuration.
    pub witnesses: Vec<WitnessStatus>,
    /// The latest entries, newest first.
    pub latest: Vec<LatestEntry>,
    /// The turnover and the return of each game over all time.
    pub games: Vec<HouseGame>,
}

/// An entry of the log.
#[derive(Debug, Clone)]
pub struct LatestEntry {
    /// The index in the log.
    pub index: u64,
    /// The line.
    pub line: String,
}

/// The last overview, and when it was made.
#[derive(Debug, Default)]
pub(crate) struct LastOverview(pub(crate) Mutex<Option<(Timestamp, Arc<Overview>)>>);
