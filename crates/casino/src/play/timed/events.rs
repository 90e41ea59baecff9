//! The event streams of this server, which receive the changes of their players' rounds.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_channel::mpsc;
use glasshouse_domain::UserId;
use tokio::sync::Notify;

use crate::accounts::session_key::SessionKeyHash;
use crate::play::round_view::AnyRound;

/// How many events may queue for a slow listener before it is dropped. Its browser then reconnects
/// and requests the current state.
const EVENT_QUEUE_CAPACITY: usize = 32;

/// The maximum number of streams per player on this server.
const STREAMS_PER_PLAYER: usize = 8;

/// The listeners of this server.
#[derive(Debug, Default)]
pub(crate) struct RoundEvents {
    listeners: Mutex<Listeners>,
    /// Notified when sessions may have ended without this server being notified.
    session_check: Notify,
}

#[derive(Debug, Default)]
struct Listeners {
    of_players: HashMap<UserId, Vec<Listener>>,
    /// Whether the server stops, so that streams end at once.
    are_closed: bool,
}

/// One event stream of a player.
#[derive(Debug)]
struct Listener {
    /// From `futures`: an empty channel takes 240 bytes, that of tokio 800.
    sender: mpsc::Sender<Arc<AnyRound>>,
    /// The session that the stream belongs to; `None` if the stream does not end with a session.
    session: Option<SessionKeyHash>,
}

impl RoundEvents {
    /// Sends a round to the player's listeners. Removes listeners that have disconnected or whose
    /// queue is full.
    pub(crate) fn publish(&self, player: UserId, round: impl FnOnce() -> AnyRound) {
        let listeners = &mut self.lock().of_players;
        if let Some(of_player) = listeners.get_mut(&player) {
            let round = Arc::new(round());
            of_player.retain_mut(|listener| listener.sender.try_send(Arc::clone(&round)).is_ok());
            if of_player.is_empty() {
                listeners.remove(&player);
            }
        }
    }

    pub(crate) fn subscribe(
        &self,
        player: UserId,
        session: Option<SessionKeyHash>,
    ) -> mpsc::Receiver<Arc<AnyRound>> {
        // The capacity is this number and one more for each sender.
        let (sender, receiver) = mpsc::channel(EVENT_QUEUE_CAPACITY - 1);
        let mut listeners = self.lock();
        if listeners.are_closed {
            return receiver;
        }
        let of_player = listeners.of_players.entry(player);
        // Nearly every player has one stream; a list that grows by itself makes room for four.
        let of_player = of_player.or_insert_with(|| Vec::with_capacity(1));
        of_player.retain(|listener| !listener.sender.is_closed());
        if of_player.len() >= STREAMS_PER_PLAYER {
            // The oldest stream ends; its browser reconnects if it is still there.
            of_player.remove(0);
        }
        of_player.push(Listener { sender, session });
        receiver
    }

    /// Whether the player has listeners on this server.
    pub(crate) fn has(&self, player: UserId) -> bool {
        self.lock().of_players.contains_key(&player)
    }

    /// Ends all of the player's streams on this server, because one of the player's sessions has
    /// ended. The streams of other sessions reconnect.
    pub(crate) fn close(&self, player: UserId) {
        self.lock().of_players.remove(&player);
    }

    /// Ends all streams on this server, and those that are opened later at once.
    pub(crate) fn close_all(&self) {
        *self.lock() = Listeners {
            are_closed: true,
            ..Listeners::default()
        };
    }

    /// Ends the streams of the given sessions on this server.
    pub(crate) fn close_sessions(&self, ended: &HashSet<SessionKeyHash>) {
        self.retain(|listener| {
            let session = listener.session.as_ref();
            session.is_none_or(|session| !ended.contains(session))
        });
    }

    /// The same for sessions that the database has just ended, by the hashes of their keys.
    pub(crate) fn close_ended(&self, key_hashes: Vec<String>) {
        let ended = key_hashes.into_iter().map(SessionKeyHash::stored);
        self.close_sessions(&ended.collect());
    }

    /// The sessions that have a stream on this server.
    pub(crate) fn sessions(&self) -> HashSet<SessionKeyHash> {
        let listeners = self.lock();
        let all = listeners.of_players.values().flatten();
        all.filter_map(|listener| listener.session.clone())
            .collect()
    }

    /// Requests a check of the sessions of all streams.
    pub(crate) fn request_session_check(&self) {
        self.session_check.notify_one();
    }

    /// Returns when a check of the sessions of all streams has been requested.
    pub(crate) async fn session_check_requested(&self) {
        self.session_check.notified().await;
    }

    pub(crate) fn forget_closed(&self) {
        self.retain(|listener| !listener.sender.is_closed());
    }

    fn retain(&self, keep: impl Fn(&Listener) -> bool) {
        self.lock().of_players.retain(|_, of_player| {
            of_player.retain(&keep);
            !of_player.is_empty()
        });
    }

    fn lock(&self) -> MutexGuard<'_, Listeners> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_stream_ends_when_a_player_opens_too_many() {
        let events = RoundEvents::default();
        let player = UserId::new(1);
        let mut streams: Vec<_> = (0..=STREAMS_PER_PLAYER)
            .map(|_| events.subscribe(player, None))
            .collect();
        let oldest = streams.first_mut().map(mpsc::Receiver::try_recv);
        assert!(matches!(oldest, Some(Err(mpsc::TryRecvError::Closed))));
        let newest = streams.last_mut().map(mpsc::Receiver::try_recv);
        assert!(matches!(newest, Some(Err(mpsc::TryRecvError::Empty))));
        drop(streams);
        events.forget_closed();
        assert!(events.lock().of_players.is_empty());
    }

    #[test]
    fn when_the_server_stops_all_streams_end() {
        let events = RoundEvents::default();
        let mut streams = vec![events.subscribe(UserId::new(1), None)];
        events.close_all();
        streams.push(events.subscribe(UserId::new(2), None));
        for stream in &mut streams {
            let received = stream.try_recv();
            assert_eq!(received.err(), Some(mpsc::TryRecvError::Closed));
        }
    }
}
