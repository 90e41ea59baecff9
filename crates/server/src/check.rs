//! `glasshouse check`: the operator has the books checked.

use std::process::ExitCode;

use glasshouse_casino::check_invariants;

use crate::configuration::Configuration;
use crate::output::say;
use crate::{Failure, open_house};

/// Prints what was counted and each invariant; exit code 1 if any is broken.
pub(crate) async fn run(configuration: &Configuration) -> Result<ExitCode, Failure> {
    let house = open_house(configuration).await?;
    let report = check_invariants(&house).await.map_err(Failure::running)?;
    say("Counted:");
    for count in &report.counts {
        say(&format!("  {:>12} {}", count.value, count.name));
    }
    say("Checked:");
    for invariant in &report.invariants {
        let verdict = match invariant.count {
            0 => "holds".to_owned(),
            broken => format!("BROKEN in {broken}"),
        };
        say(&format!("  {verdict:>12} {}", invariant.invariant));
    }
    say(&format!("Hash of the audit log: {}", report.audit_head));
    if report.is_clean() {
        say("All invariants hold.");
        Ok(ExitCode::SUCCESS)
    } else {
        say("Invariants are broken: stop the server and find out why before going on.");
        Ok(ExitCode::FAILURE)
    }
}
