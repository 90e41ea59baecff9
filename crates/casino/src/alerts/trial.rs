//! Lets the operator see that alerts arrive.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::{AlertChannel, AlertMessage};
use glasshouse_mail::Mailer;
use glasshouse_persistence::Scope;

use crate::alerts::deliver::{Channels, attempt};
use crate::alerts::facts::Facts;
use crate::alerts::options::AlertOptions;
use crate::alerts::raise::raise;
use crate::alerts::watch::tell;
use crate::error::CasinoError;
use crate::house::House;

/// No server makes the deliveries meanwhile.
const LEASE: Duration = Duration::from_hours(1);

/// What became of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// How it was sent.
    pub channel: AlertChannel,
    /// The address of a mail; empty for the webhook.
    pub recipient: String,
    /// Why it was not received; `None` if it was.
    pub problem: Option<String>,
}

/// Raises an alert that says that it is a test, and tries once to deliver it to each receiver.
///
/// # Errors
/// If the database fails.
pub async fn try_alerts(
    house: &House,
    options: &AlertOptions,
    mailer: Arc<Mailer>,
) -> Result<Vec<Trial>, CasinoError> {
    let channels = Channels::new(options, mailer)?;
    let now = house.now();
    let chosen = options.clone();
    let leased = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let facts = Facts::Test {
                at_micros: now.as_micros(),
            };
            raise(transaction, &facts, None, now)?;
            let Some(alert) = transaction.unresolved_alert(&facts.key(None))? else {
                return Ok(Vec::new());
            };
            tell(transaction, &chosen, &alert, AlertMessage::Raised, now)?;
            Ok(transaction.take_deliveries_of_alert(alert.id, now.saturating_add(LEASE))?)
        })
        .await?;
    let mut trials = Vec::new();
    for delivery in leased {
        let outcome = attempt(house, &channels, &delivery).await?;
        let problem = outcome.err().map(|error| error.to_string());
        trials.push(Trial {
            channel: delivery.channel,
            recipient: delivery.recipient.clone(),
            problem: problem.clone(),
        });
        let now = house.now();
        house
            .database
            .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
                let delivered_at = problem.is_none().then_some(now);
                let problem = problem.as_deref();
                Ok(transaction.complete_alert_delivery(&delivery, delivered_at, problem)?)
            })
            .await?;
    }
    Ok(trials)
}
