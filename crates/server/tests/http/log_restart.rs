//! The instructions of `docs/operations.md#log-key`, followed by an operator: changing the log's
//! key, restoring a backup, a lost key and a lost data directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use glasshouse_casino::DatabaseUrl;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, decode_bundle};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::receipt::SignedReceipt;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::private_data::write_private;
use crate::support::{Server, Visitor, assert_refused, command, wait_for};

const LONG: Duration = Duration::from_secs(20);

/// A command of the operator on the server's data.
fn operate(server: &Server, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let mut command = command(
        server.folder.path(),
        &server.address,
        &server.sandbox_address,
    );
    if let DatabaseUrl::Postgres(url) = server.database_url() {
        command.env("DATABASE_URL", url);
    }
    command
        .args(arguments)
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// `glasshouse log restart`, which must succeed or fail with this exit code. Returns what it said.
#[track_caller]
fn restart(server: &Server, arguments: &[&str], code: i32) -> String {
    let output = operate(server, &[&["log", "restart"], arguments].concat(), &[]);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

fn data(server: &Server, name: &str) -> PathBuf {
    server.folder.path().join("data").join(name)
}

/// The content of the only file in the data directory whose name begins like this.
fn kept_aside(server: &Server, start: &str) -> String {
    let files: Vec<PathBuf> = fs::read_dir(server.folder.path().join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(start)
        })
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    fs::read_to_string(&files[0]).unwrap()
}

async fn keys(visitor: &Visitor) -> VerifierKeys {
    let (_, keys) = visitor.get("/transparency/key").await;
    VerifierKeys::parse(keys.as_str().unwrap()).unwrap()
}

async fn try_roll(player: &Visitor) -> (StatusCode, Value) {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    player.post("/api/dice/play", &bet).await
}

async fn roll(player: &Visitor) -> SignedReceipt {
    let (status, rolled) = try_roll(player).await;
    assert_eq!(status, StatusCode::OK, "{rolled}");
    serde_json::from_value(rolled["receipt"].clone()).unwrap()
}

/// Waits until the log has this number of entries, and returns its end.
async fn log_of(visitor: &Visitor, size: u64) -> Checkpoint {
    let end = async || {
        let (_, signed) = visitor.get("/log/checkpoint").await;
        Checkpoint::open(signed.as_str().unwrap_or_default(), &keys(visitor).await).ok()
    };
    wait_for(async || end().await.is_some_and(|end| end.size >= size)).await;
    end().await.unwrap()
}

async fn entries(visitor: &Visitor, end: &Checkpoint) -> Vec<Entry> {
    let path = format!("/log/tile/entries/000.p/{}", end.size);
    let response = visitor.request(Method::GET, &path).send().await.unwrap();
    let bundle = response.bytes().await.unwrap();
    let lines = decode_bundle(&bundle, u16::try_from(end.size).unwrap()).unwrap();
    lines
        .into_iter()
        .map(|line| Entry::parse(str::from_utf8(line).unwrap()).unwrap())
        .collect()
}

/// The database of a stopped server, as a file. SQLite only.
fn database_file(server: &Server) -> PathBuf {
    data(server, "glasshouse.db")
}

fn replace_database(server: &Server, backup: &Path) {
    for suffix in ["-wal", "-shm"] {
        drop(fs::remove_file(data(
            server,
            &format!("glasshouse.db{suffix}"),
        )));
    }
    fs::copy(backup, database_file(server)).unwrap();
}

/// SQLite only: the database is put back as a file.
#[tokio::test]
async fn a_restored_backup_gets_another_log() {
    let mut server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("DATABASE_URL", "sqlite://data/glasshouse.db"),
    ]);
    let player = server.funded_player("alice", "100.00").await;
    let visitor = server.visitor();
    let old_keys = keys(&visitor).await;
    let receipt = roll(&player).await;
    log_of(&visitor, 3).await;
    assert!(
        operate(&server, &["backup", "backup"], &[])
            .status
            .success()
    );
    roll(&player).await;
    let old = log_of(&visitor, 4).await;
    assert!(restart(&server, &[], 2).contains("stop all servers"));

    // 1. The backup is restored; the server refuses bets.
    server.stop(LONG).unwrap();
    replace_database(&server, &server.folder.path().join("backup/glasshouse.db"));
    server.crash_and_restart();
    assert_refused(&try_roll(&player).await, 503, "public_log_unavailable");
    // 2. The command says what it would do.
    assert!(restart(&server, &["--yes"], 2).contains("stop all servers"));
    server.stop(LONG).unwrap();
    let (key, kept) = (
        fs::read(data(&server, "log-key")),
        fs::read(data(&server, "log-checkpoint")),
    );
    let said = restart(&server, &[], 2);
    for part in [
        "with 3 entries.\n",
        "/glasshouse with 4 entries.\n",
        "The 0 entries that wait",
        "log-key will be renamed to data/log-key-until-",
        "log-checkpoint will be renamed",
        "Nothing was changed",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(fs::read(data(&server, "log-key")).unwrap(), key.unwrap());
    assert_eq!(
        fs::read(data(&server, "log-checkpoint")).unwrap(),
        kept.unwrap()
    );
    // 3. Another log begins.
    let said = restart(&server, &["--yes"], 0);
    assert!(said.contains("has begun, with 3 entries"), "{said}");
    assert!(SigningFile(&kept_aside(&server, "log-key-until-")).is_of(&old_keys));
    let aside = kept_aside(&server, "log-checkpoint-until-");
    assert_eq!(Checkpoint::open(&aside, &old_keys).unwrap(), old);
    // 5. Bets are accepted again.
    server.crash_and_restart();
    let new_keys = keys(&visitor).await;
    for key in new_keys.iter() {
        assert!(said.contains(key), "{said}");
    }
    let new_receipt = roll(&player).await;
    new_receipt.verify(&new_keys).unwrap();
    let end = log_of(&visitor, 4).await;
    let all = entries(&visitor, &end).await;
    let Entry::Restart(first) = &all[0] else {
        panic!("{all:?}")
    };
    assert_eq!((first.size, first.root), (old.size, old.root));
    assert_eq!(first.origin, old_keys.origin().to_string());
    // The receipt of before the backup stays as it was.
    let (_, again) = player.get("/api/rounds/1/receipt").await;
    assert_eq!(
        serde_json::from_value::<SignedReceipt>(again).unwrap(),
        receipt
    );
    receipt.verify(&old_keys).unwrap();
    server.assert_clean();
}

