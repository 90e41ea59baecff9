//! A user's own sessions: the list of them, and how to end the others.

use std::collections::HashSet;

use glasshouse_domain::{SecurityEventKind, Timestamp, UserId};
use glasshouse_persistence::accounts::{OpenSession, RequestOrigin};
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::accounts::activity::IDLE_LIMIT;
use crate::accounts::security_events::{add_event, count_event};
use crate::accounts::session_key::SessionKeyHash;
use crate::accounts::sessions::ABSOLUTE_LIMIT;
use crate::error::{AccountRefusal, CasinoError, Refusal};
use crate::house::House;

/// The maximum number of sessions in the list.
const MAXIMUM_LISTED: i64 = 100;

/// The user's sessions that have not ended, the one that was last active first.
///
/// # Errors
/// On a fault.
pub async fn read_sessions(house: &House, user: UserId) -> Result<Vec<OpenSession>, CasinoError> {
    let limits = oldest_times(house.now());
    house
        .database
        .read(move |connection| queries::open_sessions_of(connection, user, limits, MAXIMUM_LISTED))
        .await
        .map_err(|error: DatabaseError| error.into())
}

/// Ends one of the user's other sessions, given by its ID.
///
/// # Errors
/// [`AccountRefusal::CurrentSession`] for the session of the request, [`AccountRefusal::SessionEnded`] if that
/// has ended, [`Refusal::NotFound`], or a fault.
pub async fn end_other_session(
    house: &House,
    user: UserId,
    current: &SessionKeyHash,
    id: &str,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    if current.session_id() == id {
        return Err(AccountRefusal::CurrentSession.into());
    }
    let kind = SecurityEventKind::SessionEnded;
    let (current, id) = (current.clone(), id.to_owned());
    let at = house.now();
    let ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let sessions = lock_sessions(transaction, (user, &current), at)?;
            let found = sessions.into_iter().find(|key| key.session_id() == id);
            let found = found.ok_or(Refusal::NotFound)?;
            transaction.end_session(found.as_str())?;
            add_event(transaction, user, kind, &origin, at)?;
            Ok(found)
        })
        .await?;
    count_event(kind);
    house.events.close_sessions(&HashSet::from([ended]));
    Ok(())
}

/// The sessions of the user that are open, who is locked so that none begins. Refuses if that of the request has
/// ended: its owner may be ending it because somebody stole it.
fn lock_sessions(
    transaction: &mut Transaction<'_, '_>,
    (user, current): (UserId, &SessionKeyHash),
    now: Timestamp,
) -> Result<Vec<SessionKeyHash>, CasinoError> {
    transaction.lock_user(user)?;
    let keys = transaction.session_keys_of(user, oldest_times(now))?;
    let sessions: Vec<_> = keys.into_iter().map(SessionKeyHash::stored).collect();
    if !sessions.contains(current) {
        return Err(AccountRefusal::SessionEnded.into());
    }
    Ok(sessions)
}

/// Ends all sessions of the user except that of the request, and returns how many there were.
///
/// # Errors
/// [`AccountRefusal::SessionEnded`] if that of the request has ended, or a fault.
pub async fn end_other_sessions(
    house: &House,
    user: UserId,
    current: &SessionKeyHash,
    origin: RequestOrigin,
) -> Result<usize, CasinoError> {
    let kind = SecurityEventKind::OtherSessionsEnded;
    let kept = current.clone();
    let at = house.now();
    let ended = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            lock_sessions(transaction, (user, &kept), at)?;
            let ended = transaction.end_other_sessions(user, kept.as_str())?;
            if !ended.is_empty() {
                add_event(transaction, user, kind, &origin, at)?;
            }
            Ok(ended)
        })
        .await?;
    if !ended.is_empty() {
        count_event(kind);
    }
    let count = ended.len();
    house.events.close_ended(ended);
    Ok(count)
}

/// The times after which an open session was last active and was created.
fn oldest_times(now: Timestamp) -> (Timestamp, Timestamp) {
    (
        now.saturating_sub(IDLE_LIMIT),
        now.saturating_sub(ABSOLUTE_LIMIT),
    )
}
