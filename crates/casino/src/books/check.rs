//! The operator has the books checked: every sum, every hash, every roll, and what administrators did
//! against the record of it.

pub(crate) mod acts;
pub(crate) mod audit_chain;
pub(crate) mod game_acts;
pub(crate) mod invariants;
pub(crate) mod money_acts;
pub(crate) mod report;

use glasshouse_persistence::books::{CheckCount, SchemaCheck};
use glasshouse_persistence::{DatabaseError, DatabaseUrl, Snapshot, SnapshotError, queries};

use crate::books::check::acts::Acts;
use crate::books::check::audit_chain::Chain;
use crate::books::check::invariants::{ROUNDS_PER_CHUNK, replay_rounds, wrong_hashes};
use crate::books::check::report::{CheckOptions, CheckReport, Finding};

/// Checks a database as it is at one moment, and changes nothing of it.
///
/// # Errors
/// If it cannot be opened or read, or is not of this version.
pub fn check_books(
    url: &DatabaseUrl,
    options: &CheckOptions,
) -> Result<CheckReport, SnapshotError> {
    let mut snapshot = Snapshot::open(url)?;
    let report = check(&mut snapshot, options)?;
    snapshot.close()?;
    Ok(report)
}

fn check(snapshot: &mut Snapshot, options: &CheckOptions) -> Result<CheckReport, DatabaseError> {
    let mut report = CheckReport {
        counts: snapshot.read(queries::counts)?,
        invariants: Vec::new(),
        unchecked: Vec::new(),
        audit_keys: Vec::new(),
        audit_head: String::new(),
    };
    check_schema(snapshot, &mut report)?;
    let violations = snapshot.read(queries::violations)?;
    report
        .invariants
        .extend(violations.into_iter().map(Finding::from));
    report.invariants.push(wrong_hashes(snapshot)?);
    check_rounds(snapshot, &mut report)?;
    check_log(snapshot, options, &mut report)?;
    Ok(report)
}

fn check_schema(snapshot: &mut Snapshot, report: &mut CheckReport) -> Result<(), DatabaseError> {
    let mut finding =
        Finding::new("triggers, constraints and indexes are those that the migrations make");
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

fn check_rounds(snapshot: &mut Snapshot, report: &mut CheckReport) -> Result<(), DatabaseError> {
    let replay = replay_rounds(snapshot)?;
    report.invariants.push(replay.wrong);
    let totals = snapshot.read(|connection| queries::house_totals(connection, 0, i64::MAX))?;
    report.invariants.push(replay.expected.compare(&totals));
    if replay.unknown.count > 0 {
        report.unchecked.push(format!(
            "{} rounds were not played again, such as {}",
            replay.unknown.count,
            replay.unknown.rows.join(", ")
        ));
    }
    let without_seeds = count(&report.counts, "rounds") - replay.rounds;
    if without_seeds > 0 {
        report.unchecked.push(format!(
            "{without_seeds} rounds were not played again: their seeds are missing"
        ));
    }
    Ok(())
}

fn count(counts: &[CheckCount], name: &str) -> i64 {
    let found = counts.iter().find(|count| count.name == name);
    found.map_or(0, |count| count.value)
}

/// Walks the audit log once: for its chain, and for what it says was done.
fn check_log(
    snapshot: &mut Snapshot,
    options: &CheckOptions,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let head = snapshot.read(queries::audit_head)?;
    let mut chain = Chain::new(options);
    let mut acts = Acts::default();
    let mut last = 0;
    loop {
        let records = snapshot
            .read(|connection| queries::audit_records_after(connection, last, ROUNDS_PER_CHUNK))?;
        let Some(newest) = records.last() else {
            break;
        };
        last = newest.id;
        for record in &records {
            chain.take(record);
            acts.take(record);
        }
    }
    chain.finish(&head, report);
    let found = snapshot.read(queries::recorded_acts)?;
    report.invariants.extend(acts.compare(&found));
    Ok(())
}
