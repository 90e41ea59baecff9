//! The server as a process.

use std::process::ExitStatus;
use std::time::Duration;

use super::{Server, wait};

impl Server {
    /// Asks the process to stop, as an operator does, and waits until it has; none if it takes long.
    #[cfg(unix)]
    pub(crate) fn stop(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.signal(rustix::process::Signal::TERM);
        self.exit(limit)
    }

    /// Sends a signal to the process.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(process, signal).unwrap();
    }

    /// Waits until the process has exited; none if it takes long.
    pub(crate) fn exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        wait(&mut self.process, limit)
    }

    /// The memory that the process has at this moment.
    #[cfg(target_os = "linux")]
    pub(crate) fn resident_mebibytes(&self) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        line.split_whitespace()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
            / 1024
    }
}
