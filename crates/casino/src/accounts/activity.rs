//! Records that users are active, and counts the time for which they are.

use std::time::Duration;

use glasshouse_domain::{Timestamp, UserId, active_parts};
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::session_key::SessionKeyHash;
use crate::error::CasinoError;
use crate::house::House;

/// A session ends after this long without activity by the user.
pub(crate) const IDLE_LIMIT: Duration = Duration::from_mins(30);
/// Activity is stored at most once per this interval, not with every bet.
pub(crate) const ACTIVITY_RESOLUTION: Duration = Duration::from_mins(1);

/// Records activity of the user in a session, and counts the time since the last one. Returns false if
/// the session has ended; it stays ended.
///
/// # Errors
/// On a fault.
pub async fn record_activity(
    house: &House,
    user: UserId,
    key: SessionKeyHash,
) -> Result<bool, CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::player(user), move |transaction| {
            add_activity(transaction, user, &key, at)
        })
        .await
}

/// Adds activity of the user at `at`. The account is locked. Returns false if the session has ended.
pub(crate) fn add_activity(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    key: &SessionKeyHash,
    at: Timestamp,
) -> Result<bool, CasinoError> {
    let Some(last) = transaction.last_activity(key.as_str())? else {
        return Ok(false);
    };
    if !transaction.touch_session(key.as_str(), at)? {
        return Ok(false);
    }
    let active = at.saturating_since(last);
    if !active.is_zero() && active < IDLE_LIMIT {
        transaction.add_session_time(key.as_str(), active)?;
        count_time(transaction, user, last, at)?;
    }
    Ok(true)
}

/// Counts what the user was active in other sessions and is not stored yet, because less than the
/// resolution has passed since: whoever signs in again and again would never be counted. The account is
/// locked.
pub(crate) fn count_before_sign_in(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let Some(last) = transaction.latest_activity_of(user)? else {
        return Ok(());
    };
    let end = at.min(last.saturating_add(ACTIVITY_RESOLUTION));
    count_time(transaction, user, last, end)
}

/// Counts the time since the last activity of a session, or since the last moment that was counted
/// for another session.
fn count_time(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    last: Timestamp,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let counted = transaction.time_counted_until(user)?;
    let from = counted.map_or(last, |counted| counted.max(last));
    let mut account = transaction.account(user)?;
    for (day, micros) in active_parts(from, at) {
        transaction.add_play_time(user, (day, micros), at)?;
        if let Some(rules) = &mut account.play_rules {
            rules.count_active_micros(micros, day);
        }
    }
    if account.play_rules.is_some() {
        transaction.save_account(account);
    }
    Ok(())
}
