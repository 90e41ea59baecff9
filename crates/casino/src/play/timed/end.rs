//! Rounds end on time, whether or not anybody is connected, and after a restart.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::{Timestamp, UserId};
use glasshouse_games::game_round::GameRound;
use glasshouse_games::with_game;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{DueRound, Round};
use glasshouse_persistence::{ChangedRound, Scope, Transaction, queries};
use tokio::sync::{Semaphore, mpsc};

use crate::error::CasinoError;
use crate::house::{CLOCK_LEASE, House};
use crate::play::current::{RoundSnapshot, restore_open, settle};
use crate::play::publish::publish_committed;
use crate::play::round_view::AnyRound;
use crate::play::timed::remote_changes::{forward_remote_change, subscribe_remote};

/// How many rounds are being ended at once.
const MAXIMUM_CONCURRENT_ENDS: usize = 512;
/// How many rounds are read at once at the start.
const ROUNDS_PER_PAGE: i64 = 1_000;
/// How often the house looks for rounds that another server should have ended.
const SWEEP_PERIOD: Duration = Duration::from_secs(1);
/// A round that nobody has ended for so long has lost its server.
const OTHER_SERVER_GRACE: Duration = Duration::from_secs(2);

/// Ends every round when its time has come. Runs until it is dropped; one for each server.
///
/// Each server ends the rounds that were started or looked at there, by one timer for all of them,
/// and adopts those that are overdue: their server is gone.
pub async fn end_rounds(house: House) {
    let turns = Arc::new(Semaphore::new(MAXIMUM_CONCURRENT_ENDS));
    let mut next_sweep = house.now();
    let mut is_first = true;
    let mut changes = match subscribe_remote(&house) {
        Ok(changes) => Some(changes),
        Err(error) => {
            tracing::error!(%error, "other servers are not heard");
            None
        }
    };
    loop {
        let now = house.now();
        if now >= next_sweep {
            next_sweep = now.saturating_add(SWEEP_PERIOD);
            let until = if is_first {
                Timestamp::from_micros(i64::MAX)
            } else {
                now.saturating_sub(OTHER_SERVER_GRACE)
            };
            match adopt(&house, until).await {
                Ok(()) => is_first = false,
                Err(error) => tracing::warn!(%error, "overdue rounds could not be looked for"),
            }
        }
        while let Some(due) = house.schedule.take_due(house.now()) {
            let Ok(turn) = Arc::clone(&turns).acquire_owned().await else {
                return;
            };
            let house = house.clone();
            tokio::spawn(async move {
                end_one(&house, due).await;
                drop(turn);
            });
        }
        let next = house
            .schedule
            .next()
            .map_or(next_sweep, |due| due.min(next_sweep));
        tokio::select! {
            () = house.wait_until(next) => {}
            () = house.schedule.changed() => {}
            heard = next_change(&mut changes) => {
                let house = house.clone();
                tokio::spawn(async move {
                    if let Err(error) = forward_remote_change(&house, heard).await {
                        tracing::warn!(%error, "a change by another server was not told");
                    }
                });
            }
        }
    }
}

/// The next change by another server; where there is none to hear, never.
async fn next_change(changes: &mut Option<mpsc::Receiver<ChangedRound>>) -> ChangedRound {
    if let Some(receiver) = changes
        && let Some(changed) = receiver.recv().await
    {
        return changed;
    }
    // The thread is gone with its database, or there never was one.
    *changes = None;
    std::future::pending().await
}

async fn end_one(house: &House, due: DueRound) {
    if let Err(error) = end_round(house, due).await {
        // The next look for overdue rounds finds it again.
        tracing::error!(%error, round = %due.id, "a round could not be ended; trying again");
    }
}

