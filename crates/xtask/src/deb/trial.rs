//! Installs a package on this machine, uses it as an operator would, and removes every trace of it.

use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::unit::Unit;
use crate::{
    postgres::free_port,
    process::{self, Running},
    report, server, tools,
    workspace::Workspace,
};

const PACKAGE: &str = "glasshouse";
const USER: &str = "glasshouse";
const PROGRAM: &str = "/usr/bin/glasshouse";
const UNIT: &str = "/lib/systemd/system/glasshouse.service";
const BACKUP_UNIT: &str = "/lib/systemd/system/glasshouse-backup.service";
const BACKUP_TIMER: &str = "/lib/systemd/system/glasshouse-backup.timer";
const SETTINGS: &str = "/etc/glasshouse/glasshouse.env";
/// What the operator's data are in, and what only a `purge` removes, if it is empty.
const FOLDERS: [&str; 3] = ["/var/lib/glasshouse", "/etc/glasshouse", BACKUPS];
const BACKUPS: &str = "/var/lib/glasshouse-backups";
/// Generated at the first start; without it, the house is lost.
const KEY: &str = "/var/lib/glasshouse/data/seed-key";
/// The highest exposure that systemd may find, in tenths: 1.2 when this was written.
const EXPOSURE: &str = "--threshold=15";
/// How long the server may take to become ready.
const START_LIMIT: Duration = Duration::from_mins(1);

/// Where the server has its front end from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrontEnd {
    /// It is part of the binary.
    Embedded,
    /// A debug build reads it from the workspace, which only some users may be able to read.
    InWorkspace,
}

/// Why no package can be tried out on this machine, if so. A house of somebody else is never touched.
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
    None
}

/// Installs, starts, upgrades, removes and purges the package.
pub(super) fn run(workspace: &Workspace, package: &Path, front_end: FrontEnd) -> Result<()> {
    for (program, needed) in [
        ("systemd-analyze", "systemd"),
        ("adduser", "adduser"),
        ("update-ca-certificates", "ca-certificates"),
    ] {
        let is_there =
            tools::find(program).is_some() || Path::new("/usr/sbin").join(program).is_file();
        if !is_there {
            tools::install_on_debian(workspace, needed)?;
        }
    }
    // Whatever happens from here on, nothing is left behind.
    let _traces = Traces;
    install(workspace, package)?;
    let unit = Unit::read(UNIT)?;
    check_units(workspace)?;
    check_permissions()?;
    let address = choose_ports()?;
    let settings = fs::read_to_string(SETTINGS).context("cannot read the settings")?;

    run_by_hand(&unit, &["glasshouse", "doctor"])?;
    open_and_close(workspace, &unit, &address, front_end)?;
    let key = fs::read(KEY).with_context(|| format!("the first start has not made {KEY}"))?;
    make_backup()?;

    report::line("An upgrade keeps the settings and the data.");
    install(workspace, package)?;
    ensure!(
        fs::read_to_string(SETTINGS).is_ok_and(|kept| kept == settings),
        "the upgrade has changed {SETTINGS}"
    );
    check_permissions()?;
    open_and_close(workspace, &unit, &address, front_end)?;

    remove_and_purge(workspace)?;
    ensure!(
        fs::read(KEY).is_ok_and(|kept| kept == key),
        "the key of the house is not what it was before the upgrade"
    );
    purge_without_data(workspace, package)
}

fn install(workspace: &Workspace, package: &Path) -> Result<()> {
    let mut command = tools::apt_get(workspace, &["install", "--yes", "--no-install-recommends"]);
    // Otherwise apt warns that its own user cannot read the file.
    command.arg("--option=APT::Sandbox::User=root");
    process::run(command.arg("--reinstall").arg(package))
}

/// systemd understands every line of the units, and finds little that the programs could do beyond their task.
fn check_units(workspace: &Workspace) -> Result<()> {
    let mut verify = workspace.command("systemd-analyze");
    verify.args(["verify", "--man=no", UNIT, BACKUP_UNIT, BACKUP_TIMER]);
    process::run(&mut verify)?;
    for unit in [UNIT, BACKUP_UNIT] {
        let mut security = workspace.command("systemd-analyze");
        security.args(["security", "--offline=true", "--no-pager", EXPOSURE, unit]);
        process::capture(&mut security)?;
    }
    Ok(())
}

fn check_permissions() -> Result<()> {
    for (path, expected) in [
        (PROGRAM, "755 root root"),
        (SETTINGS, "640 root glasshouse"),
        ("/etc/glasshouse/secrets", "750 root glasshouse"),
        ("/var/lib/glasshouse", "700 glasshouse glasshouse"),
    ] {
        let found = process::capture(Command::new("stat").args(["--format=%a %U %G", path]))?;
        ensure!(
            found.trim() == expected,
            "{path} is {}, not {expected}",
            found.trim()
        );
    }
    Ok(())
}

/// Writes free ports into the settings, and returns the server's address.
fn choose_ports() -> Result<String> {
    let address = format!("127.0.0.1:{}", free_port()?);
    let lines = format!(
        "GLASSHOUSE_BIND={address}\nGLASSHOUSE_METRICS_BIND=127.0.0.1:{}\nGLASSHOUSE_SANDBOX_BIND=127.0.0.1:{}\n",
        free_port()?,
        free_port()?
    );
    let text = fs::read_to_string(SETTINGS).context("cannot read the settings")?;
    fs::write(SETTINGS, text + &lines).context("cannot write the settings")?;
    Ok(address)
}

