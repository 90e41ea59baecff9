//! The alerts themselves.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{AlertId, AlertKind, AlertMessage, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{alert_deliveries, alerts, users};

/// An alert to be raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAlert {
    /// What it is about.
    pub kind: AlertKind,
    /// The same for whatever is alerted to once.
    pub key: String,
    /// Whom it is about.
    pub user: Option<UserId>,
    /// What its text is made of, as JSON.
    pub facts: String,
    /// Whether it holds until it is resolved. Otherwise it has happened.
    pub is_condition: bool,
    /// The time of raising.
    pub at: Timestamp,
    /// It is not raised if one with the same key was raised after this time.
    pub unless_raised_since: Timestamp,
}

/// A raised alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// The alert's ID.
    pub id: AlertId,
    /// What it is about.
    pub kind: AlertKind,
    /// Whom it is about, and the present name.
    pub user: Option<(UserId, String)>,
    /// What its text is made of, as JSON.
    pub facts: String,
    /// Whether it holds until it is resolved.
    pub is_condition: bool,
    /// When it was raised.
    pub raised_at: Timestamp,
    /// When it was resolved.
    pub resolved_at: Option<Timestamp>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = alerts)]
pub(crate) struct AlertRow {
    id: i64,
    kind: String,
    facts: String,
    is_condition: i64,
    raised_at_micros: i64,
    resolved_at_micros: Option<i64>,
}

impl AlertRow {
    /// The alert, with whom it is about.
    pub(crate) fn with_user(self, user: Option<(i64, String)>) -> Result<Alert, DatabaseError> {
        let kind = AlertKind::parse(&self.kind)
            .ok_or_else(|| DatabaseError::corrupt(format!("alert {}: unknown kind", self.id)))?;
        Ok(Alert {
            id: AlertId::new(self.id),
            kind,
            user: user.map(|(id, name)| (UserId::new(id), name)),
            facts: self.facts,
            is_condition: self.is_condition == 1,
            raised_at: Timestamp::from_micros(self.raised_at_micros),
            resolved_at: self.resolved_at_micros.map(Timestamp::from_micros),
        })
    }
}

/// The first alert that meets a condition, with whom it is about.
macro_rules! first_alert {
    ($connection:expr, $condition:expr) => {{
        let row: Option<(AlertRow, Option<(i64, String)>)> = alerts::table
            .left_join(users::table)
            .filter($condition)
            .select((
                AlertRow::as_select(),
                (users::id, users::username).nullable(),
            ))
            .first($connection)
            .optional()?;
        row.map(|(row, user)| row.with_user(user)).transpose()
    }};
}

/// Reads an alert.
///
/// # Errors
/// If the database fails.
pub fn alert(connection: &mut AnyConnection, id: AlertId) -> Result<Option<Alert>, DatabaseError> {
    first_alert!(connection, alerts::id.eq(id.get()))
}

/// The condition of the index on unresolved alerts is repeated literally.
const RAISE: &str = "INSERT INTO alerts
        (kind, key, user_id, facts, is_condition, raised_at_micros, next_message)
    SELECT $1, $2, $3, $4, $5, $6, 'raised'
    WHERE NOT EXISTS (SELECT 1 FROM alerts WHERE key = $2 AND raised_at_micros > $7)
    ON CONFLICT (key) WHERE resolved_at_micros IS NULL DO NOTHING";

impl Transaction<'_, '_> {
    /// Raises an alert, and returns whether it is new.
    ///
    /// # Errors
    /// If the database fails.
    pub fn raise_alert(&mut self, new: &NewAlert) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let added = diesel::sql_query(RAISE)
                .bind::<Text, _>(new.kind.as_str())
                .bind::<Text, _>(&new.key)
                .bind::<Nullable<BigInt>, _>(new.user.map(UserId::get))
                .bind::<Text, _>(&new.facts)
                .bind::<BigInt, _>(i64::from(new.is_condition))
                .bind::<BigInt, _>(new.at.as_micros())
                .bind::<BigInt, _>(new.unless_raised_since.as_micros())
                .execute(connection)?;
            Ok(added > 0)
        })
    }

    /// The alert with this key that is not resolved yet.
    ///
    /// # Errors
    /// If the database fails.
    pub fn unresolved_alert(&mut self, key: &str) -> Result<Option<Alert>, DatabaseError> {
        self.execute(|connection| {
            let condition = alerts::key
                .eq(key)
                .and(alerts::resolved_at_micros.is_null());
            first_alert!(connection, condition)
        })
    }

    /// Resolves the alert with this key that is not resolved yet, if there is one. Its receivers are told,
    /// unless they were not told yet that it was raised: then they are told both at once.
    ///
    /// # Errors
    /// If the database fails.
    pub fn resolve_alert(&mut self, key: &str, at: Timestamp) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let resolved = diesel::sql_query(
                "UPDATE alerts SET resolved_at_micros = $1,
                    next_message = COALESCE(next_message, 'resolved')
                 WHERE key = $2 AND resolved_at_micros IS NULL AND is_condition = 1",
            )
            .bind::<BigInt, _>(at.as_micros())
            .bind::<Text, _>(key)
            .execute(connection)?;
            Ok(resolved > 0)
        })
    }

    /// The alerts whose receivers are to be told something, the oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn alerts_to_announce(
        &mut self,
        limit: i64,
    ) -> Result<Vec<(Alert, AlertMessage)>, DatabaseError> {
        type Row = (AlertRow, Option<String>, Option<(i64, String)>);
        self.execute(|connection| {
            let rows: Vec<Row> = alerts::table
                .left_join(users::table)
                .filter(alerts::next_message.is_not_null())
                .order(alerts::id)
                .limit(limit)
                .select((
                    AlertRow::as_select(),
                    alerts::next_message,
                    (users::id, users::username).nullable(),
                ))
                .load(connection)?;
            rows.into_iter()
                .map(|(row, message, user)| {
                    let message = message.as_deref().and_then(AlertMessage::parse);
                    let message = message
                        .ok_or_else(|| DatabaseError::corrupt("an alert's message is unknown"))?;
                    Ok((row.with_user(user)?, message))
                })
                .collect()
        })
    }

    /// Records that the receivers of an alert are being told what they were to be told.
    ///
    /// # Errors
    /// If the database fails.
    pub fn alert_is_announced(&mut self, id: AlertId) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(alerts::table.find(id.get()))
                .set(alerts::next_message.eq(None::<String>))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Deletes up to `limit` alerts that were raised before `before`, with their deliveries, and returns
    /// their number. Conditions that still hold stay.
    ///
    /// # Errors
    /// If the database fails.
    pub fn purge_alerts(&mut self, before: Timestamp, limit: i64) -> Result<usize, DatabaseError> {
        self.execute(|connection| {
            let old: Vec<i64> = alerts::table
                .filter(alerts::raised_at_micros.lt(before.as_micros()))
                .filter(
                    alerts::resolved_at_micros
                        .is_not_null()
                        .or(alerts::is_condition.eq(0)),
                )
                .order((alerts::raised_at_micros, alerts::id))
                .limit(limit)
                .select(alerts::id)
                .load(connection)?;
            let sent = alert_deliveries::table.filter(alert_deliveries::alert_id.eq_any(&old));
            diesel::delete(sent).execute(connection)?;
            Ok(diesel::delete(alerts::table.filter(alerts::id.eq_any(old))).execute(connection)?)
        })
    }
}
