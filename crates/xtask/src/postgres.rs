//! A temporary `PostgreSQL` server that exists for the duration of a test run.
//!
//! It keeps `PostgreSQL`'s durable defaults, because Glasshouse refuses to run without them.

use std::{
    ffi::{OsStr, OsString},
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use crate::{
    process, report,
    scratch::{self, Place},
    tools,
    workspace::{Workspace, clean_command},
};

/// The variable with the URL of a server on which the tests may create databases.
const URL_VARIABLE: &str = "GLASSHOUSE_TEST_POSTGRES_URL";
/// The variable with a folder for the databases that tests copy instead of migrating each of theirs.
const TEMPLATES_VARIABLE: &str = "GLASSHOUSE_TEST_TEMPLATES";
/// Debian's folder for `PostgreSQL`'s programs, with a subfolder for each version.
const DEBIAN_FOLDER: &str = "/usr/lib/postgresql";
/// Attempts to start, because another program may take the port between choosing and using it.
const ATTEMPTS: u32 = 5;
/// Every test has its own database and therefore its own connections.
const MAXIMUM_CONNECTIONS: u32 = 300;

/// A running server, which is stopped and deleted on drop.
#[derive(Debug)]
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: TempDir,
    port: u16,
}

impl Postgres {
    /// Creates and starts a server on a free port of this machine, which takes about a second.
    pub(crate) fn start(workspace: &Workspace, place: Place) -> Result<Self> {
        let programs = find_or_install(workspace)?;
        let folder = scratch::folder("glasshouse-postgres-", place)?;
        if tools::is_root() {
            process::capture(Command::new("chown").arg("postgres").arg(folder.path()))
                .context("PostgreSQL refuses to run as root, and there is no user `postgres`")?;
        }
        let mut postgres = Self {
            programs,
            folder,
            port: 0,
        };
        postgres.initialise()?;
        postgres.launch()?;
        report::line(&format!(
            "A temporary PostgreSQL listens on port {}.",
            postgres.port
        ));
        Ok(postgres)
    }

    /// The URL for connecting as the superuser.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The variables that make tests use this server and its programs, and keep their files in a folder.
    pub(crate) fn test_variables(&self, folder: &TempDir) -> Result<[(&'static str, OsString); 4]> {
        let path = folder.path().as_os_str().to_owned();
        Ok([
            ("TMPDIR", path.clone()),
            (TEMPLATES_VARIABLE, path),
            (URL_VARIABLE, self.url().into()),
            ("PATH", self.path_variable()?),
        ])
    }

    /// `PATH` with this server's programs (psql, pgbench) first.
    pub(crate) fn path_variable(&self) -> Result<OsString> {
        path_with(&self.programs)
    }

    fn initialise(&self) -> Result<()> {
        let mut command = self.command("initdb");
        command
            .args(["--no-sync", "--auth=trust", "--username=postgres"])
            .args(["--encoding=UTF8", "--no-locale", "--pgdata"])
            .arg(self.data());
        process::capture(&mut command).map(drop)
    }

    fn launch(&mut self) -> Result<()> {
        let log = self.folder.path().join("postgresql.log");
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            self.port = free_port()?;
            let options = format!(
                "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' \
                 -c max_connections={MAXIMUM_CONNECTIONS}",
                self.port
            );
            let mut command = self.command("pg_ctl");
            command
                .arg("--pgdata")
                .arg(self.data())
                .arg("--log")
                .arg(&log);
            command.args(["--wait", "--options", &options, "start"]);
            match process::capture(&mut command) {
                Ok(_) => return Ok(()),
                Err(error) => failure = Some(error),
            }
            process::stop_if_interrupted()?;
        }
        let log = fs::read_to_string(&log).unwrap_or_default();
        match failure {
            Some(error) => Err(error.context(format!("cannot start PostgreSQL:\n{log}"))),
            None => bail!("PostgreSQL was never started"),
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A command for one of `PostgreSQL`'s programs, run as a user other than root.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if tools::is_root() {
            let mut command = clean_command("runuser");
            command.args(["--user", "postgres", "--"]).arg(program);
            command
        } else {
            clean_command(program)
        };
        // The user postgres may not have access to the current folder.
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if !self.data().join("postmaster.pid").exists() {
            return;
        }
        let mut command = self.command("pg_ctl");
        command
            .arg("--pgdata")
            .arg(self.data())
            .args(["--wait", "--mode=immediate", "stop"]);
        if let Err(error) = process::capture(&mut command) {
            report::problem(&format!("cannot stop the temporary PostgreSQL: {error:#}"));
        }
    }
}

