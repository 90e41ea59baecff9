//! Which games can be played, against what the audit log says of it.

use std::collections::BTreeMap;

use glasshouse_domain::GameStatus;
use glasshouse_persistence::audit::AuditRecord;

use crate::books::check::report::Finding;

/// The games that were open before there was a record of it; all later ones begin as announced.
const OPEN_FROM_THE_START: [&str; 5] = ["dice", "crash", "stonks", "video_poker", "heads_up"];

/// What the log says of the games, put together while it is walked along.
pub(crate) struct GameActs {
    statuses: BTreeMap<String, String>,
    findings: Finding,
}

impl Default for GameActs {
    fn default() -> Self {
        Self {
            statuses: BTreeMap::new(),
            findings: Finding::new("every game's status is what the audit log says"),
        }
    }
}

impl GameActs {
    pub(crate) fn take(&mut self, record: &AuditRecord) {
        let subject = record.subject.as_deref().unwrap_or_default();
        let game = subject.split(' ').next().unwrap_or_default();
        let before = self.status(game);
        if record.old_value.as_deref() != Some(before.as_str()) {
            self.findings.add(format!(
                "audit record {}: by the records before, {game} is {before}",
                record.id
            ));
        }
        let after = record.new_value.clone().unwrap_or_default();
        self.statuses.insert(game.to_owned(), after);
    }

    /// What the records so far say, or what a game begins as.
    fn status(&self, game: &str) -> String {
        let first = if OPEN_FROM_THE_START.contains(&game) {
            GameStatus::Open
        } else {
            GameStatus::Announced
        };
        let said = self.statuses.get(game).cloned();
        said.unwrap_or_else(|| first.as_str().to_owned())
    }

    /// What the log and the rows do not agree about.
    pub(crate) fn compare(mut self, games: &[(String, String)]) -> Finding {
        for (game, status) in games {
            let said = self.status(game);
            if said != *status {
                let what = format!("{game} is {status}, the log says {said}");
                self.findings.add(what);
            }
        }
        self.findings
    }
}
