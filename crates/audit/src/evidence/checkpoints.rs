//! Checkpoints in the evidence, compared with the log that the house serves now.

use std::sync::Arc;

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::VerifierKeys;

use crate::audit::{Contradiction, Failure, SignedCheckpoint, check_continuation};
use crate::evidence::finding::{Finding, Placed};
use crate::log::{HouseConnection, ServedTiles};

/// The checkpoints among notes that the house has signed.
pub(crate) fn genuine(
    notes: &[Placed<String>],
    keys: &VerifierKeys,
) -> Vec<Placed<SignedCheckpoint>> {
    notes
        .iter()
        .filter_map(|note| {
            let checkpoint = Checkpoint::open(&note.value, keys).ok()?;
            Some(Placed {
                place: note.place.clone(),
                value: SignedCheckpoint {
                    checkpoint,
                    note: note.value.clone(),
                },
            })
        })
        .collect()
}

/// Finds checkpoints that the served log does not continue.
pub(crate) async fn contradictions(
    checkpoints: &[Placed<SignedCheckpoint>],
    house: &Arc<HouseConnection>,
    served: &SignedCheckpoint,
) -> Result<Vec<Finding>, Failure> {
    let mut findings = same_size(checkpoints);
    let tiles = ServedTiles::new(Arc::clone(house), served.checkpoint.size);
    for checkpoint in checkpoints {
        match check_continuation(&tiles, &checkpoint.value, served).await {
            Ok(()) => {}
            Err(Failure::Contradiction(
                found @ (Contradiction::Forked { .. } | Contradiction::Truncated { .. }),
            )) => findings.push(Finding::proof(
                [checkpoint.place.clone()],
                found.to_string(),
            )),
            Err(other) => return Err(other),
        }
    }
    Ok(findings)
}

/// Two roots of the same size are a proof without any log.
fn same_size(checkpoints: &[Placed<SignedCheckpoint>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, one) in (1..).zip(checkpoints) {
        for other in checkpoints.iter().skip(number) {
            let (first, second) = (one.value.checkpoint, other.value.checkpoint);
            if first.size == second.size && first.root != second.root {
                findings.push(Finding::proof(
                    [one.place.clone(), other.place.clone()],
                    format!(
                        "the house has signed two logs of the same size with different roots:\n{}\n{}",
                        one.value.note, other.value.note
                    ),
                ));
            }
        }
    }
    findings
}
