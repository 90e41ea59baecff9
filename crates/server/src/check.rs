//! `glasshouse check`: verifies the books. It only reads.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use glasshouse_casino::DatabaseUrl;
use glasshouse_casino::books::{CheckOptions, CheckReport, RoleCheck, check_books};
use glasshouse_casino::public_log::VerifierKeys;

use crate::Failure;
use crate::configuration::Configuration;
use crate::key_file::{existing_audit_keys, existing_log_keys, existing_seed_keys};
use crate::log_command::{kept_file, read_kept};
use crate::output::print_line;

/// The exit code if no invariant is broken but something could not be checked.
const INCOMPLETE: u8 = 3;
/// The number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 64;

/// What is checked besides the invariants.
pub(crate) struct Arguments<'a> {
    /// Hashes of the audit log that must still be in it.
    pub(crate) noted_hashes: &'a [String],
    /// A file with verifier keys of the public log.
    pub(crate) log_keys: Option<&'a Path>,
    /// Whether the database is a copy, which may be older than the last checkpoint of the house.
    pub(crate) is_copy: bool,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// All invariants hold.
    Holds,
    /// What could be checked holds, but not everything could be checked.
    Incomplete,
    /// An invariant is broken.
    Broken,
}

impl Verdict {
    /// The exit code is 0 if all invariants hold, 1 if one is broken, 3 if something could not be
    /// checked; it is 2 if the check cannot be run.
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Holds => ExitCode::SUCCESS,
            Self::Incomplete => ExitCode::from(INCOMPLETE),
            Self::Broken => ExitCode::FAILURE,
        }
    }
}

/// Prints the counts, each invariant, and what could not be checked.
pub(crate) fn run(
    configuration: &Configuration,
    arguments: &Arguments<'_>,
) -> Result<ExitCode, Failure> {
    let report = check(configuration, &configuration.database_url, arguments)?;
    print(&report);
    let verdict = verdict(&report);
    print_verdict(verdict);
    Ok(verdict.exit_code())
}

/// Checks a database, with the keys of the configuration.
pub(crate) fn check(
    configuration: &Configuration,
    url: &DatabaseUrl,
    arguments: &Arguments<'_>,
) -> Result<CheckReport, Failure> {
    let noted_hashes = arguments.noted_hashes;
    if let Some(malformed) = noted_hashes.iter().find(|hash| !is_hash(hash)) {
        return Err(Failure::Configuration(format!(
            "--audit-hash takes a hash of {HASH_DIGITS} hexadecimal digits, not {malformed}"
        )));
    }
    let options = CheckOptions {
        audit_keys: existing_audit_keys(configuration)?,
        seed_keys: existing_seed_keys(configuration)?,
        log_keys: all_log_keys(configuration, arguments.log_keys)?,
        kept_checkpoint: if arguments.is_copy {
            None
        } else {
            // Read before the database, which may go on.
            read_kept(&kept_file(configuration))?
        },
        noted_hashes: noted_hashes
            .iter()
            .map(|hash| hash.to_lowercase())
            .collect(),
    };
    // A database that cannot be opened is not a broken invariant.
    check_books(url, &options)
        .map_err(|error| Failure::Configuration(format!("{url} cannot be checked: {error}")))
}

/// The keys in the house's key file, and those in another file, which may be of several logs.
fn all_log_keys(
    configuration: &Configuration,
    file: Option<&Path>,
) -> Result<Vec<VerifierKeys>, Failure> {
    let mut keys: Vec<VerifierKeys> = existing_log_keys(configuration)?.into_iter().collect();
    let Some(file) = file else {
        return Ok(keys);
    };
    let problem = |problem: String| {
        Failure::Configuration(format!("--log-keys {}: {problem}", file.display()))
    };
    let text = fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        keys.push(
            VerifierKeys::parse(line)
                .map_err(|_| problem(format!("not a verifier key: {line}")))?,
        );
    }
    Ok(keys)
}

fn is_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub(crate) fn print(report: &CheckReport) {
    print_line("Counted:");
    for count in &report.counts {
        print_line(&format!("  {:>12} {}", count.value, count.name));
    }
    print_line("Checked:");
    for invariant in &report.invariants {
        let verdict = match invariant.count {
            0 => "holds".to_owned(),
            violations => format!("BROKEN in {violations}"),
        };
        print_line(&format!("  {verdict:>12} {}", invariant.invariant));
        for row in &invariant.rows {
            print_line(&format!("               - {row}"));
        }
    }
    for reason in &report.unchecked {
        print_line(&format!("   NOT CHECKED {reason}"));
    }
    for key in &report.audit_keys {
        print_line(&format!("Audit log: {key}"));
    }
    for key in &report.seed_keys {
        print_line(&format!("Server seeds: {key}"));
    }
    print_role(&report.role);
    print_line(&format!("Hash of the audit log: {}", report.audit_head));
}

/// A role that could change what is append-only is no broken invariant: a house can be run with one role.
pub(crate) fn print_role(role: &RoleCheck) {
    match role {
        RoleCheck::NoRoles => print_line(
            "Database role: SQLite has none. Whoever can write the file can change what is append-only.",
        ),
        RoleCheck::Role { name, abilities } if abilities.is_empty() => print_line(&format!(
            "Database role: {name} cannot change what is append-only."
        )),
        RoleCheck::Role { name, abilities } => {
            print_line(&format!(
                "WARNING: the database role {name} could change what is append-only:"
            ));
            for ability in abilities {
                print_line(&format!("               - {ability}"));
            }
            print_line(
                "Give servers a role that owns nothing, and prepare it with glasshouse migrate.",
            );
        }
    }
}

pub(crate) fn verdict(report: &CheckReport) -> Verdict {
    if !report.is_clean() {
        Verdict::Broken
    } else if !report.is_complete() {
        Verdict::Incomplete
    } else {
        Verdict::Holds
    }
}

fn print_verdict(verdict: Verdict) {
    print_line(match verdict {
        Verdict::Broken => {
            "Invariants are violations: stop the server and find the cause before continuing."
        }
        Verdict::Incomplete => "What could be checked holds, but not everything could be checked.",
        Verdict::Holds => "All invariants hold.",
    });
}
