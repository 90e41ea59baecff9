//! What the receivers of alerts are told: rows that servers lease, as for mails.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{AlertChannel, AlertId, AlertMessage, Timestamp};

use crate::connection::{AnyConnection, skip_locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::alert_deliveries;

/// Something that a receiver is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAlertDelivery {
    /// The alert.
    pub alert: AlertId,
    /// What the receiver is told about it.
    pub message: AlertMessage,
    /// How it is sent.
    pub channel: AlertChannel,
    /// The address of a mail; empty for the webhook.
    pub recipient: String,
    /// The time.
    pub at: Timestamp,
    /// When it is given up.
    pub expires_at: Timestamp,
}

/// A delivery that this server has leased to make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingDelivery {
    /// The delivery's ID.
    pub id: i64,
    /// The alert.
    pub alert: AlertId,
    /// What the receiver is told about it.
    pub message: AlertMessage,
    /// How it is sent.
    pub channel: AlertChannel,
    /// The address of a mail; empty for the webhook.
    pub recipient: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it is given up.
    pub expires_at: Timestamp,
    /// The number of attempts, including the one that it was leased for.
    pub attempts: i64,
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    alert_id: i64,
    #[diesel(sql_type = Text)]
    message: String,
    #[diesel(sql_type = Text)]
    channel: String,
    #[diesel(sql_type = Text)]
    recipient: String,
    #[diesel(sql_type = BigInt)]
    created_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    expires_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    attempts: i64,
}

impl TryFrom<WaitingRow> for WaitingDelivery {
    type Error = DatabaseError;

    fn try_from(row: WaitingRow) -> Result<Self, DatabaseError> {
        let corrupt = || DatabaseError::corrupt(format!("delivery {}: unknown name", row.id));
        Ok(Self {
            id: row.id,
            alert: AlertId::new(row.alert_id),
            message: AlertMessage::parse(&row.message).ok_or_else(corrupt)?,
            channel: AlertChannel::parse(&row.channel).ok_or_else(corrupt)?,
            recipient: row.recipient,
            created_at: Timestamp::from_micros(row.created_at_micros),
            expires_at: Timestamp::from_micros(row.expires_at_micros),
            attempts: row.attempts,
        })
    }
}

/// Which of the due deliveries a server takes: one without a webhook leaves those to the webhook to other
/// servers, until they are given up.
fn taken(has_webhook: bool, now: Timestamp) -> String {
    let now = now.as_micros();
    let others = if has_webhook {
        String::new()
    } else {
        format!(" AND (channel <> 'webhook' OR expires_at_micros <= {now})")
    };
    format!("next_attempt_at_micros <= {now}{others}")
}

/// Whether a delivery is due that this server takes.
///
/// # Errors
/// If the database fails.
pub fn is_alert_delivery_due(
    connection: &mut AnyConnection,
    now: Timestamp,
    has_webhook: bool,
) -> Result<bool, DatabaseError> {
    let due: Vec<IdRow> = diesel::sql_query(format!(
        "SELECT id FROM alert_deliveries WHERE {} ORDER BY next_attempt_at_micros LIMIT 1",
        taken(has_webhook, now)
    ))
    .load(connection)?;
    Ok(due.iter().any(|row| row.id > 0))
}

impl Transaction<'_, '_> {
    /// Adds something that a receiver is to be told, if the receiver is not being told it already.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_alert_delivery(&mut self, new: &NewAlertDelivery) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::sql_query(
                "INSERT INTO alert_deliveries (alert_id, message, channel, recipient,
                    created_at_micros, expires_at_micros, next_attempt_at_micros)
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            )
            .bind::<BigInt, _>(new.alert.get())
            .bind::<Text, _>(new.message.as_str())
            .bind::<Text, _>(new.channel.as_str())
            .bind::<Text, _>(&new.recipient)
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<BigInt, _>(new.expires_at.as_micros())
            .bind::<BigInt, _>(new.at.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }

    /// Leases deliveries that are due, by moving their next attempt to `lease`. No other server makes them
    /// meanwhile, and if this server dies, they are made after the lease.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_due_alert_deliveries(
        &mut self,
        now: Timestamp,
        lease: Timestamp,
        has_webhook: bool,
        limit: i64,
    ) -> Result<Vec<WaitingDelivery>, DatabaseError> {
        self.execute(|connection| {
            let (lock, taken) = (skip_locked(connection), taken(has_webhook, now));
            let rows: Vec<WaitingRow> = diesel::sql_query(format!(
                "UPDATE alert_deliveries SET next_attempt_at_micros = $1, attempts = attempts + 1
                 WHERE {taken} AND id IN (
                    SELECT id FROM alert_deliveries WHERE {taken}
                    ORDER BY next_attempt_at_micros LIMIT $2 {lock})
                 RETURNING id, alert_id, message, channel, recipient, created_at_micros,
                    expires_at_micros, attempts"
            ))
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(limit)
            .load(connection)?;
            rows.into_iter().map(WaitingDelivery::try_from).collect()
        })
    }

    /// Leases all deliveries of an alert that were not made yet.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_deliveries_of_alert(
        &mut self,
        alert: AlertId,
        lease: Timestamp,
    ) -> Result<Vec<WaitingDelivery>, DatabaseError> {
        self.execute(|connection| {
            let rows: Vec<WaitingRow> = diesel::sql_query(
                "UPDATE alert_deliveries SET next_attempt_at_micros = $1, attempts = attempts + 1
                 WHERE alert_id = $2 AND next_attempt_at_micros IS NOT NULL
                 RETURNING id, alert_id, message, channel, recipient, created_at_micros,
                    expires_at_micros, attempts",
            )
            .bind::<BigInt, _>(lease.as_micros())
            .bind::<BigInt, _>(alert.get())
            .load(connection)?;
            rows.into_iter().map(WaitingDelivery::try_from).collect()
        })
    }

    /// Reschedules a leased delivery after a failed attempt. Does nothing if the lease has ended and
    /// another server has the delivery.
    ///
    /// # Errors
    /// If the database fails.
    pub fn reschedule_alert_delivery(
        &mut self,
        delivery: &WaitingDelivery,
        next_attempt_at: Timestamp,
        problem: &str,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let leased = alert_deliveries::table
                .find(delivery.id)
                .filter(alert_deliveries::attempts.eq(delivery.attempts))
                .filter(alert_deliveries::next_attempt_at_micros.is_not_null());
            diesel::update(leased)
                .set((
                    alert_deliveries::next_attempt_at_micros.eq(next_attempt_at.as_micros()),
                    alert_deliveries::problem.eq(problem),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Records that a delivery was made at `delivered_at`, or given up because of a problem.
    ///
    /// # Errors
    /// If the database fails.
    pub fn complete_alert_delivery(
        &mut self,
        delivery: &WaitingDelivery,
        delivered_at: Option<Timestamp>,
        problem: Option<&str>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let waiting = alert_deliveries::table
                .find(delivery.id)
                .filter(alert_deliveries::next_attempt_at_micros.is_not_null());
            diesel::update(waiting)
                .set((
                    alert_deliveries::next_attempt_at_micros.eq(None::<i64>),
                    alert_deliveries::delivered_at_micros
                        .eq(delivered_at.map(Timestamp::as_micros)),
                    alert_deliveries::problem.eq(problem),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
