//! Security events of accounts: sign-ins, failed attempts and changes of the access.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{SecurityEventId, SecurityEventKind, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::rows_before::rows_before;
use crate::schema::security_events;

/// The origin of a request, as far as the account's owner can recognise it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestOrigin {
    /// Browser and operating system, such as "Firefox on Linux".
    pub device: Option<String>,
    /// The network address.
    pub address: Option<String>,
    /// Whether the account had not signed in on the device before.
    pub is_new_device: bool,
}

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityEvent {
    /// The event's ID.
    pub id: SecurityEventId,
    /// What happened.
    pub kind: SecurityEventKind,
    /// Where the request came from.
    pub origin: RequestOrigin,
    /// When it happened.
    pub at: Timestamp,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = security_events)]
pub(crate) struct EventRow {
    id: i64,
    kind: String,
    device: Option<String>,
    address: Option<String>,
    is_new_device: i64,
    created_at_micros: i64,
}

impl TryFrom<EventRow> for SecurityEvent {
    type Error = DatabaseError;

    fn try_from(row: EventRow) -> Result<Self, DatabaseError> {
        let kind = SecurityEventKind::parse(&row.kind).ok_or_else(|| {
            DatabaseError::corrupt(format!("security event {}: unknown kind", row.id))
        })?;
        Ok(Self {
            id: SecurityEventId::new(row.id),
            kind,
            origin: RequestOrigin {
                device: row.device,
                address: row.address,
                is_new_device: row.is_new_device == 1,
            },
            at: Timestamp::from_micros(row.created_at_micros),
        })
    }
}

/// A page of a user's events, newest first: those before `before`, if given.
///
/// # Errors
/// If the database fails.
pub fn security_events_of(
    connection: &mut AnyConnection,
    user: UserId,
    before: Option<SecurityEventId>,
    limit: usize,
) -> Result<Page<SecurityEvent, SecurityEventId>, DatabaseError> {
    let before = before.map_or(i64::MAX, SecurityEventId::get);
    let rows: Vec<EventRow> = security_events::table
        .filter(rows_before("user_id", user, before))
        .order((security_events::user_id.desc(), security_events::id.desc()))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(EventRow::as_select())
        .load(connection)?;
    Page::of(rows, limit, |event: &SecurityEvent| event.id)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// The condition on the kind is literally that of a partial index. Reads no more rows than the limit.
const RECENT_FAILURES: &str = "SELECT COUNT(*) AS value FROM (
        SELECT 1 AS one FROM security_events
        WHERE user_id = $1 AND created_at_micros > $2
            AND kind IN ('sign_in_failed', 'confirmation_failed', 'second_factor_failed',
                'confirmation_code_failed')
        LIMIT $3
    ) AS recent";

impl Transaction<'_, '_> {
    /// Adds an event.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_security_event(
        &mut self,
        user: UserId,
        kind: SecurityEventKind,
        origin: &RequestOrigin,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(security_events::table)
                .values((
                    security_events::user_id.eq(user.get()),
                    security_events::kind.eq(kind.as_str()),
                    security_events::device.eq(&origin.device),
                    security_events::address.eq(&origin.address),
                    security_events::is_new_device.eq(i64::from(origin.is_new_device)),
                    security_events::created_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Whether at least `limit` failed attempts were recorded for a user after `since`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_recorded_failures(
        &mut self,
        user: UserId,
        since: Timestamp,
        limit: i64,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let count: Count = diesel::sql_query(RECENT_FAILURES)
                .bind::<BigInt, _>(user.get())
                .bind::<BigInt, _>(since.as_micros())
                .bind::<BigInt, _>(limit)
                .get_result(connection)?;
            Ok::<_, DatabaseError>(count.value >= limit)
        })
    }

    /// Deletes up to `limit` events from before `before`, oldest first, and returns their number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_security_events(
        &mut self,
        before: Timestamp,
        limit: i64,
    ) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<i64> = security_events::table
                .filter(security_events::created_at_micros.lt(before.as_micros()))
                .order(security_events::created_at_micros)
                .limit(limit)
                .select(security_events::id)
                .load(connection)?;
            let events = security_events::table.filter(security_events::id.eq_any(old));
            Ok(diesel::delete(events).execute(connection)?)
        })
    }
}
