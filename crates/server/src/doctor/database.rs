//! The database, and whether this machine has the keys that it needs.

use std::time::Duration;

use glasshouse_casino::books::RoleCheck;
use glasshouse_casino::public_log::{LogState, stated_end};
use glasshouse_casino::{
    DatabaseUrl, Examination, ExaminedContents, NeededKeys, PostgresServer, examine_database,
};

use super::findings::Findings;
use crate::Failure;
use crate::configuration::Configuration;
use crate::log_command::{kept_file, read_kept};
use crate::needed_keys::{FileState, KeyReport, compare};

/// A difference between the clocks of two machines that are both kept right is far smaller.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(1);

pub(super) fn examine(configuration: &Configuration, findings: &mut Findings) {
    let url = &configuration.database_url;
    let examination = match examine_database(url) {
        Ok(examination) => examination,
        Err(error) => {
            findings.problem(
                "Database",
                format!("{url} cannot be read: {error}. Check DATABASE_URL"),
            );
            return;
        }
    };
    if let Some(server) = &examination.server {
        examine_server(configuration, server, findings);
    }
    examine_version(url, &examination, findings);
    match &examination.contents {
        Some(contents) => examine_contents(configuration, contents, findings),
        None => examine_keys(configuration, &NeededKeys::default(), findings),
    }
}

fn examine_server(configuration: &Configuration, server: &PostgresServer, findings: &mut Findings) {
    findings.ok(
        "Database server",
        format!("PostgreSQL {} answers", server.version),
    );
    let item = "Durability";
    let off = server.unsafe_settings.join(", ");
    if off.is_empty() {
        findings.ok(
            item,
            "fsync, synchronous_commit and full_page_writes are on",
        );
    } else if configuration.allow_unsafe_postgres.is_on() {
        findings.warning(
            item,
            format!("PostgreSQL has {off} off, so committed bets can be lost: turn it on"),
        );
    } else {
        findings.problem(
            item,
            format!(
                "PostgreSQL has {off} off, so committed bets can be lost: turn it on, or set \
                 GLASSHOUSE_ALLOW_UNSAFE_POSTGRES=on"
            ),
        );
    }
    let item = "Clock";
    let difference = server.clock_difference;
    if difference > CLOCK_DIFFERENCE {
        findings.warning(
            item,
            format!(
                "this machine's and the database server's are {} ms apart: keep both right, for example \
                 with NTP. The house follows the database server's",
                difference.as_millis()
            ),
        );
    } else {
        findings.ok(item, "it agrees with the database server's");
    }
}

fn examine_version(url: &DatabaseUrl, examination: &Examination, findings: &mut Findings) {
    let item = "Database";
    let may_migrate = examination
        .server
        .as_ref()
        .is_none_or(|server| server.may_migrate);
    let Some(version) = &examination.version else {
        if may_migrate {
            let when = "its tables are made at the first start";
            findings.ok(item, format!("{url} is new: {when}"));
        } else {
            findings.problem(
                item,
                "it has no tables, and this role cannot make them: run glasshouse migrate with the owner's \
                 GLASSHOUSE_OWNER_DATABASE_URL",
            );
        }
        return;
    };
    let pending = version.pending();
    if version.is_newer() {
        findings.problem(
            item,
            format!(
                "{url} has the tables of a newer version (its last migration is {}): start that version",
                version.last_applied()
            ),
        );
    } else if pending == 0 {
        findings.ok(
            item,
            format!("{url} is up to date (migration {})", version.last_applied()),
        );
    } else if may_migrate {
        findings.warning(
            item,
            format!(
                "{pending} migrations are pending, and are applied at the next start. Make a backup before"
            ),
        );
    } else {
        findings.problem(
            item,
            format!(
                "{pending} migrations are pending, and this role cannot apply them: make a backup, and run \
                 glasshouse migrate with the owner's GLASSHOUSE_OWNER_DATABASE_URL"
            ),
        );
    }
}

