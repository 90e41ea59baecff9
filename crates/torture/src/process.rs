//! Programs that run in the background and are killed.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::waiting::Wait;

/// How long a program may take to exit after SIGTERM.
const STOP: Wait = Wait {
    limit: Duration::from_mins(1),
    interval: Duration::from_millis(10),
};

/// A running program, killed on drop.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
}

impl Process {
    /// Starts a program whose output is appended to a file.
    pub(crate) fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let log = File::options().create(true).append(true).open(log)?;
        let child = command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        Ok(Self { child })
    }

    /// Whether it has not exited.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends SIGKILL, as if the machine had failed.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill().context("cannot kill a program")?;
        self.child.wait().context("cannot wait for a program")?;
        Ok(())
    }

    /// Sends SIGTERM and waits until it has exited.
    pub(crate) fn stop(&mut self) -> Result<ExitStatus> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.context("a program without an ID")?, Signal::TERM)?;
        let late = || "a program to which SIGTERM was sent has not exited".to_owned();
        STOP.for_value(|| Ok(self.child.try_wait()?), late)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Runs a program to its end and returns its standard output.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "{} failed ({}): {}{}",
        command.get_program().display(),
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Kills all processes that run in a folder or below, until there are none: a server with its children.
pub(crate) fn kill_all_in(folder: &Path) -> Result<()> {
    let folder = folder.canonicalize()?;
    let kill_all = || {
        let pids = running_in(&folder)?;
        for pid in &pids {
            // If it has exited meanwhile, there is nothing left to kill.
            kill_process(*pid, Signal::KILL).ok();
        }
        Ok(pids.is_empty())
    };
    STOP.until(kill_all, || {
        format!("there are processes in {}", folder.display())
    })
}

/// The processes whose working directory this or one below it is.
fn running_in(folder: &Path) -> Result<Vec<Pid>> {
    let mut pids = Vec::new();
    for entry in fs::read_dir("/proc").context("there is no /proc")? {
        let path = entry?.path();
        let pid = path
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok());
        let Some(pid) = pid.and_then(Pid::from_raw) else {
            continue;
        };
        // A process that has ended, but was not waited for, has no directory.
        if fs::read_link(path.join("cwd")).is_ok_and(|target| target.starts_with(folder)) {
            pids.push(pid);
        }
    }
    Ok(pids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processes_of_a_folder_are_killed() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        let mut sleeping = Command::new("sleep");
        sleeping.arg("600").current_dir(&below);
        let mut inside = Process::start(&mut sleeping, &log).unwrap();
        let mut outside = Process::start(Command::new("sleep").arg("600"), &log).unwrap();
        assert!(inside.is_running() && outside.is_running());
        kill_all_in(folder.path()).unwrap();
        assert!(!inside.is_running());
        assert!(outside.is_running());
    }

    #[test]
    fn a_program_that_fails_is_an_error_with_its_output() {
        let error = run(Command::new("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        assert!(error.to_string().contains("why"), "{error}");
        assert_eq!(run(Command::new("echo").arg("yes")).unwrap(), "yes\n");
    }
}
