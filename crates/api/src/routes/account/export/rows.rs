//! What the files of a data export contain where it is not what the API returns as well.

use glasshouse_casino::email::{AddressRecord, MailRecord};
use glasshouse_casino::limits::PlayDay;
use glasshouse_casino::{OpenSession, PaymentRecord};
use glasshouse_domain::DepositId;
use serde::Serialize;
use serde_json::Value;

use crate::wire::time::{iso, iso_day};

/// A session that has not ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionRow {
    device: Option<String>,
    address: Option<String>,
    created_at: String,
    last_active_at: String,
}

impl From<OpenSession> for SessionRow {
    fn from(session: OpenSession) -> Self {
        Self {
            device: session.device,
            address: session.address,
            created_at: iso(session.created_at),
            last_active_at: iso(session.last_active_at),
        }
    }
}

/// An e-mail address that was verified.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddressRow {
    address: String,
    verified_at: String,
    removed_at: Option<String>,
}

impl From<AddressRecord> for AddressRow {
    fn from(record: AddressRecord) -> Self {
        Self {
            address: record.address,
            verified_at: iso(record.verified_at),
            removed_at: record.removed_at.map(iso),
        }
    }
}

/// A mail to the user.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MailRow {
    kind: String,
    recipient: String,
    created_at: String,
    sent_at: Option<String>,
}

impl From<MailRecord> for MailRow {
    fn from(record: MailRecord) -> Self {
        Self {
            kind: record.kind,
            recipient: record.recipient,
            created_at: iso(record.created_at),
            sent_at: record.sent_at.map(iso),
        }
    }
}

/// A payment for one of the player's deposits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentRow {
    id: String,
    deposit_id: Option<i64>,
    status: String,
    currency: Option<String>,
    requested_amount: Option<String>,
    received_amount: Option<String>,
    credited_amount: String,
    first_seen_at: String,
    received_at: Option<String>,
    /// As the payment provider reported it.
    details: Value,
}

impl From<PaymentRecord> for PaymentRow {
    fn from(payment: PaymentRecord) -> Self {
        Self {
            id: payment.id,
            deposit_id: payment.deposit.map(DepositId::get),
            status: payment.status,
            currency: payment.pay_currency,
            requested_amount: payment.pay_amount,
            received_amount: payment.actually_paid,
            credited_amount: payment.credited.to_string(),
            first_seen_at: iso(payment.first_seen_at),
            received_at: payment.received_at.map(iso),
            details: serde_json::from_str(&payment.details).unwrap_or(Value::Null),
        }
    }
}

/// The time that the player was active on a day.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlayDayRow {
    date: String,
    active_seconds: i64,
}

impl From<PlayDay> for PlayDayRow {
    fn from(day: PlayDay) -> Self {
        Self {
            date: iso_day(day.day),
            active_seconds: day.active_micros / 1_000_000,
        }
    }
}
