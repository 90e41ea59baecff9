//! The binary `glasshouse-sandbox`: the sandbox provider as a server of its own.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use glasshouse_sandbox::{Sandbox, SandboxOptions};
use rand::TryRng;
use rand::rngs::SysRng;

/// The sandbox payment provider of Glasshouse: for trying and testing, with no real money
#[derive(Parser)]
#[command(name = "glasshouse-sandbox", version)]
struct Configuration {
    /// Where it listens. Anybody who reaches it can pay anything, so keep it to this machine
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_BIND",
        default_value = "127.0.0.1:8090"
    )]
    bind: SocketAddr,

    /// Where browsers reach it, if not where it listens
    #[arg(long, env = "GLASSHOUSE_SANDBOX_PUBLIC_URL")]
    public_url: Option<String>,

    /// The key that calls must carry; made and printed if not given
    #[arg(long, env = "GLASSHOUSE_SANDBOX_API_KEY", hide_env_values = true)]
    api_key: Option<String>,

    /// The secret that callbacks are signed with; made and printed if not given
    #[arg(long, env = "GLASSHOUSE_SANDBOX_IPN_SECRET", hide_env_values = true)]
    ipn_secret: Option<String>,

    /// The account's e-mail address, for listings
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_EMAIL",
        default_value = "house@sandbox.example"
    )]
    email: String,

    /// The account's password, for listings; made and printed if not given
    #[arg(long, env = "GLASSHOUSE_SANDBOX_PASSWORD", hide_env_values = true)]
    password: Option<String>,

    /// The file where invoices and payments are kept; without it a restart forgets them
    #[arg(long, env = "GLASSHOUSE_SANDBOX_DATA")]
    data: Option<PathBuf>,

    /// How long a payment stays at each status on its way, in milliseconds
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_STATUS_DELAY_MS",
        default_value_t = 1500
    )]
    status_delay_ms: u64,

    /// What is logged, such as info or warn
    #[arg(long, env = "GLASSHOUSE_SANDBOX_LOG", default_value = "info")]
    log: String,
}

fn main() -> ExitCode {
    let configuration = Configuration::parse();
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(&configuration.log))
        .with_writer(std::io::stderr)
        .init();
    match run(configuration) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Nobody is left to be told if that fails.
            let _ = writeln!(std::io::stderr(), "{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(configuration: Configuration) -> Result<(), String> {
    let mut made = Vec::new();
    let mut given_or_made = |name: &str, given: Option<String>| match given {
        Some(given) if given.trim().is_empty() => Err(format!("The {name} must not be empty")),
        Some(given) => Ok(given),
        None => {
            let secret = random_secret()?;
            made.push(format!("The {name} is {secret}"));
            Ok(secret)
        }
    };
    let api_key = given_or_made("API key", configuration.api_key)?;
    let ipn_secret = given_or_made("IPN secret", configuration.ipn_secret)?;
    let password = given_or_made("account's password", configuration.password)?;
    let options = SandboxOptions {
        bind: configuration.bind,
        public_url: configuration.public_url,
        email: configuration.email,
        data: configuration.data,
        status_delay: Duration::from_millis(configuration.status_delay_ms),
        ..SandboxOptions::with_keys(api_key, ipn_secret, password)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The sandbox cannot start: {error}"))?;
    let sandbox = Sandbox::start(options).map_err(|error| error.to_string())?;
    for line in made {
        say(&line)?;
    }
    say(&format!("The sandbox is open on {}", sandbox.address()))?;
    runtime
        .block_on(until_stopped())
        .map_err(|error| format!("The sandbox cannot wait for signals: {error}"))
}

fn random_secret() -> Result<String, String> {
    let mut bytes = [0_u8; 24];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| format!("There is no randomness: {error}"))?;
    Ok(hex::encode(bytes))
}

fn say(line: &str) -> Result<(), String> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .map_err(|error| format!("Nothing can be printed: {error}"))
}

#[cfg(unix)]
async fn until_stopped() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn until_stopped() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
