//! Checks the receipts and the public log: that the house has signed what the database contains, and
//! that the logs contain each settled round once.

mod batches;
mod keys;
mod named_payments;
mod own_entries;
mod rounds;
mod stored_receipts;
mod suspects;
mod tree;

use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::log::batches::check_batches;
use crate::books::check::log::keys::{given_keys, trusted_keys, with_given};
use crate::books::check::log::stored_receipts::check_stored_receipts;
use crate::books::check::log::tree::{LogFindings, check_tree, name_of};
use crate::books::check::report::{CheckOptions, CheckReport};

pub(crate) use rounds::{LoggedRounds, ReplayedRound};
pub(crate) use suspects::Suspects;

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
