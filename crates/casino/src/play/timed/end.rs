//! Ends rounds on time, whether or not anybody is connected, also after a restart.

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

/// The maximum number of rounds that are ended concurrently.
const MAXIMUM_CONCURRENT_ENDS: usize = 512;
/// The number of open rounds per page when they are loaded.
const ROUNDS_PER_PAGE: i64 = 1_000;
/// The time between two searches for rounds that another server should have ended.
const SWEEP_PERIOD: Duration = Duration::from_secs(1);
/// A round overdue by this much has lost its server.
const OTHER_SERVER_GRACE: Duration = Duration::from_secs(2);

/// Ends every round when it is due. Runs until it is dropped; one instance per server.
///
/// Each server ends the rounds that were started or read there, with one timer for all of them. It
/// also adopts overdue rounds, because their server is gone.
pub async fn end_rounds(house: House) {
    let permits = Arc::new(Semaphore::new(MAXIMUM_CONCURRENT_ENDS));
    let mut next_sweep = house.now();
    let mut is_first = true;
    let mut changes = match subscribe_remote(&house) {
        Ok(changes) => Some(changes),
        Err(error) => {
            tracing::error!(%error, "changes by other servers cannot be received");
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
                Err(error) => tracing::warn!(%error, "overdue rounds could not be loaded"),
            }
        }
        while let Some(due) = house.schedule.take_due(house.now()) {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
                return;
            };
            let house = house.clone();
            tokio::spawn(async move {
                end_one(&house, due).await;
                drop(permit);
            });
        }
        let next = house
            .schedule
            .next()
            .map_or(next_sweep, |due| due.min(next_sweep));
        tokio::select! {
            () = house.wait_until(next) => {}
            () = house.schedule.changed() => {}
            remote_round = next_change(&mut changes) => {
                let house = house.clone();
                tokio::spawn(async move {
                    if let Err(error) = forward_remote_change(&house, remote_round).await {
                        tracing::warn!(%error, "a change by another server could not be forwarded");
                    }
                });
            }
        }
    }
}

/// Returns the next change by another server; waits forever if no changes can be received.
async fn next_change(changes: &mut Option<mpsc::Receiver<ChangedRound>>) -> ChangedRound {
    if let Some(receiver) = changes
        && let Some(changed) = receiver.recv().await
    {
        return changed;
    }
    // The listening thread has ended with its database, or it was never started.
    *changes = None;
    std::future::pending().await
}

async fn end_one(house: &House, due: DueRound) {
    if let Err(error) = end_round(house, due).await {
        // The next search for overdue rounds finds it again.
        tracing::error!(%error, round = %due.id, "a round could not be ended; trying again");
    }
}

/// Schedules the open rounds that are due by `until`. While rounds are open, it also extends the
/// stored clock floor, so that the clock cannot go back behind what was published.
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
        let clock_floor = house.now().saturating_add(CLOCK_LEASE);
        house
            .database
            .write(Scope::nobody(), move |transaction| {
                Ok::<_, CasinoError>(transaction.persist_clock_lease(clock_floor)?)
            })
            .await?;
    }
    Ok(())
}

/// Ends a round if it is due and still open. Its player is notified of the end in any case.
async fn end_round(house: &House, due: DueRound) -> Result<(), CasinoError> {
    with_game!(due.game, R => end_round_of::<R>(house, due).await)
}

async fn end_round_of<R: GameRound>(house: &House, due: DueRound) -> Result<(), CasinoError> {
    let now = house.now();
    let scope = Scope::player(due.player).with_game(due.game);
    let end: EndAttempt<R> = house
        .database
        .write(scope, move |transaction| {
            let open = transaction.open_round(due.player, due.game)?;
            match open.filter(|round| round.id == due.id) {
                Some(round) => end_if_due(transaction, round, now),
                None => Ok(EndAttempt::AlreadyEnded),
            }
        })
        .await?;
    match end {
        EndAttempt::Now(current) => {
            let late = now.saturating_since(due.due_at);
            metrics::histogram!("glasshouse_round_end_delay_seconds").record(late);
            publish_committed(house, &current);
        }
        EndAttempt::AlreadyEnded => {
            let DueRound { player, id, .. } = due;
            forward_remote_change(house, ChangedRound { player, id }).await?;
        }
        EndAttempt::NotYet => {}
    }
    Ok(())
}

/// The result of trying to end a round.
enum EndAttempt<R> {
    /// The round was due and has been ended.
    Now(Box<RoundSnapshot<R>>),
    /// The round had already ended; local listeners are notified.
    AlreadyEnded,
    /// The round is not due yet.
    NotYet,
}

fn end_if_due<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    round: Round,
    now: Timestamp,
) -> Result<EndAttempt<R>, CasinoError> {
    let mut account = transaction.account(round.player)?;
    let current = restore_open::<R>(&transaction.keys().seeds, &account, round)?;
    let Some(end) = current.end_if_due(now) else {
        return Ok(EndAttempt::NotYet);
    };
    let current = settle(transaction, &mut account, current, end, None, now)?;
    transaction.save_account(account);
    Ok(EndAttempt::Now(Box::new(current)))
}

/// The player's open rounds, which a browser resumes after a reload. Rounds that are overdue are
/// ended first and not returned.
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
    let keys = house.database.keys();
    let mut open = Vec::new();
    for round in rounds {
        let due = DueRound::of(&round);
        if let Some(due) = due
            && house.now() >= due.due_at
        {
            end_round(house, due).await?;
        } else if round.seed_pair == account.seeds.id {
            // Otherwise the round was settled and its seeds were rotated between the two reads.
            if let Some(due) = due {
                // Another server may have started it.
                house.schedule.add(&due);
            }
            let view = with_game!(round.game, R => {
                restore_open::<R>(&keys.seeds, &account, round)?.view().into()
            });
            open.push(view);
        }
    }
    Ok(open)
}
