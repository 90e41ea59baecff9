//! `glasshouse doctor`: a good house is all right, and what is wrong with another one is said in a line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::{EmptyDatabase, sql};
use tempfile::TempDir;

use crate::backups::{glasshouse, said};
use crate::private_data::write_private;
use crate::support::{Server, served_url};

const LONG: Duration = Duration::from_secs(20);

#[track_caller]
pub(crate) fn doctor(folder: &Path, settings: &[(&str, &str)], code: i32) -> String {
    let output = glasshouse(folder, &["doctor"], &[])
        // Whatever limits the machine has that the tests run on.
        .env("GLASSHOUSE_MAX_CONNECTIONS", "100")
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// Asserts that there is such a line.
#[track_caller]
pub(crate) fn assert_line(said: &str, start: &str, part: &str) {
    let is_it = |line: &str| line.starts_with(start) && line.contains(part);
    assert!(said.lines().any(is_it), "{start} … {part}\n{said}");
}

#[track_caller]
pub(crate) fn assert_all_right(said: &str) {
    let lines: Vec<&str> = said.lines().collect();
    let (last, items) = lines.split_last().unwrap();
    assert_eq!(*last, "Everything is all right.");
    assert!(items.len() > 12, "{said}");
    for line in items {
        assert!(line.starts_with("OK "), "{line}");
    }
}

/// Every file below a folder, with its content, except what SQLite's readers tell each other.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else if !path.to_str().unwrap().ends_with("-shm") {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// A folder with a house that is closed.
fn closed_house() -> TempDir {
    let folder = TempDir::new().unwrap();
    let output = glasshouse(folder.path(), &["migrate"], &[])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    folder
}

#[test]
fn a_new_house_is_all_right_and_nothing_is_made() {
    let folder = TempDir::new().unwrap();
    let said = doctor(folder.path(), &[], 0);
    assert_all_right(&said);
    assert_line(
        &said,
        "OK      Seed key: ",
        "is generated at the first start",
    );
    assert_line(
        &said,
        "OK      Database: ",
        "its tables are made at the first start",
    );
    assert_eq!(contents(folder.path()), []);
}

#[tokio::test]
async fn a_good_house_is_all_right_and_nothing_is_changed() {
    let mut server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("DATABASE_URL", "sqlite://data/glasshouse.db"),
    ]);
    server.funded_player("alice", "100.00").await;
    server.stop(LONG).unwrap();
    let folder = server.folder.path();
    let before = contents(folder);
    let said = doctor(folder, &[], 0);
    assert_all_right(&said);
    for key in ["Seed key", "Audit key", "Log key", "Second-factor key"] {
        assert_line(
            &said,
            &format!("OK      {key}: "),
            "has what the database needs",
        );
    }
    assert!(contents(folder) == before, "something was changed");
}

#[tokio::test]
async fn a_good_house_on_postgres_is_all_right() {
    let mut server = Server::start_on(EmptyDatabase::postgres_with_roles());
    server.funded_player("alice", "100.00").await;
    server.stop(LONG).unwrap();
    let settings = [("DATABASE_URL", server.served())];
    let folder = server.folder.path();
    let said = doctor(folder, &settings, 0);
    assert_all_right(&said);
    assert_line(
        &said,
        "OK      Database role: ",
        "cannot change what is append-only",
    );
    assert_line(&said, "OK      Durability: ", "are on");
    assert_line(&said, "OK      Clock: ", "agrees");
    assert!(!said.contains("a-test"), "the password was printed");

    // With the owner's role, and with settings that lose bets.
    let url = server.database_url();
    let DatabaseUrl::Postgres(owner) = &url else {
        panic!("not PostgreSQL")
    };
    let said = doctor(folder, &[("DATABASE_URL", owner)], 3);
    assert_line(
        &said,
        "WARNING Database role: ",
        "could change what is append-only",
    );
    let name = owner.rsplit_once('/').unwrap().1;
    sql(
        &url,
        &format!("ALTER DATABASE {name} SET synchronous_commit = off"),
    )
    .unwrap();
    let said = doctor(folder, &settings, 1);
    assert_line(&said, "PROBLEM Durability: ", "synchronous_commit off");
    let allowed = [settings[0], ("GLASSHOUSE_ALLOW_UNSAFE_POSTGRES", "on")];
    let said = doctor(folder, &allowed, 3);
    assert_line(&said, "WARNING Durability: ", "synchronous_commit off");
    // A role that may not migrate, on a database that lacks migrations.
    sql(
        &url,
        "DELETE FROM __diesel_schema_migrations WHERE version >= '0040'",
    )
    .unwrap();
    let said = doctor(folder, &settings, 1);
    assert_line(
        &said,
        "PROBLEM Database: ",
        "run glasshouse migrate with the owner's",
    );
}

