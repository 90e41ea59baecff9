//! Security events of an account: what its owner, and administrators, see of sign-ins, failed
//! attempts and changes of the access. They are kept for a year.

use std::time::Duration;

use glasshouse_domain::{SecurityEventId, SecurityEventKind, Timestamp, UserId};
use glasshouse_persistence::accounts::{RequestOrigin, SecurityEvent};
use glasshouse_persistence::{DatabaseError, Page, Scope, Transaction, queries};

use crate::accounts::audited_events::{RefusedAttempt, audit_event, audit_refusal};
use crate::error::CasinoError;
use crate::house::House;
use crate::mail::notices::notify_of_event;

/// How long events are kept.
const RETENTION: Duration = Duration::from_hours(24 * 365);
/// The maximum number of events removed per call.
const PURGE_LIMIT: i64 = 1_000;
/// How many failed attempts are recorded per account and [`FAILURE_PERIOD`], so that nobody can fill
/// the database by trying passwords. All of them are counted in the metrics.
const RECORDED_FAILURES: i64 = 50;
const FAILURE_PERIOD: Duration = Duration::from_hours(24);

/// Adds an event to the transaction of what happened, the mail that tells the account's owner, and the
/// audit record if the owner is an administrator.
pub(crate) fn add_event(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    kind: SecurityEventKind,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<(), CasinoError> {
    transaction.add_security_event(user, kind, origin, at)?;
    audit_event(transaction, user, kind, origin, at)?;
    notify_of_event(transaction, user, kind, origin, at)
}

/// Counts an event in the metrics. To be called once the event is certain, after the commit.
pub(crate) fn count_event(kind: SecurityEventKind) {
    metrics::counter!("glasshouse_security_events_total", "kind" => kind.as_str()).increment(1);
}

/// Records a failed attempt in the background: the response must not take longer for users who exist.
pub(crate) fn record_failure(
    house: &House,
    user: UserId,
    refused: impl Into<RefusedAttempt>,
    origin: RequestOrigin,
) {
    let refused = refused.into();
    let kind = refused.kind;
    debug_assert!(kind.is_failed_attempt());
    count_event(kind);
    let Some(place) = house.failures.place() else {
        return;
    };
    let house = house.clone();
    let at = house.now();
    tokio::spawn(async move {
        let _place = place;
        let recorded = house
            .database
            .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
                audit_refusal(transaction, user, refused, &origin, at)?;
                let since = at.saturating_sub(FAILURE_PERIOD);
                if transaction.has_recorded_failures(user, since, RECORDED_FAILURES)? {
                    return Ok(());
                }
                add_event(transaction, user, kind, &origin, at)
            })
            .await;
        if let Err(error) = recorded {
            tracing::warn!(%error, "failed to record a failed sign-in");
        }
    });
}

/// Reads a page of an account's events, newest first.
///
/// # Errors
/// On a fault.
pub async fn read_security_events(
    house: &House,
    user: UserId,
    before: Option<SecurityEventId>,
    limit: usize,
) -> Result<Page<SecurityEvent, SecurityEventId>, CasinoError> {
    house
        .database
        .read(move |connection| queries::security_events_of(connection, user, before, limit))
        .await
        .map_err(|error: DatabaseError| error.into())
}

/// Removes events older than a year, a bounded number per call, and returns how many were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_security_events(house: &House) -> Result<usize, CasinoError> {
    let before = house.now().saturating_sub(RETENTION);
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_security_events(before, PURGE_LIMIT)?)
        })
        .await
}
