//! Checks which accounts are closed, and which of them pseudonymised, against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::AuditAction;
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::ClosedRow;

use crate::books::check::report::Finding;

/// The closed and the pseudonymised accounts according to the audit log, each with the time.
pub(crate) struct LoggedClosures {
    closed: BTreeMap<i64, i64>,
    pseudonymised: BTreeMap<i64, i64>,
    closure_findings: Finding,
    pseudonym_findings: Finding,
}

impl Default for LoggedClosures {
    fn default() -> Self {
        Self {
            closed: BTreeMap::new(),
            pseudonymised: BTreeMap::new(),
            closure_findings: Finding::new(
                "every closed account is one that the audit log says is",
            ),
            pseudonym_findings: Finding::new(
                "every pseudonymised account is one that the audit log says is",
            ),
        }
    }
}

impl LoggedClosures {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            return;
        };
        match AuditAction::parse(&record.action) {
            Some(AuditAction::AccountClosed) => {
                self.closed.insert(user, record.created_at_micros);
            }
            Some(AuditAction::AccountPseudonymised) => {
                if !self.closed.contains_key(&user) {
                    self.pseudonym_findings.add(format!(
                        "audit record {}: user {user} was not closed before",
                        record.id
                    ));
                }
                self.pseudonymised.insert(user, record.created_at_micros);
            }
            _ => {
                self.closed.remove(&user);
            }
        }
    }

    /// Reports the differences between the log and the users.
    pub(crate) fn compare(mut self, rows: &[ClosedRow]) -> [Finding; 2] {
        for row in rows {
            let logged = self.closed.remove(&row.id);
            if let Some(closed_at) = row.closed_at_micros
                && logged != Some(closed_at)
            {
                self.closure_findings
                    .add(format!("user {} is closed, the log differs", row.id));
            }
            if row.closed_at_micros.is_none() && logged.is_some() {
                self.closure_findings.add(not_closed(row.id));
            }
            if self.pseudonymised.remove(&row.id) != row.pseudonymised_at_micros {
                self.pseudonym_findings.add(format!(
                    "user {}: whether it is pseudonymised, the log differs",
                    row.id
                ));
            }
        }
        for user in self.closed.keys() {
            self.closure_findings.add(not_closed(*user));
        }
        for user in self.pseudonymised.keys() {
            self.pseudonym_findings
                .add(format!("user {user} is not pseudonymised, the log says so"));
        }
        [self.closure_findings, self.pseudonym_findings]
    }
}

fn not_closed(user: i64) -> String {
    format!("user {user} is not closed, the log says so")
}
