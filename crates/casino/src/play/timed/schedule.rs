//! The end times of open rounds: one ordered set, and one task that waits for its first entry.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use glasshouse_domain::{Game, RoundId, Timestamp, UserId};
use glasshouse_persistence::rounds::DueRound;
use tokio::sync::Notify;

type Entry = (Timestamp, RoundId, UserId, Game);

/// The rounds that this server ends on time. It may contain rounds that have ended already.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    entries: Mutex<BTreeSet<Entry>>,
    changed: Notify,
}

const fn entry(round: &DueRound) -> Entry {
    (round.due_at, round.id, round.player, round.game)
}

impl Schedule {
    pub(crate) fn add(&self, round: &DueRound) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.insert(entry(round));
        let is_first = entries.first() == Some(&entry(round));
        drop(entries);
        if is_first {
            self.changed.notify_one();
        }
    }

    pub(crate) fn remove(&self, round: &DueRound) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.remove(&entry(round));
    }

    /// Removes and returns the first round if it is due.
    pub(crate) fn take_due(&self, now: Timestamp) -> Option<DueRound> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (due_at, id, player, game) = *entries.first().filter(|(due_at, ..)| *due_at <= now)?;
        entries.pop_first();
        Some(DueRound {
            id,
            player,
            game,
            due_at,
        })
    }

    /// The time at which the next round ends.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.first().map(|(due_at, ..)| *due_at)
    }

    pub(crate) fn len(&self) -> usize {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.len()
    }

    /// Returns when a round was added that ends before all others.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(id: i64, at: i64) -> DueRound {
        DueRound {
            id: RoundId::new(id),
            player: UserId::new(7),
            game: Game::Crash,
            due_at: Timestamp::from_micros(at),
        }
    }

    #[test]
    fn take_due_returns_each_round_once_when_it_is_due() {
        let schedule = Schedule::default();
        for round in [due(1, 30), due(2, 10), due(3, 20), due(2, 10), due(1, 30)] {
            schedule.add(&round);
        }
        assert_eq!(
            (schedule.len(), schedule.next()),
            (3, Some(Timestamp::from_micros(10)))
        );
        schedule.remove(&due(3, 20));
        let take = |now| {
            schedule
                .take_due(Timestamp::from_micros(now))
                .map(|round| round.id.get())
        };
        assert_eq!(
            [take(9), take(10), take(10), take(29), take(30)],
            [None, Some(2), None, None, Some(1)]
        );
        assert_eq!(schedule.next(), None);
    }
}
