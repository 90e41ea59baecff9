//! Checks the games' statuses and limits against the audit log.

use std::collections::BTreeMap;

use glasshouse_domain::{AuditSubject, GameLimits, GameStatus};
use glasshouse_persistence::audit::AuditRecord;

use crate::books::check::report::Finding;

/// The games that were open before statuses were recorded; later games start as announced.
const INITIALLY_OPEN: [&str; 5] = ["dice", "crash", "stonks", "video_poker", "heads_up"];

/// What administrators set of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Setting {
    Status,
    Limits,
}

impl Setting {
    /// How it is set before an administrator has changed it.
    fn initial(self, game: &str) -> String {
        match self {
            Self::Status if INITIALLY_OPEN.contains(&game) => GameStatus::Open.as_str().to_owned(),
            Self::Status => GameStatus::Announced.as_str().to_owned(),
            Self::Limits => GameLimits::default().to_string(),
        }
    }
}

/// The games' statuses and limits according to the audit log, built up record by record.
pub(crate) struct LoggedGameActions {
    settings: BTreeMap<(String, Setting), String>,
    findings: Finding,
}

impl Default for LoggedGameActions {
    fn default() -> Self {
        Self {
            settings: BTreeMap::new(),
            findings: Finding::new("every game's status and limits are what the audit log says"),
        }
    }
}

impl LoggedGameActions {
    pub(crate) fn add_status(&mut self, record: &AuditRecord) {
        self.add(record, Setting::Status);
    }

    pub(crate) fn add_limits(&mut self, record: &AuditRecord) {
        self.add(record, Setting::Limits);
    }

    fn add(&mut self, record: &AuditRecord, setting: Setting) {
        let Some(AuditSubject::Game { game, .. }) = record.subject() else {
            self.findings
                .add(format!("audit record {} names no game", record.id));
            return;
        };
        let game = game.as_str();
        let before = self.recorded(game, setting);
        if record.old_value.as_deref() != Some(before.as_str()) {
            self.findings.add(format!(
                "audit record {}: according to earlier records, {game} was {before}",
                record.id
            ));
        }
        let after = record.new_value.clone().unwrap_or_default();
        self.settings.insert((game.to_owned(), setting), after);
    }

    /// The setting according to the records so far, or the initial one.
    fn recorded(&self, game: &str, setting: Setting) -> String {
        let recorded = self.settings.get(&(game.to_owned(), setting)).cloned();
        recorded.unwrap_or_else(|| setting.initial(game))
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(mut self, games: &[(String, String, GameLimits)]) -> Finding {
        for (game, status, limits) in games {
            for (setting, stored) in [
                (Setting::Status, status.clone()),
                (Setting::Limits, limits.to_string()),
            ] {
                let recorded = self.recorded(game, setting);
                if recorded != stored {
                    let difference = format!("{game} is {stored}, the log says {recorded}");
                    self.findings.add(difference);
                }
            }
        }
        self.findings
    }
}
