//! PostgreSQL's own programs, which copy and restore its databases.

use std::fs::File;
use std::io::{self, Read as _};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::manifest::{FileSum, copy_summing};
use crate::Failure;

/// The beginnings of the variables that these programs need not know, because they are secret.
const OWN_VARIABLES: [&str; 2] = ["GLASSHOUSE_", "DATABASE_URL"];
/// How much of what a program says about its failure is repeated, in characters.
const MAXIMUM_SAID: usize = 2_000;

/// How a program connects to a database. Every user of the machine can see its arguments with ps, so the
/// password is not among them.
#[derive(Debug, PartialEq, Eq)]
struct Connection {
    url: String,
    password: Option<String>,
}

/// One of PostgreSQL's programs.
pub(crate) struct Program {
    name: &'static str,
    /// What it says about its version.
    pub(crate) version: String,
    /// The major version.
    major: i64,
}

impl Program {
    /// Finds `pg_dump`, which must not be older than the server.
    pub(crate) fn dump(server: i64) -> Result<Self, Failure> {
        let program = Self::find("pg_dump", server)?;
        if program.major < server {
            return Err(Failure::Configuration(format!(
                "{} is older than the server, which is PostgreSQL {server}: install that version's client \
                 programs, and put their directory first in PATH",
                program.version
            )));
        }
        Ok(program)
    }

    /// Finds `pg_restore`, which must not be older than the program that wrote the backup.
    pub(crate) fn restore(written_by: Option<&str>) -> Result<Self, Failure> {
        let written = written_by.and_then(major_version).unwrap_or(0);
        let program = Self::find("pg_restore", written)?;
        if program.major < written {
            return Err(Failure::Configuration(format!(
                "{} cannot read what {} wrote: install the client programs of PostgreSQL {written}, and \
                 put their directory first in PATH",
                program.version,
                written_by.unwrap_or("a newer program")
            )));
        }
        Ok(program)
    }

    fn find(name: &'static str, wanted: i64) -> Result<Self, Failure> {
        let output = quiet(name).arg("--version").output().map_err(|error| {
            Failure::Configuration(if error.kind() == io::ErrorKind::NotFound {
                format!(
                    "{name} was not found: install the client programs of PostgreSQL {wanted} or newer \
                     (on Debian, the package postgresql-client), or add their directory to PATH"
                )
            } else {
                format!("{name} cannot be started: {error}")
            })
        })?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let major = major_version(&version).filter(|_| output.status.success());
        let major = major.ok_or_else(|| {
            Failure::Configuration(format!("{name} does not tell its version: {version:?}"))
        })?;
        Ok(Self {
            name,
            version,
            major,
        })
    }

    /// Writes a copy of a database, as `snapshot` sees it, to a file.
    pub(crate) fn copy(
        &self,
        url: &str,
        snapshot: &str,
        target: &mut File,
    ) -> Result<FileSum, Failure> {
        let mut command = self.connecting(url)?;
        command
            .args(["--format=custom", "--snapshot", snapshot])
            .stdin(Stdio::null())
            // If this process is killed, nobody reads on, and the program ends, too.
            .stdout(Stdio::piped());
        let mut process = self.start(command)?;
        let said = listen(process.stderr.take());
        let copied = match process.stdout.take() {
            Some(mut output) => copy_summing(&mut output, target),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if copied.is_err() {
            // It may still be writing, or have ended already.
            drop(process.kill());
        }
        self.wait(&mut process, said, copied.is_ok())?;
        let sum = copied.map_err(Failure::running)?;
        target.sync_all().map_err(Failure::running)?;
        Ok(sum)
    }

    /// Restores a copy into an empty database, all or nothing.
    pub(crate) fn fill(&self, url: &str, copy: File) -> Result<(), Failure> {
        let mut command = self.connecting(url)?;
        command
            .args(["--exit-on-error", "--single-transaction"])
            // Its roles need not exist here.
            .args(["--no-owner", "--no-privileges"])
            .stdin(Stdio::from(copy))
            .stdout(Stdio::null());
        let mut process = self.start(command)?;
        let said = listen(process.stderr.take());
        self.wait(&mut process, said, true)
    }

    fn connecting(&self, url: &str) -> Result<Command, Failure> {
        let connection = Connection::of(url).map_err(Failure::Configuration)?;
        let mut command = quiet(self.name);
        command.args(["--no-password", "--dbname", &connection.url]);
        if let Some(password) = connection.password {
            command.env("PGPASSWORD", password);
        }
        Ok(command)
    }

    fn start(&self, mut command: Command) -> Result<Child, Failure> {
        command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::Running(format!("{} cannot be started: {error}", self.name)))
    }

