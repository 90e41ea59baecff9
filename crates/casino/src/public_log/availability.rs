//! Whether the log can be written, and where its last checkpoint is kept outside of the database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use glasshouse_domain::Timestamp;

/// Bets are refused if entries wait longer than this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What a server knows about the log apart from the database.
#[derive(Debug)]
pub(crate) struct LogKeeper {
    /// Where the last checkpoint is kept.
    file: Option<PathBuf>,
    is_available: AtomicBool,
    /// The first entry that waits, and since when.
    waiting: Mutex<Option<(i64, Timestamp)>>,
}

impl LogKeeper {
    pub(crate) const fn new(file: Option<PathBuf>) -> Self {
        Self {
            file,
            is_available: AtomicBool::new(true),
            waiting: Mutex::new(None),
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

    /// Notes whether the log can be written, and returns what was known before.
    pub(crate) fn set_available(&self, is_available: bool) -> bool {
        self.is_available.swap(is_available, Ordering::Relaxed)
    }

    /// Whether the same batch has been waiting for too long.
    pub(crate) fn waits_too_long(&self, first: Option<i64>, now: Timestamp) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let since = match (*waiting, first) {
            (_, None) => {
                *waiting = None;
                return false;
            }
            (Some((known, since)), Some(first)) if known == first => since,
            (_, Some(first)) => {
                *waiting = Some((first, now));
                now
            }
        };
        now.saturating_since(since) > PATIENCE
    }
}
