//! The texts of alerts, in plain English.

use glasshouse_domain::{AlertKind, AlertMessage, Timestamp};
use glasshouse_persistence::alerts::Alert;

use crate::alerts::facts::{Facts, Queue};

/// What an alert says, with the present name of whom it is about.
#[must_use]
pub fn alert_text(alert: &Alert) -> String {
    match &alert.user {
        Some((id, name)) => text_about(alert, &format!("{name} (#{id})")),
        None => nameless_text(alert),
    }
}

/// The same without the name, for the log, which outlives the name.
pub(crate) fn nameless_text(alert: &Alert) -> String {
    match &alert.user {
        Some((id, _)) => text_about(alert, &format!("User #{id}")),
        None => text_about(alert, "Somebody"),
    }
}

fn text_about(alert: &Alert, person: &str) -> String {
    match serde_json::from_str(&alert.facts) {
        Ok(facts) => text_of(&facts, person),
        // A later version has written it.
        Err(_) => format!("An alert of the kind {}.", alert.kind.as_str()),
    }
}

fn text_of(facts: &Facts, person: &str) -> String {
    match facts {
        Facts::LargeWin {
            round,
            game,
            stake,
            payout,
            profit,
        } => format!(
            "{person} has won ${profit} in round {round} of {}: a stake of ${stake}, a payout of \
             ${payout}.",
            words(game)
        ),
        Facts::Rtp {
            game,
            days,
            measured_percent,
            exact_percent,
            p_value,
            ..
        } => format!(
            "The measured RTP of {} over the last {days} days is {measured_percent} %, and by its rules it \
             is {exact_percent} %. By chance alone this has a probability of {p_value}: check for a fault \
             or fraud.",
            words(game)
        ),
        Facts::ProviderFailure { since_micros } => format!(
            "No call to the payment provider has succeeded since {}.",
            time_text(Timestamp::from_micros(*since_micros))
        ),
        Facts::Review {
            review, payment, ..
        } => format!("Payment {payment} needs a review ({}).", words(review)),
        Facts::Queue {
            queue,
            waiting,
            oldest_hours,
        } => queue_text(*queue, *waiting, *oldest_hours),
        Facts::AdministratorRefused { attempts, .. } => {
            format!("{person}, an administrator: {attempts} sign-ins were refused within 24 hours.")
        }
        Facts::ManyRefused { attempts, minutes } => format!(
            "At least {attempts} sign-ins to existing accounts were refused within {minutes} minutes."
        ),
        Facts::Test { .. } => "This is a test. Alerts arrive here.".to_owned(),
    }
}

fn queue_text(queue: Queue, waiting: u64, oldest_hours: Option<u64>) -> String {
    let verb = if waiting == 1 { "waits" } else { "wait" };
    let of = |one: &str, many: &str| {
        let noun = if waiting == 1 { one } else { many };
        format!("{waiting} {noun}")
    };
    let text = match queue {
        Queue::Withdrawals => format!("{} {verb} for a decision", of("withdrawal", "withdrawals")),
        Queue::Payouts => format!(
            "{} {verb} to be sent",
            of("approved withdrawal", "approved withdrawals")
        ),
        Queue::FailedPayouts => format!(
            "The payment of {} has failed, and {verb} to be returned",
            of("withdrawal", "withdrawals")
        ),
        Queue::Reviews => format!("{} {verb} for a review", of("payment", "payments")),
        Queue::Proposals => format!("{} {verb} for a second person", of("proposal", "proposals")),
    };
    match oldest_hours {
        Some(hours) => format!("{text}, the oldest for {hours} hours."),
        None => format!("{text}."),
    }
}

/// The subject of a mail. Nothing that a user has written is in it.
pub(crate) fn subject(kind: AlertKind, message: AlertMessage) -> String {
    let what = match kind {
        AlertKind::LargeWin => "Large win",
        AlertKind::Rtp => "A game's RTP does not match its rules",
        AlertKind::ProviderFailure => "The payment provider fails",
        AlertKind::Review => "A payment needs a review",
        AlertKind::Queue => "Too much waits for a person",
        AlertKind::FailedSignIns => "Refused sign-ins",
        AlertKind::Test => "Test",
    };
    match message {
        AlertMessage::Raised => format!("Alert: {what}"),
        AlertMessage::Resolved => format!("Resolved: {what}"),
    }
}

/// The text of a mail.
pub(crate) fn mail_text(alert: &Alert, message: AlertMessage, public_url: &str) -> String {
    let text = alert_text(alert);
    let raised = time_text(alert.raised_at);
    let resolved = match alert.resolved_at {
        Some(at) => format!("\nResolved: {}", time_text(at)),
        None => String::new(),
    };
    let start = match message {
        AlertMessage::Raised => "",
        AlertMessage::Resolved => "This does not hold any more:\n\n",
    };
    format!(
        "{start}{text}\n\nAlert: {}\nRaised: {raised}{resolved}\n\nGlasshouse\n{public_url}/admin?tab=alerts\n",
        alert.id
    )
}

/// A stored name in words.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A time for people.
fn time_text(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .map(|moment| moment.strftime("%Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}

/// A time for programs.
pub(crate) fn iso(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
        .unwrap_or_default()
}