    /// Waits for a program. If it was killed because of another failure, that one is what counts.
    fn wait(
        &self,
        process: &mut Child,
        said: JoinHandle<String>,
        must_succeed: bool,
    ) -> Result<(), Failure> {
        let status = process.wait().map_err(Failure::running)?;
        let said = said.join().unwrap_or_default();
        if status.success() || !must_succeed {
            return Ok(());
        }
        let said: String = said.trim().chars().take(MAXIMUM_SAID).collect();
        Err(Failure::Running(format!(
            "{} failed ({status}): {said}",
            self.name
        )))
    }
}

impl Connection {
    /// Takes the password out of a URL in the same way as libpq reads it.
    fn of(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url
            .split_once("://")
            .ok_or("the URL of the database has no scheme")?;
        let end = rest.find(['@', '/']).unwrap_or(rest.len());
        let (before, after) = rest.split_at(end);
        let (user, mut password, place) = match after.strip_prefix('@') {
            Some(place) => {
                let (user, password) = before.split_once(':').unwrap_or((before, ""));
                (format!("{user}@"), password, place)
            }
            None => (String::new(), "", rest),
        };
        let (place, parameters) = place.split_once('?').unwrap_or((place, ""));
        let mut kept = Vec::new();
        for parameter in parameters.split('&').filter(|text| !text.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match decoded(name).as_str() {
                "password" => password = value,
                "sslpassword" => {
                    return Err(
                        "PostgreSQL's programs cannot be given an sslpassword secretly: use a key \
                         without a passphrase"
                            .to_owned(),
                    );
                }
                _ => kept.push(parameter),
            }
        }
        let mark = if kept.is_empty() { "" } else { "?" };
        Ok(Self {
            url: format!("{scheme}://{user}{place}{mark}{}", kept.join("&")),
            password: (!password.is_empty()).then(|| decoded(password)),
        })
    }
}

/// Decodes percent signs; unlike in a form, a plus sign is none.
fn decoded(text: &str) -> String {
    let form = format!("={}", text.replace('+', "%2B"));
    let mut pairs = url::form_urlencoded::parse(form.as_bytes());
    pairs
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// A program without this program's secrets, which speaks English.
fn quiet(name: &str) -> Command {
    let mut command = Command::new(name);
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if OWN_VARIABLES.iter().any(|start| name.starts_with(start)) {
            command.env_remove(&variable);
        }
    }
    command.env("LC_ALL", "C");
    command
}

/// Reads what a program says while it runs, so that it never waits for somebody to read it.
fn listen(stderr: Option<ChildStderr>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stderr) = stderr {
            // What was read until then is all there is.
            drop(stderr.read_to_end(&mut said));
        }
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// The major version in a text such as `pg_dump (PostgreSQL) 15.18 (Debian 15.18-0)`.
fn major_version(text: &str) -> Option<i64> {
    let (_, version) = text.split_once("(PostgreSQL) ")?;
    let digits = version.split(|sign: char| !sign.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_taken_out_of_the_url() {
        let check = |url: &str, public: &str, password: Option<&str>| {
            let connection = Connection::of(url).unwrap();
            assert_eq!(connection.url, public, "{url}");
            assert_eq!(connection.password.as_deref(), password, "{url}");
        };
        check("postgres://host/db", "postgres://host/db", None);
        check("postgres://me@host/db", "postgres://me@host/db", None);
        check(
            "postgres://me:s3cret%2Fword+@[::1]:5432/db?sslmode=require",
            "postgres://me@[::1]:5432/db?sslmode=require",
            Some("s3cret/word+"),
        );
        check(
            "postgresql://me:pass:word@one:1,two:2/db",
            "postgresql://me@one:1,two:2/db",
            Some("pass:word"),
        );
        check(
            "postgres:///db?host=/run&pass%77ord=s3cret&user=me",
            "postgres:///db?host=/run&user=me",
            Some("s3cret"),
        );
        check("postgres://me:s3cret@", "postgres://me@", Some("s3cret"));
        assert!(Connection::of("postgres://host/db?sslpassword=s3cret").is_err());
    }

    #[test]
    fn versions_are_read() {
        let check = |text, version| assert_eq!(major_version(text), version, "{text}");
        check("pg_dump (PostgreSQL) 15.18 (Debian 15.18-0)", Some(15));
        check("pg_restore (PostgreSQL) 18beta1", Some(18));
        check("something else", None);
    }
}
