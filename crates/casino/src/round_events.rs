//! Who wants to hear of a player's rounds: the event streams of this server.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use glasshouse_domain::UserId;
use tokio::sync::mpsc;

use crate::crash_round::CrashRoundView;
use crate::heads_up_hand::HeadsUpView;
use crate::house::House;
use crate::poker_hand::PokerHandView;
use crate::stonks_round::StonksRoundView;

/// How many events may wait for a slow listener before it is dropped; it then connects again and
/// asks for the state.
const WAITING: usize = 32;

/// How many streams a player may have on this server.
const STREAMS_PER_PLAYER: usize = 8;

/// A round began or ended.
#[derive(Debug, Clone)]
pub enum RoundEvent {
    /// Of crash.
    Crash(CrashRoundView),
    /// Of stonks.
    Stonks(StonksRoundView),
}

/// A round in play.
#[derive(Debug, Clone)]
pub enum OpenRound {
    /// One that runs by the clock.
    Live(RoundEvent),
    /// A hand of video poker.
    Poker(PokerHandView),
    /// A hand of heads-up hold'em.
    HeadsUp(HeadsUpView),
}

/// The listeners of this server.
#[derive(Debug, Default)]
pub(crate) struct RoundEvents {
    listeners: Mutex<HashMap<UserId, Vec<mpsc::Sender<RoundEvent>>>>,
}

impl RoundEvents {
    /// Tells the player's listeners, and forgets those who are gone or do not listen.
    pub(crate) fn publish(&self, player: UserId, event: &RoundEvent) {
        let mut listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(senders) = listeners.get_mut(&player) {
            senders.retain(|sender| sender.try_send(event.clone()).is_ok());
            if senders.is_empty() {
                listeners.remove(&player);
            }
        }
    }

    fn subscribe(&self, player: UserId) -> mpsc::Receiver<RoundEvent> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let senders = listeners.entry(player).or_default();
        senders.retain(|sender| !sender.is_closed());
        if senders.len() >= STREAMS_PER_PLAYER {
            // The oldest ends, and its browser connects again if it is still there.
            senders.remove(0);
        }
        senders.push(sender);
        receiver
    }

    /// Whether anybody listens to this player's rounds here.
    pub(crate) fn has(&self, player: UserId) -> bool {
        let listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        listeners.contains_key(&player)
    }

    fn close(&self, player: UserId) {
        let mut listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        listeners.remove(&player);
    }

    fn forget_closed(&self) {
        let mut listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|_, senders| {
            senders.retain(|sender| !sender.is_closed());
            !senders.is_empty()
        });
    }
}

/// Listens to the rounds of a player, on this server. The end of the events means: connect again.
#[must_use]
pub fn listen_to_rounds(house: &House, player: UserId) -> mpsc::Receiver<RoundEvent> {
    house.events.subscribe(player)
}

/// Ends all event streams of a player on this server, because a session ended.
pub fn close_event_streams(house: &House, player: UserId) {
    house.events.close(player);
}

/// Forgets the listeners that went away. To be called now and then.
pub fn forget_closed_streams(house: &House) {
    house.events.forget_closed();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_a_bounded_number_of_streams_and_the_oldest_ends() {
        let events = RoundEvents::default();
        let player = UserId::new(1);
        let mut streams: Vec<_> = (0..=STREAMS_PER_PLAYER)
            .map(|_| events.subscribe(player))
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
        let listeners = events
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        assert!(listeners.is_empty());
    }
}
