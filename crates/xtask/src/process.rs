//! Starting other programs, and ending them whatever happens to us.
//!
//! Ctrl-C and SIGTERM do not end the chores at once: they end what runs, and the stack unwinds
//! through the guards that stop `PostgreSQL` and the server.

use std::{
    fmt,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

use crate::report;

/// How often a running program is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a program that was asked to end may take.
const STOP_GRACE_PERIOD: Duration = Duration::from_secs(10);

/// Somebody pressed Ctrl-C or ended the chores.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

struct Signals {
    /// SIGINT: a terminal sends it to the programs that we run, too.
    interrupt: Arc<AtomicBool>,
    /// SIGTERM or SIGHUP: only we got it.
    terminate: Arc<AtomicBool>,
}

static SIGNALS: LazyLock<Signals> = LazyLock::new(|| Signals {
    interrupt: Arc::new(AtomicBool::new(false)),
    terminate: Arc::new(AtomicBool::new(false)),
});

/// From here on a signal unwinds instead of ending the process.
pub(crate) fn catch_signals() -> Result<()> {
    for (signal, flag) in [
        (SIGINT, &SIGNALS.interrupt),
        (SIGTERM, &SIGNALS.terminate),
        (SIGHUP, &SIGNALS.terminate),
    ] {
        flag::register(signal, Arc::clone(flag)).context("cannot listen to signals")?;
    }
    Ok(())
}

/// Fails once a signal has come; loops that wait for something call it.
pub(crate) fn stop_if_interrupted() -> Result<()> {
    let interrupted =
        SIGNALS.interrupt.load(Ordering::Relaxed) || SIGNALS.terminate.load(Ordering::Relaxed);
    if interrupted {
        Err(Interrupted.into())
    } else {
        Ok(())
    }
}

/// Runs a command, its output going to the terminal; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    report::command(&describe(command));
    let status = Running::start(command)?.wait(Some(STOP_GRACE_PERIOD))?;
    succeeded(status, command)
}

/// Like [`run`], for a program that a person may talk to: Ctrl-C is the program's own affair.
pub(crate) fn run_interactive(command: &mut Command) -> Result<()> {
    let status = Running::start(command)?.wait(None)?;
    succeeded(status, command)
}

/// Runs a command quietly and returns what it printed; what it complained about is in the error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{}`", describe(command)))?;
    if !output.status.success() {
        stop_if_interrupted()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!(
            "`{}` failed ({}): {}",
            describe(command),
            output.status,
            complaint.trim()
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed something else than text", describe(command)))
}

/// A program that is running, and is ended when this is dropped.
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

    /// The exit status, if the program has ended.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child
            .try_wait()
            .context("cannot ask after a running program")
    }

    /// Waits for the end. On SIGTERM the program is asked to end; on SIGINT, which a terminal has
    /// sent to it as well, it is asked when it has not ended by itself after `grace`.
    fn wait(mut self, grace: Option<Duration>) -> Result<ExitStatus> {
        let mut interrupted_at = None;
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if SIGNALS.interrupt.load(Ordering::Relaxed) {
                interrupted_at.get_or_insert_with(Instant::now);
            }
            let overdue = interrupted_at
                .zip(grace)
                .is_some_and(|(since, grace): (Instant, _)| since.elapsed() > grace);
            if overdue || SIGNALS.terminate.load(Ordering::Relaxed) {
                self.end();
                return Err(Interrupted.into());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Asks the program to end, and ends it after a while.
    fn end(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        if let Ok(id) = i32::try_from(self.child.id())
            && let Some(pid) = Pid::from_raw(id)
            && kill_process(pid, Signal::TERM).is_ok()
        {
            let asked_at = Instant::now();
            while asked_at.elapsed() < STOP_GRACE_PERIOD {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(POLL_INTERVAL);
            }
        }
        if self.child.kill().and_then(|()| self.child.wait()).is_err() {
            report::problem(&format!("Process {} could not be ended.", self.child.id()));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
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
    fn failure_is_an_error_that_names_the_command() {
        let error = run(&mut Command::new("false")).unwrap_err();
        assert!(error.to_string().starts_with("`false` failed"), "{error}");
        run(&mut Command::new("true")).unwrap();
    }

    #[test]
    fn what_a_command_complains_about_is_in_the_error() {
        let error = capture(Command::new("sh").args(["-c", "echo out; echo why >&2; exit 3"]));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("why") && !error.contains("out;why"),
            "{error}"
        );
    }

    #[test]
    fn a_dropped_program_has_ended() {
        let running = Running::start(Command::new("sleep").arg("600")).unwrap();
        let id = running.child.id();
        let started = Instant::now();
        drop(running);
        assert!(
            started.elapsed() < STOP_GRACE_PERIOD,
            "asking politely was enough"
        );
        let pid = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
        assert!(
            rustix::process::test_kill_process(pid).is_err(),
            "process {id} is gone"
        );
    }
}
