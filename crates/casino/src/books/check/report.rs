//! What the check of the books says.

use glasshouse_persistence::audit::AuditKeys;
use glasshouse_persistence::books::{CheckCount, Violation};

/// How many of the rows that break an invariant are named.
const MAXIMUM_NAMED_VIOLATIONS: usize = 10;

/// What the check is told.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// What the audit log is sealed with; without, the log is not verified.
    pub audit_keys: Option<AuditKeys>,
    /// Hashes of the audit log that were noted elsewhere: each must be in it still.
    pub noted_hashes: Vec<String>,
}

/// An invariant and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What should be true.
    pub invariant: &'static str,
    /// How many rows say otherwise.
    pub count: i64,
    /// The first of them, in words; the sums over whole tables name none.
    pub rows: Vec<String>,
}

impl Finding {
    pub(crate) const fn new(invariant: &'static str) -> Self {
        Self {
            invariant,
            count: 0,
            rows: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, row: String) {
        self.count += 1;
        if self.rows.len() < MAXIMUM_NAMED_VIOLATIONS {
            self.rows.push(row);
        }
    }

    /// The same for a row that must be named however many there are.
    pub(crate) fn add_first(&mut self, row: String) {
        self.count += 1;
        self.rows.insert(0, row);
        self.rows.truncate(MAXIMUM_NAMED_VIOLATIONS);
    }
}

impl From<Violation> for Finding {
    fn from(violation: Violation) -> Self {
        Self {
            count: violation.count,
            ..Self::new(violation.invariant)
        }
    }
}

/// What was checked and what was found.
#[derive(Debug, Clone)]
pub struct CheckReport {
    /// How many rows there are of each kind.
    pub counts: Vec<CheckCount>,
    /// Every invariant with what breaks it.
    pub invariants: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// From where on the audit log is under a key, for the operator to compare.
    pub audit_keys: Vec<String>,
    /// The hash over the whole audit log: noted elsewhere, it shows later that nothing before was
    /// changed.
    pub audit_head: String,
}

impl CheckReport {
    /// Whether no invariant is broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.invariants.iter().all(|invariant| invariant.count == 0)
    }

    /// Whether everything could be checked.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unchecked.is_empty()
    }
}
