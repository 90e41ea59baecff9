//! The keys that must have signed what is checked.

use std::collections::BTreeMap;

use glasshouse_persistence::public_log::LogState;
use glasshouse_transparency::keys::VerifierKeys;

use crate::books::check::report::CheckOptions;

/// The trusted keys of each log, by its name: those that were given, and those that a log names whose
/// checkpoint they have signed.
pub(crate) type KeysByLog = BTreeMap<String, VerifierKeys>;

/// The keys that were given, by the name of their log.
pub(crate) fn given_keys(options: &CheckOptions) -> KeysByLog {
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
pub(crate) fn trusted_keys(state: &LogState, given: Option<&VerifierKeys>) -> Option<VerifierKeys> {
    given
        .cloned()
        .or_else(|| VerifierKeys::parse(&state.keys).ok())
}

/// The keys that a log names, and those that were given for it.
pub(crate) fn with_given(named: &str, given: Option<&VerifierKeys>) -> Option<VerifierKeys> {
    let mut all = named.to_owned();
    for key in given.into_iter().flat_map(VerifierKeys::iter) {
        if named.lines().all(|line| line != key) {
            all.push_str(key);
            all.push('\n');
        }
    }
    VerifierKeys::parse(&all).ok()
}
