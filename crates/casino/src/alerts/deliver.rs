//! Tells the receivers of alerts. Several servers share the work: a server leases what it delivers.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::{AlertChannel, EmailAddress};
use glasshouse_mail::{Mail, Mailer, SendError};
use glasshouse_persistence::alerts::{Alert, WaitingDelivery};
use glasshouse_persistence::{Scope, queries};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::alerts::options::AlertOptions;
use crate::alerts::texts::{mail_text, subject};
use crate::alerts::webhook::{Call, Webhook};
use crate::background::{RoundTexts, doubled, finish_all, repeat};
use crate::error::CasinoError;
use crate::house::House;

/// How often due deliveries are looked for.
const POLL_PERIOD: Duration = Duration::from_secs(1);
const TEXTS: RoundTexts = RoundTexts {
    failed: "failed to look for alerts to be delivered",
    interrupted: "delivering alerts was interrupted",
};
/// How many deliveries are made at once.
const BATCH: i64 = 8;
/// How long a delivery may take.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// How long no other server makes a leased delivery: longer than all that may happen meanwhile.
const LEASE: Duration = Duration::from_mins(3);
/// The delay after the first failure; each further one doubles it.
const FIRST_DELAY: Duration = Duration::from_secs(10);
const MAXIMUM_DELAY: Duration = Duration::from_hours(1);
/// How long alerts are kept.
const RETENTION: Duration = Duration::from_hours(24 * 365);
/// The maximum number of alerts removed per call.
const PURGE_LIMIT: i64 = 1_000;

/// The ways to the receivers.
#[derive(Clone)]
pub(crate) struct Channels {
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) webhook: Option<Webhook>,
}

impl Channels {
    pub(crate) fn new(options: &AlertOptions, mailer: Arc<Mailer>) -> Result<Self, CasinoError> {
        let webhook = options.webhook.clone().map(Webhook::new).transpose();
        let webhook = webhook
            .map_err(|reason| CasinoError::corrupt(format!("TLS cannot be set up: {reason}")))?;
        Ok(Self { mailer, webhook })
    }
}

/// Tells the receivers of alerts for as long as the program runs. A panic ends one round of work only.
pub async fn deliver_alerts(house: House, options: AlertOptions, mailer: Arc<Mailer>) {
    repeat(TEXTS, pause_after, || {
        let (house, options, mailer) = (house.clone(), options.clone(), Arc::clone(&mailer));
        async move { deliver_due_alerts(&house, &options, mailer).await }
    })
    .await;
}

/// As long as there was something to do, there may be more.
const fn pause_after(done: usize) -> Duration {
    if done == 0 {
        POLL_PERIOD
    } else {
        Duration::ZERO
    }
}

/// Tries to make the deliveries that are due, a bounded number per call, and returns how many there were.
///
/// # Errors
/// If the database fails.
pub async fn deliver_due_alerts(
    house: &House,
    options: &AlertOptions,
    mailer: Arc<Mailer>,
) -> Result<usize, CasinoError> {
    let now = house.now();
    let has_webhook = options.webhook.is_some();
    let is_due = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            queries::is_alert_delivery_due(connection, now, has_webhook)
        })
        .await?;
    if !is_due {
        return Ok(0);
    }
    let channels = Channels::new(options, mailer)?;
    let leased = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let lease = now.saturating_add(LEASE);
            Ok(transaction.take_due_alert_deliveries(now, lease, has_webhook, BATCH)?)
        })
        .await?;
    let count = leased.len();
    let mut sending = JoinSet::new();
    for delivery in leased {
        let (house, channels) = (house.clone(), channels.clone());
        sending.spawn(async move { deliver(&house, &channels, delivery).await });
    }
    finish_all(sending, "delivering an alert was interrupted").await?;
    Ok(count)
}

async fn deliver(
    house: &House,
    channels: &Channels,
    delivery: WaitingDelivery,
) -> Result<(), CasinoError> {
    let outcome = if house.now() >= delivery.expires_at {
        Err(SendError::Permanent(
            "it was not delivered in time".to_owned(),
        ))
    } else {
        attempt(house, channels, &delivery).await?
    };
    let now = house.now();
    let next = now.saturating_add(delay_after(delivery.attempts));
    let (id, channel) = (delivery.alert.get(), delivery.channel.as_str());
    let (name, next) = match &outcome {
        Ok(()) => ("delivered", None),
        Err(SendError::Temporary(reason)) if next < delivery.expires_at => {
            tracing::warn!(
                id,
                channel,
                reason,
                "an alert could not be delivered and will be tried again"
            );
            ("retried", Some(next))
        }
        Err(error) => {
            tracing::error!(id, channel, %error, "the delivery of an alert was given up");
            ("given_up", None)
        }
    };
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let problem = outcome.as_ref().err().map(ToString::to_string);
            match (next, problem.as_deref()) {
                (Some(next), problem) => {
                    let problem = problem.unwrap_or_default();
                    transaction.reschedule_alert_delivery(&delivery, next, problem)?;
                }
                (None, problem) => {
                    let delivered_at = problem.is_none().then_some(now);
                    transaction.complete_alert_delivery(&delivery, delivered_at, problem)?;
                }
            }
            Ok(())
        })
        .await?;
    metrics::counter!(
        "glasshouse_alert_deliveries_total", "channel" => channel, "outcome" => name
    )
    .increment(1);
    Ok(())
}

/// Tells the receiver once.
pub(crate) async fn attempt(
    house: &House,
    channels: &Channels,
    delivery: &WaitingDelivery,
) -> Result<Result<(), SendError>, CasinoError> {
    let id = delivery.alert;
    let found = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::alert(connection, id))
        .await?;
    let alert = found.ok_or_else(|| CasinoError::corrupt(format!("alert {id} is missing")))?;
    let sending = send(house, channels, &alert, delivery);
    Ok(match timeout(TIME_LIMIT, sending).await {
        Ok(outcome) => outcome,
        Err(_) => Err(SendError::Temporary("it took too long".to_owned())),
    })
}

async fn send(
    house: &House,
    channels: &Channels,
    alert: &Alert,
    delivery: &WaitingDelivery,
) -> Result<(), SendError> {
    match delivery.channel {
        AlertChannel::Webhook => {
            let Some(webhook) = &channels.webhook else {
                let reason = "this server has no webhook";
                return Err(SendError::Temporary(reason.to_owned()));
            };
            let call = Call::new(alert, delivery.message, &house.public_url)
                .map_err(SendError::Permanent)?;
            // What the receiver refuses today the operator may have mended tomorrow.
            webhook
                .send(&call, house.now())
                .await
                .map_err(SendError::Temporary)
        }
        AlertChannel::Mail => {
            let recipient = EmailAddress::parse(&delivery.recipient)
                .map_err(|_| SendError::Permanent("its address cannot be used".to_owned()))?;
            let mail = Mail {
                // Mails to players have positive numbers.
                id: delivery.id.saturating_neg(),
                written_at: delivery.created_at,
                recipient,
                subject: subject(alert.kind, delivery.message),
                body: mail_text(alert, delivery.message, &house.public_url),
            };
            channels.mailer.send(&mail).await
        }
    }
}

/// How long to wait after so many attempts.
fn delay_after(attempts: i64) -> Duration {
    doubled(FIRST_DELAY, MAXIMUM_DELAY, attempts - 1)
}

/// Removes alerts that were raised a year ago and do not hold any more, a bounded number per call, and
/// returns how many were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_alerts(house: &House) -> Result<usize, CasinoError> {
    let before = house.now().saturating_sub(RETENTION);
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_alerts(before, PURGE_LIMIT)?)
        })
        .await
}
