//! Who wants to hear of a player's rounds: the event streams of this server.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glasshouse_domain::UserId;
use tokio::sync::{Notify, mpsc};

use crate::accounts::session_key::SessionKeyHash;
use crate::play::round_view::AnyRound;

/// How many events may wait for a slow listener before it is dropped; it then connects again and
/// asks for the state.
const EVENT_QUEUE_CAPACITY: usize = 32;

/// How many streams a player may have on this server.
const STREAMS_PER_PLAYER: usize = 8;

/// The listeners of this server.
#[derive(Debug, Default)]
pub(crate) struct RoundEvents {
    listeners: Mutex<HashMap<UserId, Vec<Listener>>>,
    /// Sessions may have ended without this server's having heard of it.
    look: Notify,
}

/// Where a player's events go.
#[derive(Debug)]
struct Listener {
    sender: mpsc::Sender<AnyRound>,
    /// The session that it belongs to; none for one that no session's end concerns.
    session: Option<SessionKeyHash>,
}

impl RoundEvents {
    /// Tells the player's listeners, and forgets those who are gone or do not listen.
    pub(crate) fn publish(&self, player: UserId, round: &AnyRound) {
        let mut listeners = self.lock();
        if let Some(of_player) = listeners.get_mut(&player) {
            of_player.retain(|listener| listener.sender.try_send(round.clone()).is_ok());
            if of_player.is_empty() {
                listeners.remove(&player);
            }
        }
    }

    pub(crate) fn subscribe(
        &self,
        player: UserId,
        session: Option<SessionKeyHash>,
    ) -> mpsc::Receiver<AnyRound> {
        let (sender, receiver) = mpsc::channel(EVENT_QUEUE_CAPACITY);
        let mut listeners = self.lock();
        let of_player = listeners.entry(player).or_default();
        of_player.retain(|listener| !listener.sender.is_closed());
        if of_player.len() >= STREAMS_PER_PLAYER {
            // The oldest ends, and its browser connects again if it is still there.
            of_player.remove(0);
        }
        of_player.push(Listener { sender, session });
        receiver
    }

    /// Whether anybody listens to this player's rounds here.
    pub(crate) fn has(&self, player: UserId) -> bool {
        self.lock().contains_key(&player)
    }

    /// Ends all streams of a player on this server, because a session ended: those of other sessions
    /// connect again.
    pub(crate) fn close(&self, player: UserId) {
        self.lock().remove(&player);
    }

    /// Ends the streams of these sessions on this server.
    pub(crate) fn close_sessions(&self, ended: &HashSet<SessionKeyHash>) {
        self.retain(|listener| {
            let session = listener.session.as_ref();
            session.is_none_or(|session| !ended.contains(session))
        });
    }

    /// The sessions that have a stream on this server.
    pub(crate) fn sessions(&self) -> HashSet<SessionKeyHash> {
        let listeners = self.lock();
        let all = listeners.values().flatten();
        all.filter_map(|listener| listener.session.clone())
            .collect()
    }

    /// Has the sessions of all streams looked at soon.
    pub(crate) fn look_at_sessions(&self) {
        self.look.notify_one();
    }

    /// Returns when the sessions of all streams should be looked at.
    pub(crate) async fn asked_to_look(&self) {
        self.look.notified().await;
    }

    pub(crate) fn forget_closed(&self) {
        self.retain(|listener| !listener.sender.is_closed());
    }

    fn retain(&self, keeps: impl Fn(&Listener) -> bool) {
        self.lock().retain(|_, of_player| {
            of_player.retain(&keeps);
            !of_player.is_empty()
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, Vec<Listener>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_a_bounded_number_of_streams_and_the_oldest_ends() {
        let events = RoundEvents::default();
        let player = UserId::new(1);
        let mut streams: Vec<_> = (0..=STREAMS_PER_PLAYER)
            .map(|_| events.subscribe(player, None))
            .collect();
        let oldest = streams.first_mut().map(mpsc::Receiver::try_recv);
        assert!(matches!(
            oldest,
            Some(Err(mpsc::error::TryRecvError::Disconnected))
        ));
        let newest = streams.last_mut().map(mpsc::Receiver::try_recv);
        assert!(matches!(
            newest,
            Some(Err(mpsc::error::TryRecvError::Empty))
        ));
        drop(streams);
        events.forget_closed();
        assert!(events.lock().is_empty());
    }
}
