//! How the sandbox is set up.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// How the sandbox is set up.
#[derive(Clone)]
pub struct SandboxOptions {
    /// Where it listens; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Where browsers reach it, if not where it listens.
    pub public_url: Option<String>,
    /// The key that calls must carry.
    pub api_key: String,
    /// The secret that callbacks are signed with.
    pub ipn_secret: String,
    /// The account's e-mail address, for listings.
    pub email: String,
    /// The account's password.
    pub password: String,
    /// Where its state is kept; none keeps it in memory only.
    pub data: Option<PathBuf>,
    /// How long a payment stays at each status on its way.
    pub status_delay: Duration,
    /// How long a callback may take to be answered.
    pub callback_timeout: Duration,
    /// How often a callback is sent until it is answered with 2xx.
    pub callback_attempts: u32,
    /// How long to wait before it is sent again.
    pub callback_retry_delay: Duration,
    /// How long a call hangs when told to.
    pub hang: Duration,
}

/// Without the keys, which would end up in logs.
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
    /// For people to try the house with: slow enough to watch, and patient with a house that is
    /// just being restarted.
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

    /// For a test: a free port of this machine, everything at once, nothing kept.
    #[must_use]
    pub fn for_tests() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            public_url: None,
            api_key: "sandbox-api-key".to_owned(),
            ipn_secret: "sandbox-ipn-secret".to_owned(),
            email: "house@sandbox.example".to_owned(),
            password: "sandbox-password".to_owned(),
            data: None,
            status_delay: Duration::ZERO,
            callback_timeout: Duration::from_secs(3),
            callback_attempts: 3,
            callback_retry_delay: Duration::from_millis(50),
            hang: Duration::from_mins(1),
        }
    }
}
