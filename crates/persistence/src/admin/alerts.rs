//! The list of alerts for administrators, and how they are acknowledged.

use std::collections::BTreeMap;

use diesel::prelude::*;
use glasshouse_domain::{AlertChannel, AlertId, AlertKind, AlertMessage, Timestamp, UserId};

use crate::admin::filters::{Period, newest_first};
use crate::admin::listing::{AdminList, PageBounds, UserRef, UserRefRow, limit};
use crate::alerts::records::{Alert, AlertRow};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::{alert_deliveries, alerts, users};

diesel::alias!(const ACKNOWLEDGERS: Alias<Acknowledgers> = users as acknowledgers);

/// Selects alerts.
#[derive(Debug, Clone, Default)]
pub struct AlertQuery {
    /// Only alerts of this kind.
    pub kind: Option<AlertKind>,
    /// Only alerts that somebody has acknowledged, or only those that nobody has.
    pub is_acknowledged: Option<bool>,
    /// Only alerts that were raised in this period.
    pub period: Period,
    /// Only alerts older than this one.
    pub before: Option<AlertId>,
    /// The maximum number of alerts.
    pub limit: usize,
}

/// An alert with what its receivers were told.
#[derive(Debug, Clone)]
pub struct AlertEntry {
    /// The alert.
    pub alert: Alert,
    /// When somebody acknowledged it.
    pub acknowledged_at: Option<Timestamp>,
    /// Who did.
    pub acknowledged_by: Option<UserRef>,
    /// What its receivers were told, in the order in which it was.
    pub deliveries: Vec<DeliveryEntry>,
}

/// What a receiver was told about an alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryEntry {
    /// What the receiver was told.
    pub message: AlertMessage,
    /// How it was sent.
    pub channel: AlertChannel,
    /// The address of a mail; empty for the webhook.
    pub recipient: String,
    /// How often it was tried.
    pub attempts: i64,
    /// When the receiver got it.
    pub delivered_at: Option<Timestamp>,
    /// Whether it will be tried again.
    pub is_waiting: bool,
    /// Why the last attempt failed.
    pub problem: Option<String>,
}

type Row = (
    AlertRow,
    Option<UserRefRow>,
    Option<i64>,
    Option<UserRefRow>,
);

impl TryFrom<Row> for AlertEntry {
    type Error = DatabaseError;

    fn try_from((alert, user, at, by): Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            alert: alert.with_user(user)?,
            acknowledged_at: at.map(Timestamp::from_micros),
            acknowledged_by: by.map(UserRef::from),
            deliveries: Vec::new(),
        })
    }
}

/// The query for all entries of the list.
macro_rules! alert_entries {
    () => {
        alerts::table
            .left_join(users::table.on(users::id.nullable().eq(alerts::user_id)))
            .left_join(
                ACKNOWLEDGERS.on(ACKNOWLEDGERS
                    .field(users::id)
                    .nullable()
                    .eq(alerts::acknowledged_by)),
            )
            .select((
                AlertRow::as_select(),
                (users::id, users::username).nullable(),
                alerts::acknowledged_at_micros,
                ACKNOWLEDGERS
                    .fields((users::id, users::username))
                    .nullable(),
            ))
    };
}

impl AdminList for AlertQuery {
    type Entry = AlertEntry;
    type Place = AlertId;

    fn bounds(&mut self) -> PageBounds<'_, AlertId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<AlertEntry, AlertId>, DatabaseError> {
        let mut page = alert_entries!().limit(limit(self.limit)).into_boxed();
        let last = self.before.map(AlertId::get);
        page = newest_first!(connection, page, alerts.raised_at_micros, self.period, last);
        if let Some(kind) = self.kind {
            page = page.filter(alerts::kind.eq(kind.as_str()));
        }
        match self.is_acknowledged {
            None => {}
            Some(true) => page = page.filter(alerts::acknowledged_at_micros.is_not_null()),
            Some(false) => page = page.filter(alerts::acknowledged_at_micros.is_null()),
        }
        let rows: Vec<Row> = page.load(connection)?;
        let mut page = Page::of(rows, self.limit, |entry: &AlertEntry| entry.alert.id)?;
        add_deliveries(connection, &mut page.entries)?;
        Ok(page)
    }
}

/// Reads what the receivers of these alerts were told, with one query.
fn add_deliveries(
    connection: &mut AnyConnection,
    entries: &mut [AlertEntry],
) -> Result<(), DatabaseError> {
    type Row = (
        i64,
        String,
        String,
        String,
        i64,
        Option<i64>,
        Option<i64>,
        Option<String>,
    );
    let ids: Vec<i64> = entries.iter().map(|entry| entry.alert.id.get()).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let rows: Vec<Row> = alert_deliveries::table
        .filter(alert_deliveries::alert_id.eq_any(ids))
        .order((alert_deliveries::alert_id, alert_deliveries::id))
        .select((
            alert_deliveries::alert_id,
            alert_deliveries::message,
            alert_deliveries::channel,
            alert_deliveries::recipient,
            alert_deliveries::attempts,
            alert_deliveries::delivered_at_micros,
            alert_deliveries::next_attempt_at_micros,
            alert_deliveries::problem,
        ))
        .load(connection)?;
    let mut found: BTreeMap<i64, Vec<DeliveryEntry>> = BTreeMap::new();
    for (alert, message, channel, recipient, attempts, delivered_at, next, problem) in rows {
        let corrupt = || DatabaseError::corrupt(format!("a delivery of alert {alert}"));
        found.entry(alert).or_default().push(DeliveryEntry {
            message: AlertMessage::parse(&message).ok_or_else(corrupt)?,
            channel: AlertChannel::parse(&channel).ok_or_else(corrupt)?,
            recipient,
            attempts,
            delivered_at: delivered_at.map(Timestamp::from_micros),
            is_waiting: next.is_some(),
            problem,
        });
    }
    for entry in entries {
        entry.deliveries = found.remove(&entry.alert.id.get()).unwrap_or_default();
    }
    Ok(())
}

/// Reads an alert with what its receivers were told.
///
/// # Errors
/// If the database fails.
pub fn alert_entry(
    connection: &mut AnyConnection,
    id: AlertId,
) -> Result<Option<AlertEntry>, DatabaseError> {
    let row: Option<Row> = alert_entries!()
        .filter(alerts::id.eq(id.get()))
        .first(connection)
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    let mut entries = [AlertEntry::try_from(row)?];
    add_deliveries(connection, &mut entries)?;
    let [entry] = entries;
    Ok(Some(entry))
}

impl Transaction<'_, '_> {
    /// Acknowledges an alert on behalf of an administrator. Returns `false` if somebody already has.
    ///
    /// # Errors
    /// If the database fails.
    pub fn acknowledge_alert(
        &mut self,
        id: AlertId,
        administrator: UserId,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let open = alerts::table
                .filter(alerts::id.eq(id.get()))
                .filter(alerts::acknowledged_at_micros.is_null());
            let acknowledged = diesel::update(open)
                .set((
                    alerts::acknowledged_at_micros.eq(at.as_micros()),
                    alerts::acknowledged_by.eq(administrator.get()),
                ))
                .execute(connection)?;
            Ok(acknowledged > 0)
        })
    }
}
