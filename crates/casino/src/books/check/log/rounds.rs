//! The rounds: each has the receipt that follows from it, and each settled one its entry, once.

use std::collections::{BTreeMap, BTreeSet};

use glasshouse_domain::RoundId;
use glasshouse_persistence::books::{BatchToCheck, RoundToCheck, UnevenBatch};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::leaf_hash;
use glasshouse_transparency::origin::Origin;

use crate::books::check::log::batches::{has_receipt, origin_of};
use crate::books::check::log::suspects::Suspects;
use crate::books::check::report::{CheckReport, Finding, NAMED_ROWS};
use crate::statements::RoundFacts;

/// What a replay of a round gives for its receipt and its entry.
pub(crate) struct ReplayedRound {
    /// The hash of the server seed.
    pub(crate) server_seed_hash: String,
    /// The leaf hash of the entry; `None` while the round is open.
    pub(crate) entry: Option<Hash>,
}

/// Compares replayed rounds with their receipts and entries.
pub(crate) struct LoggedRounds {
    suspects: Suspects,
    /// The batches that the rounds being replayed refer to.
    batches: BTreeMap<i64, RoundBatch>,
    /// Batches with more or fewer entries than rounds, and the entries in them that are of a round.
    uneven: Vec<(UnevenBatch, BTreeSet<[u8; 32]>)>,
    receipts: Finding,
    entries: Finding,
}

struct RoundBatch {
    origin: Option<Origin>,
    receipts: Vec<Hash>,
    entries: BTreeSet<[u8; 32]>,
}

impl LoggedRounds {
    pub(crate) fn new(snapshot: &mut Snapshot, suspects: Suspects) -> Result<Self, DatabaseError> {
        let uneven = snapshot.read(|connection| queries::uneven_batches(connection, NAMED_ROWS))?;
        Ok(Self {
            suspects,
            batches: BTreeMap::new(),
            uneven: uneven
                .into_iter()
                .map(|batch| (batch, BTreeSet::new()))
                .collect(),
            receipts: Finding::new("every round has the receipt that follows from it"),
            entries: Finding::new("every settled round is in the log, exactly once"),
        })
    }

    /// Reads what the rounds that are replayed next refer to.
    pub(crate) fn read_batches(
        &mut self,
        snapshot: &mut Snapshot,
        rounds: &[RoundToCheck],
    ) -> Result<(), DatabaseError> {
        let ids: BTreeSet<i64> = rounds
            .iter()
            .filter_map(|found| Some(found.round.as_ref().ok()?.receipt?.batch))
            .collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        let batches = snapshot.read(|connection| queries::batches_by_id(connection, &ids))?;
        self.batches = batches
            .into_iter()
            .map(|batch| (batch.id, RoundBatch::from(batch)))
            .collect();
        Ok(())
    }

    /// Compares a round whose replay was identical.
    pub(crate) fn add(&mut self, round: &Round, replayed: &ReplayedRound) {
        let id = round.id;
        let Some(position) = round.receipt else {
            return;
        };
        let Some(batch) = self.batches.get(&position.batch) else {
            let row = format!("round {id}: its batch {} does not exist", position.batch);
            self.entries.add(row);
            return;
        };
        if self.suspects.has_batch(position.batch) {
            let row =
                format!("round {id}: the receipts of its batch are not those that were signed");
            self.receipts.add(row);
        }
        if !batch.has_receipt(round, replayed, position.index) {
            self.receipts.add(format!(
                "round {id}: receipt {} of batch {} states something else",
                position.index, position.batch
            ));
        }
        let Some(entry) = replayed.entry else {
            return;
        };
        if !batch.entries.contains(&entry.0) {
            let row = format!("round {id}: its entry is not in batch {}", position.batch);
            self.entries.add(row);
        }
        if let Some(problem) = self.suspects.problem_of(entry) {
            self.entries.add(format!("round {id}: {problem}"));
        }
        for (uneven, known) in &mut self.uneven {
            if uneven.id == position.batch {
                known.insert(entry.0);
            }
        }
    }

