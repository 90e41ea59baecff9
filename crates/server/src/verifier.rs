//! `glasshouse audit` and `glasshouse witness`: what others run about a house. They read none of the
//! house's settings, and have flags of their own, so they are parsed on their own.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

use std::ffi::OsString;
use std::io::{IsTerminal as _, stderr};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use glasshouse_audit::audit::{self, Outcome};
use glasshouse_audit::witness::{self, Started};
use glasshouse_audit::{Fault, evidence};
use tracing_subscriber::EnvFilter;

use crate::output::{print_error, print_line};

/// The exit code if the house contradicts itself.
const CONTRADICTION: u8 = 1;
/// The exit code if something could not be verified or started.
const FAULT: u8 = 2;
/// The environment variable with the log filter.
const LOG_FILTER: &str = "GLASSHOUSE_LOG";

/// Verify a house from the outside.
#[derive(Parser)]
#[command(name = "glasshouse", version)]
enum Verifier {
    /// Verify the whole public log of a house: that only its key has signed it, that it only grows,
    /// that each round follows from its words and the rules, that the words are random, that each
    /// game returns what it promises, and that the books are the sums of the rounds. Exit code 0: no
    /// contradiction; 1: a contradiction, which is named; 2: something could not be verified
    Audit(AuditArguments),
    /// Cosign the checkpoints of public logs, and never those of a log that was forked or truncated
    /// (C2SP tlog-witness). Its verifier key is printed, and served under /
    Witness(WitnessArguments),
}

/// The arguments of these commands where the house's settings are parsed, which only lists them.
#[derive(clap::Args)]
pub(crate) struct PassedOn {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

#[derive(clap::Args)]
struct AuditArguments {
    /// The address of the house, such as https://play.example
    url: String,

    /// The file that remembers the key, the last checkpoint and the sums. The next audit continues
    /// there, and notices if the log does not
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// The verifier key of the house's log, from a source other than the house; may be repeated.
    /// Otherwise the key of the first audit is trusted
    #[arg(long, value_name = "VKEY")]
    key: Vec<String>,

    /// The verifier key of a witness, from a source other than the house; may be repeated. The report
    /// says whether it has cosigned the log. A cosignature that does not match is a contradiction, a
    /// missing one is not
    #[arg(long, value_name = "VKEY", conflicts_with = "evidence")]
    witness: Vec<String>,

    /// Evaluate the evidence that a player's browser has saved, instead of the whole log
    #[arg(long, value_name = "FILE", conflicts_with = "from_start")]
    evidence: Option<PathBuf>,

    /// Verify all entries, including those that earlier audits have verified
    #[arg(long)]
    from_start: bool,
}

#[derive(clap::Args)]
struct WitnessArguments {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8091")]
    bind: SocketAddr,

    /// The directory with the witness' key and the last checkpoint of each log. It must never be
    /// restored from a backup
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// The verifier key of a log to witness, from its /transparency/key; may be repeated
    #[arg(long, value_name = "VKEY", required = true)]
    log: Vec<String>,

    /// The name of the witness in its cosignatures, by convention a host and a path. It is a part of
    /// the key, and cannot be changed later
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Runs the command if it is one of these.
pub(crate) fn run(arguments: &[OsString]) -> Option<ExitCode> {
    let name = arguments.get(1)?;
    if name != "audit" && name != "witness" {
        return None;
    }
    start_logging();
    Some(match Verifier::parse_from(arguments) {
        Verifier::Audit(arguments) => audit(arguments),
        Verifier::Witness(arguments) => witness(arguments),
    })
}

/// Logs as text on standard error.
fn start_logging() {
    let filter = std::env::var(LOG_FILTER).unwrap_or_default();
    let filter = EnvFilter::try_new(filter).unwrap_or_default();
    let filter = filter.add_directive(tracing::Level::INFO.into());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .init();
}

fn audit(arguments: AuditArguments) -> ExitCode {
    let AuditArguments {
        url,
        state,
        key,
        witness,
        evidence,
        from_start,
    } = arguments;
    let options = audit::Options {
        url,
        state,
        keys: key,
        witnesses: witness,
        from_start,
    };
    let outcome = match evidence {
        Some(file) => evidence::evaluate(&options, &file),
        None => audit::run(&options),
    };
    match outcome {
        Ok(Outcome {
            report,
            is_contradiction,
        }) => {
            print_line(report.trim_end());
            if is_contradiction {
                ExitCode::from(CONTRADICTION)
            } else {
                ExitCode::SUCCESS
            }
        }
        Err(fault) => failed(&fault),
    }
}

fn witness(arguments: WitnessArguments) -> ExitCode {
    let WitnessArguments {
        bind,
        data,
        log,
        name,
    } = arguments;
    let options = witness::Options {
        bind,
        folder: data,
        logs: log,
        name,
    };
    match witness::run(&options, print_started) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => failed(&fault),
    }
}

fn print_started(started: &Started) {
    for (origin, size) in &started.logs {
        print_line(&format!("Log: {origin}, cosigned up to {size} entries"));
    }
    print_line(&format!("Verifier key: {}", started.key));
    print_line(&format!(
        "The witness is open on http://{}",
        started.address
    ));
}

fn failed(fault: &Fault) -> ExitCode {
    print_error(&fault.to_string());
    ExitCode::from(FAULT)
}
