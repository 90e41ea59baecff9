//! Checks for the required programs, and explains or does what is needed if one is missing.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{
    process, report,
    workspace::{Workspace, clean_command},
};

/// The oldest Node that the front end's tools run on.
const NODE_MINIMUM: (u32, u32) = (20, 19);

/// The program's path, if it is in `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// Whether this process runs as root.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Fails with a list of everything that is missing unless the front end and the server can be
/// built on this machine.
pub(crate) fn check_for_build(workspace: &Workspace) -> Result<()> {
    let mut missing = Vec::new();
    for (programs, purpose) in [
        (
            &["cc", "gcc", "clang"][..],
            "a C compiler, which builds SQLite, libpq and OpenSSL",
        ),
        (&["perl"], "perl, with which OpenSSL configures its build"),
        (&["make"], "make, which builds OpenSSL"),
        (
            &["npm"],
            "npm, which comes with Node.js and builds the front end",
        ),
    ] {
        if !programs.iter().any(|program| find(program).is_some()) {
            missing.push(purpose.to_owned());
        }
    }
    missing.extend(node_problem(workspace));
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "these tools are missing:\n  - {}\n\n{}",
        missing.join("\n  - "),
        how_to_install(std::env::consts::OS)
    )
}

/// Installs a package if that is possible without a prompt: on Debian and its derivatives, as root.
/// Returns whether it did.
pub(crate) fn install_on_debian(workspace: &Workspace, package: &str) -> Result<bool> {
    if !is_root_on_debian() {
        return Ok(false);
    }
    report::line(&format!(
        "Installing the Debian package {package}, which this step needs."
    ));
    process::run(&mut apt_get(workspace, &["update"]))?;
    let arguments = ["install", "--yes", "--no-install-recommends", package];
    process::run(&mut apt_get(workspace, &arguments))?;
    Ok(true)
}

/// The path of a program from a Debian package that would start a service if it were installed. Only
/// the program is unpacked, into the target folder. `None` where that is not possible.
pub(crate) fn unpack_from_debian(
    workspace: &Workspace,
    package: &str,
    program: &str,
) -> Result<Option<PathBuf>> {
    let folder = workspace.target_folder("tools")?;
    let path = folder.join(program);
    if path.is_file() {
        return Ok(Some(path));
    }
    if !is_root_on_debian() || find("dpkg-deb").is_none() {
        return Ok(None);
    }
    report::line(&format!(
        "Unpacking {program} from the Debian package {package}, which this step needs."
    ));
    fs::create_dir_all(&folder).context("cannot create a folder for tools")?;
    let unpacked = tempfile::tempdir_in(&folder).context("cannot create a temporary folder")?;
    process::run(&mut apt_get(workspace, &["update"]))?;
    // Otherwise apt warns that its own user cannot write there.
    let arguments = ["--option=APT::Sandbox::User=root", "download", package];
    process::run(apt_get(workspace, &arguments).current_dir(unpacked.path()))?;
    let archive = fs::read_dir(unpacked.path())
        .context("cannot read the temporary folder")?
        .flatten()
        .map(|entry| entry.path())
        .find(|file| file.extension().is_some_and(|extension| extension == "deb"))
        .with_context(|| format!("apt-get has downloaded no package {package}"))?;
    let mut extract = workspace.command("dpkg-deb");
    extract.arg("--extract").arg(archive).arg(unpacked.path());
    process::run(&mut extract)?;
    fs::rename(unpacked.path().join("usr/bin").join(program), &path)
        .with_context(|| format!("the package {package} has no {program}"))?;
    Ok(Some(path))
}

/// Whether packages can be installed without a prompt.
pub(crate) fn is_root_on_debian() -> bool {
    is_root() && Path::new("/etc/debian_version").exists() && find("apt-get").is_some()
}

/// The beginning of a command whose mounts nobody else sees, so that they are gone with it, even if it is killed. Only root
/// may mount.
pub(crate) fn with_own_mounts() -> Command {
    let mut command = clean_command("unshare");
    command.args(["--mount", "--propagation", "private"]);
    command
}

/// A command of apt that asks nothing, and waits while another one installs something.
pub(crate) fn apt_get(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = workspace.command("apt-get");
    command
        .args(["--quiet=2", "--option=Dpkg::Use-Pty=0"])
        .arg("--option=DPkg::Lock::Timeout=120")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn node_problem(workspace: &Workspace) -> Option<String> {
    let (major, minor) = NODE_MINIMUM;
    let required = format!("Node.js {major}.{minor} or newer");
    let Ok(output) = process::capture(workspace.command("node").arg("--version")) else {
        return Some(format!("{required}, which builds the front end"));
    };
    match parse_node_version(&output) {
        Some(version) if version >= NODE_MINIMUM => None,
        _ => Some(format!("{required}: found {}", output.trim())),
    }
}

/// The major and minor version in the output of `node --version`.
fn parse_node_version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn how_to_install(system: &str) -> String {
    let native = match system {
        "macos" => {
            "On macOS:          xcode-select --install   (compiler, perl, make)\n\
             \u{20}                  brew install node@22"
        }
        _ => {
            "On Debian, Ubuntu: sudo apt-get install build-essential perl\n\
             On Fedora:         sudo dnf install gcc make perl-core\n\
             On Arch:           sudo pacman -S base-devel"
        }
    };
    format!(
        "{native}\nNode.js:           https://nodejs.org/en/download, or your package manager's"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions() {
        let check = |output, expected| assert_eq!(parse_node_version(output), expected, "{output}");
        check("v20.20.2\n", Some((20, 20)));
        check("v9.11.2", Some((9, 11)));
        check("20.20.2", None);
        check("v20", None);
        check("", None);
    }

    #[test]
    fn programs_are_found_in_path() {
        assert!(find("sh").is_some());
        assert!(find("no-program-has-this-name").is_none());
    }
}