/// Runs a command while a temporary `PostgreSQL` is running.
pub(crate) fn run_with_server(workspace: &Workspace, command: &[OsString]) -> Result<()> {
    let [program, arguments @ ..] = command else {
        bail!("missing command: cargo xtask postgres -- COMMAND");
    };
    process::catch_signals()?;
    let postgres = Postgres::start(workspace, Place::Memory)?;
    report::line(&format!("{URL_VARIABLE}={}", postgres.url()));
    let folder = scratch::folder("glasshouse-tests-", Place::Memory)?;
    let mut command = workspace.command(program);
    command
        .args(arguments)
        .envs(postgres.test_variables(&folder)?)
        .current_dir(std::env::current_dir().context("the current folder does not exist")?);
    process::run_interactive(&mut command)
}

/// `PATH` with the programs of `PostgreSQL` first, which are installed if that is possible.
pub(crate) fn path_with_programs(workspace: &Workspace) -> Result<OsString> {
    path_with(&find_or_install(workspace)?)
}

fn path_with(programs: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).context("a folder of PostgreSQL has a colon in its name")
}

fn find_or_install(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(programs) = find_programs() {
        return Ok(programs);
    }
    if tools::install_on_debian(workspace, "postgresql")?
        && let Some(programs) = find_programs()
    {
        return Ok(programs);
    }
    bail!(
        "PostgreSQL's programs (initdb, pg_ctl) are neither in PATH nor under {DEBIAN_FOLDER}; \
         install PostgreSQL (on Debian, Ubuntu: sudo apt-get install postgresql; \
         on macOS: brew install postgresql@17 and put its bin folder into PATH)"
    )
}

fn find_programs() -> Option<PathBuf> {
    tools::find("pg_ctl")
        // If PATH contains a symbolic link, the other programs are next to its target.
        .and_then(|pg_ctl| pg_ctl.canonicalize().ok())
        .and_then(|pg_ctl| pg_ctl.parent().map(Path::to_owned))
        .filter(|folder| folder.join("initdb").is_file())
        .or_else(|| newest_version(Path::new(DEBIAN_FOLDER)))
}

/// The `bin` folder of the newest version in a folder with a subfolder for each version.
fn newest_version(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("bin/initdb").is_file())
        .max_by_key(|entry| version(&entry.file_name()))
        .map(|entry| entry.path().join("bin"))
}

/// The components of a version number such as `15` or `9.6`.
fn version(name: &OsStr) -> Vec<u32> {
    name.to_string_lossy()
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect()
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no free port")?;
    Ok(listener.local_addr().context("no free port")?.port())
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn newest_version_is_compared_numerically() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(newest_version(folder.path()), None);
        for version in ["9.6", "15", "17", "16"] {
            let programs = folder.path().join(version).join("bin");
            fs::create_dir_all(&programs).unwrap();
            if version != "17" {
                fs::write(programs.join("initdb"), "").unwrap();
            }
        }
        assert_eq!(
            newest_version(folder.path()),
            Some(folder.path().join("16/bin"))
        );
    }

    #[test]
    fn server_is_durable_and_is_removed_on_drop() {
        if find_programs().is_none() {
            // `cargo xtask test` installs PostgreSQL before it runs this test; plain `cargo test`
            // must work without it.
            return;
        }
        let postgres = Postgres::start(&Workspace::find().unwrap(), Place::Memory).unwrap();
        let query = |sql: &str| {
            let mut psql = Command::new(postgres.programs.join("psql"));
            psql.args(["-At", "-c", sql]).arg(postgres.url());
            process::capture(&mut psql).unwrap().trim().to_owned()
        };
        assert_eq!(query("select 6 * 7"), "42");
        for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
            assert_eq!(query(&format!("show {setting}")), "on", "{setting}");
        }
        assert_eq!(query("show server_encoding"), "UTF8");

        let (folder, port) = (postgres.folder.path().to_owned(), postgres.port);
        drop(postgres);
        assert!(!folder.exists(), "the folder is removed");
        assert!(
            TcpStream::connect(("127.0.0.1", port)).is_err(),
            "the server is stopped"
        );
    }
}
