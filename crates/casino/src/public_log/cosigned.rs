//! What the witnesses have cosigned, and the checkpoint with their cosignatures.

use glasshouse_persistence::public_log::Cosignature;
use glasshouse_transparency::cosignature::add_cosignatures;

use crate::public_log::witness::{Witness, WitnessStatus};

/// Adds the stored cosignatures to the signed checkpoint of a log of this size. Those of other sizes
/// are left out, and those that do not match.
pub(crate) fn with_cosignatures(
    mut note: String,
    size: u64,
    stored: &[Cosignature],
    witnesses: &[Witness],
) -> String {
    for cosignature in stored.iter().filter(|stored| stored.size == size) {
        let is_by = |witness: &&Witness| witness.key.to_string() == cosignature.witness;
        let Some(witness) = witnesses.iter().find(is_by) else {
            continue;
        };
        let key = std::slice::from_ref(&witness.key);
        if let Ok(cosigned) = add_cosignatures(&note, &cosignature.line, key) {
            note = cosigned;
        }
    }
    note
}

/// What each of the witnesses has cosigned, according to the stored cosignatures.
pub(crate) fn statuses(witnesses: &[Witness], stored: &[Cosignature]) -> Vec<WitnessStatus> {
    let status = |witness: &Witness| {
        let key = witness.key.to_string();
        let last = stored.iter().find(|stored| stored.witness == key);
        WitnessStatus {
            name: witness.to_string(),
            cosigned: last.map(|last| (last.size, last.at)),
            key,
        }
    };
    witnesses.iter().map(status).collect()
}
