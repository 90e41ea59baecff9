//! Sends the queued mails. Several servers share the work: a server leases the mails that it sends.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::EmailAddress;
use glasshouse_mail::{Mail, Mailer, SendError};
use glasshouse_persistence::email::WaitingMail;
use glasshouse_persistence::{Scope, queries};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::background::{RoundTexts, doubled, finish_all, repeat};
use crate::error::CasinoError;
use crate::house::House;
use crate::mail::message::Message;
use crate::mail::texts::text_of;

/// How often due mails are looked for.
const POLL_PERIOD: Duration = Duration::from_secs(1);
const TEXTS: RoundTexts = RoundTexts {
    failed: "failed to look for mails to be sent",
    interrupted: "sending mails was interrupted",
};
/// How many mails are sent at once.
const BATCH: i64 = 8;
/// How long sending a mail may take.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// How long no other server sends a leased mail: longer than all that may happen meanwhile.
const LEASE: Duration = Duration::from_mins(3);
/// The delay after the first failure; each further one doubles it.
const FIRST_DELAY: Duration = Duration::from_secs(10);
const MAXIMUM_DELAY: Duration = Duration::from_hours(1);
/// How long it is stored that a mail was sent.
const RETENTION: Duration = Duration::from_hours(24 * 30);
/// The maximum number of mails removed per call.
const PURGE_LIMIT: i64 = 1_000;

/// Sends mails as they become due, for as long as the program runs. A panic ends one round of work only.
pub async fn deliver_mails(house: House, mailer: Arc<Mailer>) {
    repeat(TEXTS, pause_after, || {
        let (house, mailer) = (house.clone(), Arc::clone(&mailer));
        async move { deliver_due_mails(&house, &mailer).await }
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

/// Tries to send the mails that are due, a bounded number per call, and returns how many there were.
///
/// # Errors
/// If the database fails.
pub async fn deliver_due_mails(house: &House, mailer: &Arc<Mailer>) -> Result<usize, CasinoError> {
    let now = house.now();
    let is_due = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::is_mail_due(connection, now))
        .await?;
    if !is_due {
        return Ok(0);
    }
    let leased = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.take_due_mails(now, now.saturating_add(LEASE), BATCH)?)
        })
        .await?;
    let count = leased.len();
    let mut sending = JoinSet::new();
    for mail in leased {
        let (house, mailer) = (house.clone(), Arc::clone(mailer));
        sending.spawn(async move { deliver(&house, &mailer, mail).await });
    }
    finish_all(sending, "sending a mail was interrupted").await?;
    Ok(count)
}

async fn deliver(house: &House, mailer: &Mailer, waiting: WaitingMail) -> Result<(), CasinoError> {
    let (id, kind) = (waiting.id, waiting.kind.clone());
    let now = house.now();
    let is_late = now >= waiting.expires_at;
    let outcome = if is_late {
        Err(SendError::Permanent("it was not sent in time".to_owned()))
    } else {
        match timeout(TIME_LIMIT, send(house, mailer, &waiting)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(SendError::Temporary("it took too long".to_owned())),
        }
    };
    let now = house.now();
    let next = now.saturating_add(delay_after(waiting.attempts));
    let (name, sent_at, next) = match &outcome {
        Ok(()) => ("sent", Some(now), None),
        Err(SendError::Temporary(reason)) if next < waiting.expires_at => {
            tracing::warn!(
                id,
                kind,
                reason,
                "a mail could not be sent and will be tried again"
            );
            ("retried", None, Some(next))
        }
        Err(error) => {
            tracing::error!(id, kind, %error, "a mail was given up");
            ("given_up", None, None)
        }
    };
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            match next {
                Some(next) => transaction.reschedule_mail(&waiting, next)?,
                None => transaction.complete_mail(&waiting, sent_at)?,
            }
            Ok(())
        })
        .await?;
    metrics::counter!("glasshouse_mails_total", "outcome" => name).increment(1);
    Ok(())
}

async fn send(house: &House, mailer: &Mailer, waiting: &WaitingMail) -> Result<(), SendError> {
    let unusable = |what: &str| SendError::Permanent(format!("its {what} cannot be used"));
    let message: Message =
        serde_json::from_str(&waiting.content).map_err(|_| unusable("content"))?;
    let recipient = EmailAddress::parse(&waiting.recipient).map_err(|_| unusable("address"))?;
    let (subject, body) = text_of(&message, &house.public_url);
    let mail = Mail {
        id: waiting.id,
        written_at: waiting.created_at,
        recipient,
        subject: subject.to_owned(),
        body,
    };
    mailer.send(&mail).await
}

/// How long to wait after so many attempts.
fn delay_after(attempts: i64) -> Duration {
    doubled(FIRST_DELAY, MAXIMUM_DELAY, attempts - 1)
}

/// Removes mails that were sent or given up a month ago, a bounded number per call, and returns how many
/// were removed.
///
/// # Errors
/// On a fault.
pub async fn purge_mails(house: &House) -> Result<usize, CasinoError> {
    let before = house.now().saturating_sub(RETENTION);
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            Ok(transaction.purge_mails(before, PURGE_LIMIT)?)
        })
        .await
}
