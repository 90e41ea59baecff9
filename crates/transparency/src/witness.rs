//! The texts with which a log asks a witness to cosign a checkpoint (C2SP tlog-witness,
//! `add-checkpoint`).

use tlog_tiles::Hash;

use crate::MAXIMUM_TREE_SIZE;

/// The path of the call, after the address of the witness.
pub const ADD_CHECKPOINT_PATH: &str = "/add-checkpoint";
/// The content type of the answer that tells the size known to the witness.
pub const SIZE_CONTENT_TYPE: &str = "text/x.tlog.size";

const MAXIMUM_PROOF_LENGTH: usize = 63;
/// Larger than any note that has a few signatures.
const MAXIMUM_LENGTH: usize = 100_000;

/// A request to cosign a checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct AddCheckpoint {
    /// The size of the largest checkpoint that the witness is believed to know; 0 if none.
    pub old_size: u64,
    /// The proof that the checkpoint continues the log of that size; empty for the size 0.
    pub proof: Vec<Hash>,
    /// The checkpoint, signed by the log.
    pub note: String,
}

/// What a witness answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The lines of its cosignatures, each with its line end.
    Cosigned(String),
    /// It does not know the log.
    UnknownLog,
    /// The log did not sign the checkpoint.
    NotSigned,
    /// The request is malformed, or its old size is larger than the checkpoint's.
    Malformed,
    /// It knows the log at another size, or with another root at the same size.
    Conflict {
        /// The size that it knows.
        size: u64,
    },
    /// The proof is not valid: the checkpoint may be a fork.
    InvalidProof,
}

/// The text is not a request to cosign a checkpoint, or not an answer to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a message between a log and a witness")]
pub struct MessageError;

impl AddCheckpoint {
    /// Writes the body of the request.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("old {}\n", self.old_size);
        for hash in &self.proof {
            text.push_str(&hash.to_string());
            text.push('\n');
        }
        text.push('\n');
        text.push_str(&self.note);
        text
    }

    /// Parses the body of a request. The note is only split off: whether the log signed it is
    /// verified by [`Checkpoint::open`](crate::checkpoint::Checkpoint::open).
    ///
    /// # Errors
    /// If the text differs in any way from what [`AddCheckpoint::to_text`] writes for a proof of at
    /// most 63 hashes.
    pub fn parse(text: &str) -> Result<Self, MessageError> {
        if text.len() > MAXIMUM_LENGTH {
            return Err(MessageError);
        }
        let (head, note) = text.split_once("\n\n").ok_or(MessageError)?;
        let mut lines = head.split('\n');
        let old_size = lines
            .next()
            .and_then(|line| line.strip_prefix("old "))
            .and_then(size)
            .ok_or(MessageError)?;
        let proof: Vec<Hash> = lines
            .map(|line| Hash::parse_hash(line).map_err(|_| MessageError))
            .collect::<Result<_, _>>()?;
        let request = Self {
            old_size,
            proof,
            note: note.to_owned(),
        };
        let is_valid = request.proof.len() <= MAXIMUM_PROOF_LENGTH && request.to_text() == text;
        if is_valid {
            Ok(request)
        } else {
            Err(MessageError)
        }
    }
}

impl Answer {
    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Cosigned(_) => 200,
            Self::Malformed => 400,
            Self::NotSigned => 403,
            Self::UnknownLog => 404,
            Self::Conflict { .. } => 409,
            Self::InvalidProof => 422,
        }
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> String {
        match self {
            Self::Cosigned(lines) => lines.clone(),
            Self::Conflict { size } => format!("{size}\n"),
            _ => String::new(),
        }
    }

    /// Parses an answer. Of refusals the body is ignored, except for the size in a conflict; whether
    /// the cosignatures are valid is verified by
    /// [`add_cosignatures`](crate::cosignature::add_cosignatures).
    ///
    /// # Errors
    /// If the status has no meaning, or the body is not what it should be.
    pub fn parse(status: u16, body: &str) -> Result<Self, MessageError> {
        match status {
            200 if is_signatures(body) => Ok(Self::Cosigned(body.to_owned())),
            400 => Ok(Self::Malformed),
            403 => Ok(Self::NotSigned),
            404 => Ok(Self::UnknownLog),
            409 => {
                let size = body.strip_suffix('\n').and_then(size).ok_or(MessageError)?;
                Ok(Self::Conflict { size })
            }
            422 => Ok(Self::InvalidProof),
            _ => Err(MessageError),
        }
    }
}

/// Whether the text consists of one or more signature lines of a note.
fn is_signatures(text: &str) -> bool {
    let is_signature = |line: &str| {
        signed_note::Signature::from_bytes(line.as_bytes())
            .is_ok_and(|signature| signature.to_bytes() == format!("{line}\n").as_bytes())
    };
    text.len() <= MAXIMUM_LENGTH
        && text
            .strip_suffix('\n')
            .is_some_and(|lines| lines.split('\n').all(is_signature))
}

/// A size that is written as usual.
fn size(text: &str) -> Option<u64> {
    let size: u64 = text.parse().ok()?;
    (size <= MAXIMUM_TREE_SIZE && size.to_string() == text).then_some(size)
}
