//! `glasshouse restore`, as an operator practises it: a house is backed up while it is played on, the backup is
//! tried out, restored and opened, and a damaged one is refused.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::{EmptyDatabase, texts};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::backups::{back_up, database_file, glasshouse, manifest, mode, names, run, said, url};
use crate::sandbox_payments::{create_deposit, open_payment, submit_form, wait_for_deposit};
use crate::support::{PASSWORD, Server, Visitor, url_of};

async fn roll(player: &Visitor) {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, rolled) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{rolled}");
}

/// Waits for a process while a player plays on: at least one round is played.
async fn play_until_it_ends(process: &mut Child, player: &Visitor) {
    loop {
        roll(player).await;
        if process.try_wait().unwrap().is_some() {
            return;
        }
    }
}

async fn deposit(player: &Visitor, amount: &str) {
    let created = create_deposit(player, amount).await;
    let payment = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    submit_form(&payment, "action=pay_full").await;
    let invoice = &created["deposit"]["invoiceId"];
    wait_for_deposit(player, invoice, |answer| answer["processed"] == true).await;
}

/// Verifies a backup, of which nothing is left.
fn try_out(server: &Server, backup: &str) {
    let scratch = server.is_on_postgres().then(EmptyDatabase::postgres);
    let into = scratch.as_ref().map(|scratch| url_of(scratch).to_owned());
    let settings: Vec<(&str, &str)> = into
        .iter()
        .map(|url| ("GLASSHOUSE_RESTORE_DATABASE_URL", url.as_str()))
        .collect();
    let temporary = TempDir::new().unwrap();
    let temporary_variable = [("TMPDIR", temporary.path().to_str().unwrap())];
    let said = run(
        server.folder.path(),
        &["restore", backup, "--verify"],
        &[&settings[..], &temporary_variable].concat(),
        0,
    );
    assert!(said.contains("Verified: "), "{said}");
    assert!(said.contains("holds the database has what the manifest says"));
    assert!(names(temporary.path()).is_empty());
    if let Some(scratch) = &scratch {
        assert_eq!(objects(scratch), Vec::<String>::new());
    }
}

/// Backs a house up while it is played on, tries the backup out, restores it elsewhere and opens it.
async fn rehearse(server: Server) {
    let alice = server.funded_player("alice", "100.00").await;
    let bob = server.funded_player("bob", "100.00").await;
    deposit(&alice, "50.00").await;
    roll(&alice).await;
    let balance = alice.balance().await;
    let place = TempDir::new().unwrap();
    let (backup, keys) = (place.path().join("backup"), place.path().join("keys"));
    let (backup, keys) = (backup.to_str().unwrap(), keys.to_str().unwrap());
    let own_url = url(&server);
    let mut process = glasshouse(
        server.folder.path(),
        &["backup", backup, "--keys", keys],
        &[("DATABASE_URL", &own_url)],
    )
    .stdout(Stdio::null())
    .spawn()
    .unwrap();
    play_until_it_ends(&mut process, &bob).await;
    assert!(process.wait().unwrap().success());
    roll(&bob).await;

    try_out(&server, backup);

    // It is restored on a new machine, which has only the backup and the keys.
    let folder = TempDir::new().unwrap();
    fs::rename(keys, folder.path().join("data")).unwrap();
    let empty = server.is_on_postgres().then(EmptyDatabase::postgres);
    let into = match &empty {
        Some(database) => url_of(database).to_owned(),
        None => "sqlite://data/glasshouse.db".to_owned(),
    };
    let restore = ["restore", backup, "--into", &into];
    let said = run(folder.path(), &restore, &[], 0);
    assert!(
        said.contains("All keys that the database needs are here."),
        "{said}"
    );
    assert!(said.contains("ask an auditor or a witness"), "{said}");
    if empty.is_none() {
        assert_eq!(mode(&folder.path().join("data/glasshouse.db")), 0o600);
    }
    let said = run(folder.path(), &restore, &[], 2);
    assert!(said.contains("Nothing is overwritten") || said.contains("nothing is overwritten"));
    let settings = [("DATABASE_URL", into.as_str())];
    run(folder.path(), &["check", "--copy"], &settings, 0);

    // The house is opened on it.
    let restored = server.start_restored(folder, &into);
    let visitor = restored.visitor();
    let body = json!({ "username": "alice", "password": PASSWORD });
    let (status, user) = visitor.post("/api/login", &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(visitor.balance().await, balance);
    roll(&visitor).await;
    run(restored.folder.path(), &["check"], &settings, 0);
    server.assert_clean();
}

fn objects(database: &EmptyDatabase) -> Vec<String> {
    texts(
        &database.url,
        "SELECT CAST(relname AS TEXT) AS value FROM pg_class
         WHERE relnamespace = 'public'::regnamespace
         UNION ALL SELECT CAST(proname AS TEXT) FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace",
    )
}

#[tokio::test]
async fn a_restored_house_is_the_same_on_sqlite() {
    rehearse(Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("DATABASE_URL", "sqlite://data/glasshouse.db"),
        ("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "20"),
    ]))
    .await;
}

