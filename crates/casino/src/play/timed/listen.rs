//! Subscriptions to a player's rounds on this server.

use std::sync::Arc;

use futures_channel::mpsc;
use glasshouse_domain::UserId;

use crate::accounts::session_key::SessionKeyHash;
use crate::house::House;
use crate::play::round_view::AnyRound;

/// Subscribes to the player's rounds on this server. When the channel closes, the client must
/// reconnect.
#[must_use]
pub fn listen_to_rounds(house: &House, player: UserId) -> mpsc::Receiver<Arc<AnyRound>> {
    house.events.subscribe(player, None)
}

/// Like [`listen_to_rounds`], but the channel also closes when the session ends.
#[must_use]
pub fn listen_in_session(
    house: &House,
    player: UserId,
    session: SessionKeyHash,
) -> mpsc::Receiver<Arc<AnyRound>> {
    house.events.subscribe(player, Some(session))
}

/// Closes the channels of all listeners on this server, and those of later ones at once: the server stops, and their
/// clients must connect to another one.
pub fn close_all_streams(house: &House) {
    house.events.close_all();
}

/// Removes listeners that have disconnected. Call it periodically.
pub fn forget_closed_streams(house: &House) {
    house.events.forget_closed();
}
