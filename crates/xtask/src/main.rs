//! The project's own chores: `cargo xtask start` runs the casino, `cargo xtask test` checks it.
//!
//! Everything that a person or a continuous-integration machine would otherwise type lives here,
//! so that both do the same. The crate depends on no other crate of the workspace and on nothing
//! that is slow to compile.

mod bench;
mod frontend;
mod fuzz;
mod generate;
mod postgres;
mod process;
mod report;
mod server;
mod stamp;
mod start;
mod test;
mod tidy;
mod tools;
mod workspace;

use std::{ffi::OsString, process::ExitCode};

use anyhow::{Context as _, Result, bail};
use pico_args::Arguments;

use crate::{process::Interrupted, workspace::Workspace};

const HELP: &str = "\
Glasshouse's own chores

Usage: cargo xtask <COMMAND>

Commands:
  start [-- ARGUMENTS]      Build what changed and run the casino on http://127.0.0.1:8080, with
                            SQLite in ./data; ARGUMENTS go to `glasshouse serve`
  test [--only STEP]… [--skip STEP]… [--strict]
                            Run every check and test; `test --list` names the steps, and
                            with `--strict` a step that cannot run is a failure
  tidy                      Check the architecture's and the source's rules
  generate                  Write frontend/openapi.json and the front end's types
  bench [ARGUMENTS]         Measure bets a second and latencies; ARGUMENTS go to glasshouse-bench
  fuzz [--calls N]          Let schemathesis make up N calls (20,000 unless told otherwise) as a
                            player, and as many as an administrator
  postgres -- COMMAND       Run COMMAND with a throw-away PostgreSQL, its address in
                            GLASSHOUSE_TEST_POSTGRES_URL
  help                      Print this
";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<Interrupted>() => {
            report::problem("Interrupted.");
            ExitCode::from(130)
        }
        Err(error) => {
            report::problem(&format!("Error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<OsString>) -> Result<()> {
    let (own, passed_on) = split_at_dashes(arguments);
    let mut own = Arguments::from_vec(own);
    if own.contains(["-h", "--help"]) {
        report::line(HELP);
        return Ok(());
    }
    let command = own.subcommand().context("the command is not readable")?;
    let workspace = Workspace::find()?;
    match command.as_deref() {
        Some("start") => {
            refuse_rest(own)?;
            start::run(&workspace, &passed_on)
        }
        Some("test") => {
            let selection = test::Selection::parse(&mut own)?;
            refuse_rest(own)?;
            test::run(&workspace, &selection)
        }
        Some("tidy") => {
            refuse_rest(own)?;
            tidy::run(&workspace)
        }
        Some("generate") => {
            refuse_rest(own)?;
            generate::run(&workspace)
        }
        Some("bench") => {
            let arguments = own
                .finish()
                .into_iter()
                .chain(passed_on)
                .collect::<Vec<_>>();
            bench::run(&workspace, &arguments)
        }
        Some("fuzz") => {
            let calls = own
                .opt_value_from_str("--calls")
                .context("--calls takes a number")?;
            refuse_rest(own)?;
            fuzz::run(&workspace, calls)
        }
        Some("postgres") => {
            refuse_rest(own)?;
            postgres::run_beside(&workspace, &passed_on)
        }
        None | Some("help") => {
            report::line(HELP);
            Ok(())
        }
        Some(other) => bail!("there is no command `{other}`; `cargo xtask help` lists them"),
    }
}

/// What stands before the first `--`, and what stands behind it.
fn split_at_dashes(mut arguments: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    match arguments.iter().position(|argument| argument == "--") {
        Some(position) => {
            let mut passed_on = arguments.split_off(position);
            passed_on.remove(0);
            (arguments, passed_on)
        }
        None => (arguments, Vec::new()),
    }
}

fn refuse_rest(arguments: Arguments) -> Result<()> {
    match arguments.finish().first() {
        Some(unknown) => bail!("`{}` is not an argument of this command", unknown.display()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &[&str], expected_own: &[&str], expected_passed_on: &[&str]) {
        let (own, passed_on) = split_at_dashes(arguments.iter().map(OsString::from).collect());
        assert_eq!(own, expected_own, "{arguments:?}");
        assert_eq!(passed_on, expected_passed_on, "{arguments:?}");
    }

    #[test]
    fn only_the_first_dashes_divide() {
        check(&[], &[], &[]);
        check(&["start"], &["start"], &[]);
        check(&["start", "--"], &["start"], &[]);
        check(
            &["postgres", "--", "psql", "--", "x"],
            &["postgres"],
            &["psql", "--", "x"],
        );
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for arguments in [
            &["dance"][..],
            &["tidy", "--loudly"],
            &["test", "--only", "everything"],
        ] {
            let outcome = run(arguments.iter().map(OsString::from).collect());
            assert!(outcome.is_err(), "{arguments:?}");
        }
    }
}
