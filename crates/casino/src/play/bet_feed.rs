//! The live list of all players' bets (`docs/adr/0021-the-live-list-polls.md`).
//!
//! Its listeners on this server. `publish_bets` reads the bets for them.

use std::sync::Arc;

use glasshouse_domain::Game;
use glasshouse_persistence::rounds::PublicRound;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender};

/// How many bets a listener receives per period, and how many are read of each game. Of more, the
/// newest are listed.
pub(crate) const BETS_PER_PERIOD: usize = 10;
/// How many periods may queue for a slow listener, which then misses the oldest: names may have been
/// hidden since they were read.
const QUEUED_PERIODS: usize = 1;

type Bets = Arc<[PublicRound]>;

/// The listeners of this server.
#[derive(Debug)]
pub(crate) struct BetFeed {
    sender: Sender<Bets>,
    /// Notified when somebody starts to listen.
    wanted: Notify,
}

impl Default for BetFeed {
    fn default() -> Self {
        Self {
            sender: broadcast::channel(QUEUED_PERIODS).0,
            wanted: Notify::new(),
        }
    }
}

impl BetFeed {
    /// Subscribes to the bets on these games, or on all games if none is given.
    pub(crate) fn listen(&self, games: Vec<Game>) -> BetListener {
        let receiver = self.sender.subscribe();
        self.wanted.notify_one();
        BetListener { receiver, games }
    }

    /// Waits until somebody starts to listen.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// Whether anybody listens.
    pub(crate) fn has_listeners(&self) -> bool {
        self.sender.receiver_count() > 0
    }

    /// Passes bets on, oldest first.
    pub(crate) fn publish(&self, bets: Vec<PublicRound>) {
        if !bets.is_empty() {
            // Nobody listens any more if this fails.
            drop(self.sender.send(bets.into()));
        }
    }
}

/// A subscription to the bets on some games.
#[derive(Debug)]
pub struct BetListener {
    receiver: Receiver<Bets>,
    games: Vec<Game>,
}

impl BetListener {
    /// Waits for new bets, and returns at most ten of them, oldest first. It may be cancelled at any
    /// time.
    pub async fn next(&mut self) -> Vec<PublicRound> {
        loop {
            match self.receiver.recv().await {
                Ok(bets) => {
                    let chosen = newest_of(&bets, &self.games);
                    if !chosen.is_empty() {
                        return chosen;
                    }
                }
                // What a slow listener missed is not listed.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// The newest bets on these games, or on all games if none is given, in their order: oldest first.
fn newest_of(bets: &[PublicRound], games: &[Game]) -> Vec<PublicRound> {
    let is_wanted = |bet: &&PublicRound| games.is_empty() || games.contains(&bet.round.game);
    let newest_first = bets.iter().rev().filter(is_wanted).take(BETS_PER_PERIOD);
    let mut chosen: Vec<PublicRound> = newest_first.cloned().collect();
    chosen.reverse();
    chosen
}
