//! The binary `glasshouse-sandbox`: the sandbox provider as a standalone server.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use glasshouse_sandbox::{Sandbox, SandboxOptions};
use rand::TryRng;
use rand::rngs::SysRng;

/// The sandbox payment provider of Glasshouse: for development and testing, with no real money
#[derive(Parser)]
#[command(name = "glasshouse-sandbox", version)]
struct Configuration {
    /// The address to listen on. Anybody who can reach it can pay anything, so keep it on this
    /// machine
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_BIND",
        default_value = "127.0.0.1:8090"
    )]
    bind: SocketAddr,

    /// The base URL that browsers use, if not the address it listens on
    #[arg(long, env = "GLASSHOUSE_SANDBOX_PUBLIC_URL")]
    public_url: Option<String>,

    /// The key that API requests must carry; generated and printed if omitted
    #[arg(long, env = "GLASSHOUSE_SANDBOX_API_KEY", hide_env_values = true)]
    api_key: Option<String>,

    /// The secret that signs callbacks; generated and printed if omitted
    #[arg(long, env = "GLASSHOUSE_SANDBOX_IPN_SECRET", hide_env_values = true)]
    ipn_secret: Option<String>,

    /// The account's e-mail address, for listing payments and for payouts
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_EMAIL",
        default_value = "house@sandbox.example"
    )]
    email: String,

    /// The account's password, for listing payments and for payouts; generated and printed if omitted
    #[arg(long, env = "GLASSHOUSE_SANDBOX_PASSWORD", hide_env_values = true)]
    password: Option<String>,

    /// The secret of the account's authenticator in base 32, whose codes verify payouts
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_PAYOUT_SECRET",
        default_value = SandboxOptions::PAYOUT_SECRET
    )]
    payout_secret: String,

    /// The file for invoices, payments and payouts; if omitted, they are lost on restart
    #[arg(long, env = "GLASSHOUSE_SANDBOX_DATA")]
    data: Option<PathBuf>,

    /// How long a payment or a payout stays in each intermediate status, in milliseconds
    #[arg(
        long,
        env = "GLASSHOUSE_SANDBOX_STATUS_DELAY_MS",
        default_value_t = 1500
    )]
    status_delay_ms: u64,

    /// The log filter, such as info or warn
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
            // If writing to standard error fails, there is nowhere left to report it.
            let _ = writeln!(std::io::stderr(), "{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(configuration: Configuration) -> Result<(), String> {
    let mut generated = Vec::new();
    let mut given_or_generated = |name: &str, given: Option<String>| match given {
        Some(given) if given.trim().is_empty() => Err(format!("The {name} must not be empty")),
        Some(given) => Ok(given),
        None => {
            let secret = random_secret()?;
            generated.push(format!("The {name} is {secret}"));
            Ok(secret)
        }
    };
    let api_key = given_or_generated("API key", configuration.api_key)?;
    let ipn_secret = given_or_generated("IPN secret", configuration.ipn_secret)?;
    let password = given_or_generated("account's password", configuration.password)?;
    let options = SandboxOptions {
        bind: configuration.bind,
        public_url: configuration.public_url,
        email: configuration.email,
        payout_secret: configuration.payout_secret,
        data: configuration.data,
        status_delay: Duration::from_millis(configuration.status_delay_ms),
        ..SandboxOptions::with_keys(api_key, ipn_secret, password)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The sandbox cannot start: {error}"))?;
    let sandbox = Sandbox::start(options).map_err(|error| error.to_string())?;
    for line in generated {
        print_line(&line)?;
    }
    print_line(&format!("The sandbox is open on {}", sandbox.address()))?;
    runtime
        .block_on(wait_for_shutdown_signal())
        .map_err(|error| format!("The sandbox cannot wait for signals: {error}"))
}

fn random_secret() -> Result<String, String> {
    let mut bytes = [0_u8; 24];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| format!("No random numbers are available: {error}"))?;
    Ok(hex::encode(bytes))
}

fn print_line(line: &str) -> Result<(), String> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .map_err(|error| format!("Standard output cannot be written: {error}"))
}

#[cfg(unix)]
async fn wait_for_shutdown_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn wait_for_shutdown_signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
