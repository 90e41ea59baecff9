//! Everything that is stored about a user, as one zip file.

use std::io::{Cursor, Read as _};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::administration::{get, pages};
use crate::email::{ADDRESS, verify_address};
use crate::support::{PASSWORD, Server, Visitor, assert_limited, assert_refused, read};

const EXPORT: &str = "/api/account/export";

/// The files of an archive, each with its name.
type Files = Vec<(String, String)>;

/// Downloads everything and opens the archive.
async fn download(visitor: &Visitor) -> Files {
    let request = visitor.request(Method::POST, EXPORT);
    let request = request.json(&json!({ "password": PASSWORD }));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "application/zip");
    assert_eq!(header("cache-control"), "no-store");
    assert!(header("content-disposition").contains("glasshouse-data.zip"));
    let mut archive = ZipArchive::new(Cursor::new(response.bytes().await.unwrap())).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut text = String::new();
        // Also compares the checksum.
        file.read_to_string(&mut text).unwrap();
        files.push((name, text));
    }
    files
}

fn text<'f>(files: &'f Files, name: &str) -> &'f str {
    let file = files.iter().find(|(other, _)| other == name);
    &file.unwrap_or_else(|| panic!("{name} is missing")).1
}

fn json_of(files: &Files, name: &str) -> Value {
    serde_json::from_str(text(files, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The number of rows below the header line.
fn rows(csv: &str) -> usize {
    csv::Reader::from_reader(csv.as_bytes())
        .records()
        .map(Result::unwrap)
        .count()
}

/// A player about whom something is stored of every kind but deposits, the player's ID, and the token of a
/// link that the player has followed.
async fn busy_player(server: &Server) -> (Visitor, i64, String) {
    let alice = server.funded_player("alice", "1000.00").await;
    for nonce in 0..3 {
        let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "under" });
        let played = alice.post("/api/dice/play", &bet).await;
        assert_eq!(played.0, StatusCode::OK, "{nonce}: {}", played.1);
    }
    alice.rotate("my-own-seed").await;
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "under" });
    alice.post("/api/dice/play", &bet).await;
    let withdrawal = json!({
        "amount": "25.00",
        "currency": "btc",
        "walletAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    });
    let (status, answer) = alice.post("/api/withdraw-requests", &withdrawal).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    let limit = json!({ "value": "500.00" });
    let (status, answer) = alice.put("/api/limits/stake/day", &limit).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let token = verify_address(server, &alice).await;
    let changed = json!({ "email": "new@example.com", "password": PASSWORD });
    let pending = alice.put("/api/account/email", &changed).await;
    assert_eq!(pending.0, StatusCode::ACCEPTED, "{}", pending.1);
    let id = get(&alice, "/api/user").await["id"].as_i64().unwrap();
    (alice, id, token)
}

#[tokio::test]
async fn an_export_contains_what_is_stored() {
    let server = Server::start();
    let (alice, id, _) = busy_player(&server).await;
    let files = download(&alice).await;
    assert_eq!(
        json_of(&files, "profile.json"),
        get(&alice, "/api/user").await
    );
    for (name, path) in [
        ("deposits.json", "/api/deposits"),
        ("withdrawals.json", "/api/withdraw-requests"),
        ("receipts.json", "/api/receipts"),
        ("former-seeds.json", "/api/fairness/pairs"),
        ("daily-statements.json", "/api/statements"),
        ("limit-changes.json", "/api/limits/changes"),
        ("exclusions.json", "/api/exclusions"),
        ("seeds.json", "/api/fairness"),
        ("email.json", "/api/account/email"),
    ] {
        assert_eq!(json_of(&files, name), get(&alice, path).await, "{name}");
    }
    assert_eq!(
        json_of(&files, "limits.json")["limits"],
        get(&alice, "/api/limits").await["limits"]
    );
    let count = |table: &str| {
        let query =
            format!("SELECT CAST(COUNT(*) AS TEXT) AS value FROM {table} WHERE player_id = {id}");
        server.texts(&query).concat().parse::<usize>().unwrap()
    };
    assert_eq!(rows(text(&files, "ledger.csv")), count("ledger_entries"));
    assert_eq!(rows(text(&files, "rounds.csv")), count("rounds"));
    assert_eq!(count("rounds"), 4);
    let sessions = json_of(&files, "sessions.json");
    assert_eq!(sessions.as_array().unwrap().len(), 1);
    // Recorded before the archive was made.
    let events = pages(&alice, "/api/account/security-events?limit=5").await;
    assert_eq!(events[0]["kind"], "data_exported");
    let exported = json_of(&files, "security-events.json");
    assert_eq!(exported.as_array().unwrap().len(), events.len());
    server.assert_clean();
}

#[tokio::test]
async fn an_export_contains_addresses_and_mails_without_their_links() {
    let server = Server::start();
    let (alice, _, token) = busy_player(&server).await;
    let files = download(&alice).await;
    assert_eq!(
        json_of(&files, "withdrawal-addresses.json"),
        get(&alice, "/api/account/withdrawal-addresses").await["addresses"]
    );
    let addresses = json_of(&files, "email-addresses.json");
    assert_eq!(addresses.as_array().unwrap().len(), 1);
    assert_eq!(addresses[0]["address"], ADDRESS);
    assert_eq!(addresses[0]["removedAt"], Value::Null);
    let mails = json_of(&files, "mails.json");
    let kinds: Vec<_> = mails
        .as_array()
        .unwrap()
        .iter()
        .map(|mail| (mail["kind"].as_str().unwrap(), &mail["recipient"]))
        .collect();
    // The newest first: this export is told as well.
    assert_eq!(
        kinds,
        [
            ("notice", &json!(ADDRESS)),
            ("verify_address", &json!("new@example.com")),
            ("verify_address", &json!(ADDRESS)),
        ]
    );
    for (name, text) in &files {
        assert!(!text.contains(&token), "{name}");
    }
}

#[tokio::test]
async fn an_export_explains_itself_and_contains_no_secrets() {
    let server = Server::start();
    let (_, other_id) = server.player("stranger").await;
    let (alice, id, _) = busy_player(&server).await;
    let files = download(&alice).await;
    // Every file is explained, and nothing is in the archive but what is explained.
    let readme = text(&files, "README.txt");
    assert!(readme.contains("alice"), "{readme}");
    for (name, _) in &files {
        assert!(
            name == "README.txt" || readme.contains(name.as_str()),
            "{name}"
        );
    }
    let everything: String = files.iter().map(|(_, text)| text.as_str()).collect();
    let secrets = [
        format!("SELECT password_hash AS value FROM users WHERE id = {id}"),
        format!("SELECT key_hash AS value FROM sessions WHERE user_id = {id}"),
        format!("SELECT token_hash AS value FROM email_verifications WHERE user_id = {id}"),
        format!("SELECT seed_salt AS value FROM accounts WHERE player_id = {id}"),
        format!("SELECT username AS value FROM users WHERE id = {other_id}"),
        format!("SELECT server_seed_hash AS value FROM accounts WHERE player_id = {other_id}"),
    ];
    for query in secrets {
        let found = server.texts(&query);
        assert!(!found.is_empty(), "{query}");
        for secret in found {
            assert!(!everything.contains(&secret), "{query}");
        }
    }
    // The seeds of the last round are not revealed.
    let mut reader = csv::Reader::from_reader(text(&files, "rounds.csv").as_bytes());
    let columns = reader.headers().unwrap().clone();
    let column = columns
        .iter()
        .position(|name| name == "serverSeed")
        .unwrap();
    let seeds: Vec<String> = reader
        .records()
        .map(|row| row.unwrap()[column].to_owned())
        .collect();
    assert_eq!(
        seeds.iter().filter(|seed| seed.is_empty()).count(),
        1,
        "{seeds:?}"
    );
}

/// The file that contains what a table has of a user. Totals, and links and ceremonies that wait to be
/// completed, follow from what is in the file.
const FILE_OF_TABLE: &[(&str, &str)] = &[
    ("accounts", "profile.json"),
    ("authenticator_enrolments", "second-factor.json"),
    ("authenticators", "second-factor.json"),
    ("daily_play_time", "playing-time.json"),
    ("daily_statements", "daily-statements.json"),
    ("declined_notices", "email.json"),
    ("deposits", "deposits.json"),
    ("email_addresses", "email-addresses.json"),
    ("email_verifications", "email.json"),
    ("exclusions", "exclusions.json"),
    ("hourly_statistics", "rounds.csv"),
    ("ledger_entries", "ledger.csv"),
    ("limit_changes", "limit-changes.json"),
    ("mails", "mails.json"),
    ("money_acts", "ledger.csv"),
    ("passkey_ceremonies", "second-factor.json"),
    ("passkeys", "second-factor.json"),
    ("password_recoveries", "mails.json"),
    ("payment_credits", "payments.json"),
    ("player_limits", "limits.json"),
    ("player_statistics", "rounds.csv"),
    ("reality_checks", "limits.json"),
    ("receipts", "receipts.json"),
    ("recovery_codes", "second-factor.json"),
    ("rounds", "rounds.csv"),
    ("security_events", "security-events.json"),
    ("seed_pairs", "former-seeds.json"),
    ("sessions", "sessions.json"),
    ("terms_acceptances", "accepted-terms.json"),
    ("withdrawal_addresses", "withdrawal-addresses.json"),
    ("withdrawals", "withdrawals.json"),
];

/// What administrators write about users, and what the house is told of them, is internal, like the audit log.
const INTERNAL: [&str; 2] = ["alerts", "proposals"];

/// Fails for a new table about users until somebody has decided in which file its rows are.
#[tokio::test]
async fn every_table_about_users_has_its_file() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let files = download(&alice).await;
    let tables = server.texts(if server.is_on_postgres() {
        "SELECT DISTINCT CAST(table_name AS TEXT) COLLATE \"C\" AS value
         FROM information_schema.columns
         WHERE table_schema = 'public' AND column_name IN ('player_id', 'user_id') ORDER BY value"
    } else {
        "SELECT DISTINCT m.name AS value FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name IN ('player_id', 'user_id') ORDER BY m.name"
    });
    let mut known: Vec<&str> = FILE_OF_TABLE.iter().map(|(table, _)| *table).collect();
    known.extend(INTERNAL);
    known.sort_unstable();
    assert_eq!(tables, known);
    for (_, file) in FILE_OF_TABLE {
        text(&files, file);
    }
}

