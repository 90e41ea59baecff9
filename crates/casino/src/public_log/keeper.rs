//! Keeps the log going: takes waiting entries into it once a second, remembers the last checkpoint
//! outside of the database, and notices when the log cannot be written.

use std::io::Write as _;
use std::path::Path;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::{Scope, queries};
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::VerifierKeys;

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::public_log::availability::{Attempt, Change};
use crate::public_log::own_entries::are_entries_due;
use crate::public_log::sequence::{Advance, CHECKPOINT_PERIOD, advance};

/// Keeps the log going. Runs forever.
pub async fn keep_public_log(house: House) {
    loop {
        advance_public_log(&house).await;
        tokio::time::sleep(CHECKPOINT_PERIOD).await;
    }
}

/// Takes waiting entries into the log, and notes whether it can be written.
pub async fn advance_public_log(house: &House) {
    let attempt = match advance_once(house).await {
        Ok(Advance::At(_)) => Attempt::Continued,
        Err(CasinoError::Fault(Fault::PublicLog(reason))) => Attempt::Refused(reason),
        Ok(Advance::Busy) => first_waiting(house).await,
        Err(error) => {
            tracing::warn!(%error, "the public log could not be continued; trying again");
            first_waiting(house).await
        }
    };
    match house.public_log.note(attempt, house.now()) {
        Some(Change::Unavailable(problem)) => tracing::error!(
            problem,
            "the public log cannot be written; bets are refused with 503"
        ),
        Some(Change::Available) => tracing::info!("the public log can be written again"),
        None => {}
    }
}

async fn first_waiting(house: &House) -> Attempt {
    Attempt::Unknown {
        first_waiting: house.database.read(queries::first_waiting_batch).await,
    }
}

async fn advance_once(house: &House) -> Result<Advance, CasinoError> {
    let verifier_keys = house.log_keys();
    let file = house.public_log.file().cloned();
    let kept = blocking(move || match file {
        Some(file) => read_kept(&file, &verifier_keys),
        None => Ok(None),
    })
    .await?;
    let now = house.now();
    if let Some(checkpoint) = idle_at(house, kept.as_ref(), now).await? {
        return Ok(Advance::At(checkpoint));
    }
    let last = kept.as_ref().map(|kept| kept.checkpoint);
    let advanced = house
        .database
        .write(Scope::nobody(), move |transaction| {
            advance(transaction, last.as_ref(), now)
        })
        .await?;
    if let (Advance::At(checkpoint), Some(file)) = (&advanced, house.public_log.file().cloned())
        && kept.is_none_or(|kept| kept.text != *checkpoint)
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

/// The last checkpoint, if there is nothing to do: the log is known to be fine, nothing waits, and
/// nobody else has changed the log.
async fn idle_at(
    house: &House,
    kept: Option<&Kept>,
    now: Timestamp,
) -> Result<Option<String>, CasinoError> {
    if !house.public_log.is_available() {
        return Ok(None);
    }
    let (waiting, state) = house
        .database
        .read::<_, CasinoError, _>(|connection| {
            let waiting = queries::first_waiting_batch(connection)?;
            Ok((waiting, queries::log_state(connection)?))
        })
        .await?;
    let is_as_kept = kept.is_none_or(|kept| kept.text == state.checkpoint);
    let keys = house.database.keys();
    let is_idle =
        waiting.is_none() && is_as_kept && !are_entries_due(&state, keys.log.keys(), now)?;
    Ok(is_idle.then_some(state.checkpoint))
}

/// Runs work on files, which must not hold up the threads that serve requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CasinoError> + Send + 'static,
) -> Result<T, CasinoError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Fault::Interrupted(error.to_string()))?
}

/// The last checkpoint that this server knows, as it is kept in a file.
struct Kept {
    text: String,
    checkpoint: Checkpoint,
}

fn read_kept(file: &Path, keys: &VerifierKeys) -> Result<Option<Kept>, CasinoError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(CasinoError::public_log(format!(
                "{} cannot be read: {error}",
                file.display()
            )));
        }
    };
    let checkpoint = Checkpoint::open(&text, keys)
        .map_err(|error| CasinoError::public_log(format!("{}: {error}", file.display())))?;
    Ok(Some(Kept { text, checkpoint }))
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
