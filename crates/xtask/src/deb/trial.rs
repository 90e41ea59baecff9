//! Installs a package in a container with systemd, and uses it there as an operator would, on both databases.

mod life;

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use super::machine::{self, Machine, PACKAGES, wait_for};
use crate::{
    postgres::{Postgres, free_port},
    process, report,
    scratch::Place,
    server, tools,
    workspace::Workspace,
};

const PACKAGE: &str = "glasshouse";
const USER: &str = "glasshouse";
const PROGRAM: &str = "/usr/bin/glasshouse";
const SERVICE: &str = "glasshouse.service";
const BACKUP_SERVICE: &str = "glasshouse-backup.service";
const BACKUP_TIMER: &str = "glasshouse-backup.timer";
const SETTINGS: &str = "/etc/glasshouse/glasshouse.env";
/// What the operator's data are in, and what only a `purge` removes, if it is empty.
const FOLDERS: [&str; 3] = [STATE, "/etc/glasshouse", BACKUPS];
const STATE: &str = "/var/lib/glasshouse";
const BACKUPS: &str = "/var/lib/glasshouse-backups";
/// Generated at the first start; without it, the house is lost.
const KEY: &str = "/var/lib/glasshouse/data/seed-key";
/// The highest exposure that systemd may find, in tenths: 1.2 when this was written.
const EXPOSURE: &str = "--threshold=15";
/// What Linux says of a process that has no privilege, cannot get one, and has a filter of system calls.
const CONFINED: [&str; 4] = [
    "CapEff:\t0000000000000000",
    "CapBnd:\t0000000000000000",
    "NoNewPrivs:\t1",
    "Seccomp:\t2",
];

/// Where the server has its front end from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrontEnd {
    /// It is part of the binary.
    Embedded,
    /// A debug build reads it from the workspace, which only some users may be able to read.
    InWorkspace,
}

/// Why no package can be tried out on this machine, if so. The container has its files, so they must have no house yet.
pub(crate) fn obstacle(workspace: &Workspace) -> Option<String> {
    if !tools::is_root_on_debian() {
        return Some("only root on Debian can install a package".into());
    }
    if let Some(folder) = FOLDERS.iter().find(|folder| Path::new(folder).exists()) {
        return Some(format!(
            "there is a house on this machine, or what is left of one: {folder}"
        ));
    }
    let is_known = |program: &str, arguments: &[&str]| {
        process::capture(workspace.command(program).args(arguments)).is_ok()
    };
    if is_known("dpkg-query", &["--status", PACKAGE]) || is_known("getent", &["passwd", USER]) {
        return Some("the package or its user is on this machine already".into());
    }
    machine::obstacle()
}

/// Installs, starts, upgrades, removes and purges the package.
pub(super) fn run(workspace: &Workspace, package: &Path, front_end: FrontEnd) -> Result<()> {
    let folder = package.parent().context("the package has no folder")?;
    let name = package.file_name().context("the package has no name")?;
    let trial = Trial {
        workspace,
        machine: Machine::boot(workspace, folder)?,
        package: format!("{PACKAGES}/{}", name.to_string_lossy()),
        address: format!("127.0.0.1:{}", free_port()?),
        front_end,
    };
    trial.run().inspect_err(|_| trial.show_log())
}

/// A package in a container.
struct Trial<'w> {
    workspace: &'w Workspace,
    machine: Machine,
    /// Where the package is in the container.
    package: String,
    /// Where the server listens.
    address: String,
    front_end: FrontEnd,
}

