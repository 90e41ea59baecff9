//! Listening to a player's rounds, on this server.

use glasshouse_domain::UserId;
use tokio::sync::mpsc;

use crate::accounts::session_key::SessionKeyHash;
use crate::house::House;
use crate::play::round_view::AnyRound;

/// Listens to the rounds of a player, on this server. The end of the events means: connect again.
#[must_use]
pub fn listen_to_rounds(house: &House, player: UserId) -> mpsc::Receiver<AnyRound> {
    house.events.subscribe(player, None)
}

/// Listens to the rounds of a player, on this server, until the session ends: see
/// [`listen_to_rounds`].
#[must_use]
pub fn listen_in_session(
    house: &House,
    player: UserId,
    session: SessionKeyHash,
) -> mpsc::Receiver<AnyRound> {
    house.events.subscribe(player, Some(session))
}

/// Forgets the listeners that went away. To be called now and then.
pub fn forget_closed_streams(house: &House) {
    house.events.forget_closed();
}
