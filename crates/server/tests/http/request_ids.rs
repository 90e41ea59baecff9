//! A request is found in all logs by one ID, which the browser chooses.

use std::fs::File;
use std::process::Stdio;

use glasshouse_testing::EmptyDatabase;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read, url_of};

const ID: &str = "459b6760-7136-4f78-b98d-2bcaacde55c2";

/// The ID in the response to a request with these headers.
async fn answered_id(visitor: &Visitor, sent: &[&str]) -> String {
    let mut request = visitor.request(Method::GET, "/api/user");
    for value in sent {
        request = request.header("X-Request-Id", *value);
    }
    let response = request.send().await.unwrap();
    response.headers()["x-request-id"]
        .to_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn only_uuids_of_clients_are_taken_over() {
    let server = Server::start();
    let visitor = server.visitor();
    assert_eq!(answered_id(&visitor, &[ID]).await, ID);
    let other_form = ID.replace('-', "").to_uppercase();
    assert_eq!(answered_id(&visitor, &[&other_form]).await, ID);
    let mut chosen = Vec::new();
    for sent in [&[][..], &["1"], &["\" forged=\"1"], &[&format!("{ID}0")]] {
        let id = answered_id(&visitor, sent).await;
        assert_eq!(id.len(), ID.len(), "{id}");
        chosen.push(id);
    }
    chosen.push(ID.to_owned());
    chosen.sort();
    chosen.dedup();
    assert_eq!(chosen.len(), 5, "{chosen:?}");
}

#[tokio::test]
async fn a_fault_tells_the_player_its_id() {
    let mut server = Server::start();
    let administrator = server.administrator().await;
    std::fs::remove_file(server.folder.path().join("data/second-factor-key")).unwrap();
    server.crash_and_restart();
    let request = administrator.request(Method::POST, "/api/account/step-up");
    let request = request.header("X-Request-Id", ID);
    let body = json!({ "secondFactor": "123456" });
    let fault = read(request.json(&body).send().await.unwrap()).await;
    assert_refused(&fault, 500, "fault");
    assert_eq!(
        fault.1["message"],
        format!("Something went wrong (reference {ID})")
    );
}

#[tokio::test]
async fn the_threads_of_the_database_log_it_too() {
    let database = EmptyDatabase::postgres();
    let settings = [
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("DATABASE_URL", url_of(&database)),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = Stdio::from(File::create(&path).unwrap());
    let server = Server::start_logging(&settings, log);
    let player = server.funded_player("alice", "10.00").await;
    database.start_outage();
    let read_balance = player.request(Method::GET, "/api/user");
    let read_balance = read_balance.header("X-Request-Id", ID);
    let answer = read(read_balance.send().await.unwrap()).await;
    assert_refused(&answer, 503, "database_unavailable");
    let logged: Vec<Value> = std::fs::read_to_string(&path)
        .unwrap()
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let found = logged
        .iter()
        .filter(|entry| entry["span"]["request_id"] == ID)
        .map(|entry| entry["target"].as_str().unwrap());
    let targets: Vec<&str> = found.collect();
    assert!(
        targets.contains(&"glasshouse_persistence::engine::reader"),
        "{logged:?}"
    );
}
