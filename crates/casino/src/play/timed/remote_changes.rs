//! Forwards changes that other servers make to rounds and sessions to the listeners on this server.

use std::sync::Arc;

use glasshouse_games::game_round::GameKind;
use glasshouse_games::registry::info;
use glasshouse_games::with_game;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::RoundWithSeeds;
use glasshouse_persistence::{Change, ChangedRound, queries};
use tokio::sync::mpsc;

use crate::error::{CasinoError, Fault};
use crate::fairness::seeds::seeds_read_with;
use crate::house::House;
use crate::play::current::restore;
use crate::play::publish::publish;

/// How many changes may queue. A lost change is noticed when the round ends or when the browser
/// reloads its state.
const CHANGE_QUEUE_CAPACITY: usize = 4_096;

/// Starts receiving the changes of other servers. Event streams of ended sessions are closed at
/// once; changed rounds are sent to the returned channel.
pub(crate) fn subscribe_remote(house: &House) -> Result<mpsc::Receiver<ChangedRound>, CasinoError> {
    let (sender, receiver) = mpsc::channel(CHANGE_QUEUE_CAPACITY);
    let events = Arc::clone(&house.events);
    let settings = Arc::clone(&house.settings);
    house
        .database
        .listen(move |change| match change {
            Change::Round(changed) => {
                if sender.try_send(changed).is_err() {
                    tracing::warn!(round = %changed.id, "a change by another server was dropped because the queue is full");
                }
            }
            Change::SessionsEnded(user) => events.close(user),
            Change::SettingsChanged => settings.invalidate(),
            Change::Missed => {
                settings.invalidate();
                events.request_session_check();
            }
        })
        .map_err(|error| Fault::Corrupt(format!("the listening thread could not be started: {error}")))?;
    Ok(receiver)
}

/// Notifies this server's listeners of a round that another server started or ended. The event
/// contains the current balance.
pub(crate) async fn forward_remote_change(
    house: &House,
    changed: ChangedRound,
) -> Result<(), CasinoError> {
    let ChangedRound { player, id } = changed;
    if !house.events.has(player) {
        return Ok(());
    }
    let found: Option<(Account, RoundWithSeeds)> = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let round = queries::round_with_seeds(connection, player, id)?;
            let account = queries::account_of(connection, player)?;
            Ok(round.map(|round| (account, round)))
        })
        .await?;
    let Some((account, found)) = found else {
        return Ok(());
    };
    let seeds = seeds_read_with(&house.database.keys().seeds, &found)?;
    let mut round = found.round;
    if info(round.game).kind != GameKind::Timed {
        return Ok(());
    }
    round.balance_after = account.wallet.balance();
    round.unwagered_after = account.wallet.unwagered();
    with_game!(round.game, R => {
        publish(house, &restore::<R>(round, &seeds)?);
    });
    Ok(())
}
