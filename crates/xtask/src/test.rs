//! `cargo xtask test`: runs all checks one after the other and prints a table of the results.

mod alert_rules;
mod browser;
mod steps;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use pico_args::Arguments;

use crate::{process, report, workspace::Workspace};
use steps::STEPS;

/// One check of the project.
struct Step {
    /// The name for `--only` and `--skip`.
    name: &'static str,
    /// A short description.
    description: &'static str,
    run: fn(&Workspace) -> Result<Outcome>,
}

/// The outcome of a step that did not fail.
enum Outcome {
    /// The step found no problem.
    Passed,
    /// The step could not run, for this reason; it counts as failed only with `--strict`.
    NotRun(String),
}

/// The result of a step.
struct Report {
    name: &'static str,
    outcome: Result<Outcome>,
    duration: Duration,
}

impl Report {
    fn is_failure(&self, is_strict: bool) -> bool {
        match self.outcome {
            Ok(Outcome::Passed) => false,
            Ok(Outcome::NotRun(_)) => is_strict,
            Err(_) => true,
        }
    }
}

/// The steps to run.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    only: Vec<String>,
    skip: Vec<String>,
    list: bool,
    /// Whether a step that cannot run counts as failed, as in continuous integration.
    is_strict: bool,
}

impl Selection {
    /// Reads `--only`, `--skip`, `--strict` and `--list`; an unknown step is an error.
    pub(crate) fn parse(arguments: &mut Arguments) -> Result<Self> {
        let selection = Self {
            only: arguments
                .values_from_str("--only")
                .context("--only needs the name of a step")?,
            skip: arguments
                .values_from_str("--skip")
                .context("--skip needs the name of a step")?,
            list: arguments.contains("--list"),
            is_strict: arguments.contains("--strict"),
        };
        for name in selection.only.iter().chain(&selection.skip) {
            if !STEPS.iter().any(|step| step.name == name) {
                let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
                bail!("unknown step `{name}`; the steps are {}", names.join(", "));
            }
        }
        Ok(selection)
    }

    fn includes(&self, name: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        (self.only.is_empty() || named(&self.only)) && !named(&self.skip)
    }
}

/// Runs the selected steps, even after one has failed.
pub(crate) fn run(workspace: &Workspace, selection: &Selection) -> Result<()> {
    if selection.list {
        for step in STEPS {
            report::line(&format!("{:<18} {}", step.name, step.description));
        }
        return Ok(());
    }
    process::catch_signals()?;
    // In all steps, so that none of them compiles again what another has compiled.
    let workspace = workspace.for_tests();
    let mut reports = Vec::new();
    for step in STEPS.iter().filter(|step| selection.includes(step.name)) {
        process::stop_if_interrupted()?;
        reports.push(run_step(&workspace, step));
    }
    process::stop_if_interrupted()?;
    if reports.is_empty() {
        bail!("no step selected");
    }
    summarise(&reports);
    if reports
        .iter()
        .any(|report| report.is_failure(selection.is_strict))
    {
        // The table shows what failed; an error message would follow the counts, which must come
        // last.
        std::process::exit(1);
    }
    Ok(())
}

fn run_step(workspace: &Workspace, step: &Step) -> Report {
    report::heading(&format!("{}: {}", step.name, step.description));
    let started = Instant::now();
    let outcome = (step.run)(workspace);
    match &outcome {
        Ok(Outcome::Passed) => {}
        Ok(Outcome::NotRun(reason)) => report::line(&format!("Not run: {reason}")),
        Err(error) => report::problem(&format!("Failed: {}", first_line(error))),
    }
    Report {
        name: step.name,
        outcome,
        duration: started.elapsed(),
    }
}

fn summarise(reports: &[Report]) {
    report::heading("Summary");
    for report in reports {
        report::line(&table_row(report));
    }
    for report in reports {
        if let Some(details) = failure_details(report) {
            report::heading(&format!("{} failed", report.name));
            report::line(&details);
        }
    }
    report::line("");
    report::line(&closing_line(reports));
}

fn table_row(report: &Report) -> String {
    let (result, remark) = match &report.outcome {
        Ok(Outcome::Passed) => ("passed", String::new()),
        Ok(Outcome::NotRun(reason)) => ("not run", format!("  {reason}")),
        Err(error) => ("FAILED", format!("  {}", first_line(error))),
    };
    let duration = report::duration(report.duration);
    format!("{:<18} {result:<8} {duration:>12}{remark}", report.name)
}

fn first_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or_default().to_owned()
}

/// What a failure says below its first line, which the table shows.
fn failure_details(report: &Report) -> Option<String> {
    let text = format!("{:#}", report.outcome.as_ref().err()?);
    let (_, details) = text.split_once('\n')?;
    (!details.is_empty()).then(|| details.to_owned())
}

fn closing_line(reports: &[Report]) -> String {
    let count = |matches: fn(&Result<Outcome>) -> bool| {
        reports
            .iter()
            .filter(|report| matches(&report.outcome))
            .count()
    };
    let passed = count(|outcome| matches!(outcome, Ok(Outcome::Passed)));
    let failed = count(Result::is_err);
    let line = format!("{passed} passed, {failed} failed");
    match reports.len() - passed - failed {
        0 => line,
        skipped => format!("{line}, {skipped} skipped"),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn selection(arguments: &[&str]) -> Result<Selection> {
        let arguments = arguments.iter().map(OsString::from).collect();
        Selection::parse(&mut Arguments::from_vec(arguments))
    }

    #[test]
    fn steps_are_selected_by_name() {
        let check = |arguments: &[&str], expected: &[&str]| {
            let selection = selection(arguments).unwrap();
            let names: Vec<&str> = STEPS
                .iter()
                .map(|step| step.name)
                .filter(|name| selection.includes(name))
                .collect();
            assert_eq!(names, expected, "{arguments:?}");
        };
        let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        check(&[], &all);
        check(&["--skip", "tidy"], &[&all[..1], &all[2..]].concat());
        check(&["--only", "tidy", "--only", "format"], &["format", "tidy"]);
        check(&["--only", "tidy", "--skip", "tidy"], &[]);
        assert!(selection(&["--only", "everything"]).is_err());
        assert!(selection(&["--skip"]).is_err());
    }

    #[test]
    fn step_names_are_unique() {
        let mut names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }

    #[test]
    fn last_line_counts_skipped_steps() {
        let report = |outcome| Report {
            name: "a-step",
            outcome,
            duration: Duration::from_secs(61),
        };
        let passed = || report(Ok(Outcome::Passed));
        let not_run = report(Ok(Outcome::NotRun("it is not here".into())));
        let failed = report(Err(anyhow::anyhow!("why\nand more")));
        let failures = |is_strict: bool| {
            [passed(), report(Ok(Outcome::NotRun(String::new())))]
                .iter()
                .filter(|report| report.is_failure(is_strict))
                .count()
        };
        assert_eq!((failures(false), failures(true)), (0, 1));
        assert!(failed.is_failure(false));
        assert_eq!(
            table_row(&failed),
            "a-step             FAILED     1 min 01 s  why"
        );
        assert_eq!(failure_details(&failed).as_deref(), Some("and more"));
        assert_eq!(failure_details(&not_run), None);
        assert_eq!(closing_line(&[passed(), passed()]), "2 passed, 0 failed");
        assert_eq!(
            closing_line(&[passed(), not_run, failed]),
            "1 passed, 1 failed, 1 skipped"
        );
    }
}
