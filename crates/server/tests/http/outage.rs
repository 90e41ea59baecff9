//! While the database is down every call says so, and goes on by itself when it is back.

use std::time::{Duration, Instant};

use glasshouse_testing::EmptyDatabase;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read, url_of};

async fn wait_until_ready_is(visitor: &Visitor, wanted: StatusCode) -> Value {
    let started = Instant::now();
    loop {
        let (status, body) = visitor.get("/readyz").await;
        if status == wanted {
            return body;
        }
        assert!(started.elapsed() < Duration::from_mins(1), "{status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Each call of the OpenAPI document, with something in the place of its ids.
async fn calls(visitor: &Visitor) -> Vec<(Method, String)> {
    let (status, document) = visitor.get("/api/openapi.json").await;
    assert_eq!(status, StatusCode::OK);
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let mut path = path.clone();
        while let Some((start, rest)) = path.clone().split_once('{') {
            let (_, end) = rest.split_once('}').unwrap();
            path = format!("{start}1{end}");
        }
        for method in methods.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            calls.push((method, path.clone()));
        }
    }
    assert!(calls.len() > 40, "{calls:?}");
    calls
}

#[tokio::test]
async fn without_its_database_every_call_is_503_until_it_is_back() {
    let database = EmptyDatabase::postgres();
    let url = url_of(&database);
    let server = Server::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off"), ("DATABASE_URL", url)]);
    let player = server.funded_player("alice", "10.00").await;
    let stranger = server.visitor();
    let calls = calls(&stranger).await;
    wait_until_ready_is(&stranger, StatusCode::OK).await;

    database.take_away();
    // Also in the moment before the server knows: whoever is signed in is told, with a body.
    let answer = player.get("/api/user").await;
    assert_refused(&answer, 503, "database_unavailable");
    let body = wait_until_ready_is(&stranger, StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(body["code"], "database_unavailable");
    for visitor in [&player, &stranger] {
        for (method, path) in &calls {
            let request = visitor.request(method.clone(), path);
            let request = if *method == Method::GET {
                request
            } else {
                request.json(&json!({}))
            };
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["retry-after"], "5", "{method} {path}");
            assert_eq!(
                response.headers()["cache-control"],
                "no-store",
                "{method} {path}"
            );
            assert_refused(&read(response).await, 503, "database_unavailable");
        }
        // The process lives, and a page is a page.
        assert_eq!(visitor.get("/healthz").await.0, StatusCode::OK);
        assert_refused(&visitor.get("/readyz").await, 503, "database_unavailable");
    }

    database.give_back();
    wait_until_ready_is(&player, StatusCode::OK).await;
    assert_eq!(player.balance().await, "10.00");
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, answer) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, _) = player.post("/api/logout", &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_refused(&player.get("/api/user").await, 401, "not_signed_in");
}

#[tokio::test]
async fn a_commit_whose_connection_is_lost_is_told_as_unknown() {
    let database = EmptyDatabase::postgres();
    let url = url_of(&database);
    let server = Server::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off"), ("DATABASE_URL", url)]);
    let player = server.funded_player("alice", "10.00").await;
    // A trigger that runs within COMMIT ends the connection of whoever commits a bet of two dollars.
    let trigger = "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            PERFORM pg_terminate_backend(pg_backend_pid());
            RETURN NULL;
         END $$;
         CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON rounds DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (new.stake_cents = 200) EXECUTE FUNCTION cut();";
    glasshouse_testing::sql(&database.url, trigger).unwrap();
    let bet = json!({ "betAmount": "2.00", "targetNumber": 50, "betType": "over" });
    let answer = player.post("/api/dice/play", &bet).await;
    assert_refused(&answer, 503, "outcome_unknown");
    let message = answer.1["message"].as_str().unwrap();
    assert!(message.contains("same Idempotency-Key"), "{message}");
    // The house goes on, and here nothing was done.
    assert_eq!(player.balance().await, "10.00");
    let other = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    assert_eq!(
        player.post("/api/dice/play", &other).await.0,
        StatusCode::OK
    );
}
