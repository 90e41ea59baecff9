//! What the operator has to do after a restoration.

use glasshouse_casino::public_log::stated_end;
use glasshouse_casino::{DatabaseUrl, NeededKeys};

use crate::backup::manifest::{LogEnd, Manifest};
use crate::configuration::Configuration;
use crate::log_command::{kept_file, read_kept};
use crate::needed_keys::compare;
use crate::output::print_line;

/// Prints the steps that are left before the house can be opened.
pub(super) fn print_next_steps(
    configuration: &Configuration,
    manifest: &Manifest,
    url: &DatabaseUrl,
) {
    print_line("Next:");
    let contents = manifest.contents.as_ref();
    let needed = contents.map(|contents| NeededKeys::from(&contents.keys));
    for step in key_steps(configuration, &needed.unwrap_or_default()) {
        print_step(&step);
    }
    if matches!(url, DatabaseUrl::Postgres(_)) {
        print_step(
            "If servers have a role of their own, run glasshouse migrate with the owner's \
             GLASSHOUSE_OWNER_DATABASE_URL: the rights of roles are not in the backup.",
        );
    }
    if let Some(log) = contents.and_then(|contents| contents.log.as_ref()) {
        print_step(&log_step(configuration, log));
    }
    print_step(&match url {
        DatabaseUrl::Sqlite(_) => format!("Set DATABASE_URL={url}, and run glasshouse doctor."),
        DatabaseUrl::Postgres(_) => {
            "Set DATABASE_URL to the restored database, and run glasshouse doctor.".to_owned()
        }
    });
}

fn print_step(step: &str) {
    print_line(&format!("  - {step}"));
}

fn key_steps(configuration: &Configuration, needed: &NeededKeys) -> Vec<String> {
    let mut steps = Vec::new();
    for report in compare(configuration, needed) {
        let missing = report.missing.iter().chain(&report.missing_for_check);
        for id in missing {
            steps.push(format!(
                "Restore the {} {id} from its backup into {}.",
                report.name,
                report.path.display()
            ));
        }
    }
    if steps.is_empty() {
        steps.push("All keys that the database needs are here.".to_owned());
    }
    steps
}

/// What was published after the backup must not be contradicted.
fn log_step(configuration: &Configuration, log: &LogEnd) -> String {
    let file = kept_file(configuration);
    let kept = read_kept(&file).ok().flatten();
    match kept.as_deref().and_then(stated_end) {
        Some((name, end)) if name.to_string() != log.name => format!(
            "{} is of the log {name}, with {} entries, and the backup has the log {}: read \"After the \
             restoration of a backup\" in docs/operations.md before you open the house.",
            file.display(),
            end.size,
            log.name
        ),
        Some((_, end)) if end.size > log.size => format!(
            "The public log had {} entries, and the backup has {}: bets will be refused. Run glasshouse log \
             restart, unless there is a newer backup.",
            end.size, log.size
        ),
        Some(_) => format!(
            "The public log has {} entries, as many as the last checkpoint that this machine knows.",
            log.size
        ),
        None => format!(
            "The public log has {} entries. If the house went on after the backup, ask an auditor or a \
             witness for the latest checkpoint and save it as {} before you open the house.",
            log.size,
            file.display()
        ),
    }
}
