//! Raises alerts and resolves them.

use std::time::Duration;

use glasshouse_domain::{Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::alerts::NewAlert;

use crate::alerts::facts::Facts;
use crate::error::CasinoError;

/// A condition that comes and goes is alerted to once within this time.
const QUIET_PERIOD: Duration = Duration::from_hours(1);

/// Raises an alert in the transaction of what it tells about, unless it was raised before. The watch tells
/// the receivers.
pub(crate) fn raise(
    transaction: &mut Transaction<'_, '_>,
    facts: &Facts,
    user: Option<UserId>,
    at: Timestamp,
) -> Result<bool, CasinoError> {
    let unless_raised_since = if facts.is_condition() {
        at.saturating_sub(QUIET_PERIOD)
    } else {
        Timestamp::from_micros(i64::MIN)
    };
    let text = serde_json::to_string(facts)
        .map_err(|error| CasinoError::corrupt(format!("an alert cannot be written: {error}")))?;
    Ok(transaction.raise_alert(&NewAlert {
        kind: facts.kind(),
        key: facts.key(user),
        user,
        facts: text,
        is_condition: facts.is_condition(),
        at,
        unless_raised_since,
    })?)
}

/// Raises the alert of a condition that holds, or resolves it.
pub(crate) fn judge(
    transaction: &mut Transaction<'_, '_>,
    facts: &Facts,
    holds: bool,
    at: Timestamp,
) -> Result<(), CasinoError> {
    if holds {
        raise(transaction, facts, None, at)?;
    } else {
        transaction.resolve_alert(&facts.key(None), at)?;
    }
    Ok(())
}