/// Puts the open rounds that are due by `until` on the schedule, and has the clock keep what it has
/// shown.
async fn adopt(house: &House, until: Timestamp) -> Result<(), CasinoError> {
    let mut last: Option<DueRound> = None;
    loop {
        let page = house
            .database
            .read::<_, CasinoError, _>(move |connection| {
                queries::due_rounds(connection, last, until, ROUNDS_PER_PAGE)
            })
            .await?;
        for round in &page {
            house.schedule.add(round);
        }
        let is_last = i64::try_from(page.len()).unwrap_or(ROUNDS_PER_PAGE) < ROUNDS_PER_PAGE;
        last = page.last().copied();
        if is_last {
            break;
        }
    }
    let open = house.schedule.len();
    metrics::gauge!("glasshouse_rounds_scheduled").set(u32::try_from(open).unwrap_or(u32::MAX));
    if open > 0 {
        let promise = house.now().saturating_add(CLOCK_LEASE);
        house
            .database
            .write(Scope::nobody(), move |transaction| {
                Ok::<_, CasinoError>(transaction.persist_clock_lease(promise)?)
            })
            .await?;
    }
    Ok(())
}

/// Ends a round if it is due and still open, and tells its player of the end either way.
async fn end_round(house: &House, due: DueRound) -> Result<(), CasinoError> {
    with_game!(due.game, R => end_round_of::<R>(house, due).await)
}

async fn end_round_of<R: GameRound>(house: &House, due: DueRound) -> Result<(), CasinoError> {
    let now = house.now();
    let scope = Scope::player(due.player).with_game(due.game);
    let end: Ended<R> = house
        .database
        .write(scope, move |transaction| {
            let open = transaction.open_round(due.player, due.game)?;
            match open.filter(|round| round.id == due.id) {
                Some(round) => end_if_due(transaction, round, now),
                None => Ok(Ended::Before),
            }
        })
        .await?;
    match end {
        Ended::Now(current) => {
            let late = now.saturating_since(due.due_at);
            metrics::histogram!("glasshouse_round_end_delay_seconds").record(late);
            publish_committed(house, &current);
        }
        Ended::Before => {
            let DueRound { player, id, .. } = due;
            forward_remote_change(house, ChangedRound { player, id }).await?;
        }
        Ended::NotYet => {}
    }
    Ok(())
}

/// What came of trying to end a round.
enum Ended<R> {
    /// It was due and is ended.
    Now(RoundSnapshot<R>),
    /// Somebody else has ended it; those who listen here are told.
    Before,
    /// It is not due.
    NotYet,
}

fn end_if_due<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    round: Round,
    now: Timestamp,
) -> Result<Ended<R>, CasinoError> {
    let mut account = transaction.account(round.player)?;
    let current = restore_open::<R>(&account, round)?;
    let Some(end) = current.end_if_due(now) else {
        return Ok(Ended::NotYet);
    };
    let current = settle(transaction, &mut account, current, end, None, now)?;
    transaction.save_account(account);
    Ok(Ended::Now(current))
}

/// The player's rounds in play, so that a browser can go on after a reload. Those whose end has
/// passed are ended first.
///
/// # Errors
/// On a fault.
pub async fn open_rounds(house: &House, player: UserId) -> Result<Vec<AnyRound>, CasinoError> {
    let (account, rounds): (Account, Vec<Round>) = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let rounds = queries::open_rounds(connection, player)?;
            Ok((queries::account_of(connection, player)?, rounds))
        })
        .await?;
    let mut open = Vec::new();
    for round in rounds {
        let due = DueRound::of(&round);
        if let Some(due) = due
            && house.now() >= due.due_at
        {
            end_round(house, due).await?;
        } else if round.seed_pair == account.seeds.id {
            // Else it was settled, and its seeds rotated away, between the two questions.
            if let Some(due) = due {
                // This server may not have started it.
                house.schedule.add(&due);
            }
            let view =
                with_game!(round.game, R => restore_open::<R>(&account, round)?.view().into());
            open.push(view);
        }
    }
    Ok(open)
}
