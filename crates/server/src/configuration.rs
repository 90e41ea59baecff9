//! Everything that can be set, by flag, environment or `.env`, with its default.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

mod exposure;
mod payments;
mod secrets;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use glasshouse_casino::DatabaseUrl;
use url::Url;

pub(crate) use payments::PaymentsConfiguration;
pub(crate) use secrets::SecretFiles;

/// Glasshouse, the online casino whose workings one can see through.
#[derive(Parser)]
#[command(name = "glasshouse", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the casino (the default)
    Serve,
    /// Bring the database up to date and stop
    Migrate,
    /// Make and unmake administrators
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Check every invariant of the books: sums, references, hashes, each round played again, and what
    /// administrators did against the audit log. It changes nothing. Exit code 0: all holds; 1: an
    /// invariant is broken; 2: the check cannot be run; 3: something could not be checked
    Check {
        /// A hash of the audit log that was noted elsewhere: it must be in the log still
        #[arg(long, value_name = "HASH")]
        audit_hash: Vec<String>,
    },
    /// Write a consistent copy of a SQLite database while it is in use
    Backup {
        /// Where to: a file that is not there yet
        target: PathBuf,
    },
    /// Print the OpenAPI document
    Openapi,
}

#[derive(Subcommand)]
pub(crate) enum AdminCommand {
    /// Make a new user who is an administrator; prints a random password unless one is given
    Create {
        /// 3–32 letters, digits, _ and -
        username: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Make an existing user an administrator
    Grant {
        /// Whom
        username: String,
    },
    /// Make an administrator a player again
    Revoke {
        /// Whom
        username: String,
    },
}

/// A switch.
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
    /// Where the casino listens
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

    /// Where browsers reach the casino; https turns on the secure cookie and HSTS
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PUBLIC_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    pub(crate) public_url: String,

    /// Further names by which browsers reach the casino, without ports, separated by commas. Requests
    /// by any other name are refused
    #[arg(long, global = true, env = "GLASSHOUSE_HOSTS", value_delimiter = ',')]
    pub(crate) hosts: Vec<String>,

    /// Describe all calls to everybody at /api/docs and /api/openapi.json. Without it: on where the
    /// public URL is not https
    #[arg(long, global = true, env = "GLASSHOUSE_API_DOCS")]
    pub(crate) api_docs: Option<Switch>,

    /// Where to report a weakness, as mailto:ADDRESS or https://…: told at /.well-known/security.txt
    #[arg(long, global = true, env = "GLASSHOUSE_SECURITY_CONTACT")]
    pub(crate) security_contact: Option<String>,

    /// Signs the cookies, at least 32 characters; all instances need the same. Without it one is
    /// made and kept in the data directory. By environment or file alone
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

    /// Where what the first start makes is kept
    #[arg(long, global = true, env = "GLASSHOUSE_DATA", default_value = "data")]
    pub(crate) data_directory: PathBuf,

    /// The file with the keys that the audit log is sealed with, one a line, the newest last; all
    /// instances need the same. Without it one is made and kept in the data directory
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_AUDIT_KEY_FILE",
        value_name = "FILE"
    )]
    pub(crate) audit_key_file: Option<PathBuf>,

    /// Limits the rate of registrations, logins and bets; off for load tests
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_RATE_LIMIT",
        default_value = "on"
    )]
    pub(crate) rate_limit: Switch,

    /// Take the last address of X-Forwarded-For for the client's: on behind a proxy of your own
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_BEHIND_PROXY",
        default_value = "off"
    )]
    pub(crate) behind_proxy: Switch,

    /// How many seconds the body of a request may take to arrive
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_BODY_TIMEOUT_SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=60)
    )]
    pub(crate) body_timeout_seconds: u64,

    /// How many connections may be open at once. Each player in a live game holds one
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAX_CONNECTIONS",
        default_value_t = 20_000
    )]
    pub(crate) max_connections: usize,

    /// How many connections one IPv4 address or IPv6 /64 may hold open; a proxy's own are not counted
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAX_CONNECTIONS_PER_ADDRESS",
        default_value_t = 500
    )]
    pub(crate) max_connections_per_address: usize,

    /// Start on a PostgreSQL whose fsync, synchronous_commit or full_page_writes is off
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALLOW_UNSAFE_POSTGRES",
        default_value = "off"
    )]
    pub(crate) allow_unsafe_postgres: Switch,

    #[command(flatten)]
    pub(crate) payments: PaymentsConfiguration,

    /// Where Prometheus finds the metrics: an address of its own, not to be public
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_METRICS_BIND",
        default_value = "127.0.0.1:9464"
    )]
    pub(crate) metrics_bind: SocketAddr,

    /// How the log is written
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_LOG_FORMAT",
        default_value = "auto"
    )]
    pub(crate) log_format: LogFormat,

    /// What is logged, such as info or glasshouse_persistence=debug,info
    #[arg(long, global = true, env = "GLASSHOUSE_LOG", default_value = "info")]
    pub(crate) log: String,
}

impl Configuration {
    /// The mistakes that no single value shows.
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
        self.payments.check()
    }

    /// The words of the address that browsers reach the casino at, but for the last, such as com.
    pub(crate) fn house_names(&self) -> Vec<String> {
        let url = Url::parse(&self.public_url).ok();
        let Some(url::Host::Domain(domain)) = url.as_ref().and_then(Url::host) else {
            return Vec::new();
        };
        let mut words: Vec<String> = domain.split('.').map(str::to_owned).collect();
        if words.len() > 1 {
            words.pop();
        }
        words
    }

    /// Whether players come over the open internet, and with them their money.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// Whether it is `http://HOST` or `https://HOST`, and nothing more but a slash.
pub(crate) fn is_origin(text: &str) -> bool {
    // What a browser's parser forgives is refused: others read the text without it.
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
    fn origins_have_a_host_and_nothing_more() {
        for right in [
            "http://127.0.0.1:8080",
            "https://casino.example/",
            "http://[::1]:1",
        ] {
            assert!(is_origin(right), "{right}");
        }
        for wrong in [
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
            assert!(!is_origin(wrong), "{wrong:?}");
        }
    }
}
