//! Signed tree heads: the checkpoints of the public log, and the roots of receipts.

use tlog_tiles::Hash;

use crate::MAXIMUM_TREE_SIZE;
use crate::keys::{NoteError, SigningKeys, VerifierKeys};
use crate::origin::{Origin, RECEIPTS_SUFFIX};

/// The size and root of the public log at some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checkpoint {
    /// The number of entries.
    pub size: u64,
    /// The root of the tree of all entries.
    pub root: Hash,
}

/// The number and the root of the receipts of one database commit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReceiptsRoot {
    /// The number of receipts.
    pub size: u64,
    /// The root of their tree.
    pub root: Hash,
}

impl Checkpoint {
    /// The text that is signed: origin, size and root, a line each.
    #[must_use]
    pub fn body(&self, origin: &Origin) -> String {
        body(origin.as_str(), self.size, self.root)
    }

    /// Parses the text that is signed.
    ///
    /// # Errors
    /// If it is not exactly what [`Checkpoint::body`] writes; extension lines are not accepted.
    pub fn parse_body(text: &str) -> Result<(Origin, Self), NoteError> {
        let (name, size, root) = parse(text)?;
        let origin = Origin::parse(&name).map_err(|_| NoteError::OtherText)?;
        Ok((origin, Self { size, root }))
    }

    /// The log that a signed checkpoint claims to be of, for whoever has the keys of several logs.
    /// Nothing is verified.
    #[must_use]
    pub fn claimed_origin(note: &str) -> Option<Origin> {
        let (origin, _) = note.split_once('\n')?;
        Origin::parse(origin).ok()
    }

    /// Signs the checkpoint of the keys' log.
    ///
    /// # Errors
    /// Never for keys that could be parsed.
    pub fn sign(&self, keys: &SigningKeys) -> Result<String, NoteError> {
        keys.sign(&self.body(keys.origin()))
    }

    /// Verifies a signed checkpoint of the keys' log.
    ///
    /// # Errors
    /// If a trusted signature is missing or wrong, the text is not a checkpoint, or it is of another
    /// log.
    pub fn open(note: &str, keys: &VerifierKeys) -> Result<Self, NoteError> {
        let (origin, checkpoint) = Self::parse_body(keys.open(note)?)?;
        if origin == *keys.origin() {
            Ok(checkpoint)
        } else {
            Err(NoteError::OtherText)
        }
    }
}

impl ReceiptsRoot {
    /// Signs the root of receipts of the keys' house.
    ///
    /// # Errors
    /// Never for keys that could be parsed.
    pub fn sign(&self, keys: &SigningKeys) -> Result<String, NoteError> {
        keys.sign(&body(&name(keys.origin()), self.size, self.root))
    }

    /// Verifies a signed root of receipts of the keys' house.
    ///
    /// # Errors
    /// If a trusted signature is missing or wrong, or the text is not a root of that house's
    /// receipts.
    pub fn open(note: &str, keys: &VerifierKeys) -> Result<Self, NoteError> {
        let (first_line, size, root) = parse(keys.open(note)?)?;
        if first_line == name(keys.origin()) {
            Ok(Self { size, root })
        } else {
            Err(NoteError::OtherText)
        }
    }
}

/// What a signed checkpoint states, without a verification of its signatures.
#[must_use]
pub fn stated_end(note: &str) -> Option<(Origin, Checkpoint)> {
    let (body, _) = note.split_once("\n\n")?;
    Checkpoint::parse_body(&format!("{body}\n")).ok()
}

/// The first line of a root of receipts, which differs from that of any checkpoint.
fn name(origin: &Origin) -> String {
    format!("{origin}{RECEIPTS_SUFFIX}")
}

fn body(name: &str, size: u64, root: Hash) -> String {
    format!("{name}\n{size}\n{root}\n")
}

fn parse(text: &str) -> Result<(String, u64, Hash), NoteError> {
    let parsed =
        tlog_tiles::Checkpoint::from_bytes(text.as_bytes()).map_err(|_| NoteError::OtherText)?;
    let (name, size, root) = (parsed.origin(), parsed.size(), *parsed.hash());
    if size <= MAXIMUM_TREE_SIZE && body(name, size, root) == text {
        Ok((name.to_owned(), size, root))
    } else {
        Err(NoteError::OtherText)
    }
}
