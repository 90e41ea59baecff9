//! Whether the log can be written, and where its last checkpoint is kept outside of the database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::DatabaseError;

/// Bets are refused if entries wait longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an attempt to continue the log has shown.
pub(crate) enum Attempt {
    /// The log continues what was signed before, and no entry waits for long.
    Continued,
    /// The log must not be continued, for this reason.
    Refused(String),
    /// Another server is at it or was faster, or the database failed.
    Unknown {
        /// The first batch that waits, or why it could not be found out.
        first_waiting: Result<Option<i64>, DatabaseError>,
    },
}

/// A change of what is known about the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The log can be written again.
    Available,
    /// The log cannot be written, for this reason.
    Unavailable(String),
}

/// What a server knows about the log apart from the database.
#[derive(Debug)]
pub(crate) struct LogKeeper {
    /// Where the last checkpoint is kept.
    file: Option<PathBuf>,
    is_available: AtomicBool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Whether the log was last found to contradict what was signed before, or was never compared
    /// with it. Only another comparison can change that.
    is_refused: bool,
    /// Why the log cannot be written.
    problem: Option<String>,
    /// The first batch that waits, and since when.
    waiting: Option<(i64, Timestamp)>,
}

impl LogKeeper {
    /// The log of a server without a file can be written until something else is found. With a file,
    /// the log must first be compared with it.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        let is_compared = file.is_none();
        Self {
            file,
            is_available: AtomicBool::new(is_compared),
            known: Mutex::new(Known {
                is_refused: !is_compared,
                ..Known::default()
            }),
        }
    }

    /// Where the last checkpoint is kept.
    pub(crate) const fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    /// Whether the log can be written, as far as is known.
    pub(crate) fn is_available(&self) -> bool {
        self.is_available.load(Ordering::Relaxed)
    }

    /// Takes note of an attempt. Returns what has changed by it.
    pub(crate) fn note(&self, attempt: Attempt, now: Timestamp) -> Option<Change> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.problem.clone();
        known.update(attempt, now);
        let is_available = known.problem.is_none() && !known.is_refused;
        self.is_available.store(is_available, Ordering::Relaxed);
        match &known.problem {
            None if before.is_some() => Some(Change::Available),
            Some(problem) if before.as_ref() != Some(problem) => {
                Some(Change::Unavailable(problem.clone()))
            }
            _ => None,
        }
    }
}

impl Known {
    fn update(&mut self, attempt: Attempt, now: Timestamp) {
        match attempt {
            Attempt::Continued => *self = Self::default(),
            Attempt::Refused(reason) => {
                self.is_refused = true;
                self.problem = Some(reason);
            }
            Attempt::Unknown { first_waiting } => {
                if let Ok(first) = first_waiting {
                    self.wait_for(first, now);
                }
                let since = self.waiting.map(|(_, since)| since);
                let is_late = since.is_some_and(|since| now.saturating_since(since) > PATIENCE);
                if !self.is_refused {
                    self.problem = is_late
                        .then(|| format!("entries have been waiting for more than {PATIENCE:?}"));
                }
            }
        }
    }

    fn wait_for(&mut self, first: Option<i64>, now: Timestamp) {
        self.waiting = match (self.waiting, first) {
            (Some((known, since)), Some(first)) if known == first => Some((known, since)),
            (_, first) => first.map(|first| (first, now)),
        };
    }
}
