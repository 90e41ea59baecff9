//! Checks the receipts and the public log: that the house has signed what the database contains, and
//! that the logs contain each settled round once.

mod batches;
mod named_payments;
mod own_entries;
mod rounds;
mod stored_receipts;
mod suspects;
mod tree;

use std::collections::BTreeMap;

use glasshouse_persistence::public_log::LogState;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::keys::VerifierKeys;

use crate::books::check::log::batches::check_batches;
use crate::books::check::log::stored_receipts::check_stored_receipts;
use crate::books::check::log::tree::{LogFindings, check_tree};
use crate::books::check::report::{CheckOptions, CheckReport};

pub(crate) use rounds::{LoggedRounds, ReplayedRound};
pub(crate) use suspects::Suspects;

/// How many batches are read at once. Each may have the entries of some hundred rounds.
const BATCHES_PER_CHUNK: i64 = 500;

/// The trusted keys of each log, by its name: those that were given, and those that a log names whose
/// checkpoint they have signed.
pub(crate) type KeysByLog = BTreeMap<String, VerifierKeys>;

/// Checks all logs, all batches, and the receipts of seed pairs, deposits and withdrawals. Returns
/// what else is to be looked at when the rounds are replayed.
pub(crate) fn check_logs(
    snapshot: &mut Snapshot,
    options: &CheckOptions,
    report: &mut CheckReport,
) -> Result<Suspects, DatabaseError> {
    let mut suspects = Suspects::default();
    let mut findings = LogFindings::default();
    let mut keys = given_keys(options);
    let states = snapshot.read(queries::log_states)?;
    let last = states.last().map(|state| state.id);
    for state in states.iter().filter(|state| state.size > 0) {
        let is_last = Some(state.id) == last;
        let given = keys.get(state.origin.as_deref().unwrap_or_default());
        let trusted = trusted_keys(state, given);
        if is_last && given.is_none() {
            report.unchecked.push(format!(
                "who signed the public log {}: its key was not given",
                name_of(state)
            ));
        }
        let named = check_tree(
            snapshot,
            (state, trusted.as_ref()),
            options.kept_checkpoint.as_deref(),
            (&mut findings, &mut suspects),
        )?;
        keys.extend(
            named
                .and_then(|named| with_given(&named, given))
                .map(|keys| (keys.origin().to_string(), keys)),
        );
    }
    findings.finish(&states, options.kept_checkpoint.as_deref(), report);
    check_batches(snapshot, &keys, &mut suspects, report)?;
    check_stored_receipts(snapshot, report)?;
    Ok(suspects)
}

/// The name of a log in messages.
fn name_of(state: &LogState) -> &str {
    state.origin.as_deref().unwrap_or("without a name")
}

fn given_keys(options: &CheckOptions) -> KeysByLog {
    let mut keys = KeysByLog::new();
    for given in &options.log_keys {
        let name = given.origin().to_string();
        let known = keys.get(&name);
        if let Some(all) = with_given(&given.to_string(), known) {
            keys.insert(name, all);
        }
    }
    keys
}

/// The keys that must have signed a log's checkpoint: those that were given for it. Those of a log that
/// is over may be lost, so the ones that it names are used; the log that follows it states its end.
fn trusted_keys(state: &LogState, given: Option<&VerifierKeys>) -> Option<VerifierKeys> {
    given
        .cloned()
        .or_else(|| VerifierKeys::parse(&state.keys).ok())
}

/// The keys that a log names, and those that were given for it.
fn with_given(named: &str, given: Option<&VerifierKeys>) -> Option<VerifierKeys> {
    let mut all = named.to_owned();
    for key in given.into_iter().flat_map(VerifierKeys::iter) {
        if named.lines().all(|line| line != key) {
            all.push_str(key);
            all.push('\n');
        }
    }
    VerifierKeys::parse(&all).ok()
}