fn examine_contents(
    configuration: &Configuration,
    contents: &ExaminedContents,
    findings: &mut Findings,
) {
    examine_role(&contents.role, findings);
    if let Some(behind) = contents.clock_behind {
        findings.warning(
            "House clock",
            format!(
                "the clock is {} s behind the time that the house has reached: set it right, or the house \
                 runs ahead of it",
                behind.as_secs()
            ),
        );
    }
    examine_keys(configuration, &contents.inventory.keys, findings);
    examine_log(configuration, &contents.inventory.log, findings);
}

fn examine_role(role: &RoleCheck, findings: &mut Findings) {
    let item = "Database role";
    match role {
        RoleCheck::NoRoles => findings.ok(item, "SQLite has none"),
        RoleCheck::Role { name, abilities } if abilities.is_empty() => {
            findings.ok(item, format!("{name} cannot change what is append-only"));
        }
        RoleCheck::Role { name, abilities } => findings.warning(
            item,
            format!(
                "{name} could change what is append-only ({} ways, which glasshouse check lists): give \
                 servers a role that owns nothing, and prepare it with glasshouse migrate",
                abilities.len()
            ),
        ),
    }
}

fn examine_keys(configuration: &Configuration, needed: &NeededKeys, findings: &mut Findings) {
    for report in compare(configuration, needed) {
        examine_key(&report, findings);
    }
}

fn examine_key(report: &KeyReport, findings: &mut Findings) {
    let mut item = report.name.to_owned();
    if let Some(first) = item.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let shown = report.path.display();
    if let FileState::Unusable(reason) = &report.file {
        findings.problem(&item, format!("{reason}. Restore the file from its backup"));
    } else if !report.missing.is_empty() {
        let state = match report.file {
            FileState::Absent => "does not exist",
            _ => "is not the right file",
        };
        findings.problem(
            &item,
            format!(
                "{shown} {state}: the database needs the key {}. Restore the file from its backup",
                report.missing.join(", ")
            ),
        );
    } else if !report.missing_for_check.is_empty() {
        findings.warning(
            &item,
            format!(
                "{shown} lacks the earlier key {}, without which glasshouse check cannot verify \
                 everything. Restore its line from a backup",
                report.missing_for_check.join(", ")
            ),
        );
    } else if matches!(report.file, FileState::Absent) {
        findings.ok(
            &item,
            format!("{shown} does not exist yet: it is generated at the first start"),
        );
    } else if report.needed.is_empty() {
        findings.ok(&item, format!("{shown} is valid"));
    } else {
        findings.ok(&item, format!("{shown} has what the database needs"));
    }
}

/// After the restoration of an old backup, the log must not continue as if nothing had happened.
fn examine_log(configuration: &Configuration, log: &LogState, findings: &mut Findings) {
    let item = "Public log";
    let file = kept_file(configuration);
    let kept = match read_kept(&file) {
        Ok(kept) => kept,
        Err(Failure::Configuration(sentence) | Failure::Running(sentence)) => {
            findings.problem(item, sentence);
            return;
        }
    };
    let name = log.origin.as_deref().unwrap_or("that has not begun");
    let here = match &log.origin {
        Some(name) => format!("{name}, with {} entries", log.size),
        None => "it begins at the first start".to_owned(),
    };
    let Some(kept) = kept else {
        findings.ok(item, here);
        return;
    };
    match stated_end(&kept) {
        None => findings.problem(item, format!("{} is no checkpoint", file.display())),
        Some((origin, end)) if log.origin.as_deref() != Some(&*origin.to_string()) => findings
            .problem(
                item,
                format!(
                    "{} is of the log {origin} with {} entries, but the database has the log {name}: one of \
                     both is of another house, or the log was begun anew. Move the file away, if it is old",
                    file.display(),
                    end.size
                ),
            ),
        Some((_, end)) if end.size > log.size => findings.problem(
            item,
            format!(
                "{} entries were published, but the database has {}: an old backup was restored, and bets \
                 will be refused. Restore a newer one, or run glasshouse log restart",
                end.size, log.size
            ),
        ),
        Some(_) => findings.ok(item, here),
    }
}
