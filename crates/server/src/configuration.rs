//! All settings, given by flag, environment or `.env`, with their defaults.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

mod alerts;
mod commands;
mod connections;
mod exposure;
mod mail;
mod payments;
mod secrets;
mod witnesses;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};
use glasshouse_casino::DatabaseUrl;
use glasshouse_casino::public_log::Origin;
use url::Url;

use crate::Failure;

pub(crate) use alerts::AlertsConfiguration;
pub(crate) use commands::{
    AdminCommand, AlertsCommand, Command, LogCommand, MaintenanceCommand, RestoreArguments,
    TermsCommand, ThresholdArguments,
};
pub(crate) use connections::ConnectionsConfiguration;
pub(crate) use mail::MailConfiguration;
pub(crate) use payments::PaymentsConfiguration;
pub(crate) use secrets::SecretFiles;
pub(crate) use witnesses::WitnessesConfiguration;

/// Glasshouse, the online casino with transparent, provably fair games.
#[derive(Parser)]
#[command(name = "glasshouse", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
}

/// An on/off setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

impl Switch {
    pub(crate) fn is_on(self) -> bool {
        self == Self::On
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON elsewhere
    Auto,
    Text,
    Json,
}

#[derive(Args, Clone)]
pub(crate) struct Configuration {
    /// The address to listen on
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_BIND",
        default_value = "127.0.0.1:8080"
    )]
    pub(crate) bind: SocketAddr,

    /// sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://data/glasshouse.db"
    )]
    pub(crate) database_url: DatabaseUrl,

    /// For glasshouse migrate: the role that owns the tables, if servers use another one in DATABASE_URL.
    /// Servers must not know it
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_OWNER_DATABASE_URL",
        hide_env_values = true
    )]
    pub(crate) owner_database_url: Option<DatabaseUrl>,

    /// The base URL that browsers use; https turns on the secure cookie and HSTS
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PUBLIC_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    pub(crate) public_url: String,

    /// Additional host names that browsers use, without ports, separated by commas. Requests for
    /// any other host are refused
    #[arg(long, global = true, env = "GLASSHOUSE_HOSTS", value_delimiter = ',')]
    pub(crate) hosts: Vec<String>,

    /// Serve the API documentation publicly at /api/docs and /api/openapi.json. Default: on if the
    /// public URL is not https
    #[arg(long, global = true, env = "GLASSHOUSE_API_DOCS")]
    pub(crate) api_docs: Option<Switch>,

    /// Where to report vulnerabilities, as mailto:ADDRESS or https://…: published at
    /// /.well-known/security.txt
    #[arg(long, global = true, env = "GLASSHOUSE_SECURITY_CONTACT")]
    pub(crate) security_contact: Option<String>,

    /// The secret that signs cookies, at least 32 characters; all instances need the same. If
    /// omitted, one is generated and kept in the data directory. Only by environment variable or
    /// file
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SECRET",
        hide_env_values = true,
        hide = true
    )]
    pub(crate) secret: Option<String>,

    #[command(flatten)]
    pub(crate) secret_files: SecretFiles,

    /// The directory for generated secrets and data
    #[arg(long, global = true, env = "GLASSHOUSE_DATA", default_value = "data")]
    pub(crate) data_directory: PathBuf,

    /// The file with the keys that seal the audit log, one per line, the newest last; all instances
    /// need the same. If omitted, one is generated and kept in the data directory
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_AUDIT_KEY_FILE",
        value_name = "FILE"
    )]
    pub(crate) audit_key_file: Option<PathBuf>,

    /// The file with the keys that server seeds are derived from, one per line, the newest last; all
    /// instances need the same. If omitted, one is generated and kept in the data directory
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SEED_KEY_FILE",
        value_name = "FILE"
    )]
    pub(crate) seed_key_file: Option<PathBuf>,

    /// The file with the keys that the secrets of authenticators are encrypted with, one per line, the
    /// newest last; all instances need the same. If omitted, one is generated and kept in the data
    /// directory
    #[arg(
        long = "second-factor-key-file",
        global = true,
        env = "GLASSHOUSE_SECOND_FACTOR_KEY_FILE",
        value_name = "FILE"
    )]
    pub(crate) factor_key_file: Option<PathBuf>,

    /// The file with the keys that sign receipts and the public log, one per line, the newest last;
    /// all instances need the same. If omitted, one is generated and kept in the data directory
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_LOG_KEY_FILE",
        value_name = "FILE"
    )]
    pub(crate) log_key_file: Option<PathBuf>,

    /// Rate limits for registrations, logins and bets; turn off for load tests
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_RATE_LIMIT",
        default_value = "on"
    )]
    pub(crate) rate_limit: Switch,

    /// Take the client's address from the last entry of X-Forwarded-For: turn on behind your own
    /// proxy
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_BEHIND_PROXY",
        default_value = "off"
    )]
    pub(crate) behind_proxy: Switch,

    #[command(flatten)]
    pub(crate) connections: ConnectionsConfiguration,

    /// Allow a PostgreSQL server whose fsync, synchronous_commit or full_page_writes is off
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALLOW_UNSAFE_POSTGRES",
        default_value = "off"
    )]
    pub(crate) allow_unsafe_postgres: Switch,

    /// How many days after its closure everything personal is removed from an account, for good. The
    /// default is five years, for which laws against money laundering usually require to keep it
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_CLOSED_ACCOUNT_RETENTION_DAYS",
        default_value_t = 1_827,
        value_parser = clap::value_parser!(u16).range(1..=36_500)
    )]
    pub(crate) closed_account_retention_days: u16,

    #[command(flatten)]
    pub(crate) witnesses: WitnessesConfiguration,

    #[command(flatten)]
    pub(crate) mail: MailConfiguration,

    #[command(flatten)]
    pub(crate) alerts: AlertsConfiguration,

    #[command(flatten)]
    pub(crate) payments: PaymentsConfiguration,

    /// The address for Prometheus metrics, separate from the public one; should not be public
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_METRICS_BIND",
        default_value = "127.0.0.1:9464"
    )]
    pub(crate) metrics_bind: SocketAddr,

    /// The log format
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_LOG_FORMAT",
        default_value = "auto"
    )]
    pub(crate) log_format: LogFormat,

    /// The log filter, such as info or glasshouse_persistence=debug,info
    #[arg(long, global = true, env = "GLASSHOUSE_LOG", default_value = "info")]
    pub(crate) log: String,
}

