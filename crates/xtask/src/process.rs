//! Starts other programs, and terminates them in all cases.
//!
//! Ctrl-C and SIGTERM do not end this process at once: they terminate the running program, and the
//! stack unwinds through the guards that stop `PostgreSQL` and the server.

mod output;

use std::{
    fmt,
    io::IsTerminal as _,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, bail};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

use self::output::Tail;
use crate::report;

/// How often a running program is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a program may take to exit after SIGTERM.
const STOP_GRACE_PERIOD: Duration = Duration::from_secs(10);

/// The error after Ctrl-C, SIGTERM or SIGHUP.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

struct Signals {
    /// SIGINT was received; a terminal sends it to the child processes as well.
    interrupt: Arc<AtomicBool>,
    /// SIGTERM or SIGHUP was received, by this process only.
    terminate: Arc<AtomicBool>,
}

static SIGNALS: LazyLock<Signals> = LazyLock::new(|| Signals {
    interrupt: Arc::new(AtomicBool::new(false)),
    terminate: Arc::new(AtomicBool::new(false)),
});

/// From now on a signal unwinds the stack instead of ending the process.
pub(crate) fn catch_signals() -> Result<()> {
    for (signal, flag) in [
        (SIGINT, &SIGNALS.interrupt),
        (SIGTERM, &SIGNALS.terminate),
        (SIGHUP, &SIGNALS.terminate),
    ] {
        flag::register(signal, Arc::clone(flag)).context("cannot install a signal handler")?;
    }
    Ok(())
}

/// Fails if a signal has been received; waiting loops call it.
pub(crate) fn stop_if_interrupted() -> Result<()> {
    let interrupted =
        SIGNALS.interrupt.load(Ordering::Relaxed) || SIGNALS.terminate.load(Ordering::Relaxed);
    if interrupted {
        Err(Interrupted.into())
    } else {
        Ok(())
    }
}

/// Runs a command with its output on the terminal; any exit status but success is an error. Where
/// there is no terminal, the error's further lines are the end of the output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    report::command(&describe(command));
    if std::io::stdout().is_terminal() {
        let status = Running::start(command)?.wait(Some(STOP_GRACE_PERIOD))?;
        return succeeded(status, command);
    }
    let mut running = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let tail = Tail::of(&mut running.child);
    let status = running.wait(Some(STOP_GRACE_PERIOD))?;
    succeeded(status, command).map_err(|error| match error.downcast::<Interrupted>() {
        Ok(interrupted) => interrupted.into(),
        Err(error) => anyhow!("{error}\n{}", tail.text()),
    })
}

/// Like [`run`], for an interactive program, which handles Ctrl-C itself.
pub(crate) fn run_interactive(command: &mut Command) -> Result<()> {
    let status = Running::start(command)?.wait(None)?;
    succeeded(status, command)
}

/// Runs a command and returns its standard output; an error contains its standard error output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{}`", describe(command)))?;
    if !output.status.success() {
        stop_if_interrupted()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{}` failed ({}): {}",
            describe(command),
            output.status,
            stderr.trim()
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed output that is not UTF-8", describe(command)))
}

/// A running program, which is terminated on drop.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
}

impl Running {
    /// Starts the command.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let child = command
            .spawn()
            .with_context(|| format!("cannot run `{}`", describe(command)))?;
        Ok(Self { child })
    }

    /// The process ID.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, if the program has exited.
    pub(crate) fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        self.child
            .try_wait()
            .context("cannot query a running program")
    }

    /// Waits until the program exits. On SIGTERM the program is terminated; on SIGINT, which the
    /// terminal has also sent to it, only if it has not exited after `grace`.
    fn wait(mut self, grace: Option<Duration>) -> Result<ExitStatus> {
        let mut interrupted_at = None;
        loop {
            if let Some(status) = self.exit_status()? {
                return Ok(status);
            }
            if SIGNALS.interrupt.load(Ordering::Relaxed) {
                interrupted_at.get_or_insert_with(Instant::now);
            }
            let overdue = interrupted_at
                .zip(grace)
                .is_some_and(|(since, grace): (Instant, _)| since.elapsed() > grace);
            if overdue || SIGNALS.terminate.load(Ordering::Relaxed) {
                self.terminate();
                return Err(Interrupted.into());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends SIGTERM to the program, and kills it after the grace period.
    fn terminate(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        if let Ok(id) = i32::try_from(self.child.id())
            && let Some(pid) = Pid::from_raw(id)
            && kill_process(pid, Signal::TERM).is_ok()
        {
            let terminated_at = Instant::now();
            while terminated_at.elapsed() < STOP_GRACE_PERIOD {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(POLL_INTERVAL);
            }
        }
        if self.child.kill().and_then(|()| self.child.wait()).is_err() {
            report::problem(&format!(
                "Process {} could not be terminated.",
                self.child.id()
            ));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.terminate();
    }
}

fn succeeded(status: ExitStatus, command: &Command) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    stop_if_interrupted()?;
    bail!("`{}` failed ({status})", describe(command))
}

fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_error_names_the_command() {
        let error = run(&mut Command::new("false")).unwrap_err();
        assert!(error.to_string().starts_with("`false` failed"), "{error}");
        run(&mut Command::new("true")).unwrap();
    }

    #[test]
    fn failure_error_ends_with_the_output_of_both_kinds() {
        let error = run(Command::new("sh").args(["-c", "echo out; echo why >&2; exit 3"]));
        // A terminal has shown the output already.
        if !std::io::stdout().is_terminal() {
            let error = error.unwrap_err().to_string();
            let mut lines: Vec<&str> = error.lines().skip(1).collect();
            lines.sort_unstable();
            assert_eq!(lines, ["out", "why"]);
        }
    }

    #[test]
    fn capture_error_contains_stderr() {
        let error = capture(Command::new("sh").args(["-c", "echo out; echo why >&2; exit 3"]));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("why") && !error.contains("out;why"),
            "{error}"
        );
    }

    #[test]
    fn dropped_program_is_terminated() {
        let running = Running::start(Command::new("sleep").arg("600")).unwrap();
        let id = running.child.id();
        let started = Instant::now();
        drop(running);
        assert!(started.elapsed() < STOP_GRACE_PERIOD, "SIGTERM was enough");
        let pid = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
        assert!(
            rustix::process::test_kill_process(pid).is_err(),
            "process {id} has exited"
        );
    }
}
