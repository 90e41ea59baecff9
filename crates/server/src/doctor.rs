//! `glasshouse doctor`: says in plain words whether a house can be opened with its settings. It changes
//! nothing: it generates no keys, applies no migrations, and sends nothing but questions.

mod database;
mod files;
mod findings;
mod network;

use std::process::ExitCode;

use url::Url;

use crate::configuration::Configuration;
use crate::output::print_line;
use crate::{Failure, provider};

use findings::{Findings, Level};

/// The exit code if there are warnings, but no problems.
const WARNINGS: u8 = 3;

/// Examines everything, and prints a line for each item. The exit code is 0 if everything is all right, 1
/// if there is a problem, and 3 if there are warnings only.
pub(crate) async fn run(configuration: &Configuration) -> Result<ExitCode, Failure> {
    let mut findings = Findings::default();
    examine_settings(configuration, &mut findings);
    files::examine(configuration, &mut findings);
    database::examine(configuration, &mut findings);
    network::examine(configuration, &mut findings).await;
    Ok(match findings.worst() {
        Level::Ok => {
            print_line("Everything is all right.");
            ExitCode::SUCCESS
        }
        Level::Warning => {
            print_line("The house can be opened, but read the warnings.");
            ExitCode::from(WARNINGS)
        }
        Level::Problem => {
            print_line("Solve the problems before you open the house.");
            ExitCode::FAILURE
        }
    })
}

fn examine_settings(configuration: &Configuration, findings: &mut Findings) {
    match configuration.check() {
        Ok(()) => findings.ok("Settings", "they are valid"),
        Err(sentence) => findings.problem("Settings", sentence),
    }
    examine_public_address(configuration, findings);
    for warning in configuration.warnings() {
        findings.warning("Exposure", warning);
    }
    match configuration.witnesses.all() {
        Ok(witnesses) if witnesses.is_empty() => {
            findings.ok("Witnesses", "none cosigns the public log");
        }
        Ok(witnesses) => findings.ok("Witnesses", format!("{} are set", witnesses.len())),
        Err(Failure::Configuration(sentence) | Failure::Running(sentence)) => {
            findings.problem("Witnesses", sentence);
        }
    }
}

fn examine_public_address(configuration: &Configuration, findings: &mut Findings) {
    let item = "Public address";
    let public = &configuration.public_url;
    if configuration.is_https() {
        findings.ok(item, format!("{public}, with secure cookies"));
    } else if is_of_this_machine(public) {
        findings.ok(item, format!("{public}, which only this machine can reach"));
    } else {
        findings.warning(
            item,
            format!(
                "{public} is not https: cookies and passwords can be intercepted. Use a proxy, and set \
                 GLASSHOUSE_PUBLIC_URL=https://…"
            ),
        );
    }
}

fn is_of_this_machine(url: &str) -> bool {
    let url = Url::parse(url).ok();
    url.as_ref()
        .and_then(Url::host)
        .is_some_and(|host| provider::is_this_machine(&host))
}
