//! A server that must not continue its log takes no bets, and says so; whatever else players do still
//! works.

use std::fs;
use std::path::PathBuf;

use glasshouse_testing::EmptyDatabase;
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::SigningKeys;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read, url_of, wait_for};

fn kept_checkpoint(server: &Server) -> PathBuf {
    server.folder.path().join("data/log-checkpoint")
}

/// A checkpoint that the house could have signed after so many entries.
fn sign(server: &Server, size: u64) -> String {
    let keys = fs::read_to_string(server.folder.path().join("data/log-key")).unwrap();
    let later = Checkpoint {
        size,
        root: Hash([7; 32]),
    };
    later.sign(&SigningKeys::parse(&keys).unwrap()).unwrap()
}

async fn try_roll(player: &Visitor, key: Option<&str>) -> (StatusCode, Value) {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let mut request = player.request(Method::POST, "/api/dice/play").json(&bet);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    read(request.send().await.unwrap()).await
}

async fn log_checkpoint(visitor: &Visitor) -> String {
    let (status, signed) = visitor.get("/log/checkpoint").await;
    assert_eq!(status, StatusCode::OK);
    signed.as_str().unwrap().to_owned()
}

/// As after the restoration of a backup: the database ends before the checkpoint in the data
/// directory.
#[tokio::test]
async fn bets_are_refused_on_a_database_that_is_older_than_the_log() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let (status, rolled) = try_roll(&player, Some("first")).await;
    assert_eq!(status, StatusCode::OK, "{rolled}");
    let deal = json!({ "betAmount": "5.00" });
    let (status, dealt) = player.post("/api/poker/deal", &deal).await;
    assert_eq!(status, StatusCode::OK, "{dealt}");
    let visitor = server.visitor();
    let file = kept_checkpoint(&server);
    // The log's own entries, and the roll.
    wait_for(async || fs::read_to_string(&file).is_ok_and(|kept| kept.contains("\n3\n"))).await;
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(log_checkpoint(&visitor).await, kept);
    fs::write(&file, sign(&server, 1_000)).unwrap();
    server.crash_and_restart();

    for path in ["/api/dice/play", "/api/poker/deal"] {
        let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
        let body = if path.contains("dice") { &bet } else { &deal };
        let response = player
            .request(Method::POST, path)
            .json(body)
            .send()
            .await
            .unwrap();
        assert!(response.headers().contains_key("retry-after"));
        assert_refused(&read(response).await, 503, "public_log_unavailable");
    }
    // The repeated bet has its answer, and the hand in play can be finished.
    assert_eq!(
        try_roll(&player, Some("first")).await,
        (StatusCode::OK, rolled)
    );
    let (status, drawn) = player.post("/api/poker/draw", &deal).await;
    assert_eq!(status, StatusCode::OK, "{drawn}");
    assert!(
        drawn["receipt"]["text"]
            .as_str()
            .unwrap()
            .contains("state settled")
    );
    let id = dealt["roundId"].as_i64().unwrap();
    let proof = player.get(&format!("/api/rounds/{id}/proof")).await;
    assert_refused(&proof, 404, "not_in_log_yet");
    // What was signed stays, and nothing is added.
    assert_eq!(log_checkpoint(&visitor).await, kept);
    let checked = server.operate(&["check"]);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert_eq!(checked.status.code(), Some(1), "{said}");
    assert!(
        said.contains("but a checkpoint of 1000 was signed: an old backup was restored"),
        "{said}"
    );

    // Without a restart, as soon as the right file is back.
    fs::write(&file, &kept).unwrap();
    wait_for(async || try_roll(&player, None).await.0 == StatusCode::OK).await;
    let path = format!("/api/rounds/{id}/proof");
    wait_for(async || player.get(&path).await.0 == StatusCode::OK).await;
    server.assert_clean();
}

#[tokio::test]
async fn the_log_is_unavailable_while_the_database_is() {
    let database = EmptyDatabase::postgres();
    let server = Server::start_with(&[("DATABASE_URL", url_of(&database))]);
    let visitor = server.visitor();
    wait_for(async || visitor.get("/log/checkpoint").await.0 == StatusCode::OK).await;
    database.start_outage();
    for path in [
        "/log/checkpoint",
        "/log/tile/0/000.p/1",
        "/log/tile/entries/000.p/1",
    ] {
        // Before the server has noticed the outage, and afterwards.
        for _ in 0..2 {
            let response = visitor.request(Method::GET, path).send().await.unwrap();
            assert_eq!(response.headers()["cache-control"], "no-store");
            assert_refused(&read(response).await, 503, "database_unavailable");
            wait_for(async || visitor.get("/readyz").await.0 != StatusCode::OK).await;
        }
    }
    // The keys and the rules need no database.
    for path in ["/transparency/key", "/transparency/rules"] {
        assert_eq!(visitor.get(path).await.0, StatusCode::OK);
    }
    database.end_outage();
    wait_for(async || visitor.get("/log/checkpoint").await.0 == StatusCode::OK).await;
}
