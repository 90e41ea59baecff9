//! The key that server seeds are derived from: generated once, required from then on, and changed by
//! appending to its file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use glasshouse_casino::DatabaseUrl;
use serde_json::json;
use tempfile::TempDir;

use crate::private_data::write_private;
use crate::support::{Server, command, free_address};

const LONG: Duration = Duration::from_secs(20);

fn run(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    command(folder, &free_address(), &free_address())
        .args(arguments)
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// A folder with a house that has a player, and the house's seed key.
fn house_with_player() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let added = ["admin", "create", "alice"];
    assert!(run(folder.path(), &added, &[]).status.success());
    let key = folder.path().join("data/seed-key");
    (folder, key)
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}

#[test]
fn a_lost_key_is_not_replaced_by_a_new_one() {
    let (folder, key) = house_with_player();
    let text = fs::read_to_string(&key).unwrap();
    assert_eq!(text.trim().len(), 64);
    fs::remove_file(&key).unwrap();
    for arguments in [&["serve"][..], &["migrate"], &["admin", "create", "bob"]] {
        let output = run(folder.path(), arguments, &[]);
        assert_refused(
            &output,
            "data/seed-key does not exist, but the server seeds in use",
        );
        assert!(!key.exists(), "a key was created");
    }
    let output = run(folder.path(), &["check"], &[]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(
        stdout.contains("NOT CHECKED 2 unrevealed server seeds: their key"),
        "{stdout}"
    );
    assert!(!key.exists(), "a key was created");
    write_private(&key, &text);
    assert!(run(folder.path(), &["migrate"], &[]).status.success());
    let output = run(folder.path(), &["check"], &[]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.contains("Server seeds: key "), "{stdout}");
    assert!(!stdout.contains(text.trim()));
}

#[test]
fn the_wrong_key_is_refused() {
    let (folder, key) = house_with_player();
    let other = folder.path().join("other key");
    write_private(&other, &"0b5e".repeat(16));
    let path = other.to_str().unwrap();
    let settings = [("GLASSHOUSE_SEED_KEY_FILE", path)];
    for arguments in [&["serve"][..], &["migrate"]] {
        let output = run(folder.path(), arguments, &settings);
        assert_refused(&output, "server seeds in use were made with the key");
    }
    write_private(&other, "short");
    let output = run(folder.path(), &["migrate"], &settings);
    assert_refused(&output, "is not a valid seed key file");
    let output = run(
        folder.path(),
        &["migrate"],
        &[("GLASSHOUSE_SEED_KEY_FILE", "nowhere")],
    );
    assert_refused(&output, "nowhere cannot be read");
    // The file may be anywhere.
    fs::rename(&key, &other).unwrap();
    assert!(run(folder.path(), &["migrate"], &settings).status.success());
    assert!(!key.exists());
}

/// The ID of the key of the first pair, which belongs to the administrator.
fn oldest_key_in_use(server: &Server) -> String {
    let query = "SELECT key_id AS value FROM seed_pairs ORDER BY id LIMIT 1";
    server.texts(query).remove(0)
}

/// The users who have seeds of a key, by the query in `docs/operations.md#leaked-seed-key`.
fn players_with_key(server: &Server, id: &str) -> Vec<String> {
    let document = include_str!("../../../../docs/operations.md");
    let (_, section) = document
        .split_once("<a id=\"leaked-seed-key\"></a>")
        .unwrap();
    let (_, after) = section.split_once("```sql\n").unwrap();
    let (query, _) = after.split_once("```").unwrap();
    let query = query.replace("'KEY'", &format!("'{id}'"));
    server.texts(&format!(
        "SELECT username AS value FROM ({query}) AS named ORDER BY username"
    ))
}

#[tokio::test]
async fn a_key_is_changed_by_appending_a_new_one() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let file = server.folder.path().join("data/seed-key");
    let keys_in_use = |server: &Server| {
        let output = server.operate(&["check"]);
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = stdout
            .lines()
            .filter(|line| line.starts_with("Server seeds: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(keys_in_use(&server).len(), 1);
    let roll = json!({ "betAmount": "0.10", "targetNumber": 50, "betType": "over" });
    player.post("/api/dice/play", &roll).await;
    server.stop(LONG).unwrap();
    let old = fs::read_to_string(&file).unwrap();
    write_private(&file, &format!("{}\n{}\n", old.trim(), "0b5e".repeat(16)));
    server.crash_and_restart();
    let before = player.fairness().await;
    player.post("/api/dice/play", &roll).await;
    let rotation = player.rotate("after").await;
    assert_eq!(rotation["revealed"]["nonce"], 2);
    assert_eq!(
        rotation["current"]["serverSeedHash"],
        before["nextServerSeedHash"]
    );
    player.post("/api/dice/play", &roll).await;
    let old_id = oldest_key_in_use(&server);
    assert_eq!(players_with_key(&server, &old_id), ["admin", "alice"]);
    player.rotate("again").await;
    assert_eq!(players_with_key(&server, &old_id), ["admin"]);
    player.post("/api/dice/play", &roll).await;
    assert_eq!(keys_in_use(&server).len(), 2, "old pairs keep their key");
    server.assert_clean();
}

/// Each server generates a key in its own data directory, unless they share a file.
#[tokio::test]
async fn a_second_server_needs_the_same_keys() {
    let first = Server::start_on_postgres();
    let DatabaseUrl::Postgres(url) = first.database_url() else {
        panic!("not a PostgreSQL database")
    };
    let url = url.as_str();
    let data = first.folder.path().join("data");
    let audit_key = data.join("audit-key");
    let shared = [
        ("DATABASE_URL", url),
        ("GLASSHOUSE_AUDIT_KEY_FILE", audit_key.to_str().unwrap()),
    ];
    let folder = TempDir::new().unwrap();
    let output = run(folder.path(), &["migrate"], &shared);
    assert_refused(
        &output,
        "data/seed-key does not exist, but the server seeds in use",
    );
    let seed_key = data.join("seed-key");
    let both = [
        &shared[..],
        &[("GLASSHOUSE_SEED_KEY_FILE", seed_key.to_str().unwrap())],
    ]
    .concat();
    // The same holds for the key of the public log.
    let output = run(folder.path(), &["migrate"], &both);
    assert_refused(&output, "data/log-key does not exist, but the public log");
    let log_key = data.join("log-key");
    let all = [
        &both[..],
        &[("GLASSHOUSE_LOG_KEY_FILE", log_key.to_str().unwrap())],
    ]
    .concat();
    let output = run(folder.path(), &["migrate"], &all);
    assert!(output.status.success(), "{output:?}");
}