/// Starts the server with the settings, looks at it from outside and from beside it, and stops it.
fn open_and_close(
    workspace: &Workspace,
    unit: &Unit,
    address: &str,
    front_end: FrontEnd,
) -> Result<()> {
    let settings = fs::read_to_string(SETTINGS).context("cannot read the settings")?;
    let mut server = Running::start(&mut unit.command(&settings)?)?;
    wait_until_ready(&mut server, address)?;
    if front_end == FrontEnd::Embedded || is_workspace_readable(workspace, unit)? {
        let status = server::status(address, "/").context("the page cannot be fetched")?;
        ensure!(status == "200", "the page has the status {status}");
    } else {
        report::line("The front end was not looked up: the user cannot read this workspace.");
    }
    run_by_hand(unit, &["glasshouse", "doctor"])?;
    run_by_hand(unit, &["glasshouse", "check"])?;
    let status = server.stop()?;
    ensure!(status.success(), "the server ended with {status}");
    Ok(())
}

fn wait_until_ready(server: &mut Running, address: &str) -> Result<()> {
    let started = Instant::now();
    while !server::is_ready(address) {
        process::stop_if_interrupted()?;
        if let Some(status) = server.exit_status()? {
            bail!("the server exited ({status})");
        }
        ensure!(
            started.elapsed() < START_LIMIT,
            "the server was not ready within {} seconds",
            START_LIMIT.as_secs()
        );
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn is_workspace_readable(workspace: &Workspace, unit: &Unit) -> Result<bool> {
    let page = workspace.frontend().join("dist/index.html");
    let page = page
        .to_str()
        .context("the path of this workspace is not UTF-8")?;
    let mut command = unit.command_by_hand(&["test", "-r", page])?;
    let status = command.status().context("cannot run runuser")?;
    Ok(status.success())
}

/// Runs a command of the documentation. Those that examine the house exit with 3 for warnings.
fn run_by_hand(unit: &Unit, arguments: &[&str]) -> Result<()> {
    let output = unit
        .command_by_hand(arguments)?
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

/// Makes a backup as the timer would, which deletes the one that is too old, and nothing else.
fn make_backup() -> Result<()> {
    let unit = Unit::read(BACKUP_UNIT)?;
    let settings = fs::read_to_string(SETTINGS).context("cannot read the settings")?;
    // systemd would create the folder.
    let mut install = Command::new("install");
    install.args([
        "--directory",
        "--owner",
        USER,
        "--group",
        USER,
        "--mode=700",
    ]);
    process::capture(install.arg(BACKUPS))?;
    let recent = "2020-01-02T033000Z";
    for (name, days) in [("2020-01-01T033000Z", 32), (recent, 2), ("mine", 32)] {
        let path = format!("{BACKUPS}/{name}");
        let changed = format!("--date={days} days ago");
        process::capture(&mut unit.command_by_hand(&["mkdir", &path])?)?;
        process::capture(&mut unit.command_by_hand(&["touch", &changed, &path])?)?;
    }
    process::run(&mut unit.command(&settings)?)?;
    let mut left = Vec::new();
    for entry in fs::read_dir(BACKUPS).context("cannot read the backups")? {
        let entry = entry.context("cannot read the backups")?;
        let is_backup = entry.path().join("manifest.json").is_file();
        left.push((entry.file_name().to_string_lossy().into_owned(), is_backup));
    }
    left.sort();
    let is_expected = matches!(&left[..], [(first, false), (_, true), (last, false)]
        if first == recent && last == "mine");
    ensure!(is_expected, "the folder of backups has {left:?}");
    Ok(())
}

/// The program goes with the package, and the settings with its purge; the data stay.
fn remove_and_purge(workspace: &Workspace) -> Result<()> {
    process::run(&mut tools::apt_get(
        workspace,
        &["remove", "--yes", PACKAGE],
    ))?;
    ensure!(!Path::new(PROGRAM).exists(), "{PROGRAM} was not removed");
    ensure!(
        Path::new(SETTINGS).exists(),
        "{SETTINGS} went without a purge"
    );
    let output = process::capture(&mut tools::apt_get(workspace, &["purge", "--yes", PACKAGE]))?;
    ensure!(
        output.contains("are kept") && output.contains("rm -r /var/lib/glasshouse"),
        "the purge does not say what it has kept: {output}"
    );
    ensure!(!Path::new(SETTINGS).exists(), "{SETTINGS} was not purged");
    Ok(())
}

/// A package that was never started leaves nothing.
fn purge_without_data(workspace: &Workspace, package: &Path) -> Result<()> {
    report::line("The purge of a house that was never opened leaves nothing.");
    for folder in FOLDERS.iter().filter(|folder| Path::new(folder).exists()) {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {folder}"))?;
    }
    install(workspace, package)?;
    process::run(&mut tools::apt_get(workspace, &["purge", "--yes", PACKAGE]))?;
    match obstacle(workspace) {
        Some(left) => bail!("the purge has left something: {left}"),
        None => Ok(()),
    }
}

/// Everything that a trial may have left on this machine, removed on drop.
struct Traces;

impl Drop for Traces {
    fn drop(&mut self) {
        // Not by `process::run`, which does nothing any more after Ctrl-C.
        let run = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).output();
            output.is_ok_and(|output| output.status.success())
        };
        if run("dpkg-query", &["--status", PACKAGE]) && !run("dpkg", &["--purge", PACKAGE]) {
            report::problem("The package glasshouse could not be purged.");
        }
        for folder in FOLDERS.iter().filter(|folder| Path::new(folder).exists()) {
            if let Err(error) = fs::remove_dir_all(folder) {
                report::problem(&format!("{folder} could not be removed: {error}"));
            }
        }
        if run("getent", &["passwd", USER]) && !run("deluser", &["--system", USER]) {
            report::problem("The user glasshouse could not be removed.");
        }
    }
}
