//! What the operator wants to be alerted to, and how.

use std::fmt;
use std::time::Duration;

use glasshouse_domain::{EmailAddress, LARGE_WIN_FLOOR, Money};
use reqwest::Url;

/// The shortest secret with which calls are signed, in characters.
const SHORTEST_SECRET: usize = 16;

/// From where on something is worth an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// The smallest profit of a round, at least [`Thresholds::SMALLEST_LARGE_WIN`].
    pub large_win: Money,
    /// How long no call to the payment provider has succeeded.
    pub provider_failure: Duration,
    /// How much may wait for a person, of each kind.
    pub queue_length: u64,
    /// How long a withdrawal may wait for a decision.
    pub queue_age: Duration,
    /// How many sign-ins are refused within fifteen minutes.
    pub refused_sign_ins: u32,
}

impl Thresholds {
    /// The smallest profit of a round that can be alerted to.
    pub const SMALLEST_LARGE_WIN: Money = LARGE_WIN_FLOOR;
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            large_win: Money::from_cents(1_000_000),
            provider_failure: Duration::from_mins(10),
            queue_length: 50,
            queue_age: Duration::from_hours(48),
            refused_sign_ins: 100,
        }
    }
}

/// The operator's address for alerts.
#[derive(Clone)]
pub struct WebhookTarget {
    pub(crate) url: Url,
    pub(crate) secret: String,
}

/// An address or secret that cannot be used. The address may contain a token, so that it is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AlertOptionsError {
    /// The address is not one.
    #[error(
        "it must be https://HOST/PATH, or http:// to this machine, without a user and password"
    )]
    Address,
    /// The secret is too short.
    #[error("it must have at least 16 characters")]
    Secret,
}

impl WebhookTarget {
    /// Checks an address and the secret with which calls to it are signed.
    ///
    /// # Errors
    /// See [`AlertOptionsError`].
    pub fn new(url: &str, secret: &str) -> Result<Self, AlertOptionsError> {
        let url = Url::parse(url).map_err(|_| AlertOptionsError::Address)?;
        let is_usable = url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none()
            && match url.scheme() {
                "https" => true,
                "http" => is_this_machine(&url),
                _ => false,
            };
        if !is_usable {
            return Err(AlertOptionsError::Address);
        }
        if secret.chars().count() < SHORTEST_SECRET {
            return Err(AlertOptionsError::Secret);
        }
        Ok(Self {
            url,
            secret: secret.to_owned(),
        })
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The host only: the path may contain a token.
impl fmt::Display for WebhookTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.host_str().unwrap_or_default().fmt(formatter)
    }
}

impl fmt::Debug for WebhookTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "WebhookTarget({self})")
    }
}

/// What the operator wants to be alerted to, and how. Without receivers, alerts are stored and logged.
#[derive(Debug, Clone, Default)]
pub struct AlertOptions {
    /// From where on something is worth an alert.
    pub thresholds: Thresholds,
    /// The address that is called.
    pub webhook: Option<WebhookTarget>,
    /// The addresses that are written to.
    pub mail_to: Vec<EmailAddress>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn addresses_are_encrypted_unless_they_are_on_this_machine() {
        for valid in [
            "https://alerts.example/hook?token=1",
            "http://127.0.0.1:9000/",
            "http://[::1]:9000/hook",
            "http://localhost/hook",
        ] {
            assert!(WebhookTarget::new(valid, SECRET).is_ok(), "{valid}");
        }
        for invalid in [
            "",
            "alerts.example",
            "http://alerts.example/hook",
            "http://localhost.example/hook",
            "http://192.168.0.1/hook",
            "ftp://alerts.example",
            "https://me:password@alerts.example",
            "https://alerts.example/#a",
        ] {
            let error = WebhookTarget::new(invalid, SECRET).unwrap_err();
            assert_eq!(error, AlertOptionsError::Address, "{invalid}");
        }
    }

    #[test]
    fn the_secret_is_long_and_nothing_secret_is_printed() {
        let url = "https://alerts.example/token-in-the-path";
        assert_eq!(
            WebhookTarget::new(url, "short").unwrap_err(),
            AlertOptionsError::Secret
        );
        let target = WebhookTarget::new(url, SECRET).unwrap();
        assert_eq!(
            format!("{target} {target:?}"),
            "alerts.example WebhookTarget(alerts.example)"
        );
    }
}
