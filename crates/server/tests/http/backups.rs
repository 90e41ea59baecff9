//! `glasshouse backup`: what is in a backup, and that there is a whole one or none.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::EmptyDatabase;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::support::{Server, command, free_address, wait, wait_for};

/// How long a backup of a small house may take on a busy machine.
const LONG: Duration = Duration::from_mins(1);

/// A command of the operator, with the programs of PostgreSQL.
pub(crate) fn glasshouse(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = command(folder, &free_address(), &free_address());
    command
        .args(arguments)
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .envs(settings.iter().copied());
    command
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

#[track_caller]
pub(crate) fn run(
    folder: &Path,
    arguments: &[&str],
    settings: &[(&str, &str)],
    code: i32,
) -> String {
    let output = glasshouse(folder, arguments, settings).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// The URL that the server was given.
pub(crate) fn url(server: &Server) -> String {
    match server.database_url() {
        DatabaseUrl::Postgres(url) => url,
        DatabaseUrl::Sqlite(path) => format!("sqlite://{}", path.display()),
    }
}

#[track_caller]
pub(crate) fn back_up(server: &Server, arguments: &[&str], code: i32) -> String {
    let arguments = [&["backup"], arguments].concat();
    let url = url(server);
    run(
        server.folder.path(),
        &arguments,
        &[("DATABASE_URL", &url)],
        code,
    )
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

pub(crate) fn database_file(server: &Server) -> &'static str {
    if server.is_on_postgres() {
        "glasshouse.dump"
    } else {
        "glasshouse.db"
    }
}

pub(crate) fn manifest(backup: &Path) -> Value {
    serde_json::from_slice(&fs::read(backup.join("manifest.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn a_backup_is_complete_and_private() {
    let server = Server::start();
    server.funded_player("alice", "100.00").await;
    let folder = server.folder.path();
    let said = back_up(&server, &["copy", "--keys", "keys"], 0);
    let (copy, keys) = (folder.join("copy"), folder.join("keys"));
    for directory in [&copy, &keys] {
        assert_eq!(mode(directory), 0o700);
        for name in names(directory) {
            assert_eq!(mode(&directory.join(name)), 0o600);
        }
    }
    let file = database_file(&server);
    assert_eq!(names(&copy), [file, "manifest.json"]);
    let key_files = [
        "audit-key",
        "log-key",
        "second-factor-key",
        "secret",
        "seed-key",
    ];
    assert_eq!(names(&keys), key_files);
    let manifest = manifest(&copy);
    let content = fs::read(copy.join(file)).unwrap();
    let sum = hex::encode(Sha256::digest(&content));
    assert_eq!(manifest["files"][file]["sha256"], sum);
    assert_eq!(manifest["files"][file]["bytes"], content.len());
    assert!(said.contains(&sum), "{said}");
    let contents = &manifest["contents"];
    assert_eq!(contents["counts"]["users"], 2);
    let hash = contents["audit_hash"].as_str().unwrap();
    assert!(said.contains(&format!("Hash of the audit log: {hash}")));
    assert!(
        contents["log"]["checkpoint"]
            .as_str()
            .unwrap()
            .contains("glasshouse")
    );
    for purpose in ["seed-key", "audit-key", "log-key", "second-factor-key"] {
        let ids = contents["keys"][purpose].as_array().unwrap();
        assert!(!ids.is_empty(), "{purpose}");
        for id in ids {
            let line = format!("{id} in", id = id.as_str().unwrap());
            assert!(said.replace(',', "").contains(&line), "{line}: {said}");
        }
    }
    // No secret is in the backup, nor printed.
    let manifest = manifest.to_string();
    for name in key_files {
        let secret = fs::read_to_string(folder.join("data").join(name)).unwrap();
        assert_eq!(secret, fs::read_to_string(keys.join(name)).unwrap());
        assert!(!manifest.contains(secret.trim()) && !said.contains(secret.trim()));
        let bytes = secret.trim().as_bytes();
        let is_inside = content.windows(bytes.len()).any(|part| part == bytes);
        assert!(!is_inside, "{name} is in the copy");
    }
}

#[tokio::test]
async fn a_backup_overwrites_nothing_and_keeps_keys_apart() {
    let server = Server::start();
    let folder = server.folder.path();
    fs::create_dir(folder.join("there")).unwrap();
    for arguments in [
        &["there"][..],
        &["new", "--keys", "there"],
        &["new", "--keys", "new"],
        &["new", "--keys", "new/keys"],
        &["there/new", "--keys", "there"],
    ] {
        let code = if arguments.contains(&"new/keys") {
            1
        } else {
            2
        };
        back_up(&server, arguments, code);
    }
    back_up(&server, &["no/such/folder"], 1);
    assert!(names(&folder.join("there")).is_empty());
    assert_eq!(names(folder), ["data", "there"]);
    // Without a key that is needed, there is still a backup.
    fs::rename(folder.join("data/seed-key"), folder.join("lost")).unwrap();
    let said = back_up(&server, &["new", "--keys", "keys"], 3);
    assert!(said.contains("NOT in data/seed-key"), "{said}");
    assert!(folder.join("new/manifest.json").exists());
    assert!(!folder.join("data/seed-key").exists(), "no key was made");
}

/// As before an upgrade: the program is newer than the tables.
#[tokio::test]
async fn a_database_of_an_older_version_is_backed_up() {
    let folder = TempDir::new().unwrap();
    run(folder.path(), &["migrate"], &[], 0);
    let path = folder.path().join("data/glasshouse.db");
    let change = "DELETE FROM __diesel_schema_migrations WHERE version > '0038'";
    glasshouse_testing::sql(&DatabaseUrl::Sqlite(path), change).unwrap();
    let said = run(folder.path(), &["backup", "backup"], &[], 0);
    assert!(said.contains("the tables of another version"), "{said}");
    let manifest = manifest(&folder.path().join("backup"));
    assert_eq!(manifest["last_migration"], "0038");
    assert!(manifest["contents"].is_null());
    let said = run(folder.path(), &["restore", "backup", "--verify"], &[], 2);
    assert!(said.contains("an older version"), "{said}");
}

/// A program in the place of `pg_dump`, which does what a script says.
fn replace_pg_dump(folder: &Path, version: &str, script: &str) -> String {
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).unwrap();
    let program = programs.join("pg_dump");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo \"pg_dump (PostgreSQL) {version}\"; exit; fi\n{script}\n"
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    format!("{}:/usr/bin:/bin", programs.display())
}

#[tokio::test]
async fn nothing_is_left_of_a_backup_that_fails() {
    let server = Server::start_on(EmptyDatabase::postgres_with_roles());
    let folder = server.folder.path();
    let back_up = |path: &str, code: i32| {
        let settings = [
            ("DATABASE_URL", server.served()),
            ("PATH", path),
            ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "hidden"),
        ];
        let said = run(folder, &["backup", "backup"], &settings, code);
        let left: Vec<String> = names(folder)
            .into_iter()
            .filter(|name| name.contains("backup"))
            .collect();
        assert_eq!(left, Vec::<String>::new());
        said
    };
    assert!(back_up("/nowhere", 2).contains("pg_dump was not found"));
    let path = replace_pg_dump(folder, "9.6.2", "");
    assert!(back_up(&path, 2).contains("is older than the server"));
    let script =
        "echo half; echo 'the disk is on fire' >&2; env > env; echo \"$@\" > arguments; exit 1";
    let path = replace_pg_dump(folder, "99.1", script);
    assert!(back_up(&path, 1).contains("the disk is on fire"));
    // The password is where other users cannot see it, and our own secrets are not there.
    let (environment, arguments) = (
        fs::read_to_string(folder.join("env")).unwrap(),
        fs::read_to_string(folder.join("arguments")).unwrap(),
    );
    assert!(environment.contains("PGPASSWORD=a-test"), "{environment}");
    assert!(!environment.contains("hidden") && !environment.contains("DATABASE_URL"));
    assert!(!arguments.contains("a-test"), "{arguments}");
}

#[tokio::test]
async fn an_interrupted_backup_of_postgres_is_none() {
    let server = Server::start_on_postgres();
    let folder = server.folder.path();
    // Ends when nobody reads on.
    let script = "trap '' PIPE; echo begun > begun; while echo piece; do sleep 0.05; done; echo ended > ended";
    let path = replace_pg_dump(folder, "99.1", script);
    let settings = [("DATABASE_URL", server.served()), ("PATH", path.as_str())];
    let mut process = glasshouse(folder, &["backup", "backup"], &settings)
        .spawn()
        .unwrap();
    wait_for(async || folder.join("begun").exists()).await;
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(!folder.join("backup").exists());
    wait_for(async || folder.join("ended").exists()).await;
    run(
        folder,
        &["restore", "backup", "--verify"],
        &[("GLASSHOUSE_RESTORE_DATABASE_URL", server.served())],
        2,
    );
}

/// Whenever a backup is interrupted, there is a whole one or none.
#[tokio::test]
async fn an_interrupted_backup_of_sqlite_is_whole_or_none() {
    let server = Server::start_with(&[("DATABASE_URL", "sqlite://data/glasshouse.db")]);
    let folder = server.folder.path();
    for number in 0..12 {
        let name = format!("backup-{number}");
        let mut process = glasshouse(folder, &["backup", &name], &[])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let is_begun = || {
            let names = names(folder);
            names
                .iter()
                .any(|other| other.contains(&format!("{name}.incomplete")))
        };
        while process.try_wait().unwrap().is_none() && !is_begun() {
            std::thread::yield_now();
        }
        // The later, the more of it is there.
        std::thread::sleep(Duration::from_millis(number));
        drop(process.kill());
        wait(&mut process, LONG).unwrap();
        let target: PathBuf = folder.join(&name);
        if target.exists() {
            run(folder, &["restore", &name, "--verify"], &[], 0);
        }
    }
}