/// A file of private keys.
struct SigningFile<'t>(&'t str);

impl SigningFile<'_> {
    fn is_of(&self, keys: &VerifierKeys) -> bool {
        let signing = glasshouse_transparency::keys::SigningKeys::parse(self.0).unwrap();
        signing.verifier_keys().to_string() == keys.to_string()
    }
}

#[tokio::test]
async fn a_lost_log_key_ends_the_log_and_another_one_follows() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let visitor = server.visitor();
    roll(&player).await;
    let old = log_of(&visitor, 3).await;
    server.stop(LONG).unwrap();
    fs::remove_file(data(&server, "log-key")).unwrap();
    // The server does not start, and generates no key.
    for arguments in [&["serve"][..], &["migrate"], &["admin", "create", "bob"]] {
        let output = operate(&server, arguments, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("log-key does not exist, but the public log"),
            "{said}"
        );
        assert!(said.contains("glasshouse log restart"), "{said}");
        assert!(!data(&server, "log-key").exists());
    }
    assert!(restart(&server, &[], 2).contains("Nothing was changed"));
    assert!(!data(&server, "log-key").exists());
    let said = restart(&server, &["--yes", "--origin", "house.example/again"], 0);
    assert!(
        said.contains("The log house.example/again has begun"),
        "{said}"
    );
    server.crash_and_restart();
    roll(&player).await;
    let end = log_of(&visitor, 4).await;
    let all = entries(&visitor, &end).await;
    assert!(
        matches!(&all[0], Entry::Restart(first) if first.root == old.root),
        "{all:?}"
    );
    server.assert_clean();
}