#[tokio::test]
async fn an_export_needs_the_password_of_whoever_is_signed_in() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let right = json!({ "password": PASSWORD });
    assert_refused(
        &server.visitor().post(EXPORT, &right).await,
        401,
        "not_signed_in",
    );
    let wrong = alice
        .post(EXPORT, &json!({ "password": "wrong-password" }))
        .await;
    assert_refused(&wrong, 401, "invalid_credentials");
    for body in [
        json!({}),
        json!({ "password": PASSWORD, "userId": 1 }),
        json!({ "password": 1 }),
    ] {
        assert_refused(&alice.post(EXPORT, &body).await, 400, "malformed_request");
    }
    let foreign = alice
        .request(Method::POST, EXPORT)
        .header("origin", "https://evil.example")
        .json(&right);
    assert_eq!(
        read(foreign.send().await.unwrap()).await.0,
        StatusCode::FORBIDDEN
    );
    let events = pages(&alice, "/api/account/security-events?limit=5").await;
    assert!(
        events.iter().all(|event| event["kind"] != "data_exported"),
        "{events:?}"
    );
}

#[tokio::test]
async fn exports_are_limited() {
    let server = Server::start_with(&[]);
    let (alice, _) = server.player("alice").await;
    assert_limited(StatusCode::OK, async |_| {
        let request = alice.request(Method::POST, EXPORT);
        let response = request.json(&json!({ "password": PASSWORD })).send().await;
        let response = response.unwrap();
        if response.status() == StatusCode::OK {
            response.bytes().await.unwrap();
            return (StatusCode::OK, Value::Null);
        }
        read(response).await
    })
    .await;
}
