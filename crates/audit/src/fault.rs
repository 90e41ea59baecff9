//! Why something could not be verified. It says nothing about the house; what speaks against the
//! house is a [`Contradiction`](crate::audit::Contradiction).

use std::path::{Path, PathBuf};

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The arguments are not usable.
    #[error("{0}")]
    Usage(String),
    /// A page of the house could not be read.
    #[error("{url} cannot be read: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// What happened at the last attempt.
        reason: String,
    },
    /// A file could not be read or written, or is not what it should be.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The log contains something that a newer version of the program knows.
    #[error("entry {index} needs a newer version of this program: {reason}")]
    Newer {
        /// The index of the entry.
        index: u64,
        /// What is not known.
        reason: String,
    },
    /// A part of the program was stopped, or the computer failed.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl Fault {
    pub(crate) fn file(file: &Path, reason: impl std::fmt::Display) -> Self {
        Self::File {
            file: file.to_owned(),
            reason: reason.to_string(),
        }
    }

    pub(crate) fn interrupted(reason: impl std::fmt::Display) -> Self {
        Self::Interrupted(reason.to_string())
    }
}
