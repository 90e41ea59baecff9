//! The ends of logs as their checkpoints state them.

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::origin::Origin;

/// What a signed checkpoint states, without a verification of its signatures.
#[must_use]
pub fn stated_end(note: &str) -> Option<(Origin, Checkpoint)> {
    let (body, _) = note.split_once("\n\n")?;
    Checkpoint::parse_body(&format!("{body}\n")).ok()
}
