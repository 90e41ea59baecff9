//! What happens to a house in the course of time: backups, upgrades, wrong settings, another database, and its end.

use anyhow::{Result, ensure};

use super::{
    BACKUP_SERVICE, BACKUPS, FOLDERS, KEY, PACKAGE, PROGRAM, SERVICE, SETTINGS, STATE, Trial, USER,
};
use crate::{deb::machine::wait_for, postgres::Postgres, process, report};

/// Makes three folders in that of the backups: the first is too old, and the last was not made by the service.
const OLD_BACKUPS: &str = r#"mkdir "$1" "$2" mine && touch --date="32 days ago" "$1" mine && touch --date="2 days ago" "$2""#;

impl Trial<'_> {
    /// Makes a backup as the timer does, which deletes the one that is too old, and nothing else.
    pub(super) fn make_backup(&self) -> Result<()> {
        // Creates the folder.
        self.machine
            .capture(&["systemctl", "start", BACKUP_SERVICE])?;
        let (old, recent) = ("2020-01-01T033000Z", "2020-01-02T033000Z");
        let script = format!("cd {BACKUPS} && rm -r * && {OLD_BACKUPS}");
        let user = ["runuser", "-u", USER, "--"];
        let fill = ["sh", "-c", &script, "sh", old, recent];
        self.machine.capture(&[&user[..], &fill].concat())?;
        self.machine
            .capture(&["systemctl", "start", BACKUP_SERVICE])?;
        let list = self.machine.capture(&["ls", BACKUPS])?;
        let left: Vec<_> = list.lines().collect();
        let made = left
            .iter()
            .find(|name| name.starts_with("20") && **name != recent);
        let is_expected = left.len() == 3 && left.contains(&recent) && left.contains(&"mine");
        ensure!(is_expected, "the folder of backups has {left:?}");
        let manifest = format!("{BACKUPS}/{}/manifest.json", made.unwrap_or(&"none"));
        self.machine.capture(&["test", "-f", &manifest]).map(drop)
    }

    /// An upgrade keeps the settings and the data, and restarts the server.
    pub(super) fn upgrade(&self) -> Result<()> {
        report::line("An upgrade keeps the settings and the data, and restarts the server.");
        let kept = || self.machine.capture(&["sha256sum", SETTINGS, KEY]);
        let (before, process) = (kept()?, self.machine.property(SERVICE, "MainPID")?);
        self.install()?;
        ensure!(
            kept()? == before,
            "the upgrade has changed the settings or the key"
        );
        self.check_permissions()?;
        ensure!(
            self.machine.property(SERVICE, "MainPID")? != process,
            "the upgrade has not restarted the server"
        );
        self.look_at_server()
    }

    /// With wrong settings the service fails at once instead of trying again for ever.
    pub(super) fn refuse_wrong_settings(&self) -> Result<()> {
        report::line("Wrong settings end the service.");
        self.set("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "never")?;
        self.machine.capture(&["systemctl", "restart", SERVICE])?;
        wait_for("failed service", || {
            let state = self.machine.property(SERVICE, "ActiveState")?;
            Ok((state == "failed").then_some(()))
        })?;
        self.expect("ExecMainStatus", "2")?;
        self.expect("NRestarts", "0")?;
        self.machine
            .capture(&["sed", "--in-place", "$d", SETTINGS])?;
        self.machine.capture(&["systemctl", "start", SERVICE])?;
        self.wait_until_ready()
    }

    /// Closes the house, and opens another one, whose database is on PostgreSQL.
    pub(super) fn move_to_postgres(&self, postgres: &Postgres) -> Result<()> {
        self.machine.capture(&["systemctl", "stop", SERVICE])?;
        self.expect("Result", "success")?;
        self.expect("ExecMainStatus", "0")?;
        let (data, kept) = (format!("{STATE}/data"), format!("{STATE}/data-of-sqlite"));
        self.machine.capture(&["mv", &data, &kept])?;
        self.set("DATABASE_URL", &postgres.url())?;
        self.machine
            .capture(&["systemctl", "start", SERVICE])
            .map(drop)
    }

    /// The server stops and the program goes with the package, and the settings with its purge; the data stay.
    pub(super) fn remove_and_purge(&self) -> Result<()> {
        let key = self.machine.capture(&["sha256sum", KEY])?;
        let mut remove = self
            .machine
            .apt_get(self.workspace, &["remove", "--yes", PACKAGE]);
        process::run(&mut remove)?;
        self.expect("ActiveState", "inactive")?;
        ensure!(!self.exists(PROGRAM), "{PROGRAM} was not removed");
        ensure!(self.exists(SETTINGS), "{SETTINGS} went without a purge");
        let output = process::capture(&mut self.purge())?;
        ensure!(
            output.contains("are kept") && output.contains("rm -r /var/lib/glasshouse"),
            "the purge does not say what it has kept: {output}"
        );
        ensure!(!self.exists(SETTINGS), "{SETTINGS} was not purged");
        ensure!(
            self.machine.capture(&["sha256sum", KEY])? == key,
            "the purge has changed {KEY}"
        );
        Ok(())
    }

    /// A package that was never started leaves nothing.
    pub(super) fn purge_without_data(&self) -> Result<()> {
        report::line("The purge of a house that was never opened leaves nothing.");
        self.machine
            .capture(&[&["rm", "-r", "-f"], &FOLDERS[..]].concat())?;
        self.install()?;
        process::run(&mut self.purge())?;
        for folder in FOLDERS {
            ensure!(!self.exists(folder), "the purge has left {folder}");
        }
        ensure!(
            self.machine.capture(&["getent", "passwd", USER]).is_err(),
            "the purge has left the user {USER}"
        );
        Ok(())
    }

    fn purge(&self) -> std::process::Command {
        self.machine
            .apt_get(self.workspace, &["purge", "--yes", PACKAGE])
    }

    fn exists(&self, path: &str) -> bool {
        self.machine.capture(&["test", "-e", path]).is_ok()
    }
}
