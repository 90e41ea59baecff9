//! The batches: the house has signed exactly the receipts of each.

use glasshouse_persistence::books::BatchToCheck;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::ReceiptsRoot;
use glasshouse_transparency::entry::Entry;
use glasshouse_transparency::origin::{Origin, RECEIPTS_SUFFIX};
use glasshouse_transparency::receipt::leaf_hash;
use glasshouse_transparency::receipt_tree::ReceiptTree;

use crate::books::check::chunks::BATCHES_PER_CHUNK;
use crate::books::check::log::keys::KeysByLog;
use crate::books::check::log::suspects::Suspects;
use crate::books::check::report::{CheckReport, Finding, NAMED_ROWS};

/// Checks the notes of all batches, the entries of those that wait for a place in the log, and that those wait
/// which have none.
pub(crate) fn check_batches(
    snapshot: &mut Snapshot,
    keys: &KeysByLog,
    suspects: &mut Suspects,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let mut signed = Finding::new("the house has signed the receipts of every batch");
    let mut waiting = Finding::new("every entry that waits for its place in the log is of a round");
    let mut without_key = 0_u64;
    let mut last = 0;
    loop {
        let batches = snapshot
            .read(|connection| queries::batches_after(connection, last, BATCHES_PER_CHUNK))?;
        let Some(newest) = batches.last() else {
            break;
        };
        last = newest.id;
        for batch in &batches {
            match is_signed(batch, keys) {
                Signed::Yes => {}
                Signed::UnknownKey => without_key += 1,
                Signed::No(problem) => {
                    suspects.add_batch(batch.id);
                    signed.add(format!("batch {}: {problem}", batch.id));
                }
            }
            if batch.place.is_none() && !has_only_rounds(batch) {
                waiting.add(format!("batch {}", batch.id));
            }
        }
    }
    if without_key > 0 {
        report.unchecked.push(format!(
            "the signatures of {without_key} batches of receipts: their key was not given"
        ));
    }
    let mut places = Finding::new("every entry either has its place in the log or waits for it");
    let wrong =
        snapshot.read(|connection| queries::wrongly_waiting_batches(connection, NAMED_ROWS))?;
    for id in wrong {
        places.add(format!("batch {id}"));
    }
    report.invariants.extend([signed, waiting, places]);
    Ok(())
}

enum Signed {
    Yes,
    UnknownKey,
    No(String),
}

/// Whether the note of a batch is signed and states its receipts.
fn is_signed(batch: &BatchToCheck, keys: &KeysByLog) -> Signed {
    let root = ReceiptTree::new(batch.receipts.iter().copied()).root();
    let Some(root) = root else {
        return if batch.note.is_empty() {
            Signed::Yes
        } else {
            Signed::No("its receipts are missing".to_owned())
        };
    };
    let Some(origin) = origin_of(&batch.note) else {
        return Signed::No("its note is not one about receipts".to_owned());
    };
    let Some(keys) = keys.get(origin.as_str()) else {
        return Signed::UnknownKey;
    };
    match ReceiptsRoot::open(&batch.note, keys) {
        Ok(signed) if signed == root => Signed::Yes,
        Ok(_) => Signed::No("its receipts are not those that were signed".to_owned()),
        Err(error) => Signed::No(format!("its note: {error}")),
    }
}

/// Whether the receipt with this number among those of a batch has this text.
pub(crate) fn has_receipt(receipts: &[Hash], index: i64, text: &str) -> bool {
    let index = usize::try_from(index).ok();
    index.and_then(|index| receipts.get(index)) == Some(&leaf_hash(text))
}

/// The log in whose name receipts are signed.
pub(crate) fn origin_of(note: &str) -> Option<Origin> {
    let name = note.lines().next()?;
    Origin::parse(name.strip_suffix(RECEIPTS_SUFFIX)?).ok()
}

/// Waiting batches are from commits; what a log says about itself has its place at once.
fn has_only_rounds(batch: &BatchToCheck) -> bool {
    let is_round = |line: &&[u8]| {
        let entry = str::from_utf8(line).ok().map(Entry::parse);
        matches!(entry, Some(Ok(Entry::Round(_))))
    };
    batch.lines().is_ok_and(|lines| {
        lines.iter().all(is_round) && (lines.is_empty() || !batch.note.is_empty())
    })
}
