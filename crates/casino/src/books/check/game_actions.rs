//! Checks the games' statuses against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::GameStatus;
use glasshouse_persistence::audit::AuditRecord;

use crate::books::check::report::Finding;

/// The games that were open before statuses were recorded; later games start as announced.
const INITIALLY_OPEN: [&str; 5] = ["dice", "crash", "stonks", "video_poker", "heads_up"];

/// The games' statuses according to the audit log, built up record by record.
pub(crate) struct LoggedGameActions {
    statuses: BTreeMap<String, String>,
    findings: Finding,
}

impl Default for LoggedGameActions {
    fn default() -> Self {
        Self {
            statuses: BTreeMap::new(),
            findings: Finding::new("every game's status is what the audit log says"),
        }
    }
}

impl LoggedGameActions {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let subject = record.subject.as_deref().unwrap_or_default();
        let game = subject.split(' ').next().unwrap_or_default();
        let before = self.status(game);
        if record.old_value.as_deref() != Some(before.as_str()) {
            self.findings.add(format!(
                "audit record {}: according to earlier records, {game} was {before}",
                record.id
            ));
        }
        let after = record.new_value.clone().unwrap_or_default();
        self.statuses.insert(game.to_owned(), after);
    }

    /// The status according to the records so far, or the game's initial status.
    fn status(&self, game: &str) -> String {
        let initial = if INITIALLY_OPEN.contains(&game) {
            GameStatus::Open
        } else {
            GameStatus::Announced
        };
        let recorded = self.statuses.get(game).cloned();
        recorded.unwrap_or_else(|| initial.as_str().to_owned())
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(mut self, games: &[(String, String)]) -> Finding {
        for (game, status) in games {
            let recorded = self.status(game);
            if recorded != *status {
                let difference = format!("{game} is {status}, the log says {recorded}");
                self.findings.add(difference);
            }
        }
        self.findings
    }
}
