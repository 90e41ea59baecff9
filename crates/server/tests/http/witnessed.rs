//! What the tests of witnesses share: a witness as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use glasshouse_transparency::cosignature::{Cosignature, WitnessKey, cosignatures};

use crate::support::free_address;

/// A running witness. Killed, not stopped, at the end.
pub(crate) struct RunningWitness {
    pub(crate) url: String,
    pub(crate) key: String,
    address: String,
    folder: PathBuf,
    logs: Vec<String>,
    process: Child,
}

impl Drop for RunningWitness {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command that starts a witness.
pub(crate) fn command(folder: &Path, address: &str, logs: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glasshouse"));
    command
        .args(["witness", "--bind", address, "--name", "witness.example/1"])
        .arg("--data")
        .arg(folder)
        .env_clear();
    for log in logs {
        command.args(["--log", log]);
    }
    command
}

/// Starts a witness, and returns its verifier key when it accepts requests.
fn start(folder: &Path, address: &str, logs: &[String]) -> (Child, String) {
    let mut command = command(folder, address, logs);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut key = None;
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(named) = line.strip_prefix("Verifier key: ") {
            key = Some(named.to_owned());
        }
        if line.contains("is open on") {
            break;
        }
    }
    (process, key.expect("a verifier key"))
}

impl RunningWitness {
    pub(crate) fn start(folder: &Path, logs: &[String]) -> Self {
        Self::start_at(folder, &free_address(), logs)
    }

    pub(crate) fn start_at(folder: &Path, address: &str, logs: &[String]) -> Self {
        let (process, key) = start(folder, address, logs);
        Self {
            url: format!("http://{address}"),
            key,
            address: address.to_owned(),
            folder: folder.to_owned(),
            logs: logs.to_vec(),
            process,
        }
    }

    /// Kills the process as a loss of power would, and starts it again on the same data.
    pub(crate) fn crash_and_restart(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let (process, key) = start(&self.folder, &self.address, &self.logs);
        assert_eq!(key, self.key);
        self.process = process;
    }

    /// Kills the process.
    pub(crate) fn stop(&mut self) -> std::io::Result<std::process::ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }

    /// The cosignature of this witness on a checkpoint, if it has one.
    pub(crate) fn cosignature(&self, note: &str) -> Option<Cosignature> {
        let key = WitnessKey::parse(&self.key).unwrap();
        cosignatures(note, &[key]).unwrap().pop()
    }
}
