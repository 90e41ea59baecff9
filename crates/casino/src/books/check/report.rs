//! The result of a check of the books.

use glasshouse_persistence::audit::AuditKeys;
use glasshouse_persistence::books::{CheckCount, RoleCheck, Violation};
use glasshouse_persistence::seeds::SeedKeys;
use glasshouse_transparency::keys::VerifierKeys;

/// The maximum number of violating rows that are listed per invariant.
const MAXIMUM_NAMED_VIOLATIONS: usize = 10;
/// The same number, for queries that find violating rows.
pub(crate) const NAMED_ROWS: i64 = 10;

/// The options of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// The keys of the audit log; without them, its hashes are not verified.
    pub audit_keys: Option<AuditKeys>,
    /// The keys of the server seeds; without them, unrevealed seeds are not verified.
    pub seed_keys: Option<SeedKeys>,
    /// Keys of the public logs; without them, only a log itself says who signed it.
    pub log_keys: Vec<VerifierKeys>,
    /// The last signed checkpoint of the public log that is kept outside of the database, which the
    /// log must continue.
    pub kept_checkpoint: Option<String>,
    /// Hashes of the audit log that the operator noted elsewhere; each must still be in it.
    pub noted_hashes: Vec<String>,
}

/// An invariant and its violations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The statement that should be true.
    pub invariant: &'static str,
    /// The number of violating rows.
    pub count: i64,
    /// Descriptions of the first violating rows; empty for sums over whole tables.
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

    /// Like [`Self::add`], but the row is always listed, however many there are.
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
    /// The number of rows of each kind.
    pub counts: Vec<CheckCount>,
    /// All invariants with their violations.
    pub invariants: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// The keys of the audit log and the records from which they apply, for the operator to
    /// compare.
    pub audit_keys: Vec<String>,
    /// The seed keys that unrevealed pairs need, each with their number.
    pub seed_keys: Vec<String>,
    /// The role with which the database was read, and whether it could change what is append-only.
    pub role: RoleCheck,
    /// The hash over the whole audit log. If the operator notes it elsewhere, a later check proves
    /// that nothing before it was changed.
    pub audit_head: String,
}

impl CheckReport {
    /// Whether no invariant is violated.
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
