//! What was found, printed as it is found, because some questions take seconds.

use std::fmt::Display;

use crate::output::print_line;

/// How serious something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Level {
    #[default]
    Ok,
    /// The house can be opened, but something is risky or missing.
    Warning,
    /// The house cannot be opened, or would not work.
    Problem,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    worst: Level,
}

impl Findings {
    pub(super) fn ok(&mut self, item: &str, finding: impl Display) {
        self.add(Level::Ok, item, finding);
    }

    pub(super) fn warning(&mut self, item: &str, finding: impl Display) {
        self.add(Level::Warning, item, finding);
    }

    pub(super) fn problem(&mut self, item: &str, finding: impl Display) {
        self.add(Level::Problem, item, finding);
    }

    /// The most serious level.
    pub(super) fn worst(&self) -> Level {
        self.worst
    }

    fn add(&mut self, level: Level, item: &str, finding: impl Display) {
        self.worst = self.worst.max(level);
        let word = match level {
            Level::Ok => "OK",
            Level::Warning => "WARNING",
            Level::Problem => "PROBLEM",
        };
        // One line for each item, whatever the finding quotes.
        let finding = finding.to_string();
        let finding: Vec<&str> = finding.split_whitespace().collect();
        print_line(&format!("{word:<8}{item}: {}", finding.join(" ")));
    }
}
