//! What other servers do to a player's rounds and sessions is told to those who listen here.

use std::sync::Arc;

use glasshouse_games::game_round::GameKind;
use glasshouse_games::registry::info;
use glasshouse_games::with_game;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::RoundWithSeeds;
use glasshouse_persistence::{Change, ChangedRound, queries};
use tokio::sync::mpsc;

use crate::error::{CasinoError, Fault};
use crate::fairness::seeds::round_seeds;
use crate::house::House;
use crate::play::current::restore;
use crate::play::publish::publish;

/// How many changes may wait. What is lost is found at the round's end, or when the browser asks.
const CHANGE_QUEUE_CAPACITY: usize = 4_096;

/// Starts to hear of other servers' changes. Event streams of sessions that end are closed at once;
/// rounds are handed on.
pub(crate) fn subscribe_remote(house: &House) -> Result<mpsc::Receiver<ChangedRound>, CasinoError> {
    let (sender, receiver) = mpsc::channel(CHANGE_QUEUE_CAPACITY);
    let events = Arc::clone(&house.events);
    let statuses = Arc::clone(&house.statuses);
    house
        .database
        .listen(move |change| match change {
            Change::Round(changed) => {
                if sender.try_send(changed).is_err() {
                    tracing::warn!(round = %changed.id, "a change by another server was not told");
                }
            }
            Change::SessionsEnded(user) => events.close(user),
            Change::GamesChanged => statuses.forget(),
            Change::Missed => {
                statuses.forget();
                events.look_at_sessions();
            }
        })
        .map_err(|error| Fault::Corrupt(format!("no thread to listen: {error}")))?;
    Ok(receiver)
}

/// Tells this server's listeners of a round that another server began or ended, with the balance as
/// it is now.
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
    let Some((
        account,
        RoundWithSeeds {
            mut round,
            server_seed,
            client_seed,
            ..
        },
    )) = found
    else {
        return Ok(());
    };
    if info(round.game).kind != GameKind::Timed {
        return Ok(());
    }
    round.balance_after = account.wallet.balance();
    round.unwagered_after = account.wallet.unwagered();
    let seeds = round_seeds(&server_seed, &client_seed, round.nonce)?;
    with_game!(round.game, R => {
        publish(house, &restore::<R>(round, &seeds)?);
    });
    Ok(())
}
