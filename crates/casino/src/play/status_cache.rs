//! The games' statuses in this server's memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glasshouse_domain::{Game, GameStatus};

/// The statuses as this server last read them; none where they are to be read anew.
#[derive(Debug, Default)]
pub(crate) struct GameStatuses(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    known: Option<BTreeMap<Game, GameStatus>>,
    /// How often a change was heard of: what was read before the last one is not kept.
    changes: u64,
}

impl GameStatuses {
    /// All of them; or, where they are not known, what to keep them with once they are read.
    pub(crate) fn known(&self) -> Result<BTreeMap<Game, GameStatus>, ReadFrom> {
        let memory = self.lock();
        memory.known.clone().ok_or(ReadFrom(memory.changes))
    }

    /// One of them.
    pub(crate) fn status(&self, game: Game) -> Option<GameStatus> {
        self.lock().known.as_ref()?.get(&game).copied()
    }

    /// Keeps what was read, unless something has changed since the reading began.
    pub(crate) fn keep(&self, ReadFrom(changes): ReadFrom, read: BTreeMap<Game, GameStatus>) {
        let mut memory = self.lock();
        if memory.changes == changes {
            memory.known = Some(read);
        }
    }

    /// Has them read anew: one was changed, here or by another server.
    pub(crate) fn forget(&self) {
        let mut memory = self.lock();
        memory.known = None;
        memory.changes += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a reading began, counted in changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadFrom(u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let statuses = GameStatuses::default();
        let read = BTreeMap::from([(Game::Dice, GameStatus::Open)]);
        let early = statuses.known().unwrap_err();
        statuses.forget();
        statuses.keep(early, read.clone());
        assert_eq!(statuses.status(Game::Dice), None);
        let late = statuses.known().unwrap_err();
        statuses.keep(late, read);
        assert_eq!(statuses.status(Game::Dice), Some(GameStatus::Open));
        statuses.forget();
        assert!(statuses.known().is_err());
    }
}
