//! The games' statuses in this server's memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use glasshouse_domain::{Game, GameStatus};

/// The statuses as this server last read them; none where they are to be read anew.
#[derive(Debug, Default)]
pub(crate) struct GameStatuses(Mutex<Option<BTreeMap<Game, GameStatus>>>);

impl GameStatuses {
    /// All of them.
    pub(crate) fn known(&self) -> Option<BTreeMap<Game, GameStatus>> {
        let statuses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.clone()
    }

    /// One of them.
    pub(crate) fn status(&self, game: Game) -> Option<GameStatus> {
        let statuses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.as_ref()?.get(&game).copied()
    }

    /// Keeps what was read.
    pub(crate) fn keep(&self, read: BTreeMap<Game, GameStatus>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
    }

    /// Has them read anew: one was changed, here or by another server.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
