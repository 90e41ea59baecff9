//! The receipts of seed pairs, deposits and withdrawals: each states what happened, and none is
//! missing.

use std::collections::{BTreeMap, BTreeSet};

use glasshouse_persistence::books::{BatchToCheck, NamedPair, ReceiptToCheck};
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::receipt::{ClientSeedBy, PairStatement, Receipt, Statement};

use crate::books::check::chunks::ROWS_PER_CHUNK;
use crate::books::check::log::batches::has_receipt;
use crate::books::check::log::named_payments::NamedPayments;
use crate::books::check::report::{CheckReport, Finding, NAMED_ROWS};

/// Checks all stored receipts.
pub(crate) fn check_stored_receipts(
    snapshot: &mut Snapshot,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let mut check = ReceiptCheck {
        wrong: Finding::new(
            "every receipt of a seed pair, deposit or withdrawal is true and signed",
        ),
        counts: BTreeMap::new(),
        replaced: BTreeMap::new(),
    };
    let mut last = 0;
    loop {
        let receipts = snapshot
            .read(|connection| queries::receipts_after(connection, last, ROWS_PER_CHUNK))?;
        let Some(newest) = receipts.last() else {
            break;
        };
        last = newest.id;
        let named = Named::read(snapshot, &receipts)?;
        for receipt in &receipts {
            check.add(receipt, &named);
        }
    }
    for (id, player) in
        snapshot.read(|connection| queries::repeated_receipts(connection, NAMED_ROWS))?
    {
        check.wrong.add(format!(
            "receipt {id} of player {player}: there are two of it"
        ));
    }
    for (hash, receipt) in &check.replaced {
        check.wrong.add(format!(
            "{receipt}: the seed pair {hash} has another client seed than its last receipt states"
        ));
    }
    let mut missing = Finding::new("every seed pair, deposit and withdrawal has its receipts");
    for expected in snapshot.read(queries::receipt_counts)? {
        let found = check.counts.get(expected.kind.as_str()).copied();
        let found = found.unwrap_or_default();
        if found != expected.value {
            let (kind, value) = (expected.kind, expected.value);
            missing.add(format!("{kind}: {found} receipts of {value}"));
        }
    }
    report.invariants.extend([check.wrong, missing]);
    Ok(())
}

struct ReceiptCheck {
    wrong: Finding,
    /// The number of receipts by kind; of a seed pair, only the first one counts.
    counts: BTreeMap<&'static str, i64>,
    /// Seed pairs whose client seed is not that of the last receipt so far, which is named.
    replaced: BTreeMap<String, String>,
}

/// What the receipts of a chunk name.
struct Named {
    batches: BTreeMap<i64, BatchToCheck>,
    pairs: BTreeMap<String, NamedPair>,
    payments: NamedPayments,
}

impl Named {
    fn read(snapshot: &mut Snapshot, receipts: &[ReceiptToCheck]) -> Result<Self, DatabaseError> {
        let batches: BTreeSet<i64> = receipts.iter().map(|receipt| receipt.batch).collect();
        let batches: Vec<i64> = batches.into_iter().collect();
        let statements: Vec<Statement> = receipts
            .iter()
            .filter_map(|receipt| Some(Receipt::parse(&receipt.text).ok()?.statement))
            .collect();
        let hashes: BTreeSet<String> = statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Pair(pair) => Some([pair.server_seed_hash, pair.next_server_seed_hash]),
                _ => None,
            })
            .flatten()
            .map(|hash| hash.to_string())
            .collect();
        let hashes: Vec<String> = hashes.into_iter().collect();
        let batches = snapshot.read(|connection| queries::batches_by_id(connection, &batches))?;
        let pairs = snapshot.read(|connection| queries::pairs_by_hash(connection, &hashes))?;
        Ok(Self {
            batches: batches.into_iter().map(|batch| (batch.id, batch)).collect(),
            pairs: pairs
                .into_iter()
                .map(|pair| (pair.server_seed_hash.clone(), pair))
                .collect(),
            payments: NamedPayments::read(snapshot, &statements)?,
        })
    }

    /// Whether the batch of a receipt has its leaf hash.
    fn has_leaf(&self, receipt: &ReceiptToCheck) -> bool {
        let batch = self.batches.get(&receipt.batch);
        batch.is_some_and(|batch| has_receipt(&batch.receipts, receipt.index, &receipt.text))
    }
}

impl ReceiptCheck {
    fn add(&mut self, stored: &ReceiptToCheck, named: &Named) {
        let name = format!("receipt {} of player {}", stored.id, stored.player);
        if !named.has_leaf(stored) {
            self.wrong
                .add(format!("{name}: batch {} does not have it", stored.batch));
        }
        let Ok(receipt) = Receipt::parse(&stored.text) else {
            return self.wrong.add(format!("{name} is not one"));
        };
        let kind = match &receipt.statement {
            _ if receipt.player != stored.player => None,
            Statement::Round(_) => None,
            Statement::Pair(pair) => self.kind_of_pair(&receipt, pair, named, &name),
            Statement::Payment(payment) => named.payments.kind(receipt.player, payment),
        };
        match kind {
            Some(kind) => *self.counts.entry(kind).or_default() += 1,
            None => self
                .wrong
                .add(format!("{name} is not true:\n{}", stored.text)),
        }
    }

    /// The kind of a true receipt of a seed pair; `None` if it is not true.
    fn kind_of_pair(
        &mut self,
        receipt: &Receipt,
        statement: &PairStatement,
        named: &Named,
        name: &str,
    ) -> Option<&'static str> {
        let hash = statement.server_seed_hash.to_string();
        let pair = named.pairs.get(&hash)?;
        let next = named
            .pairs
            .get(&statement.next_server_seed_hash.to_string())?;
        if pair.player != receipt.player || next.player != receipt.player {
            return None;
        }
        let by = match statement.client_seed_by {
            ClientSeedBy::Player => "player",
            ClientSeedBy::House => "house",
        };
        let has_client_seed = pair.client_seed.as_deref() == Some(statement.client_seed.as_str())
            && pair.client_seed_by.as_deref() == Some(by);
        if has_client_seed {
            self.replaced.remove(&hash);
        } else {
            self.replaced.insert(hash, name.to_owned());
        }
        // The first receipt is from the time at which the pair became active.
        let is_first = pair.activated_at_micros == Some(receipt.time.as_micros());
        Some(if is_first { "pair" } else { "pair again" })
    }
}
