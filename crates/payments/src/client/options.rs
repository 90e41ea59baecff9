//! Configuration of the client.

use std::num::NonZeroU32;
use std::time::Duration;

use nonzero_ext::nonzero;
use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;

use super::error::ClientError;
use super::retry::RetryPolicy;

/// The default rate limit, in calls per second.
const CALLS_PER_SECOND: NonZeroU32 = nonzero!(10_u32);

/// A key, a password or a token. Never printed.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

/// The account at the provider, which only listings of payments and payouts need.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its email address.
    pub email: String,
    /// Its password.
    pub password: Secret,
}

/// How to reach and call the provider.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// The base URL of its API, such as `https://api.nowpayments.io/v1`.
    pub base_url: String,
    /// The API key of our account.
    pub api_key: Secret,
    /// The account for listings of payments and for payouts, if they are wanted.
    pub account: Option<Account>,
    /// The secret of the account's authenticator in base 32, which verifies payouts.
    pub payout_secret: Option<Secret>,
    /// The timeout for connecting.
    pub connect_timeout: Duration,
    /// The timeout for a whole call, from connecting to the end of the answer.
    pub timeout: Duration,
    /// How read-only calls are retried.
    pub retry: RetryPolicy,
    /// The rate limit for all users of the client together, in calls per second.
    pub calls_per_second: NonZeroU32,
}

/// Why a client cannot be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientSetUpError {
    /// The base URL is invalid or not that of an API.
    #[error("the provider's address must be https://HOST/PATH, or http:// for testing, not {0:?}")]
    Address(String),
    /// A key or password is empty or cannot be sent in a header.
    #[error("the provider's key must be printable ASCII and not empty")]
    Secret,
    /// The secret of the authenticator is not one.
    #[error(
        "the secret that verifies payouts must be in base 32 (letters and the digits 2 to 7), and \
         at least 16 characters long"
    )]
    PayoutSecret,
    /// The HTTP library cannot be set up.
    #[error("the connection to the provider cannot be set up: {0}")]
    Library(String),
}

impl Secret {
    /// Wraps a configured secret.
    ///
    /// # Errors
    /// If it is empty or not printable ASCII.
    pub fn new(text: String) -> Result<Self, ClientSetUpError> {
        if text.is_empty() || !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return Err(ClientSetUpError::Secret);
        }
        Ok(Self(text.into()))
    }

    pub(super) fn reveal(&self) -> &str {
        self.0.expose_secret()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.reveal() == other.reveal()
    }
}

impl Eq for Secret {}

impl ClientOptions {
    /// Creates options with default timeouts and no account.
    #[must_use]
    pub const fn new(base_url: String, api_key: Secret) -> Self {
        Self {
            base_url,
            api_key,
            account: None,
            payout_secret: None,
            connect_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(15),
            retry: RetryPolicy::USUAL,
            calls_per_second: CALLS_PER_SECOND,
        }
    }

    /// Parses the base URL of an API. `None` if it is invalid or has more than a scheme, host, port
    /// and path; user and password are refused because they would end up in logs.
    #[must_use]
    pub fn address(text: &str) -> Option<Url> {
        Url::parse(text).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.has_host()
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        })
    }

    pub(super) fn checked_base(&self) -> Result<Url, ClientSetUpError> {
        Self::address(&self.base_url).ok_or_else(|| {
            let shown = self.base_url.rsplit('@').next().unwrap_or_default();
            ClientSetUpError::Address(shown.chars().take(100).collect())
        })
    }
}

impl Account {
    pub(super) fn to_json(&self) -> Result<String, ClientError> {
        #[derive(Serialize)]
        struct Body<'a> {
            email: &'a str,
            password: &'a str,
        }
        serde_json::to_string(&Body {
            email: &self.email,
            password: self.password.reveal(),
        })
        .map_err(|error| ClientError::Unsendable(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> ClientOptions {
        ClientOptions::new(url.to_owned(), Secret::new("k3y".to_owned()).unwrap())
    }

    #[test]
    fn only_base_urls_of_an_api_are_accepted() {
        for url in [
            "https://api.nowpayments.io/v1",
            "http://127.0.0.1:1/v1/",
            "http://sandbox",
        ] {
            assert!(options(url).checked_base().is_ok(), "{url}");
        }
        for url in [
            "",
            "api.nowpayments.io",
            "ftp://a/",
            "https://a/?b=c",
            "https://a/#b",
            "data:,",
        ] {
            assert!(options(url).checked_base().is_err(), "{url}");
        }
        let error = options("https://me:hidden@a/").checked_base().unwrap_err();
        assert!(!error.to_string().contains("hidden"));
    }

    #[test]
    fn secrets_are_never_printed_and_never_empty() {
        assert!(!format!("{:?}", options("https://a/")).contains("k3y"));
        for wrong in ["", "a\nb", "ключ", "\0"] {
            assert_eq!(Secret::new(wrong.to_owned()), Err(ClientSetUpError::Secret));
        }
    }
}
