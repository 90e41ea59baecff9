//! Begins another log in the same database, if the present one cannot be continued: an old backup was
//! restored, or the key is lost. The first entry of the new log says which log it follows.

use std::path::PathBuf;

use glasshouse_persistence::public_log::{LogState, LoggedTotals, NewLog};
use glasshouse_persistence::{DatabaseError, Scope, Transaction};
use glasshouse_transparency::checkpoint::{Checkpoint, stated_end};
use glasshouse_transparency::entry::Entry;
use glasshouse_transparency::keys::VerifierKeys;

use crate::error::CasinoError;
use crate::house::House;
use crate::public_log::keeper::{advance_public_log, move_kept_aside, read_kept};
use crate::public_log::reading::read_checkpoint;

/// How many waiting batches are read at once.
const BATCHES: i64 = 500;

/// The log that was begun.
#[derive(Debug, Clone)]
pub struct NewLogReport {
    /// The first checkpoint; `None` if it could not be signed yet.
    pub checkpoint: Option<String>,
    /// Where the last checkpoint of the old log is kept now, if there was a file with it.
    pub kept_in: Option<PathBuf>,
}

/// Why no other log can be begun.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    /// Another server is writing the log.
    #[error("a server is writing the log: stop all servers first")]
    Busy,
    /// There is neither a log nor a checkpoint to follow.
    #[error("there is no log yet, and so nothing to follow")]
    NothingToFollow,
    /// The key has the name of a log that exists.
    #[error("there is already a log named {0}: another one needs a key with another name")]
    NameInUse(String),
    /// The kept checkpoint is not one.
    #[error("the last checkpoint that was kept is damaged ({0}): restore it, or move it away")]
    Damaged(String),
    /// The house failed.
    #[error(transparent)]
    Fault(#[from] CasinoError),
}

impl From<DatabaseError> for RestartError {
    fn from(error: DatabaseError) -> Self {
        Self::Fault(error.into())
    }
}

/// The checkpoint that a new log would follow: the last one that was signed, in the database or kept
/// outside of it. `None` if there is none.
///
/// # Errors
/// [`RestartError::Damaged`] if the kept one is not a checkpoint, or is not signed by the log that it
/// names.
pub fn end_to_follow(
    logs: &[LogState],
    kept: Option<&str>,
) -> Result<Option<String>, RestartError> {
    // A log that was begun but never signed is no log to follow.
    let last = logs.iter().rev().find(|log| log.size > 0);
    let Some(kept) = kept else {
        return Ok(last.map(|log| log.checkpoint.clone()));
    };
    let damaged = |reason: &str| RestartError::Damaged(reason.to_owned());
    let (origin, end) = stated_end(kept).ok_or_else(|| damaged("it is not a checkpoint"))?;
    let of_origin = |log: &&LogState| log.origin.as_deref() == Some(origin.as_str());
    if let Some(log) = logs.iter().find(of_origin).filter(|log| log.size > 0) {
        let keys = VerifierKeys::parse(&log.keys).map_err(|error| damaged(&error.to_string()))?;
        Checkpoint::open(kept, &keys).map_err(|error| damaged(&error.to_string()))?;
        // What was kept on one of several servers may be older than what the others have signed.
        let is_last = last.is_some_and(|last| last.id == log.id);
        if !is_last || log.size > end.size {
            return Ok(last.map(|log| log.checkpoint.clone()));
        }
    }
    Ok(Some(kept.to_owned()))
}

/// Begins another log, named as the house's keys, and signs its first checkpoint. Entries that wait
/// for a place get it in the new log. Nothing of the old one is removed.
///
/// # Errors
/// See [`RestartError`].
pub async fn restart_public_log(house: &House) -> Result<NewLogReport, RestartError> {
    let kept = read_kept(house).await?;
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            begin_log(transaction, kept.as_deref())
        })
        .await?;
    let kept_in = move_kept_aside(house).await?;
    advance_public_log(house).await;
    Ok(NewLogReport {
        checkpoint: read_checkpoint(house).await?,
        kept_in,
    })
}

fn begin_log(
    transaction: &mut Transaction<'_, '_>,
    kept: Option<&str>,
) -> Result<(), RestartError> {
    let state = transaction.lock_log_state()?.ok_or(RestartError::Busy)?;
    let logs = transaction.log_states()?;
    let origin = transaction.log_origin().to_string();
    if state.size == 0 && state.follows.is_some() && state.origin.as_ref() == Some(&origin) {
        // An earlier attempt was interrupted before the first checkpoint.
        return Ok(());
    }
    let follows = end_to_follow(&logs, kept)?.ok_or(RestartError::NothingToFollow)?;
    let names = logs.iter().filter_map(|log| log.origin.clone());
    let followed = stated_end(&follows).map(|(origin, _)| origin.to_string());
    if names.chain(followed).any(|name| name == origin) {
        return Err(RestartError::NameInUse(origin));
    }
    transaction.keep_others_from_log()?;
    let opening = totals_without_waiting(transaction)?;
    Ok(transaction.add_log(&NewLog {
        id: state.id + 1,
        origin,
        follows,
        opening,
    })?)
}

/// The totals of all rounds but those whose entries wait.
fn totals_without_waiting(
    transaction: &mut Transaction<'_, '_>,
) -> Result<Vec<LoggedTotals>, RestartError> {
    let mut totals = transaction.totals_since(None)?;
    let mut last = 0;
    loop {
        let waiting = transaction.waiting_batches(last, BATCHES)?;
        let Some(newest) = waiting.last() else {
            return Ok(totals);
        };
        last = newest.id;
        for batch in &waiting {
            for line in batch.lines()? {
                subtract(&mut totals, line)?;
            }
        }
    }
}

fn subtract(totals: &mut [LoggedTotals], line: &[u8]) -> Result<(), RestartError> {
    let unreadable = || RestartError::from(CasinoError::corrupt("an entry that waits"));
    let line = str::from_utf8(line).map_err(|_| unreadable())?;
    if let Entry::Round(round) = Entry::parse(line).map_err(|_| unreadable())? {
        let of_game = |total: &&mut LoggedTotals| total.game == round.game;
        let total = totals.iter_mut().find(of_game).ok_or_else(unreadable)?;
        total.rounds -= 1;
        total.staked_cents -= round.stake;
        total.paid_cents -= round.payout;
    }
    Ok(())
}
