//! What has happened so far: counts, and how long nothing was acknowledged.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::waiting::lock;

/// The counts of a run, shared by all tasks.
#[derive(Debug)]
pub(crate) struct Tally {
    started: Instant,
    operations: AtomicU64,
    repeated: AtomicU64,
    replays: AtomicU64,
    /// Milliseconds since the start.
    last_acknowledged: AtomicU64,
    longest_pause: AtomicU64,
    /// How long it took until players were answered again, for each loss of a primary and each upgrade of a server.
    resumptions: Mutex<Vec<Duration>>,
    counts: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            operations: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
            replays: AtomicU64::new(0),
            last_acknowledged: AtomicU64::new(0),
            longest_pause: AtomicU64::new(0),
            resumptions: Mutex::new(Vec::new()),
            counts: Mutex::new(BTreeMap::new()),
        }
    }

    /// A call has been answered: what it did counts.
    pub(crate) fn acknowledge(&self) {
        self.operations.fetch_add(1, Ordering::Relaxed);
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.last_acknowledged.fetch_max(now, Ordering::Relaxed);
        let pause = now.saturating_sub(before);
        self.longest_pause.fetch_max(pause, Ordering::Relaxed);
    }

    /// A call got no final answer, and was sent again.
    pub(crate) fn repeat(&self) {
        self.repeated.fetch_add(1, Ordering::Relaxed);
    }

    /// A call that was answered was sent again with the same key.
    pub(crate) fn replay(&self) {
        self.replays.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins to look for the longest pause anew.
    pub(crate) fn forget_pauses(&self) {
        self.longest_pause.store(0, Ordering::Relaxed);
    }

    /// Notes the longest pause since pauses were forgotten as the time until play resumed.
    pub(crate) fn resume(&self) {
        let pause = self.longest_pause();
        lock(&self.resumptions).push(pause);
    }

    /// How long it took until players were answered again, in ascending order.
    pub(crate) fn resumptions(&self) -> Vec<Duration> {
        let mut sorted = lock(&self.resumptions).clone();
        sorted.sort_unstable();
        sorted
    }

    /// Counts a disturbance or a kind of answer.
    pub(crate) fn count(&self, what: &str) {
        *lock(&self.counts).entry(what.to_owned()).or_default() += 1;
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, u64> {
        lock(&self.counts).clone()
    }

    pub(crate) fn operations(&self) -> u64 {
        self.operations.load(Ordering::Relaxed)
    }

    pub(crate) fn repeated(&self) -> u64 {
        self.repeated.load(Ordering::Relaxed)
    }

    pub(crate) fn replays(&self) -> u64 {
        self.replays.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The longest time without an answer to any player.
    pub(crate) fn longest_pause(&self) -> Duration {
        Duration::from_millis(self.longest_pause.load(Ordering::Relaxed))
    }
}