#[test]
fn an_empty_database_of_another_role_has_a_problem() {
    let database = EmptyDatabase::postgres_with_roles();
    let folder = TempDir::new().unwrap();
    let said = doctor(folder.path(), &[("DATABASE_URL", served_url(&database))], 1);
    assert_line(&said, "PROBLEM Database: ", "this role cannot make them");
    let owner = &database.roles.as_ref().unwrap().owner_url;
    let said = doctor(folder.path(), &[("DATABASE_URL", owner)], 0);
    assert_line(&said, "OK      Database: ", "is new");
    let tables = "SELECT CAST(relname AS TEXT) AS value FROM pg_class
        WHERE relnamespace = 'public'::regnamespace";
    assert!(glasshouse_testing::texts(&database.url, tables).is_empty());
    let nowhere = [("DATABASE_URL", "postgres://me:s3cret@127.0.0.1:1/x")];
    let said = doctor(folder.path(), &nowhere, 1);
    assert_line(&said, "PROBLEM Database: ", "Check DATABASE_URL");
    assert!(!said.contains("s3cret"), "{said}");
}

#[tokio::test]
async fn a_lost_or_wrong_key_has_a_line() {
    let mut server = Server::start_with(&[("DATABASE_URL", "sqlite://data/glasshouse.db")]);
    server.funded_player("alice", "100.00").await;
    server.stop(LONG).unwrap();
    let folder = server.folder.path();
    let another_log_key = {
        let output = glasshouse(folder, &["log", "new-key"], &[])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let another_key = "5".repeat(64);
    for (file, name, other) in [
        ("seed-key", "Seed key", &another_key),
        ("audit-key", "Audit key", &another_key),
        ("second-factor-key", "Second-factor key", &another_key),
        ("log-key", "Log key", &another_log_key),
    ] {
        let path = folder.join("data").join(file);
        let right = fs::read_to_string(&path).unwrap();
        let start = format!("PROBLEM {name}: ");
        fs::remove_file(&path).unwrap();
        let said = doctor(folder, &[], 1);
        assert_line(&said, &start, "does not exist: the database needs the key");
        assert!(!path.exists(), "a key was made");
        write_private(&path, other);
        assert_line(&doctor(folder, &[], 1), &start, "is not the right file");
        write_private(&path, "short");
        assert_line(
            &doctor(folder, &[], 1),
            &start,
            "Restore the file from its backup",
        );
        // An additional key does no harm.
        write_private(&path, &format!("{}\n{other}\n", right.trim()));
        assert_all_right(&doctor(folder, &[], 0));
        write_private(&path, &right);
    }
    let secret = folder.join("data/secret");
    write_private(&secret, "short");
    assert_line(
        &doctor(folder, &[], 1),
        "PROBLEM Cookie secret: ",
        "is too short",
    );
}

#[test]
fn exposed_files_and_unusable_directories_have_a_line() {
    let folder = closed_house();
    let data = folder.path().join("data");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    let said = doctor(folder.path(), &[], 1);
    assert_line(&said, "PROBLEM Permissions: ", "Run: chmod -R go= data");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let said = doctor(folder.path(), &[("GLASSHOUSE_DATA", "file")], 1);
    assert_line(&said, "PROBLEM Data directory: ", "is not a directory");
}

#[test]
fn the_version_of_the_database_has_a_line() {
    let folder = closed_house();
    let url = DatabaseUrl::Sqlite(folder.path().join("data/glasshouse.db"));
    sql(
        &url,
        "DELETE FROM __diesel_schema_migrations WHERE version >= '0044'",
    )
    .unwrap();
    let said = doctor(folder.path(), &[], 3);
    assert_line(&said, "WARNING Database: ", "migrations are pending");
    sql(
        &url,
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')",
    )
    .unwrap();
    let said = doctor(folder.path(), &[], 1);
    assert_line(&said, "PROBLEM Database: ", "a newer version");
    fs::write(
        folder.path().join("text"),
        "no database at all, by any means",
    )
    .unwrap();
    let said = doctor(folder.path(), &[("DATABASE_URL", "sqlite://text")], 1);
    assert_line(&said, "PROBLEM Database: ", "is no SQLite database");
}

#[tokio::test]
async fn an_old_backup_has_a_line() {
    let mut server = Server::start_with(&[("DATABASE_URL", "sqlite://data/glasshouse.db")]);
    let alice = server.funded_player("alice", "100.00").await;
    crate::administration::play_round(&alice).await;
    let kept = server.folder.path().join("data/log-checkpoint");
    crate::support::wait_for(async || kept.exists()).await;
    server.stop(LONG).unwrap();
    // The name of the log, its size, its root, and the signatures.
    let text = fs::read_to_string(&kept).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "9999";
    write_private(&kept, &format!("{}\n", lines.join("\n")));
    let said = doctor(server.folder.path(), &[], 1);
    assert_line(
        &said,
        "PROBLEM Public log: 9999 entries were published",
        "an old backup",
    );
    write_private(&kept, "something else");
    let said = doctor(server.folder.path(), &[], 1);
    assert_line(&said, "PROBLEM Public log: ", "is no checkpoint");
}
