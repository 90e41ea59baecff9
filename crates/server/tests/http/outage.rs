//! While the database is unavailable every call returns 503; afterwards the server recovers by
//! itself.

use std::time::{Duration, Instant};

use glasshouse_testing::EmptyDatabase;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read, url_of};

async fn wait_for_readiness(visitor: &Visitor, expected: StatusCode) -> Value {
    let started = Instant::now();
    loop {
        let (status, body) = visitor.get("/readyz").await;
        if status == expected {
            return body;
        }
        assert!(started.elapsed() < Duration::from_mins(1), "{status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Each call of the OpenAPI document, with `1` in place of path parameters.
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
async fn every_call_gets_503_while_the_database_is_unavailable() {
    let database = EmptyDatabase::postgres();
    let url = url_of(&database);
    let server = Server::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off"), ("DATABASE_URL", url)]);
    let player = server.funded_player("alice", "10.00").await;
    let visitor = server.visitor();
    let calls = calls(&visitor).await;
    wait_for_readiness(&visitor, StatusCode::OK).await;

    database.start_outage();
    // A signed-in player gets the response even before the server has noticed the outage.
    let answer = player.get("/api/user").await;
    assert_refused(&answer, 503, "database_unavailable");
    let body = wait_for_readiness(&visitor, StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(body["code"], "database_unavailable");
    for client in [&player, &visitor] {
        for (method, path) in &calls {
            let request = client.request(method.clone(), path);
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
        // The process is alive but not ready.
        assert_eq!(client.get("/healthz").await.0, StatusCode::OK);
        assert_refused(&client.get("/readyz").await, 503, "database_unavailable");
    }

    database.end_outage();
    wait_for_readiness(&player, StatusCode::OK).await;
    assert_eq!(player.balance().await, "10.00");
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, answer) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, _) = player.post("/api/logout", &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_refused(&player.get("/api/user").await, 401, "not_signed_in");
}

#[tokio::test]
async fn a_connection_lost_during_commit_is_reported_as_unknown_outcome() {
    let database = EmptyDatabase::postgres();
    let url = url_of(&database);
    let server = Server::start_with(&[("GLASSHOUSE_RATE_LIMIT", "off"), ("DATABASE_URL", url)]);
    let player = server.funded_player("alice", "10.00").await;
    // A deferred trigger ends the connection during the COMMIT of a bet of 2 dollars.
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
    // The server keeps working, and this bet was not placed.
    assert_eq!(player.balance().await, "10.00");
    let other = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    assert_eq!(
        player.post("/api/dice/play", &other).await.0,
        StatusCode::OK
    );
}
