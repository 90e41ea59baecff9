//! `glasshouse check` as an operator runs it: it reports what it found and what it could not check,
//! and changes nothing.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::json;
use tempfile::TempDir;

use crate::administration::{act, get};
use crate::private_data::write_private;
use crate::support::{Server, command, free_address};

fn check(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    command(folder, &free_address(), &free_address())
        .arg("check")
        .args(arguments)
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
    assert!(output.stdout.is_empty(), "no result was printed");
}

fn migrated_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let output = command(folder.path(), &free_address(), &free_address())
        .arg("migrate")
        .output()
        .unwrap();
    assert!(output.status.success());
    folder
}

#[test]
fn a_wrong_path_is_refused_and_creates_no_database() {
    let folder = TempDir::new().unwrap();
    for path in ["typo.db", "missing/folder/typo.db", "data/glasshouse.db"] {
        let url = format!("sqlite://{}", folder.path().join(path).display());
        let output = check(folder.path(), &[], &[("DATABASE_URL", &url)]);
        assert_refused(&output, "there is no file");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let text = folder.path().join("text.db");
    fs::write(&text, "not a database at all, by any means").unwrap();
    let url = format!("sqlite://{}", text.display());
    let output = check(folder.path(), &[], &[("DATABASE_URL", &url)]);
    assert_refused(&output, "is no SQLite database");
    rusqlite::Connection::open(folder.path().join("other.db"))
        .unwrap()
        .execute_batch("CREATE TABLE something (id INTEGER)")
        .unwrap();
    let url = format!("sqlite://{}", folder.path().join("other.db").display());
    let output = check(folder.path(), &[], &[("DATABASE_URL", &url)]);
    assert_refused(&output, "none of Glasshouse's");
    let nowhere = "postgres://nobody@127.0.0.1:1/nothing";
    let output = check(folder.path(), &[], &[("DATABASE_URL", nowhere)]);
    assert_refused(&output, "cannot be checked");
}

#[test]
fn a_database_of_another_version_is_refused_and_not_migrated() {
    let folder = migrated_folder();
    let path = folder.path().join("data/glasshouse.db");
    for (change, which) in [
        (
            "DELETE FROM __diesel_schema_migrations WHERE version >= '0008'",
            "an older version",
        ),
        (
            "INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')",
            "a newer version",
        ),
    ] {
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(change)
            .unwrap();
        let before = fs::read(&path).unwrap();
        assert_refused(&check(folder.path(), &[], &[]), which);
        assert!(fs::read(&path).unwrap() == before);
    }
}

#[test]
fn without_the_key_it_reports_what_it_could_not_check() {
    let folder = migrated_folder();
    let output = check(folder.path(), &[], &[]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    fs::rename(
        folder.path().join("data/audit-key"),
        folder.path().join("key_file"),
    )
    .unwrap();
    let output = check(folder.path(), &[], &[]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(
        stdout.contains("NOT CHECKED the seal of the audit log's end"),
        "{stdout}"
    );
    assert!(!stdout.contains("All invariants hold."), "{stdout}");
    assert!(
        !folder.path().join("data/audit-key").exists(),
        "a key was created"
    );
    // The key file may be anywhere.
    let key_file = folder.path().join("key_file");
    let settings = [("GLASSHOUSE_AUDIT_KEY_FILE", key_file.to_str().unwrap())];
    assert_eq!(check(folder.path(), &[], &settings).status.code(), Some(0));
    let settings = [("GLASSHOUSE_AUDIT_KEY_FILE", "nowhere")];
    assert_refused(
        &check(folder.path(), &[], &settings),
        "nowhere cannot be read",
    );
    let weak = folder.path().join("weak");
    write_private(&weak, "short");
    let settings = [("GLASSHOUSE_AUDIT_KEY_FILE", weak.to_str().unwrap())];
    assert_refused(
        &check(folder.path(), &[], &settings),
        "is not a valid audit key file",
    );
}

#[tokio::test]
async fn a_noted_hash_must_still_be_in_the_log() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let noted = || {
        let output = check(server.folder.path(), &[], &[]);
        let stdout = String::from_utf8(output.stdout).unwrap();
        let (_, hash) = stdout.split_once("Hash of the audit log: ").unwrap();
        hash.lines().next().unwrap().to_owned()
    };
    let before = noted();
    let (_, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    act(
        &administrator,
        &path,
        json!({ "balance": "5.00", "reason": "a test" }),
    )
    .await;
    let both = ["--audit-hash", &before, "--audit-hash", &noted()];
    let output = check(server.folder.path(), &both, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let other = "0123456789abcdef".repeat(4);
    let output = check(server.folder.path(), &["--audit-hash", &other], &[]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert!(
        stdout.contains(&format!("the hash {other} is not in the audit log")),
        "{stdout}"
    );
    let output = check(server.folder.path(), &["--audit-hash", "abc"], &[]);
    assert_refused(&output, "--audit-hash takes a hash");
}

#[tokio::test]
async fn databases_in_use_and_at_rest_are_not_changed() {
    let mut server = Server::start();
    let administrator = server.administrator().await;
    get(&administrator, "/api/user").await;
    let data = server.folder.path().join("data");
    let database = data.join("glasshouse.db");
    let before = fs::read(&database).unwrap();
    server.assert_clean();
    assert!(fs::read(&database).unwrap() == before);
    server.stop(std::time::Duration::from_secs(20)).unwrap();
    let list = || {
        let mut names: Vec<_> = fs::read_dir(&data)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        (names, fs::read(&database).unwrap())
    };
    let before = list();
    server.assert_clean();
    assert!(list() == before);
}

/// The export of a whole list is recorded.
#[tokio::test]
async fn exports_are_in_the_audit_log() {
    let server = Server::start();
    let administrator = server.administrator().await;
    get(&administrator, "/api/admin/export/users.csv?search=ali").await;
    let logs = get(&administrator, "/api/admin/logs").await;
    let newest = &logs[0];
    assert_eq!(newest["action"], "list_exported");
    assert_eq!(newest["adminUsername"], "admin");
    assert_eq!(newest["subject"], "list users");
    assert_eq!(newest["newValue"], "search=ali");
    assert_eq!(newest["address"], "127.0.0.1");
    server.assert_clean();
}
