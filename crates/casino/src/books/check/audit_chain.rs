//! Checks that the audit log is unchanged: each record's hash and key, and the sealed end.

use std::collections::BTreeMap;

use glasshouse_persistence::audit::{AuditHead, AuditKeys, AuditRecord};

use crate::books::check::report::{CheckOptions, CheckReport, Finding};

/// Reads the log record by record and verifies its hash chain.
pub(crate) struct ChainCheck<'o> {
    keys: Option<&'o AuditKeys>,
    noted: Vec<String>,
    broken: Finding,
    /// The hash of the last record read.
    hash: String,
    /// The number of records with a hash.
    hashed: i64,
    /// The key of the last record.
    key_id: Option<String>,
    /// The number of records with a key that was not given, by key.
    unverified: BTreeMap<String, i64>,
    /// Descriptions of the records at which the key changes.
    changes: Vec<String>,
}

impl<'o> ChainCheck<'o> {
    pub(crate) fn new(options: &'o CheckOptions) -> Self {
        Self {
            keys: options.audit_keys.as_ref(),
            noted: options.noted_hashes.clone(),
            broken: Finding::new("the hash chain of the audit log is intact"),
            hash: AuditRecord::genesis().to_owned(),
            hashed: 0,
            key_id: None,
            unverified: BTreeMap::new(),
            changes: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let named = format!("audit record {} ({})", record.id, record.action);
        let key_id = record.key_id.as_ref();
        if key_id != self.key_id.as_ref() {
            match key_id {
                Some(id) => self.changes.push(format!(
                    "key {id} from record {} of {} on",
                    record.id,
                    format_time(record.created_at_micros)
                )),
                None => self
                    .broken
                    .add(format!("{named} has no key, but earlier records do")),
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
            // Records without a hash are older than the chain, so they can only be at its
            // beginning.
            if self.hashed > 0 || key_id.is_some() {
                self.broken.add(format!("{named} has no hash"));
            }
            self.hash = computed.unwrap_or_default();
            return;
        };
        if computed.is_some_and(|computed| computed != *stored) {
            self.broken.add(format!("{named} does not match its hash"));
        }
        self.hashed += 1;
        self.noted.retain(|noted| noted != stored);
        // Continue with the stored hash, so that one broken record does not break all that follow.
        self.hash.clone_from(stored);
    }

    /// Compares the end of the log with the separately stored head, and adds the findings to the
    /// report.
    pub(crate) fn finish(mut self, head: &AuditHead, report: &mut CheckReport) {
        let last = (self.hashed > 0).then_some(&self.hash);
        if head.records != self.hashed || head.hash.as_ref() != last {
            self.broken.add_first(format!(
                "audit_head: the log does not end where it should: it has {} records instead of {}",
                self.hashed, head.records
            ));
        }
        let is_known = |id: &String| self.keys.is_some_and(|keys| keys.find(id).is_some());
        match (&head.key_id, self.keys) {
            (None, _) => self
                .broken
                .add_first("audit_head: the end of the log has no seal".to_owned()),
            (Some(id), Some(keys)) if is_known(id) => {
                if !head.is_sealed(keys) {
                    self.broken.add_first(
                        "audit_head: the end of the log does not match its seal".to_owned(),
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
        let mut noted = Finding::new("all noted hashes are in the audit log");
        for hash in self.noted {
            let is_beginning = hash == AuditRecord::genesis();
            if !is_beginning {
                noted.add(format!("the hash {hash} is not in the audit log"));
            }
        }
        report.invariants.push(self.broken);
        report.invariants.push(noted);
        report.audit_keys = self.changes;
        report.audit_head = self.hash;
    }
}

/// Formats a time in microseconds since the epoch.
fn format_time(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros)
        .map_or_else(|_| format!("{micros} µs"), |time| time.to_string())
}