impl Trial<'_> {
    fn run(&self) -> Result<()> {
        // Containers are often told to start no services.
        self.machine
            .capture(&["rm", "-f", "/usr/sbin/policy-rc.d"])?;
        self.install()?;
        self.check_units()?;
        self.check_permissions()?;
        self.choose_ports()?;
        self.by_hand(&["glasshouse", "doctor"])?;

        report::line("The service on SQLite.");
        self.machine
            .capture(&["systemctl", "enable", "--now", SERVICE, BACKUP_TIMER])?;
        self.look_at_server()?;
        self.kill_server()?;
        self.make_backup()?;
        self.upgrade()?;
        self.refuse_wrong_settings()?;

        report::line("The service on PostgreSQL.");
        let postgres = Postgres::start(self.workspace, Place::Memory)?;
        self.move_to_postgres(&postgres)?;
        self.look_at_server()?;
        self.kill_server()?;
        self.machine
            .capture(&["systemctl", "start", BACKUP_SERVICE])?;

        self.remove_and_purge()?;
        self.purge_without_data()
    }

    /// After a failure.
    fn show_log(&self) {
        let units = ["--unit=glasshouse", "--unit=glasshouse-backup"];
        let mut journal = self.machine.command(&["journalctl", "--no-pager"]);
        match process::capture(journal.arg("--lines=40").args(units)) {
            Ok(lines) => report::line(&lines),
            Err(error) => report::problem(&format!("cannot read the log: {error:#}")),
        }
    }

    fn install(&self) -> Result<()> {
        let arguments = ["install", "--yes", "--no-install-recommends", "--reinstall"];
        let mut command = self.machine.apt_get(self.workspace, &arguments);
        // Otherwise apt warns that its own user cannot read the file.
        command.arg("--option=APT::Sandbox::User=root");
        process::run(command.arg(&self.package))
    }

    /// systemd understands every line of the units, and finds little that the programs could do beyond their task.
    fn check_units(&self) -> Result<()> {
        self.machine.capture(&[
            "systemd-analyze",
            "verify",
            "--man=no",
            SERVICE,
            BACKUP_SERVICE,
            BACKUP_TIMER,
        ])?;
        self.machine.capture(&[
            "systemd-analyze",
            "security",
            "--no-pager",
            EXPOSURE,
            SERVICE,
            BACKUP_SERVICE,
        ])?;
        Ok(())
    }

    fn check_permissions(&self) -> Result<()> {
        for (path, expected) in [
            (PROGRAM, "755 root root"),
            (SETTINGS, "640 root glasshouse"),
            ("/etc/glasshouse/secrets", "750 root glasshouse"),
            (STATE, "700 glasshouse glasshouse"),
        ] {
            let found = self.machine.capture(&["stat", "--format=%a %U %G", path])?;
            ensure!(
                found.trim() == expected,
                "{path} is {}, not {expected}",
                found.trim()
            );
        }
        Ok(())
    }

    /// The container shares the network with this machine.
    fn choose_ports(&self) -> Result<()> {
        self.set("GLASSHOUSE_BIND", &self.address)?;
        for name in ["GLASSHOUSE_METRICS_BIND", "GLASSHOUSE_SANDBOX_BIND"] {
            self.set(name, &format!("127.0.0.1:{}", free_port()?))?;
        }
        Ok(())
    }

    /// Adds a line to the settings.
    fn set(&self, name: &str, value: &str) -> Result<()> {
        let script = r#"echo "$1=$2" >> "$3""#;
        let arguments = ["sh", "-c", script, "sh", name, value, SETTINGS];
        self.machine.capture(&arguments).map(drop)
    }

    /// Waits for the server, and looks at it from outside and from beside it.
    fn look_at_server(&self) -> Result<()> {
        self.wait_until_ready()?;
        if self.front_end == FrontEnd::Embedded || self.can_service_read_workspace()? {
            let status =
                server::status(&self.address, "/").context("the page cannot be fetched")?;
            ensure!(status == "200", "the page has the status {status}");
        } else {
            report::line(
                "The front end was not looked up: the service cannot read this workspace.",
            );
        }
        self.check_confinement()?;
        self.by_hand(&["glasshouse", "doctor"])?;
        self.by_hand(&["glasshouse", "check"])
    }

    fn wait_until_ready(&self) -> Result<()> {
        wait_for("ready server", || {
            let state = self.machine.property(SERVICE, "ActiveState")?;
            ensure!(state != "failed", "the service has failed");
            Ok(server::is_ready(&self.address).then_some(()))
        })
    }

    /// The service's property has this value.
    fn expect(&self, name: &str, expected: &str) -> Result<()> {
        let found = self.machine.property(SERVICE, name)?;
        ensure!(found == expected, "{name} is {found}, not {expected}");
        Ok(())
    }

    fn can_service_read_workspace(&self) -> Result<bool> {
        let page = self.workspace.frontend().join("dist/index.html");
        let page = page
            .to_str()
            .context("the path of this workspace is not UTF-8")?;
        let user = format!("--uid={USER}");
        let mut command = self.machine.command(&[
            "systemd-run",
            "--quiet",
            "--wait",
            "--property=ProtectHome=yes",
            &user,
            "test",
            "-r",
            page,
        ]);
        let status = command.status().context("cannot run systemd-run")?;
        Ok(status.success())
    }

    /// The sandbox of the unit is there, and the server cannot change what is outside its folder.
    fn check_confinement(&self) -> Result<()> {
        let id = self.machine.property(SERVICE, "MainPID")?;
        let status = self
            .machine
            .capture(&["cat", &format!("/proc/{id}/status")])?;
        for line in CONFINED {
            ensure!(
                status.lines().any(|found| found == line),
                "the server's process lacks {line:?}:\n{status}"
            );
        }
        let mounts = format!("--mount=/proc/{id}/ns/mnt");
        let touch = |path| {
            let mut command = self.machine.command(&["nsenter", &mounts, "touch", path]);
            command.output().context("cannot run nsenter")
        };
        ensure!(
            touch(KEY)?.status.success(),
            "the server cannot write in its folder"
        );
        let outside = touch(SETTINGS)?;
        ensure!(
            String::from_utf8_lossy(&outside.stderr).contains("Read-only file system"),
            "the server can write outside its folder"
        );
        Ok(())
    }

    /// Runs a command of the documentation. Those that examine the house exit with 3 for warnings.
    fn by_hand(&self, arguments: &[&str]) -> Result<()> {
        let script = r#"cd "$1" && shift && exec runuser -u "$@""#;
        let beginning = ["sh", "-c", script, "sh", STATE, USER, "--"];
        let output = self
            .machine
            .command(&[&beginning, arguments].concat())
            .output()
            .context("cannot run runuser")?;
        let name = arguments.join(" ");
        if matches!(output.status.code(), Some(0 | 3)) {
            report::line(&format!(
                "As {USER}, `{name}` succeeds ({}).",
                output.status
            ));
            return Ok(());
        }
        bail!(
            "`{name}` failed ({})\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }

    /// systemd starts a server again that was killed.
    fn kill_server(&self) -> Result<()> {
        report::line("A killed server is started again.");
        let restarts = self.machine.property(SERVICE, "NRestarts")?;
        self.machine
            .capture(&["systemctl", "kill", "--signal=KILL", SERVICE])?;
        wait_for("another start", || {
            let is_new = self.machine.property(SERVICE, "NRestarts")? != restarts;
            Ok(is_new.then_some(()))
        })?;
        self.wait_until_ready()
    }
}