#[tokio::test]
async fn a_key_file_of_the_operator_is_not_replaced() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    roll(&player).await;
    log_of(&server.visitor(), 3).await;
    server.stop(LONG).unwrap();
    let file = server.folder.path().join("operators-key");
    fs::rename(data(&server, "log-key"), &file).unwrap();
    let settings = [("GLASSHOUSE_LOG_KEY_FILE", file.to_str().unwrap())];
    let restart = |arguments: &[&str]| {
        let output = operate(
            &server,
            &[&["log", "restart"], arguments].concat(),
            &settings,
        );
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let before = fs::read(&file).unwrap();
    let (code, said) = restart(&["--yes", "--origin", "house.example/2"]);
    assert_eq!(code, Some(2), "{said}");
    let advice = "glasshouse log new-key --origin house.example/2";
    assert!(said.contains(advice), "{said}");
    assert_eq!(fs::read(&file).unwrap(), before);
    // The advice is followed.
    let made = operate(
        &server,
        &advice.split(' ').skip(1).collect::<Vec<_>>(),
        &settings,
    );
    fs::rename(&file, server.folder.path().join("old-key")).unwrap();
    write_private(&file, std::str::from_utf8(&made.stdout).unwrap());
    let (code, said) = restart(&["--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("The log house.example/2 has begun"), "{said}");
}

#[tokio::test]
async fn the_log_key_is_changed_by_appending_one() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let visitor = server.visitor();
    roll(&player).await;
    log_of(&visitor, 3).await;
    let old = keys(&visitor).await;
    let made = operate(&server, &["log", "new-key"], &[]);
    assert!(made.status.success() && made.stderr.is_empty());
    let file = data(&server, "log-key");
    let line = String::from_utf8(made.stdout).unwrap();
    let both = format!("{}{line}", fs::read_to_string(&file).unwrap());
    fs::write(&file, &both).unwrap();
    server.crash_and_restart();
    // Both keys sign, and the log names the new one.
    let all = keys(&visitor).await;
    assert_eq!(all.iter().count(), 2);
    let receipt = roll(&player).await;
    receipt.verify(&old).unwrap();
    let end = log_of(&visitor, 5).await;
    let named = entries(&visitor, &end).await;
    let named = named.iter().filter(|entry| matches!(entry, Entry::Key(_)));
    assert_eq!(named.count(), 2);
    // The old line is removed.
    fs::write(&file, &line).unwrap();
    server.crash_and_restart();
    let new = keys(&visitor).await;
    let receipt = roll(&player).await;
    receipt.verify(&new).unwrap();
    receipt.verify(&old).unwrap_err();
    log_of(&visitor, end.size + 1).await;
}

#[tokio::test]
async fn without_its_last_checkpoint_a_server_trusts_the_database() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let visitor = server.visitor();
    roll(&player).await;
    let old = log_of(&visitor, 3).await;
    server.stop(LONG).unwrap();
    let kept = data(&server, "log-checkpoint");
    let text = fs::read_to_string(&kept).unwrap();
    fs::remove_file(&kept).unwrap();
    fs::remove_file(data(&server, "secret")).unwrap();
    server.crash_and_restart();
    wait_for(async || kept.exists()).await;
    assert_eq!(fs::read_to_string(&kept).unwrap(), text);
    assert_eq!(log_of(&visitor, 3).await, old);
    // Users sign in again.
    assert_refused(&try_roll(&player).await, 401, "not_signed_in");
    let player = server.funded_player("bob", "100.00").await;
    roll(&player).await;
    log_of(&visitor, 4).await;
    server.assert_clean();
}

#[tokio::test]
async fn a_house_without_a_log_has_nothing_to_follow() {
    let folder = tempfile::TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let address = crate::support::free_address();
        let output = command(folder.path(), &address, &address)
            .args(arguments)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said) = run(&["log", "restart", "--yes"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("has no log"), "{said}");
    assert!(!folder.path().join("data").exists());
    run(&["migrate"]);
    let (code, said) = run(&["log", "restart", "--yes"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("there is none yet that it could follow"),
        "{said}"
    );
    let (code, said) = run(&["log", "new-key", "--origin", "no name"]);
    assert_eq!(code, Some(2), "{said}");
}
