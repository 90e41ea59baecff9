//! Reads the bets for the live list (`docs/adr/0021-the-live-list-polls.md`).
//!
//! While somebody listens on this server, one task reads the newest bets once a second and passes them
//! to all listeners. A bet itself does nothing for the list.

use std::collections::HashMap;
use std::time::Duration;

use glasshouse_domain::{Game, RoundId, Timestamp};
use glasshouse_persistence::rounds::PublicRound;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;
use crate::play::bet_feed::{BETS_PER_PERIOD, BetListener};

/// How often the newest bets are read.
const PERIOD: Duration = Duration::from_secs(1);
/// How far back they are read: a round can be committed after another one that ended later.
const LOOKBACK: Duration = Duration::from_secs(5);

/// Subscribes to all players' bets on these games, or on all games if none is given.
#[must_use]
pub fn listen_to_bets(house: &House, games: Vec<Game>) -> BetListener {
    house.bets.listen(games)
}

/// Reads the newest bets while somebody listens on this server, and passes them on. Runs until it is
/// dropped; one instance per server.
pub async fn publish_bets(house: House) {
    loop {
        house.bets.wanted().await;
        let mut published = Published::default();
        while house.bets.has_listeners() {
            match read_new_bets(&house, &mut published).await {
                Ok(bets) => house.bets.publish(bets),
                Err(error) => tracing::warn!(%error, "the live list of bets could not be read"),
            }
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// The bets that were passed on within the last seconds, by the time they ended.
#[derive(Debug, Default)]
struct Published(HashMap<RoundId, Timestamp>);

impl Published {
    /// Keeps the bets that are new, oldest first, and forgets those that are too old to be read again.
    fn retain_new(&mut self, mut bets: Vec<PublicRound>, since: Timestamp) -> Vec<PublicRound> {
        self.0.retain(|_, ended_at| *ended_at >= since);
        bets.retain(|bet| {
            let ended_at = bet.round.settled_at();
            self.0.insert(bet.round.id, ended_at).is_none()
        });
        bets.reverse();
        bets
    }
}

async fn read_new_bets(
    house: &House,
    published: &mut Published,
) -> Result<Vec<PublicRound>, CasinoError> {
    let since = house.now().saturating_sub(LOOKBACK);
    let newest_first: Vec<PublicRound> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::latest_bets(connection, since, BETS_PER_PERIOD)
        })
        .await?;
    Ok(published.retain_new(newest_first, since))
}
