//! The decision whether to cosign a checkpoint.

use std::path::Path;

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{WitnessKey, WitnessSigningKey};
use glasshouse_transparency::keys::NoteError;
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::proof::verify_consistency;
use glasshouse_transparency::witness::{AddCheckpoint, Answer};

use crate::fault::Fault;
use crate::witness::key;
use crate::witness::store::Store;

/// A witness of one or more logs.
#[derive(Debug)]
pub struct Witness {
    key: WitnessSigningKey,
    store: Store,
}

impl Witness {
    /// Opens the witness in a folder, and makes its key if there is none. `logs` are the verifier
    /// keys of the logs.
    ///
    /// # Errors
    /// If the folder cannot be used, another process uses it, or a key is not valid.
    pub fn open(
        folder: &Path,
        logs: &[String],
        asked_name: Option<&Origin>,
        default_name: &Origin,
    ) -> Result<Self, Fault> {
        let store = Store::open(folder, logs)?;
        let key = key::read_or_generate(folder, asked_name, default_name)?;
        Ok(Self { key, store })
    }

    /// The key that verifies the cosignatures.
    #[must_use]
    pub const fn public_key(&self) -> &WitnessKey {
        self.key.public()
    }

    /// The largest cosigned checkpoint of each log.
    pub fn latest(&self) -> impl Iterator<Item = (&Origin, Checkpoint)> {
        self.store.latest()
    }

    /// Answers a request to cosign a checkpoint. `second` is the time in seconds since 1970.
    ///
    /// # Errors
    /// If the checkpoint cannot be stored; it is not cosigned then.
    pub fn add_checkpoint(&self, body: &[u8], second: u64) -> Result<Answer, Fault> {
        let request = str::from_utf8(body).map(AddCheckpoint::parse);
        let Ok(Ok(request)) = request else {
            return Ok(Answer::Malformed);
        };
        let Some(origin) = Checkpoint::claimed_origin(&request.note) else {
            return Ok(Answer::Malformed);
        };
        let Some(log) = self.store.log(&origin) else {
            return Ok(Answer::UnknownLog);
        };
        let checkpoint = match Checkpoint::open(&request.note, &log.keys) {
            Ok(checkpoint) => checkpoint,
            Err(NoteError::Unsigned | NoteError::InvalidSignature) => return Ok(Answer::NotSigned),
            Err(NoteError::Malformed | NoteError::OtherText) => return Ok(Answer::Malformed),
        };
        // Nothing else is decided about this log until the checkpoint is stored.
        let mut log = log.lock();
        if let Some(refusal) = refusal(&request, &log.latest(), &checkpoint) {
            return Ok(refusal);
        }
        if checkpoint != log.latest() {
            log.replace(checkpoint, &request.note)?;
        }
        let line = self.key.cosign(&origin, &checkpoint, second);
        Ok(Answer::Cosigned(line))
    }
}

/// Why a checkpoint is not cosigned, given the largest one that was; `None` if it continues it.
fn refusal(request: &AddCheckpoint, latest: &Checkpoint, new: &Checkpoint) -> Option<Answer> {
    if request.old_size > new.size {
        return Some(Answer::Malformed);
    }
    let is_other_root = request.old_size == new.size && latest.root != new.root;
    if request.old_size != latest.size || is_other_root {
        return Some(Answer::Conflict { size: latest.size });
    }
    verify_consistency(&request.proof, latest, new)
        .err()
        .map(|_| Answer::InvalidProof)
}
