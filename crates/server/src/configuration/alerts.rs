//! Settings for alerts.

use std::time::Duration;

use clap::Args;
use glasshouse_casino::alerts::{AlertOptions, Thresholds, WebhookTarget};
use glasshouse_domain::{EmailAddress, Money};

#[derive(Args, Clone)]
pub(crate) struct AlertsConfiguration {
    /// The address that is called with each alert, https://…, or http://… to this machine. It may contain
    /// a token, so it is only given by environment variable or file
    #[arg(
        long = "alert-webhook-url",
        id = "alert_webhook_url",
        value_name = "URL",
        global = true,
        env = "GLASSHOUSE_ALERT_WEBHOOK_URL",
        hide_env_values = true,
        hide = true
    )]
    pub(crate) webhook_url: Option<String>,

    /// The secret with which these calls are signed, at least 16 characters. Only by environment variable
    /// or file
    #[arg(
        long = "alert-webhook-secret",
        id = "alert_webhook_secret",
        value_name = "SECRET",
        global = true,
        env = "GLASSHOUSE_ALERT_WEBHOOK_SECRET",
        hide_env_values = true,
        hide = true
    )]
    pub(crate) webhook_secret: Option<String>,

    /// The e-mail addresses that get each alert, separated by commas
    #[arg(
        long = "alert-mail",
        id = "alert_mail",
        value_name = "ADDRESS",
        global = true,
        env = "GLASSHOUSE_ALERT_MAIL",
        value_delimiter = ','
    )]
    mail: Vec<String>,

    /// The smallest profit of a round that is alerted to, in US dollars
    #[arg(
        long = "alert-large-win",
        id = "alert_large_win",
        value_name = "DOLLARS",
        global = true,
        env = "GLASSHOUSE_ALERT_LARGE_WIN",
        default_value = "10000.00",
        value_parser = large_win
    )]
    large_win: Money,

    /// For how many minutes no call to the payment provider has succeeded when that is alerted to
    #[arg(
        long = "alert-provider-failure-minutes",
        id = "alert_provider_failure_minutes",
        value_name = "MINUTES",
        global = true,
        env = "GLASSHOUSE_ALERT_PROVIDER_FAILURE_MINUTES",
        default_value_t = 10,
        value_parser = clap::value_parser!(u16).range(1..=1440)
    )]
    provider_failure_minutes: u16,

    /// How many withdrawals, payments, reviews or proposals may wait for a person
    #[arg(
        long = "alert-queue-length",
        id = "alert_queue_length",
        value_name = "NUMBER",
        global = true,
        env = "GLASSHOUSE_ALERT_QUEUE_LENGTH",
        default_value_t = 50
    )]
    queue_length: u32,

    /// For how many hours a withdrawal may wait for a decision
    #[arg(
        long = "alert-queue-age-hours",
        id = "alert_queue_age_hours",
        value_name = "HOURS",
        global = true,
        env = "GLASSHOUSE_ALERT_QUEUE_AGE_HOURS",
        default_value_t = 48,
        value_parser = clap::value_parser!(u16).range(1..=8760)
    )]
    queue_age_hours: u16,

    /// How many sign-ins to existing accounts are refused within 15 minutes when that is alerted to
    #[arg(
        long = "alert-failed-sign-ins",
        id = "alert_failed_sign_ins",
        value_name = "NUMBER",
        global = true,
        env = "GLASSHOUSE_ALERT_FAILED_SIGN_INS",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    failed_sign_ins: u32,
}

impl AlertsConfiguration {
    /// What the operator wants to be alerted to, and how.
    ///
    /// # Errors
    /// If an address or the secret cannot be used, in a sentence that repeats neither.
    pub(crate) fn options(&self) -> Result<AlertOptions, String> {
        let webhook = match (&self.webhook_url, &self.webhook_secret) {
            (None, None) => None,
            (Some(url), Some(secret)) => Some(webhook(url, secret)?),
            (Some(_), None) => {
                return Err(
                    "GLASSHOUSE_ALERT_WEBHOOK_URL also needs the secret with which calls are signed: set \
                     GLASSHOUSE_ALERT_WEBHOOK_SECRET"
                        .to_owned(),
                );
            }
            (None, Some(_)) => {
                return Err(
                    "GLASSHOUSE_ALERT_WEBHOOK_SECRET is set, but GLASSHOUSE_ALERT_WEBHOOK_URL is not"
                        .to_owned(),
                );
            }
        };
        let addresses = self.mail.iter().map(|text| text.trim());
        let mut mail_to = Vec::new();
        for address in addresses.filter(|text| !text.is_empty()) {
            let parsed = EmailAddress::parse(address).map_err(|_| {
                format!("GLASSHOUSE_ALERT_MAIL: {address:?} is not an e-mail address")
            })?;
            if !mail_to.contains(&parsed) {
                mail_to.push(parsed);
            }
        }
        Ok(AlertOptions {
            thresholds: self.thresholds(),
            webhook,
            mail_to,
        })
    }

    /// From where on something is worth an alert.
    fn thresholds(&self) -> Thresholds {
        Thresholds {
            large_win: self.large_win,
            provider_failure: Duration::from_mins(self.provider_failure_minutes.into()),
            queue_length: self.queue_length.into(),
            queue_age: Duration::from_hours(self.queue_age_hours.into()),
            refused_sign_ins: self.failed_sign_ins,
        }
    }
}

fn webhook(url: &str, secret: &str) -> Result<WebhookTarget, String> {
    use glasshouse_casino::alerts::AlertOptionsError as Error;
    WebhookTarget::new(url.trim(), secret.trim()).map_err(|error| {
        let variable = match error {
            Error::Address => "GLASSHOUSE_ALERT_WEBHOOK_URL",
            Error::Secret => "GLASSHOUSE_ALERT_WEBHOOK_SECRET",
        };
        format!("{variable} cannot be used: {error}")
    })
}

/// Parses the smallest profit that is alerted to.
fn large_win(text: &str) -> Result<Money, String> {
    let smallest = Thresholds::SMALLEST_LARGE_WIN;
    Money::parse(text)
        .ok()
        .filter(|amount| *amount >= smallest)
        .ok_or_else(|| format!("must be an amount in US dollars of at least {smallest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_wins_can_be_alerted_to() {
        assert_eq!(large_win("100.00"), Ok(Money::from_cents(10_000)));
        for invalid in ["", "99.99", "-1", "1e9", "0"] {
            assert!(large_win(invalid).is_err(), "{invalid}");
        }
    }
}
