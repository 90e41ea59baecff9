//! The house's files are private to their owner; otherwise the house refuses to start.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use glasshouse_transparency::keys::new_private_key;
use glasshouse_transparency::origin::Origin;
use secrecy::ExposeSecret as _;
use tempfile::TempDir;

use crate::support::{Server, command, free_address};

/// Creates a directory with the mode the house uses.
pub(crate) fn make_private(folder: &Path) {
    DirBuilder::new().mode(0o700).create(folder).unwrap();
}

/// Creates a file with the mode the house uses.
pub(crate) fn write_private(path: &Path, text: &str) {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600);
    file.open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn run(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    command(folder, &free_address(), &free_address())
        .args(arguments)
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// Asserts that the command is refused with one line that ends in a command, and that `migrate` works
/// after running it.
#[track_caller]
fn assert_fixed_by_advice(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) {
    let output = run(folder, arguments, settings);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let (_, advice) = stderr.trim().split_once("Run: ").unwrap();
    let fixed = Command::new("sh")
        .args(["-c", advice])
        .current_dir(folder)
        .status();
    assert!(fixed.unwrap().success(), "{advice}");
    let output = run(folder, &["migrate"], settings);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "after {advice}: {stderr}");
}

#[tokio::test]
async fn the_houses_files_are_private_to_their_owner() {
    let server = Server::start();
    server.player("alice").await;
    let data = server.folder.path().join("data");
    assert_eq!(mode(&data), 0o700);
    let mut names = Vec::new();
    for entry in fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    for expected in [
        "audit-key",
        "glasshouse.db",
        "glasshouse.db-wal",
        "sandbox-keys.json",
        "second-factor-key",
        "secret",
        "seed-key",
    ] {
        assert!(names.iter().any(|name| name == expected), "{names:?}");
    }
}

/// As an earlier version created it.
#[test]
fn a_directory_readable_by_others_is_refused() {
    for arguments in [&["serve"][..], &["migrate"], &["admin", "grant", "nobody"]] {
        let folder = TempDir::new().unwrap();
        assert!(run(folder.path(), &["migrate"], &[]).status.success());
        let data = folder.path().join("data");
        set_mode(&data, 0o755);
        for file in ["glasshouse.db", "audit-key", "seed-key"] {
            set_mode(&data.join(file), 0o644);
        }
        assert_fixed_by_advice(folder.path(), arguments, &[]);
        assert_eq!(mode(&data), 0o700);
        assert_eq!(mode(&data.join("glasshouse.db")), 0o600);
        // One readable file in it is enough.
        set_mode(&data.join("audit-key"), 0o604);
        assert_fixed_by_advice(folder.path(), arguments, &[]);
    }
}

/// The line of a private key.
fn new_log_key() -> String {
    let origin = Origin::parse("house.example/glasshouse").unwrap();
    new_private_key(&origin, [7; 32]).expose_secret().to_owned()
}

#[test]
fn a_database_and_a_key_outside_the_directory_are_checked_too() {
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("the books.db");
    let url = format!("sqlite://{}", database.display());
    let key = folder.path().join("key");
    write_private(&key, &"5ea1".repeat(16));
    let seed_key = folder.path().join("seed key");
    write_private(&seed_key, &"5eed".repeat(16));
    let log_key = folder.path().join("log key");
    write_private(&log_key, &new_log_key());
    let settings = [
        ("DATABASE_URL", url.as_str()),
        ("GLASSHOUSE_AUDIT_KEY_FILE", key.to_str().unwrap()),
        ("GLASSHOUSE_SEED_KEY_FILE", seed_key.to_str().unwrap()),
        ("GLASSHOUSE_LOG_KEY_FILE", log_key.to_str().unwrap()),
    ];
    assert!(run(folder.path(), &["migrate"], &settings).status.success());
    assert_eq!(mode(&database), 0o600);
    for file in [&database, &key, &seed_key, &log_key] {
        set_mode(file, 0o640);
        assert_fixed_by_advice(folder.path(), &["serve"], &settings);
        assert_eq!(mode(file), 0o600);
    }
}

#[test]
fn the_data_directory_is_created_although_all_keys_are_elsewhere() {
    let folder = TempDir::new().unwrap();
    let migrate = |settings: &[(&str, &str)]| {
        let output = run(folder.path(), &["migrate"], settings);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
    };
    // The first server makes the keys, and others get them.
    migrate(&[]);
    let keys = folder.path().join("keys");
    fs::rename(folder.path().join("data"), &keys).unwrap();
    let database = format!("sqlite://{}", keys.join("glasshouse.db").display());
    let paths = [
        ("GLASSHOUSE_AUDIT_KEY_FILE", "audit-key"),
        ("GLASSHOUSE_SEED_KEY_FILE", "seed-key"),
        ("GLASSHOUSE_LOG_KEY_FILE", "log-key"),
        ("GLASSHOUSE_SECOND_FACTOR_KEY_FILE", "second-factor-key"),
    ]
    .map(|(setting, file)| (setting, keys.join(file).display().to_string()));
    let mut settings: Vec<(&str, &str)> = vec![("DATABASE_URL", &database)];
    settings.extend(paths.iter().map(|(name, path)| (*name, path.as_str())));
    migrate(&settings);
    // The server keeps the last checkpoint of the public log there.
    assert_eq!(mode(&folder.path().join("data")), 0o700);
}
