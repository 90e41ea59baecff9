//! Checks the books: all sums, all hashes, a replay of all rounds with their receipts and public
//! entries, the public log, players' limits, and administrators' actions against the audit log.

pub(crate) mod actions;
pub(crate) mod alerts;
pub(crate) mod approvals;
pub(crate) mod audit_chain;
pub(crate) mod chunks;
pub(crate) mod closures;
pub(crate) mod game_actions;
pub(crate) mod invariants;
pub(crate) mod log;
pub(crate) mod money_actions;
pub(crate) mod operating;
pub(crate) mod payouts;
pub(crate) mod play_rules;
pub(crate) mod report;
pub(crate) mod seeds;

use glasshouse_persistence::books::{CheckCount, RoleCheck, SchemaCheck};
use glasshouse_persistence::seeds::SeedKeys;
use glasshouse_persistence::{DatabaseError, DatabaseUrl, Snapshot, SnapshotError, queries};

use crate::books::check::actions::LoggedActions;
use crate::books::check::audit_chain::ChainCheck;
use crate::books::check::chunks::ROWS_PER_CHUNK;
use crate::books::check::invariants::replay_rounds;
use crate::books::check::log::{LoggedRounds, Suspects, check_logs};
use crate::books::check::play_rules::check_play_rules;
use crate::books::check::report::{CheckOptions, CheckReport, Finding};
use crate::books::check::seeds::check_seeds;

/// Checks a snapshot of a database, without changing anything.
///
/// # Errors
/// If the database cannot be opened or read, or has another schema version.
pub fn check_books(
    url: &DatabaseUrl,
    options: &CheckOptions,
) -> Result<CheckReport, SnapshotError> {
    let mut snapshot = Snapshot::open(url)?;
    let report = check(&mut snapshot, options)?;
    snapshot.close()?;
    Ok(report)
}

/// Finds out whether the role that opens a database could change what is append-only in it.
///
/// # Errors
/// If the database cannot be opened or read, or has another schema version.
pub fn check_role(url: &DatabaseUrl) -> Result<RoleCheck, SnapshotError> {
    let mut snapshot = Snapshot::open(url)?;
    let role = snapshot.read(queries::check_role)?;
    snapshot.close()?;
    Ok(role)
}

fn check(snapshot: &mut Snapshot, options: &CheckOptions) -> Result<CheckReport, DatabaseError> {
    let mut report = CheckReport {
        counts: snapshot.read(queries::counts)?,
        invariants: Vec::new(),
        unchecked: Vec::new(),
        audit_keys: Vec::new(),
        seed_keys: Vec::new(),
        role: snapshot.read(queries::check_role)?,
        audit_head: String::new(),
    };
    check_schema(snapshot, &mut report)?;
    let violations = snapshot.read(queries::violations)?;
    report
        .invariants
        .extend(violations.into_iter().map(Finding::from));
    check_play_rules(snapshot, &mut report)?;
    let seed_keys = options.seed_keys.as_ref();
    check_seeds(snapshot, seed_keys, &mut report)?;
    let suspects = check_logs(snapshot, options, &mut report)?;
    check_rounds(snapshot, seed_keys, suspects, &mut report)?;
    check_audit_log(snapshot, options, &mut report)?;
    Ok(report)
}

fn check_schema(snapshot: &mut Snapshot, report: &mut CheckReport) -> Result<(), DatabaseError> {
    let mut finding = Finding::new("triggers, constraints and indexes match the migrations");
    match snapshot.read(queries::check_schema)? {
        SchemaCheck::Differences(differences) => {
            for difference in differences {
                finding.add(difference);
            }
            report.invariants.push(finding);
        }
        SchemaCheck::Unknown(reason) => report.unchecked.push(reason.to_owned()),
    }
    Ok(())
}

fn check_rounds(
    snapshot: &mut Snapshot,
    keys: Option<&SeedKeys>,
    suspects: Suspects,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let mut logged = LoggedRounds::new(snapshot, suspects)?;
    let replay = replay_rounds(snapshot, keys, &mut logged)?;
    report.invariants.push(replay.wrong);
    let totals = snapshot.read(|connection| queries::house_totals(connection, 0, i64::MAX))?;
    report.invariants.push(replay.expected.compare(&totals));
    if replay.unknown.count > 0 {
        report.unchecked.push(format!(
            "{} rounds could not be replayed, such as {}",
            replay.unknown.count,
            replay.unknown.rows.join(", ")
        ));
    }
    let without_seeds = count(&report.counts, "rounds") - replay.rounds;
    if without_seeds > 0 {
        report.unchecked.push(format!(
            "{without_seeds} rounds could not be replayed: their seeds are missing"
        ));
    }
    logged.finish(snapshot, report)
}

fn count(counts: &[CheckCount], name: &str) -> i64 {
    let found = counts.iter().find(|count| count.name == name);
    found.map_or(0, |count| count.value)
}

/// Reads the audit log once, for its hash chain and for the recorded actions.
fn check_audit_log(
    snapshot: &mut Snapshot,
    options: &CheckOptions,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let head = snapshot.read(queries::audit_head)?;
    let mut chain = ChainCheck::new(options);
    let mut actions = LoggedActions::default();
    let mut last = 0;
    loop {
        let records = snapshot
            .read(|connection| queries::audit_records_after(connection, last, ROWS_PER_CHUNK))?;
        let Some(newest) = records.last() else {
            break;
        };
        last = newest.id;
        for record in &records {
            chain.add(record);
            actions.add(record);
        }
    }
    chain.finish(&head, report);
    let found = snapshot.read(queries::recorded_acts)?;
    report.invariants.extend(actions.compare(&found));
    Ok(())
}
