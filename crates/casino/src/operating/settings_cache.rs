//! An in-memory cache of what administrators set at run time, so that bets need no query for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::operating::HouseSettings;

/// The age from which the settings are read again. Other servers' changes are notified at once, but a
/// notification can be lost, and a command line on SQLite sends none.
const REFRESH_AFTER: Duration = Duration::from_secs(1);
/// The age up to which they are used while somebody else reads them again. A change is effective on all
/// servers within two seconds, the reading included.
const USABLE_FOR: Duration = Duration::from_millis(1_800);

/// The settings as this server last read them; empty after a change.
#[derive(Debug, Default)]
pub(crate) struct SettingsCache(Mutex<Cache>);

#[derive(Debug, Default)]
struct Cache {
    read: Option<Read>,
    /// The number of changes so far. A read that started before the last change is discarded.
    changes: u64,
}

#[derive(Debug)]
struct Read {
    settings: Arc<HouseSettings>,
    started_at: Timestamp,
    /// Whether somebody reads them again.
    is_refreshing: bool,
}

impl SettingsCache {
    /// The settings. If they must be read, the token to pass to [`Self::store`] afterwards.
    ///
    /// `now` is the time by a clock that runs on while it is corrected.
    pub(crate) fn cached(&self, now: Timestamp) -> Result<Arc<HouseSettings>, ReadToken> {
        let mut cache = self.lock();
        let token = ReadToken {
            changes: cache.changes,
            started_at: now,
        };
        let Some(read) = &mut cache.read else {
            return Err(token);
        };
        let age = now.saturating_since(read.started_at);
        // A clock that was set back says nothing about the age.
        let is_unknown = now < read.started_at;
        if is_unknown || age >= USABLE_FOR || (age >= REFRESH_AFTER && !read.is_refreshing) {
            read.is_refreshing = true;
            return Err(token);
        }
        Ok(Arc::clone(&read.settings))
    }

    /// Stores what was read, unless a setting changed after the read started.
    pub(crate) fn store(&self, token: ReadToken, settings: Arc<HouseSettings>) {
        let mut cache = self.lock();
        if cache.changes == token.changes {
            cache.read = Some(Read {
                settings,
                started_at: token.started_at,
                is_refreshing: false,
            });
        }
    }

    /// Empties the cache, because this or another server changed a setting.
    pub(crate) fn invalidate(&self) {
        let mut cache = self.lock();
        cache.read = None;
        cache.changes += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a read started, and how many changes there had been.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadToken {
    changes: u64,
    started_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use glasshouse_domain::HouseSwitches;

    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_micros(ms * 1_000)
    }

    fn settings() -> Arc<HouseSettings> {
        Arc::new(HouseSettings {
            games: BTreeMap::new(),
            switches: HouseSwitches::default(),
        })
    }

    #[test]
    fn read_that_started_before_a_change_is_not_cached() {
        let cache = SettingsCache::default();
        let early = cache.cached(at(0)).unwrap_err();
        cache.invalidate();
        cache.store(early, settings());
        let late = cache.cached(at(0)).unwrap_err();
        cache.store(late, settings());
        assert!(cache.cached(at(0)).is_ok());
        cache.invalidate();
        assert!(cache.cached(at(0)).is_err());
    }

    #[test]
    fn settings_are_read_again_by_one_caller_and_never_used_for_two_seconds() {
        let cache = SettingsCache::default();
        let token = cache.cached(at(0)).unwrap_err();
        // Their age counts from the start of the read.
        cache.store(token, settings());
        assert!(cache.cached(at(999)).is_ok());
        let refresh = cache.cached(at(1_000)).unwrap_err();
        assert!(cache.cached(at(1_000)).is_ok(), "one reads for all");
        assert!(cache.cached(at(1_799)).is_ok());
        // If that takes too long, or has failed, everybody reads.
        assert!(cache.cached(at(1_800)).is_err());
        assert!(cache.cached(at(1_800)).is_err());
        cache.store(refresh, settings());
        assert!(cache.cached(at(1_999)).is_ok());
        assert!(cache.cached(at(2_000)).is_err());
        // A clock that was set back says nothing about the age.
        assert!(cache.cached(at(999)).is_err());
    }
}