#[tokio::test]
async fn a_restored_house_is_the_same_on_postgres() {
    rehearse(Server::start_on_postgres()).await;
}

/// The role of servers can read everything, so it can also make backups.
#[tokio::test]
async fn a_house_whose_servers_own_nothing_is_backed_up_and_restored() {
    let server = Server::start_on(EmptyDatabase::postgres_with_roles());
    let backup = server.folder.path().join("backup");
    let said = said(&operate_on_postgres(&server, &["backup", "backup"]));
    assert!(backup.join("manifest.json").exists(), "{said}");
    let target = EmptyDatabase::postgres_with_roles();
    let roles = target.roles.clone().unwrap();
    let file = server.folder.path().join("restored-url");
    std::fs::write(&file, format!("{}\n", roles.owner_url)).unwrap();
    let file = file.to_str().unwrap();
    let settings = [("GLASSHOUSE_RESTORE_DATABASE_URL_FILE", file)];
    let restore = ["restore", "backup"];
    let said = run(
        server.folder.path(),
        &[&restore[..], &["--verify"]].concat(),
        &settings,
        0,
    );
    assert!(said.contains("The database was emptied again."), "{said}");
    let said = run(server.folder.path(), &restore, &settings, 0);
    assert!(
        said.contains("run glasshouse migrate with the owner's"),
        "{said}"
    );
    // With a password, the URL must not be on the command line.
    let said = run(
        server.folder.path(),
        &["restore", "backup", "--into", &roles.owner_url],
        &[],
        2,
    );
    assert!(said.contains("Set GLASSHOUSE_RESTORE_DATABASE_URL or GLASSHOUSE_RESTORE_DATABASE_URL_FILE in the environment"));
    assert!(!said.contains("a-test"), "{said}");
    let both = [
        ("GLASSHOUSE_RESTORE_DATABASE_URL", "sqlite://new.db"),
        settings[0],
    ];
    let said = run(server.folder.path(), &restore, &both, 2);
    assert!(said.contains("are both set: remove one of them"), "{said}");
}

fn operate_on_postgres(server: &Server, arguments: &[&str]) -> Output {
    let settings = [("DATABASE_URL", server.served())];
    glasshouse(server.folder.path(), arguments, &settings)
        .output()
        .unwrap()
}

/// Damages a file in every way that a disk or a person could.
fn damages(file: &Path) -> Vec<(&'static str, Option<Vec<u8>>)> {
    let whole = fs::read(file).unwrap();
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    let mut longer = whole.clone();
    longer.push(0);
    vec![
        ("a bit", Some(changed)),
        ("the end", Some(whole[..whole.len() - 1].to_vec())),
        ("more", Some(longer)),
        ("missing", None),
    ]
}

