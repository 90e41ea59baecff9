//! Checks which alerts were acknowledged, and by whom, against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::AuditSubject;
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::AlertRow;

use crate::books::check::report::Finding;

/// Who has acknowledged an alert about whom, and when, in microseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Acknowledgement {
    by: Option<i64>,
    user: Option<i64>,
    at_micros: Option<i64>,
}

/// The acknowledged alerts according to the audit log, built up record by record.
pub(crate) struct LoggedAlerts {
    acknowledged: BTreeMap<i64, Acknowledgement>,
    finding: Finding,
}

impl Default for LoggedAlerts {
    fn default() -> Self {
        Self {
            acknowledged: BTreeMap::new(),
            finding: Finding::new("every alert is acknowledged as the audit log says"),
        }
    }
}

impl LoggedAlerts {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let Some(AuditSubject::Alert { id, .. }) = record.subject() else {
            self.finding
                .add(format!("audit record {} names no alert", record.id));
            return;
        };
        let acknowledgement = Acknowledgement {
            by: record.actor_id,
            user: record.target_user_id,
            at_micros: Some(record.created_at_micros),
        };
        if self
            .acknowledged
            .insert(id.get(), acknowledgement)
            .is_some()
        {
            self.finding.add(format!(
                "audit record {}: according to earlier records, alert {id} was acknowledged before",
                record.id
            ));
        }
    }

    /// Reports the differences between the log and the alerts. Alerts are removed after a year, so that the log
    /// may know more of them.
    pub(crate) fn compare(mut self, rows: &[AlertRow]) -> Finding {
        for row in rows {
            let stored = row.acknowledged_by.map(|by| Acknowledgement {
                by: Some(by),
                user: row.user_id,
                at_micros: row.acknowledged_at_micros,
            });
            if self.acknowledged.get(&row.id).copied() != stored {
                self.finding.add(format!(
                    "alert {}: whether it was acknowledged, by whom or when, the log differs",
                    row.id
                ));
            }
        }
        self.finding
    }
}
