//! What an audit remembers from one run to the next.

use std::path::Path;

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use serde::{Deserialize, Serialize};

use crate::audit::tally::Tally;
use crate::fault::Fault;
use crate::files;

const FORMAT: &str = "glasshouse audit state v1";

/// The remembered state.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// The trusted keys, a text each.
    pub(crate) keys: Vec<String>,
    /// Whether the first key came from the house itself.
    pub(crate) is_key_from_house: bool,
    /// The newest checkpoint, signed by the house. The log must continue it.
    pub(crate) checkpoint: String,
    /// The tree of the entries that are verified.
    pub(crate) position: Checkpoint,
    /// What they add up to.
    pub(crate) tally: Tally,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StateFile {
    format: String,
    keys: Vec<String>,
    is_key_from_house: bool,
    checkpoint: String,
    verified: Position,
    tally: Tally,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    size: u64,
    root: String,
}

impl State {
    /// Reads the state; `None` if there is no file yet.
    pub(crate) fn read(file: &Path) -> Result<Option<Self>, Fault> {
        let Some(text) = files::read(file)? else {
            return Ok(None);
        };
        let state = Self::parse(&text).map_err(|reason| {
            Fault::file(file, format!("is not the state of an audit: {reason}"))
        })?;
        Ok(Some(state))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: StateFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.format != FORMAT {
            return Err(format!("its format is {:?}, not {FORMAT:?}", file.format));
        }
        let root = Hash::parse_hash(&file.verified.root)
            .map_err(|_| "the root is not a hash in base64".to_owned())?;
        Ok(Self {
            keys: file.keys,
            is_key_from_house: file.is_key_from_house,
            checkpoint: file.checkpoint,
            position: Checkpoint {
                size: file.verified.size,
                root,
            },
            tally: file.tally,
        })
    }

    /// Replaces the file.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Fault> {
        let state = StateFile {
            format: FORMAT.to_owned(),
            keys: self.keys.clone(),
            is_key_from_house: self.is_key_from_house,
            checkpoint: self.checkpoint.clone(),
            verified: Position {
                size: self.position.size,
                root: self.position.root.to_string(),
            },
            tally: self.tally.clone(),
        };
        let text = serde_json::to_string(&state).map_err(|error| Fault::file(file, error))?;
        files::replace(file, &format!("{text}\n"))
    }
}
