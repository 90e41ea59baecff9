//! The audit log is what was written: each record's hash, the key it was made with, and the end.

use std::collections::BTreeMap;

use glasshouse_persistence::audit::{AuditHead, AuditKeys, AuditRecord};

use crate::books::check::report::{CheckOptions, CheckReport, Finding};

/// Walks along the log, record by record.
pub(crate) struct Chain<'o> {
    keys: Option<&'o AuditKeys>,
    noted: Vec<String>,
    broken: Finding,
    /// The hash up to where the walk is.
    hash: String,
    /// How many records with a hash there were.
    hashed: i64,
    /// The key of the last record.
    key_id: Option<String>,
    /// How many records name a key that we do not have, by key.
    unverified: BTreeMap<String, i64>,
    /// Where keys came and went.
    changes: Vec<String>,
}

impl<'o> Chain<'o> {
    pub(crate) fn new(options: &'o CheckOptions) -> Self {
        Self {
            keys: options.audit_keys.as_ref(),
            noted: options.noted_hashes.clone(),
            broken: Finding::new("every record of the audit log vouches for those before it"),
            hash: AuditRecord::genesis().to_owned(),
            hashed: 0,
            key_id: None,
            unverified: BTreeMap::new(),
            changes: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, record: &AuditRecord) {
        let named = format!("audit record {} ({})", record.id, record.action);
        let key_id = record.key_id.as_ref();
        if key_id != self.key_id.as_ref() {
            match key_id {
                Some(id) => self.changes.push(format!(
                    "key {id} from record {} of {} on",
                    record.id,
                    moment(record.created_at_micros)
                )),
                None => self
                    .broken
                    .add(format!("{named} carries no key, and those before it do")),
            }
        }
        self.key_id = key_id.cloned();
        let key = key_id.and_then(|id| self.keys.and_then(|keys| keys.find(id)));
        let computed = match (key_id, key) {
            (Some(id), None) => {
                *self.unverified.entry(id.clone()).or_default() += 1;
                None
            }
            (_, key) => Some(record.chained(&self.hash, key)),
        };
        let Some(stored) = &record.hash else {
            // Records from before the chain stand at its beginning only.
            if self.hashed > 0 || key_id.is_some() {
                self.broken.add(format!("{named} has no hash"));
            }
            self.hash = computed.unwrap_or_default();
            return;
        };
        if computed.is_some_and(|computed| computed != *stored) {
            self.broken.add(format!("{named} is not what was written"));
        }
        self.hashed += 1;
        self.noted.retain(|noted| noted != stored);
        // So that one broken record is one, not all that follow.
        self.hash.clone_from(stored);
    }

    /// Compares the end of the walk with the end that is kept apart, and reports.
    pub(crate) fn finish(mut self, head: &AuditHead, report: &mut CheckReport) {
        let last = (self.hashed > 0).then_some(&self.hash);
        if head.records != self.hashed || head.hash.as_ref() != last {
            self.broken.add_first(format!(
                "audit_head: the log ends elsewhere than was written, with {} records instead of {}",
                self.hashed, head.records
            ));
        }
        let is_known = |id: &String| self.keys.is_some_and(|keys| keys.find(id).is_some());
        match (&head.key_id, self.keys) {
            (None, _) => self.broken.add_first(
                "audit_head: the end of the log carries no seal, and every log has one".to_owned(),
            ),
            (Some(id), Some(keys)) if is_known(id) => {
                if !head.is_sealed(keys) {
                    self.broken.add_first(
                        "audit_head: the end of the log is not the one that was sealed".to_owned(),
                    );
                }
            }
            (Some(id), _) => report.unchecked.push(format!(
                "the seal of the audit log's end: its key {id} was not given"
            )),
        }
        for (id, records) in &self.unverified {
            report.unchecked.push(format!(
                "{records} records of the audit log: their key {id} was not given"
            ));
        }
        let mut noted = Finding::new("the noted hashes are in the audit log");
        for hash in self.noted {
            let is_beginning = hash == AuditRecord::genesis();
            if !is_beginning {
                noted.add(format!("the hash {hash} is nowhere in the log"));
            }
        }
        report.invariants.push(self.broken);
        report.invariants.push(noted);
        report.audit_keys = self.changes;
        report.audit_head = self.hash;
    }
}

/// A moment as people read it.
fn moment(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros)
        .map_or_else(|_| format!("{micros} µs"), |moment| moment.to_string())
}