async fn refuse_damage(server: Server) {
    server.funded_player("alice", "100.00").await;
    back_up(&server, &["backup"], 0);
    let folder = server.folder.path();
    let file = folder.join("backup").join(database_file(&server));
    let empty = server.is_on_postgres().then(EmptyDatabase::postgres);
    let into = match &empty {
        Some(database) => url_of(database).to_owned(),
        None => "sqlite://restored.db".to_owned(),
    };
    let verify: &[&str] = match &empty {
        Some(_) => &["restore", "backup", "--verify", "--into", &into],
        None => &["restore", "backup", "--verify"],
    };
    let whole = fs::read(&file).unwrap();
    for (name, content) in damages(&file) {
        match content {
            Some(content) => fs::write(&file, content).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        for arguments in [verify, &["restore", "backup", "--into", &into]] {
            let said = run(folder, arguments, &[], 1);
            assert!(said.contains("DAMAGED"), "{name}: {said}");
            assert!(said.contains("Nothing was restored."), "{name}: {said}");
        }
        assert!(!folder.join("restored.db").exists(), "{name}");
        if let Some(database) = &empty {
            assert_eq!(objects(database), Vec::<String>::new(), "{name}");
        }
    }
    fs::write(&file, whole).unwrap();
    run(folder, verify, &[], 0);
    assert_eq!(names(folder), ["backup", "data"]);
}

#[tokio::test]
async fn a_damaged_backup_of_sqlite_is_refused() {
    refuse_damage(Server::start_with(&[(
        "DATABASE_URL",
        "sqlite://data/glasshouse.db",
    )]))
    .await;
}

#[tokio::test]
async fn a_damaged_backup_of_postgres_is_refused() {
    refuse_damage(Server::start_on_postgres()).await;
}

/// Somebody who changes the copy and the sum in the manifest is found out by the check.
#[tokio::test]
async fn a_forged_backup_is_found_out() {
    let server = Server::start_with(&[("DATABASE_URL", "sqlite://data/glasshouse.db")]);
    server.funded_player("alice", "100.00").await;
    back_up(&server, &["backup"], 0);
    let folder = server.folder.path();
    let backup = folder.join("backup");
    let file = backup.join("glasshouse.db");
    glasshouse_testing::sql(
        &DatabaseUrl::Sqlite(file.clone()),
        "UPDATE accounts SET balance_cents = balance_cents + 1000",
    )
    .unwrap();
    let mut manifest = manifest(&backup);
    let content = fs::read(&file).unwrap();
    manifest["files"]["glasshouse.db"] =
        json!({ "bytes": content.len(), "sha256": hex::encode(Sha256::digest(&content)) });
    let write = |manifest: &Value| {
        fs::write(backup.join("manifest.json"), manifest.to_string()).unwrap();
    };
    write(&manifest);
    let said = run(folder, &["restore", "backup", "--verify"], &[], 1);
    assert!(said.contains("BROKEN in 2"), "{said}");
    // Nor can the manifest say something else than what is there.
    back_up(&server, &["again"], 0);
    let again = folder.join("again");
    let mut manifest: Value = self::manifest(&again);
    manifest["contents"]["counts"]["users"] = json!(1);
    fs::write(again.join("manifest.json"), manifest.to_string()).unwrap();
    let said = run(folder, &["restore", "again", "--verify"], &[], 1);
    assert!(
        said.contains("BROKEN the database does not have what the manifest says"),
        "{said}"
    );
    let foreign = "0".repeat(64);
    let noted = ["restore", "again", "--verify", "--audit-hash", &foreign];
    run(folder, &noted, &[], 1);
}

#[tokio::test]
async fn a_backup_is_restored_only_where_it_belongs() {
    let server = Server::start_with(&[("DATABASE_URL", "sqlite://data/glasshouse.db")]);
    let folder = server.folder.path();
    back_up(&server, &["backup"], 0);
    fs::write(folder.join("journal.db-wal"), "of another database").unwrap();
    for (arguments, reason) in [
        (&["backup"][..], "Give --into the URL"),
        (
            &["backup", "--verify", "--into", "sqlite://x.db"],
            "leave --into out",
        ),
        (
            &["backup", "--into", "postgres://nobody@127.0.0.1:1/x"],
            "is of a SQLite database",
        ),
        (
            &["backup", "--into", "sqlite://data/glasshouse.db"],
            "already exists",
        ),
        (
            &["backup", "--into", "sqlite://journal.db"],
            "already exists",
        ),
        (&["data", "--verify"], "is no backup"),
    ] {
        let said = run(folder, &[&["restore"], arguments].concat(), &[], 2);
        assert!(said.contains(reason), "{reason}: {said}");
    }
    // Without the keys, not everything can be checked.
    let keyless = [("GLASSHOUSE_DATA", "elsewhere")];
    let said = run(folder, &["restore", "backup", "--verify"], &keyless, 3);
    assert!(said.contains("not everything could be checked"), "{said}");
    let restore = ["restore", "backup", "--into", "sqlite://new/place.db"];
    let said = run(folder, &restore, &keyless, 3);
    assert!(said.contains("Restore the seed key "), "{said}");
    assert_eq!(mode(&folder.join("new")), 0o700);
}
