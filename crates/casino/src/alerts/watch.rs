//! The house's watch: looks at the house every half minute, one server at a time, and has the receivers told
//! what was raised.

use std::time::Duration;

use glasshouse_domain::{AlertChannel, AlertMessage, Timestamp};
use glasshouse_persistence::admin::PendingWork;
use glasshouse_persistence::alerts::{Alert, AlertWatch, LargeWin, NewAlertDelivery};
use glasshouse_persistence::{Scope, Transaction, queries};

use crate::alerts::facts::{Facts, Queue};
use crate::alerts::options::{AlertOptions, Thresholds};
use crate::alerts::raise::{judge, raise};
use crate::alerts::texts::nameless_text;
use crate::background::{RoundTexts, repeat};
use crate::error::CasinoError;
use crate::house::House;

/// How often each server asks whether there is something to do.
const POLL_PERIOD: Duration = Duration::from_secs(2);
const TEXTS: RoundTexts = RoundTexts {
    failed: "failed to look for alerts",
    interrupted: "looking for alerts was interrupted",
};
/// How often the house is looked at.
const PASS_PERIOD: Duration = Duration::from_secs(30);
/// How many large wins, and how many alerts, are handled per call.
const BATCH: i64 = 100;
/// The period in which refused sign-ins are counted.
const REFUSAL_MINUTES: u64 = 15;
/// After this long, what cannot be delivered is given up.
const DELIVERY_DEADLINE: Duration = Duration::from_hours(24);

/// Watches the house for as long as the program runs. A panic ends one round of work only.
pub async fn watch_house(house: House, options: AlertOptions) {
    repeat(
        TEXTS,
        |_| POLL_PERIOD,
        || {
            let (house, options) = (house.clone(), options.clone());
            async move { watch_once(&house, &options).await }
        },
    )
    .await;
}

/// Looks at the house if that is due, and has the receivers told what was raised and resolved, a bounded
/// number per call. Returns how many alerts the receivers are told about.
///
/// # Errors
/// If the database fails.
pub async fn watch_once(house: &House, options: &AlertOptions) -> Result<usize, CasinoError> {
    let now = house.now();
    let is_due = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::is_alert_work_due(connection, now))
        .await?;
    if !is_due {
        return Ok(0);
    }
    let options = options.clone();
    let announced = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let Some(watch) = transaction.lock_alert_watch()? else {
                // Another server is at it.
                return Ok(Vec::new());
            };
            look(transaction, watch, options.thresholds, now)?;
            announce(transaction, &options, now)
        })
        .await?;
    for (alert, message) in &announced {
        report(alert, *message);
    }
    Ok(announced.len())
}

/// Raises what is to be raised, and resolves what does not hold any more.
fn look(
    transaction: &mut Transaction<'_, '_>,
    watch: AlertWatch,
    thresholds: Thresholds,
    now: Timestamp,
) -> Result<(), CasinoError> {
    for win in transaction.take_large_wins(BATCH)? {
        if win.profit() >= thresholds.large_win {
            raise(transaction, &large_win(&win), Some(win.player), now)?;
        }
    }
    if watch.next_pass_at > now {
        return Ok(());
    }
    let pending = transaction.pending_work(now)?;
    for (facts, holds) in queues(&pending, thresholds, now) {
        judge(transaction, &facts, holds, now)?;
    }
    let limit = i64::from(thresholds.refused_sign_ins);
    let since = now.saturating_sub(Duration::from_mins(REFUSAL_MINUTES));
    let attempts = transaction.refused_sign_ins(since, limit)?;
    let facts = Facts::ManyRefused {
        attempts,
        minutes: REFUSAL_MINUTES,
    };
    judge(transaction, &facts, attempts >= limit, now)?;
    Ok(transaction.save_alert_watch(AlertWatch {
        next_pass_at: now.saturating_add(PASS_PERIOD),
        ..watch
    })?)
}

fn large_win(win: &LargeWin) -> Facts {
    Facts::LargeWin {
        round: win.round.get(),
        game: win.game.clone(),
        stake: win.stake.to_string(),
        payout: win.payout.to_string(),
        profit: win.profit().to_string(),
    }
}

/// What waits for a person, and whether that is too much or for too long.
fn queues(pending: &PendingWork, thresholds: Thresholds, now: Timestamp) -> [(Facts, bool); 5] {
    let oldest = pending
        .oldest_withdrawal_at
        .map(|at| now.saturating_since(at));
    let is_old = oldest.is_some_and(|age| age > thresholds.queue_age);
    let queue = |queue, waiting, oldest_hours| Facts::Queue {
        queue,
        waiting,
        oldest_hours,
    };
    let is_long = |waiting| waiting > thresholds.queue_length;
    let hours = oldest.map(|age| age.as_secs() / 3_600);
    [
        (
            queue(Queue::Withdrawals, pending.withdrawals, hours),
            is_long(pending.withdrawals) || is_old,
        ),
        (
            queue(Queue::Payouts, pending.payouts_to_send, None),
            is_long(pending.payouts_to_send),
        ),
        (
            // Each of them has left the balance and has not arrived.
            queue(Queue::FailedPayouts, pending.failed_payouts, None),
            pending.failed_payouts > 0,
        ),
        (
            queue(Queue::Reviews, pending.reviews, None),
            is_long(pending.reviews),
        ),
        (
            queue(Queue::Proposals, pending.proposals, None),
            is_long(pending.proposals),
        ),
    ]
}

/// Has the receivers told everything that they are to be told.
fn announce(
    transaction: &mut Transaction<'_, '_>,
    options: &AlertOptions,
    now: Timestamp,
) -> Result<Vec<(Alert, AlertMessage)>, CasinoError> {
    let found = transaction.alerts_to_announce(BATCH)?;
    for (alert, message) in &found {
        tell(transaction, options, alert, *message, now)?;
    }
    Ok(found)
}

/// Adds a delivery for each receiver of an alert.
pub(crate) fn tell(
    transaction: &mut Transaction<'_, '_>,
    options: &AlertOptions,
    alert: &Alert,
    message: AlertMessage,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let webhook = options.webhook.iter();
    let webhook = webhook.map(|_| (AlertChannel::Webhook, String::new()));
    let mails = options.mail_to.iter();
    let mails = mails.map(|address| (AlertChannel::Mail, address.as_str().to_owned()));
    for (channel, recipient) in webhook.chain(mails) {
        transaction.add_alert_delivery(&NewAlertDelivery {
            alert: alert.id,
            message,
            channel,
            recipient,
            at: now,
            expires_at: now.saturating_add(DELIVERY_DEADLINE),
        })?;
    }
    Ok(transaction.alert_is_announced(alert.id)?)
}

/// Counts and logs an alert, once among all servers.
pub(crate) fn report(alert: &Alert, message: AlertMessage) {
    let (id, kind) = (alert.id.get(), alert.kind.as_str());
    match message {
        AlertMessage::Raised => {
            metrics::counter!("glasshouse_alerts_total", "kind" => kind).increment(1);
            tracing::warn!(id, kind, text = nameless_text(alert), "alert");
        }
        AlertMessage::Resolved => {
            tracing::info!(
                id,
                kind,
                text = nameless_text(alert),
                "an alert is resolved"
            );
        }
    }
}
