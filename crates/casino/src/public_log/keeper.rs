//! Keeps the log going: takes waiting entries into it once a second, remembers the last checkpoint
//! outside of the database, and notices when the log cannot be written.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use glasshouse_persistence::{DatabaseError, Scope, queries};
use glasshouse_transparency::checkpoint::Checkpoint;
use tokio::time::{MissedTickBehavior, interval};

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::public_log::availability::PATIENCE;
use crate::public_log::own_entries::are_entries_due;
use crate::public_log::sequence::{Advance, advance};

/// The time between two checkpoints.
const PERIOD: Duration = Duration::from_secs(1);
/// Keeps the log going. Runs forever.
pub async fn keep_public_log(house: House) {
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        advance_public_log(&house).await;
    }
}

/// Takes waiting entries into the log, and notes whether it can be written.
pub async fn advance_public_log(house: &House) {
    let outcome = advance_once(house).await;
    let problem = match outcome {
        Ok(Advance::Nothing | Advance::Signed(_)) => {
            house.public_log.waits_too_long(None, house.now());
            None
        }
        Ok(Advance::Busy) => still_waiting(house).await,
        Err(CasinoError::Fault(Fault::PublicLog(reason))) => Some(reason),
        // The database's state is watched elsewhere; only a lasting problem concerns the log.
        Err(error) => still_waiting(house).await.map(|_| error.to_string()),
    };
    let is_available = problem.is_none();
    let was_available = house.public_log.set_available(is_available);
    match problem {
        Some(problem) if was_available => tracing::error!(
            problem,
            "the public log cannot be written; bets are refused with 503"
        ),
        None if !was_available => tracing::info!("the public log can be written again"),
        _ => {}
    }
}

/// Describes the problem if entries have been waiting for too long.
async fn still_waiting(house: &House) -> Option<String> {
    let first: Result<Option<i64>, DatabaseError> =
        house.database.read(queries::first_waiting_batch).await;
    let first = first.ok()?;
    house
        .public_log
        .waits_too_long(first, house.now())
        .then(|| format!("entries have been waiting for more than {PATIENCE:?}"))
}

async fn advance_once(house: &House) -> Result<Advance, CasinoError> {
    let keys = house.database.keys();
    let now = house.now();
    let kept = read_kept(house).await?;
    let (waiting, state) = house
        .database
        .read::<_, CasinoError, _>(|connection| {
            let waiting = queries::first_waiting_batch(connection)?;
            Ok((waiting, queries::log_state(connection)?))
        })
        .await?;
    // Otherwise somebody else has changed the log, which must be looked at.
    let is_as_kept = kept.as_ref().is_none_or(|kept| *kept == state.checkpoint);
    if waiting.is_none() && is_as_kept && !are_entries_due(&state, keys.log.keys(), now)? {
        return Ok(Advance::Nothing);
    }
    let kept = kept
        .map(|text| Checkpoint::open(&text, keys.log.keys().verifier_keys()))
        .transpose()
        .map_err(|error| {
            CasinoError::public_log(format!("the checkpoint that was kept: {error}"))
        })?;
    let advanced = house
        .database
        .write(Scope::nobody(), move |transaction| {
            advance(transaction, kept.as_ref(), now)
        })
        .await?;
    if let (Advance::Signed(checkpoint), Some(file)) = (&advanced, house.public_log.file().cloned())
    {
        let checkpoint = checkpoint.clone();
        blocking(move || {
            keep(&file, &checkpoint).map_err(|error| {
                CasinoError::public_log(format!("{} cannot be written: {error}", file.display()))
            })
        })
        .await?;
    }
    Ok(advanced)
}

/// Runs work on files, which must not hold up the threads that serve requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CasinoError> + Send + 'static,
) -> Result<T, CasinoError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Fault::Interrupted(error.to_string()))?
}

/// The text of the checkpoint that this server has signed last.
async fn read_kept(house: &House) -> Result<Option<String>, CasinoError> {
    let Some(file) = house.public_log.file().cloned() else {
        return Ok(None);
    };
    blocking(move || match std::fs::read_to_string(&file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CasinoError::public_log(format!(
            "{} cannot be read: {error}",
            file.display()
        ))),
    })
    .await
}

/// Replaces the file in one step.
fn keep(file: &Path, checkpoint: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut next = tempfile::NamedTempFile::new_in(folder)?;
    next.write_all(checkpoint.as_bytes())?;
    next.as_file().sync_all()?;
    next.persist(file)?;
    Ok(())
}