    /// Adds the findings to the report, after all rounds were replayed.
    pub(crate) fn finish(
        mut self,
        snapshot: &mut Snapshot,
        report: &mut CheckReport,
    ) -> Result<(), DatabaseError> {
        for (uneven, known) in std::mem::take(&mut self.uneven) {
            self.name_surplus(snapshot, &uneven, &known)?;
        }
        let without_receipt = rounds_without_receipt(snapshot)?;
        report
            .invariants
            .extend([self.receipts, self.entries, without_receipt]);
        let mut missing = Finding::new("no round is missing");
        if !report.is_clean() {
            for round in
                snapshot.read(|connection| queries::missing_rounds(connection, NAMED_ROWS))?
            {
                missing.add(round.value);
            }
        }
        report.invariants.push(missing);
        Ok(())
    }

    /// Names the entries of a batch that are of no round.
    fn name_surplus(
        &mut self,
        snapshot: &mut Snapshot,
        uneven: &UnevenBatch,
        known: &BTreeSet<[u8; 32]>,
    ) -> Result<(), DatabaseError> {
        let UnevenBatch {
            id,
            entries,
            rounds,
        } = uneven;
        self.entries.add(format!(
            "batch {id} has {entries} entries, but {rounds} rounds were settled in it"
        ));
        for batch in snapshot.read(|connection| queries::batches_by_id(connection, &[*id]))? {
            let first = batch.place.map_or(0, |(_, first)| first);
            for (index, line) in (first..).zip(batch.lines().unwrap_or_default()) {
                if !known.contains(&leaf_hash(line).0) {
                    let place = if batch.place.is_some() {
                        format!("entry {index} of the log (batch {id})")
                    } else {
                        format!("entry {index} of batch {id}, which waits for its place,")
                    };
                    self.entries.add(format!("{place} is of no round"));
                }
            }
        }
        Ok(())
    }
}

impl From<BatchToCheck> for RoundBatch {
    fn from(batch: BatchToCheck) -> Self {
        // A batch whose entries cannot be read is reported where the logs are checked.
        let lines = batch.lines().unwrap_or_default();
        Self {
            origin: origin_of(&batch.note),
            entries: lines.into_iter().map(|line| leaf_hash(line).0).collect(),
            receipts: batch.receipts,
        }
    }
}

impl RoundBatch {
    /// Whether the batch has the receipt of the round's last change.
    fn has_receipt(&self, round: &Round, replayed: &ReplayedRound, index: i64) -> bool {
        let Some(origin) = self.origin.clone() else {
            return false;
        };
        let facts = RoundFacts::of(round, replayed.entry);
        let Ok(text) = facts.text(origin, &replayed.server_seed_hash) else {
            return false;
        };
        has_receipt(&self.receipts, index, &text)
    }
}

/// The settled rounds without a receipt must be those from before receipts existed.
fn rounds_without_receipt(snapshot: &mut Snapshot) -> Result<Finding, DatabaseError> {
    let mut wrong =
        Finding::new("the settled rounds without a receipt are those from before the log");
    let before = snapshot.read(queries::opening_totals)?;
    let found = snapshot.read(queries::totals_without_receipts)?;
    for total in found.iter().filter(|total| !before.contains(total)) {
        let game = &total.game;
        let newest = snapshot
            .read(|connection| queries::rounds_without_receipts(connection, game, NAMED_ROWS))?;
        let named: Vec<String> = newest.iter().map(RoundId::to_string).collect();
        wrong.add(format!(
            "{game}: {} settled rounds, the newest of which are the rounds {}",
            total.rounds,
            named.join(", ")
        ));
    }
    for total in before.iter().filter(|total| !found.contains(total)) {
        let game = &total.game;
        wrong.add(format!(
            "{game}: there were {} rounds before the log",
            total.rounds
        ));
    }
    Ok(wrong)
}
