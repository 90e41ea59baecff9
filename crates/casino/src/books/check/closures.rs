//! Checks which accounts are closed against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::AuditAction;
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::ClosedRow;

use crate::books::check::report::Finding;

/// The closed accounts according to the audit log, each with the time of its closure.
#[derive(Default)]
pub(crate) struct LoggedClosures(BTreeMap<i64, i64>);

impl LoggedClosures {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let Some(user) = record.target_user_id else {
            return;
        };
        if record.action == AuditAction::AccountClosed.as_str() {
            self.0.insert(user, record.created_at_micros);
        } else {
            self.0.remove(&user);
        }
    }

    /// Reports the differences between the log and the users.
    pub(crate) fn compare(mut self, rows: &[ClosedRow]) -> Finding {
        let mut finding = Finding::new("every closed account is one that the audit log says is");
        for row in rows {
            if self.0.remove(&row.id) != Some(row.closed_at_micros) {
                finding.add(format!("user {} is closed, the log differs", row.id));
            }
        }
        for user in self.0.keys() {
            finding.add(format!("user {user} is not closed, the log says so"));
        }
        finding
    }
}
