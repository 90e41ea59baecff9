//! The largest checkpoint that was cosigned of each log. What is in its file is never forgotten,
//! because the witness could otherwise cosign a fork.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glasshouse_transparency::EMPTY_HASH;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::origin::Origin;
use sha2::{Digest as _, Sha256};

use crate::fault::Fault;
use crate::files;

const LOCK_FILE: &str = "lock";

/// The logs that are witnessed.
#[derive(Debug)]
pub(crate) struct Store {
    logs: BTreeMap<Origin, Log>,
    /// Held as long as this process runs, so that no other one uses the folder.
    _lock: File,
}

/// A log that is witnessed.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) keys: VerifierKeys,
    file: PathBuf,
    latest: Mutex<Checkpoint>,
}

/// A log that nobody else can change until this is dropped.
pub(crate) struct LockedLog<'l> {
    file: &'l Path,
    latest: MutexGuard<'l, Checkpoint>,
}

impl Store {
    /// Opens the folder with the checkpoints of the logs that have these verifier keys. Keys of the
    /// same log belong together.
    ///
    /// # Errors
    /// If another process uses the folder, a key is not valid, or a stored checkpoint cannot be read.
    pub(crate) fn open(folder: &Path, keys: &[String]) -> Result<Self, Fault> {
        let lock = lock(&folder.join(LOCK_FILE))?;
        let mut texts: BTreeMap<Origin, Vec<&str>> = BTreeMap::new();
        for text in keys {
            let key = parse(text, text)?;
            texts.entry(key.origin().clone()).or_default().push(text);
        }
        if texts.is_empty() {
            return Err(Fault::Usage(
                "A witness needs the verifier key of at least one log: --log VKEY.".to_owned(),
            ));
        }
        let logs = texts.into_iter().map(|(origin, texts)| {
            let keys = parse(&texts.join("\n"), origin.as_str())?;
            let file = folder.join(file_name(&origin));
            let latest = Mutex::new(read(&file, &keys)?);
            Ok((origin, Log { keys, file, latest }))
        });
        Ok(Self {
            logs: logs.collect::<Result<_, Fault>>()?,
            _lock: lock,
        })
    }

    /// The log with this name.
    pub(crate) fn log(&self, origin: &Origin) -> Option<&Log> {
        self.logs.get(origin)
    }

    /// The largest cosigned checkpoint of each log.
    pub(crate) fn latest(&self) -> impl Iterator<Item = (&Origin, Checkpoint)> {
        self.logs
            .iter()
            .map(|(origin, log)| (origin, log.lock().latest()))
    }
}

impl Log {
    /// Waits until nobody else changes the log.
    pub(crate) fn lock(&self) -> LockedLog<'_> {
        // The value in memory is replaced after the file, in one step, so it is never half written.
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        LockedLog {
            file: &self.file,
            latest,
        }
    }
}

impl LockedLog<'_> {
    /// The largest checkpoint; that of the empty log if none was cosigned.
    pub(crate) fn latest(&self) -> Checkpoint {
        *self.latest
    }

    /// Stores a larger checkpoint, and returns when it cannot be lost any more.
    pub(crate) fn replace(&mut self, checkpoint: Checkpoint, note: &str) -> Result<(), Fault> {
        files::replace(self.file, note)?;
        *self.latest = checkpoint;
        Ok(())
    }
}

fn parse(text: &str, shown: &str) -> Result<VerifierKeys, Fault> {
    VerifierKeys::parse(text).map_err(|error| {
        Fault::Usage(format!(
            "The verifier key of {shown} is not usable: {error}"
        ))
    })
}

/// A file name without the slashes and other signs of an origin.
fn file_name(origin: &Origin) -> String {
    let hash = Sha256::digest(origin.as_str().as_bytes());
    format!("checkpoint-{}", hex::encode(hash))
}

fn read(file: &Path, keys: &VerifierKeys) -> Result<Checkpoint, Fault> {
    let Some(note) = files::read(file)? else {
        return Ok(Checkpoint {
            size: 0,
            root: EMPTY_HASH,
        });
    };
    Checkpoint::open(&note, keys).map_err(|error| {
        Fault::file(
            file,
            format!(
                "is not a checkpoint that the given keys of {} have signed: {error}. If the log has \
                 changed its key, give the former one too",
                keys.origin()
            ),
        )
    })
}

fn lock(path: &Path) -> Result<File, Fault> {
    let unusable = |error: std::io::Error| Fault::file(path, format!("cannot be locked: {error}"));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unusable)?;
    }
    let file = File::create(path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Fault::file(
            path,
            "another witness is running on this folder",
        )),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}
