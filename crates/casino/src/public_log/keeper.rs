//! Keeps the log going: takes waiting entries into it once a second, remembers the last checkpoint
//! outside of the database, and notices when the log cannot be written.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use glasshouse_persistence::{AnyConnection, Scope, queries};
use glasshouse_transparency::checkpoint::Checkpoint;

use crate::error::{CasinoError, Fault};
use crate::house::House;
use crate::public_log::availability::{Attempt, Change};
use crate::public_log::names::aside_suffix;
use crate::public_log::own_entries::are_entries_due;
use crate::public_log::sequence::{Advance, advance};
use crate::public_log::waiting::{CHECKPOINT_PERIOD, Waiting};

/// How often the log is continued at once if other servers are faster.
const ATTEMPTS: usize = 3;

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
        Ok(Advance::Busy | Advance::Overtaken) => first_waiting(house).await,
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

/// Continues the log, and tries again at once if another server was faster.
async fn advance_once(house: &House) -> Result<Advance, CasinoError> {
    for _ in 1..ATTEMPTS {
        let advanced = try_to_advance(house).await?;
        if advanced != Advance::Overtaken {
            return Ok(advanced);
        }
    }
    try_to_advance(house).await
}

async fn try_to_advance(house: &House) -> Result<Advance, CasinoError> {
    let keys = house.database.keys();
    let kept = read_kept(house).await?;
    let now = house.now();
    let read = move |connection: &mut AnyConnection| Waiting::read(connection, now);
    let waiting = house.database.read::<_, CasinoError, _>(read).await??;
    let state = &waiting.state;
    let has_file = house.public_log.file().is_some();
    // Otherwise somebody else has changed the log, which must be looked at.
    let is_as_kept = !has_file || kept.as_ref() == Some(&state.checkpoint);
    if waiting.is_empty() && is_as_kept && !are_entries_due(state, keys.log.keys(), now)? {
        return Ok(Advance::At(waiting.state.checkpoint));
    }
    let last = kept
        .as_ref()
        .map(|text| Checkpoint::open(text, keys.log.keys().verifier_keys()))
        .transpose()
        .map_err(|error| {
            CasinoError::public_log(format!("the checkpoint that was kept: {error}"))
        })?;
    let advanced = house
        .database
        .write(Scope::nobody(), move |transaction| {
            advance(transaction, &waiting, last.as_ref(), now)
        })
        .await?;
    if let Advance::At(checkpoint) = &advanced
        && kept.as_ref() != Some(checkpoint)
    {
        keep(house, checkpoint.clone()).await?;
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

/// The text of the last checkpoint that this server knows, as it is kept in its file.
pub(crate) async fn read_kept(house: &House) -> Result<Option<String>, CasinoError> {
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

async fn keep(house: &House, checkpoint: String) -> Result<(), CasinoError> {
    let Some(file) = house.public_log.file().cloned() else {
        return Ok(());
    };
    blocking(move || {
        replace(&file, &checkpoint).map_err(|error| {
            CasinoError::public_log(format!("{} cannot be written: {error}", file.display()))
        })
    })
    .await
}

/// Renames the file with the last checkpoint, if there is one, and returns its new name.
pub(crate) async fn move_kept_aside(house: &House) -> Result<Option<PathBuf>, CasinoError> {
    let Some(file) = house.public_log.file().cloned() else {
        return Ok(None);
    };
    let mut aside = file.clone().into_os_string();
    aside.push(format!("-{}", aside_suffix()));
    blocking(move || match std::fs::rename(&file, &aside) {
        Ok(()) => Ok(Some(aside.into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CasinoError::public_log(format!(
            "{} cannot be renamed: {error}",
            file.display()
        ))),
    })
    .await
}

/// Replaces the file in one step.
fn replace(file: &Path, content: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut next = tempfile::NamedTempFile::new_in(folder)?;
    next.write_all(content.as_bytes())?;
    next.as_file().sync_all()?;
    next.persist(file)?;
    Ok(())
}
