//! A machine with systemd on which a package can be tried out: a container that sees the files of this machine, keeps all
//! changes in memory, and is gone when it stops.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use crate::{
    process::{self, Running},
    scratch::{self, Place},
    tools,
    workspace::{Workspace, clean_command},
};

/// Where the container sees the folder of the package.
pub(super) const PACKAGES: &str = "/mnt/packages";
/// Puts the files of this machine below a layer for changes, in the folder `$1`. These mounts are those of one process, so
/// they end with it.
const LAYERS: &str = r#"mount -t tmpfs -o mode=755 tmpfs "$1" && cd "$1" && mkdir changes work root &&
    mount -t overlay -o lowerdir=/,upperdir=changes,workdir=work overlay root"#;
/// Starts systemd there, without the services of this machine. It shares the network, so that the tests reach the server.
const BOOT: &str = r#"exec systemd-nspawn --quiet --directory=root --boot --register=no --keep-unit --console=pipe \
    --link-journal=no --resolv-conf=off --timezone=off --bind-ro="$2" --bind-ro="$3:$4" systemd.unit=basic.target"#;
/// How long systemd may take to start or to do something, and the server to become ready.
const LIMIT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A running container, which is stopped on drop.
#[derive(Debug)]
pub(super) struct Machine {
    /// The process ID of its systemd.
    init: String,
    // Fields drop in this order: the container is stopped before its folder is deleted.
    _nspawn: Running,
    _folder: TempDir,
}

/// Why there can be no container here, if so.
pub(super) fn obstacle() -> Option<String> {
    let probe = || {
        let folder = scratch::folder("glasshouse-machine-", Place::Memory)?;
        process::capture(&mut in_own_mounts(LAYERS, [folder.path()]))
    };
    let error = probe().err()?;
    Some(format!("no container can be started here: {error:#}"))
}

impl Machine {
    /// Starts the container and waits for its systemd. It sees the workspace at its path, and the folder `packages` at
    /// [`PACKAGES`].
    pub(super) fn boot(workspace: &Workspace, packages: &Path) -> Result<Self> {
        if tools::find("systemd-nspawn").is_none() {
            tools::install_on_debian(workspace, "systemd-container")?;
        }
        let folder = scratch::folder("glasshouse-machine-", Place::Memory)?;
        let arguments = [
            folder.path(),
            workspace.root(),
            packages,
            Path::new(PACKAGES),
        ];
        // Beneath the mounts of the container, which cannot see it.
        let log = folder.path().join("nspawn.log");
        let file = File::create(&log).context("cannot create the log of a container")?;
        let mut command = in_own_mounts(&format!("{LAYERS} && {BOOT}"), arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut nspawn = Running::start(command.stderr(file))?;
        let init = wait_for_systemd(&mut nspawn)
            .with_context(|| fs::read_to_string(&log).unwrap_or_default())?;
        Ok(Self {
            init,
            _nspawn: nspawn,
            _folder: folder,
        })
    }

    /// A command that runs in the container as root.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = inside(&self.init);
        command.args(arguments);
        command
    }

    /// A command of apt in the container.
    pub(super) fn apt_get(&self, workspace: &Workspace, arguments: &[&str]) -> Command {
        let apt_get = tools::apt_get(workspace, arguments);
        let mut command = inside(&self.init);
        command.arg(apt_get.get_program()).args(apt_get.get_args());
        let set = apt_get.get_envs();
        command.envs(set.filter_map(|(name, value)| Some((name, value?))));
        command
    }

    /// The output of a command in the container; any exit status but success is an error.
    pub(super) fn capture(&self, arguments: &[&str]) -> Result<String> {
        process::capture(&mut self.command(arguments))
    }

    /// Asks systemd for a property of a unit.
    pub(super) fn property(&self, unit: &str, name: &str) -> Result<String> {
        let property = format!("--property={name}");
        let value = self.capture(&["systemctl", "show", "--value", &property, unit])?;
        Ok(value.trim().to_owned())
    }
}

/// A shell with mounts of its own, which runs a script with arguments.
fn in_own_mounts<'a>(script: &str, arguments: impl IntoIterator<Item = &'a Path>) -> Command {
    let mut command = tools::with_own_mounts();
    command.args(["sh", "-c", script, "sh"]).args(arguments);
    command
}

/// The beginning of a command that joins all namespaces of the container.
fn inside(init: &str) -> Command {
    let mut command = clean_command("nsenter");
    command.args(["--target", init, "--all", "--"]);
    // The tests read messages.
    command.env("LC_ALL", "C");
    command
}

/// The process ID of systemd in the container, once it takes orders.
fn wait_for_systemd(nspawn: &mut Running) -> Result<String> {
    let children = format!("/proc/{0}/task/{0}/children", nspawn.id());
    wait_for("systemd", || {
        if let Some(status) = nspawn.exit_status()? {
            bail!("the container could not be started ({status})");
        }
        let child = fs::read_to_string(&children).context("cannot read the container's process")?;
        let init = child.split_whitespace().next();
        Ok(init.filter(|init| takes_orders(init)).map(str::to_owned))
    })
}

/// Whether a process is a systemd in a container that has started.
fn takes_orders(init: &str) -> bool {
    let mut is_active = inside(init);
    is_active.args(["systemctl", "is-active", "basic.target"]);
    is_in_container(init) && process::capture(&mut is_active).is_ok()
}

/// Whether a process has other processes around it than this one. Those that prepare the container do not.
fn is_in_container(process: &str) -> bool {
    let namespace = |process| fs::read_link(format!("/proc/{process}/ns/pid")).ok();
    let found = namespace(process);
    found.is_some() && found != namespace("self")
}

/// Waits until it is there, at most for [`LIMIT`].
pub(super) fn wait_for<T>(what: &str, mut find: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let started = Instant::now();
    loop {
        process::stop_if_interrupted()?;
        if let Some(found) = find()? {
            return Ok(found);
        }
        ensure!(
            started.elapsed() < LIMIT,
            "there was no {what} within {} seconds",
            LIMIT.as_secs()
        );
        thread::sleep(POLL_INTERVAL);
    }
}