impl Configuration {
    /// Checks settings that the argument parser cannot validate by type.
    pub(crate) fn check(&self) -> Result<(), String> {
        let url = &self.public_url;
        if !is_origin(url) {
            return Err(format!(
                "GLASSHOUSE_PUBLIC_URL must be http://HOST or https://HOST without a path, not {url}"
            ));
        }
        let contact = self.security_contact.as_deref().unwrap_or("https://");
        if !["https://", "mailto:"]
            .iter()
            .any(|start| contact.starts_with(start))
            || contact.contains(char::is_control)
        {
            return Err(
                "GLASSHOUSE_SECURITY_CONTACT must be mailto:ADDRESS or https://…".to_owned(),
            );
        }
        if self.secret.as_ref().is_some_and(|secret| secret.len() < 32) {
            return Err("GLASSHOUSE_SECRET must have at least 32 characters".to_owned());
        }
        self.alerts.options()?;
        self.payments.check()
    }

    /// The labels of the public host name except the last (such as com). Passwords must not be
    /// based on them.
    pub(crate) fn house_names(&self) -> Vec<String> {
        let url = Url::parse(&self.public_url).ok();
        let Some(url::Host::Domain(domain)) = url.as_ref().and_then(Url::host) else {
            return Vec::new();
        };
        let mut labels: Vec<String> = domain.split('.').map(str::to_owned).collect();
        if labels.len() > 1 {
            labels.pop();
        }
        labels
    }

    /// The name of a new public log: the public host, and the name of the program.
    pub(crate) fn log_origin(&self) -> Result<Origin, Failure> {
        let url = Url::parse(&self.public_url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let port = url.as_ref().and_then(Url::port);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        Origin::parse(&format!("{host}{port}/glasshouse")).map_err(|error| {
            Failure::Configuration(format!("{} names no log: {error}", self.public_url))
        })
    }

    /// How long after its closure everything personal is removed from an account.
    pub(crate) fn closed_account_retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.closed_account_retention_days))
    }

    /// Whether the public URL is https, which means that real players with real money are expected.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// Whether the text is `http://HOST` or `https://HOST`, optionally with a trailing slash.
pub(crate) fn is_origin(text: &str) -> bool {
    // The URL parser tolerates characters that other readers of this text do not.
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .map(|host| host.trim_end_matches('/'));
    let is_plain = host.is_some_and(|host| {
        !host.is_empty() && !host.contains(|sign: char| "/\\?#@".contains(sign) || sign <= ' ')
    });
    is_plain && Url::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_consist_of_scheme_and_host_only() {
        for valid in [
            "http://127.0.0.1:8080",
            "https://casino.example/",
            "http://[::1]:1",
        ] {
            assert!(is_origin(valid), "{valid}");
        }
        for invalid in [
            "",
            "casino.example",
            "ftp://casino.example",
            "HTTPS://casino.example",
            "https://",
            "https:///",
            "https:\\\\casino.example",
            "https://casino.example/path",
            "https://casino.example?a",
            "https://casino.example#a",
            "https://me@casino.example",
            "https://casino example",
            "https://casino.example:port",
            " https://casino.example",
            "https://casino.example\n",
        ] {
            assert!(!is_origin(invalid), "{invalid:?}");
        }
    }
}
