//! What the systemd unit says about how the server is started, for starting it where there is no systemd.

use std::{fs, process::Command};

use anyhow::{Context as _, Result};

use crate::workspace::clean_command;

/// What systemd sets unless a unit says otherwise.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin";

/// The text of a unit.
#[derive(Debug)]
pub(super) struct Unit(String);

impl Unit {
    /// Reads an installed unit.
    pub(super) fn read(path: &str) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        Ok(Self(text))
    }

    /// The value of a setting, of which the last one counts.
    pub(super) fn value(&self, name: &str) -> Result<&str> {
        let mut values = self
            .0
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        values
            .next_back()
            .with_context(|| format!("the unit does not set {name}"))
    }

    /// The command that starts the server as systemd would, except for its view of the file system and the filters of
    /// system calls: as the unit's user without capabilities, in its folder, with its umask and only the settings in
    /// the text `environment`.
    pub(super) fn command(&self, environment: &str) -> Result<Command> {
        let user = self.value("User")?;
        let mut command = clean_command("setpriv");
        command
            .arg(format!("--reuid={user}"))
            .arg(format!("--regid={}", self.value("Group")?))
            .args(["--init-groups", "--no-new-privs"])
            .args(["--inh-caps=-all", "--bounding-set=-all"])
            .args(["sh", "-c", "umask \"$1\" && shift && exec \"$@\"", "sh"])
            .arg(self.value("UMask")?)
            .args(self.value("ExecStart")?.split_whitespace())
            .current_dir(self.value("WorkingDirectory")?)
            .env_clear()
            .envs(settings(environment))
            .env("PATH", PATH)
            .env("USER", user)
            .env("HOME", self.value("WorkingDirectory")?);
        Ok(command)
    }

    /// A command by hand, as the documentation names it: with the unit's user in its folder.
    pub(super) fn command_by_hand(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = clean_command("runuser");
        command
            .args(["-u", self.value("User")?, "--"])
            .args(arguments)
            .current_dir(self.value("WorkingDirectory")?)
            .env_clear()
            .env("PATH", PATH);
        Ok(command)
    }
}

/// The settings in a file of variables without quotes.
fn settings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts() {
        let unit = Unit("User=a\nUserX=b\nUser=c\n#User=d\n".into());
        assert_eq!(unit.value("User").unwrap(), "c");
        assert!(unit.value("Group").is_err());
    }

    #[test]
    fn comments_are_no_settings() {
        let found: Vec<_> = settings("# A=1\n#B=2\n\nC=x=y\n").collect();
        assert_eq!(found, [("C", "x=y")]);
    }
}
