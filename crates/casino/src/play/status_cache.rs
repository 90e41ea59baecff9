//! An in-memory cache of the games' statuses.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glasshouse_domain::{Game, GameStatus};

/// The statuses as this server last read them; empty after a change.
#[derive(Debug, Default)]
pub(crate) struct GameStatuses(Mutex<Cache>);

#[derive(Debug, Default)]
struct Cache {
    statuses: Option<BTreeMap<Game, GameStatus>>,
    /// The number of changes so far. A read that started before the last change is discarded.
    changes: u64,
}

impl GameStatuses {
    /// All statuses; if they are not cached, the token to pass to [`Self::store`] after they were
    /// read.
    pub(crate) fn cached(&self) -> Result<BTreeMap<Game, GameStatus>, ReadToken> {
        let cache = self.lock();
        cache.statuses.clone().ok_or(ReadToken(cache.changes))
    }

    /// The cached status of one game.
    pub(crate) fn status(&self, game: Game) -> Option<GameStatus> {
        self.lock().statuses.as_ref()?.get(&game).copied()
    }

    /// Stores what was read, unless a status changed after the read started.
    pub(crate) fn store(&self, ReadToken(changes): ReadToken, read: BTreeMap<Game, GameStatus>) {
        let mut cache = self.lock();
        if cache.changes == changes {
            cache.statuses = Some(read);
        }
    }

    /// Empties the cache, because this or another server changed a status.
    pub(crate) fn invalidate(&self) {
        let mut cache = self.lock();
        cache.statuses = None;
        cache.changes += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of changes at the time a read started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadToken(u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_that_started_before_a_change_is_not_cached() {
        let statuses = GameStatuses::default();
        let read = BTreeMap::from([(Game::Dice, GameStatus::Open)]);
        let early = statuses.cached().unwrap_err();
        statuses.invalidate();
        statuses.store(early, read.clone());
        assert_eq!(statuses.status(Game::Dice), None);
        let late = statuses.cached().unwrap_err();
        statuses.store(late, read);
        assert_eq!(statuses.status(Game::Dice), Some(GameStatus::Open));
        statuses.invalidate();
        assert!(statuses.cached().is_err());
    }
}
