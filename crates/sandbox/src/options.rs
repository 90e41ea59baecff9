//! The sandbox's options.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// The sandbox's options.
#[derive(Clone)]
pub struct SandboxOptions {
    /// The address to listen on; port 0 picks a free one.
    pub bind: SocketAddr,
    /// The base URL that browsers use, if not the address it listens on.
    pub public_url: Option<String>,
    /// The key that API requests must carry.
    pub api_key: String,
    /// The secret that signs callbacks.
    pub ipn_secret: String,
    /// The account's e-mail address, for listing payments and for payouts.
    pub email: String,
    /// The account's password.
    pub password: String,
    /// The secret of the account's authenticator in base 32, whose codes verify payouts.
    pub payout_secret: String,
    /// The file for its state; `None` keeps it in memory only.
    pub data: Option<PathBuf>,
    /// The folder into which the house writes its mails, if it sends none. They are shown on a page.
    pub mail_folder: Option<PathBuf>,
    /// How long a payment or a payout stays in each intermediate status.
    pub status_delay: Duration,
    /// How long the house may take to respond to a callback.
    pub callback_timeout: Duration,
    /// The maximum number of attempts to deliver a callback with a 2xx response.
    pub callback_attempts: u32,
    /// The delay between these attempts.
    pub callback_retry_delay: Duration,
    /// How long a request hangs with the fault `hang` or `lost`.
    pub hang: Duration,
}

/// Omits the keys, which would end up in logs.
impl fmt::Debug for SandboxOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SandboxOptions")
            .field("bind", &self.bind)
            .field("public_url", &self.public_url)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

impl SandboxOptions {
    /// The usual secret of the authenticator. It is public, because the sandbox pays no real money.
    pub const PAYOUT_SECRET: &str = "KNAU4RCCJ5MFAQKZJ5KVIUZAKRHVIUBB";

    /// Options for interactive use: slow enough to watch, and with callback retries that last
    /// through a restart of the house.
    #[must_use]
    pub fn with_keys(api_key: String, ipn_secret: String, password: String) -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8090)),
            api_key,
            ipn_secret,
            password,
            status_delay: Duration::from_millis(1_500),
            callback_retry_delay: Duration::from_secs(5),
            ..Self::for_tests()
        }
    }

    /// Options for tests: a free local port, no delays, no persistence.
    #[must_use]
    pub fn for_tests() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            public_url: None,
            api_key: "sandbox-api-key".to_owned(),
            ipn_secret: "sandbox-ipn-secret".to_owned(),
            email: "house@sandbox.example".to_owned(),
            password: "sandbox-password".to_owned(),
            payout_secret: Self::PAYOUT_SECRET.to_owned(),
            data: None,
            mail_folder: None,
            status_delay: Duration::ZERO,
            callback_timeout: Duration::from_secs(3),
            callback_attempts: 3,
            callback_retry_delay: Duration::from_millis(50),
            hang: Duration::from_mins(1),
        }
    }
}
