//! The settings of connections.

use std::time::Duration;

use clap::Args;

use super::Configuration;

/// How many connections there are, and for how long.
#[derive(Args, Clone)]
pub(crate) struct ConnectionsConfiguration {
    /// The time limit for receiving a request body, in seconds
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_BODY_TIMEOUT_SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=60)
    )]
    body_timeout_seconds: u64,

    /// The maximum number of open connections. Each player in a live game holds one
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAX_CONNECTIONS",
        default_value_t = 20_000
    )]
    pub(crate) max_connections: usize,

    /// The maximum number of open connections per IPv4 address or IPv6 /64; connections of a proxy
    /// are not counted
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAX_CONNECTIONS_PER_ADDRESS",
        default_value_t = 500
    )]
    pub(crate) max_connections_per_address: usize,

    /// How long the server goes on after SIGTERM so that the proxy lets go of its connections, in
    /// seconds: each response is the last one on its connection, and /readyz answers 503. The default
    /// is 1 behind a proxy, else 0
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_DRAIN_SECONDS",
        value_parser = clap::value_parser!(u64).range(0..=60)
    )]
    drain_seconds: Option<u64>,
}

impl ConnectionsConfiguration {
    /// The time limit for receiving a request body.
    pub(crate) const fn body_timeout(&self) -> Duration {
        Duration::from_secs(self.body_timeout_seconds)
    }
}

impl Configuration {
    /// How long the server goes on after it was asked to stop.
    pub(crate) fn drain(&self) -> Duration {
        let usual = u64::from(self.behind_proxy.is_on());
        Duration::from_secs(self.connections.drain_seconds.unwrap_or(usual))
    }
}
