//! Adjusting balances: exactly once, and recorded in the audit log.

use std::slice::from_ref;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, get, logged_acts, post_at_once, post_once};
use crate::support::{Server, assert_refused};

#[tokio::test]
async fn an_adjustment_records_the_old_and_the_new_balance() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let mut old = "0.00";
    for (sent, new) in [
        (json!("12.34"), "12.34"),
        (json!("12.3"), "12.30"),
        (json!(7), "7.00"),
        (json!(1.99), "1.99"),
        (json!("0"), "0.00"),
        (json!("100"), "100.00"),
    ] {
        let user = act(
            &administrator,
            &path,
            json!({ "balance": sent, "reason": "a test" }),
        )
        .await;
        assert_eq!(user["balance"], new);
        assert_eq!(player.balance().await, new);
        let logs = get(&administrator, "/api/admin/logs?limit=1").await;
        let record = &logs[0];
        assert_eq!(record["action"], "balance_override");
        assert_eq!(
            (&record["oldValue"], &record["newValue"]),
            (&json!(old), &json!(new))
        );
        assert_eq!(record["details"], format!("reason: a test: {old} → {new}"));
        assert_eq!(record["targetUserId"], id);
        old = new;
    }
    server.assert_clean();
}

#[tokio::test]
async fn an_adjustment_is_refused_if_the_balance_has_changed() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "50.00", "expectedBalance": "0.00", "reason": "a test" });
    // A retry of the call is no conflict.
    for _ in 0..2 {
        let answer = post_once(&administrator, &path, "first", &body).await;
        assert_eq!(answer.0, StatusCode::OK);
    }
    let body = json!({ "balance": "60.00", "expectedBalance": "0.00", "reason": "a test" });
    let answer = administrator.post(&path, &body).await;
    assert_refused(&answer, 409, "balance_changed");
    assert!(answer.1["message"].as_str().unwrap().contains("50.00"));
    let body = json!({ "balance": "60.00", "expectedBalance": "x", "reason": "a test" });
    let answer = administrator.post(&path, &body).await;
    assert_refused(&answer, 400, "invalid_amount");
    assert_eq!(player.balance().await, "50.00");
}

#[tokio::test]
async fn invalid_balances_are_refused_and_change_nothing() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "5.00").await;
    let id = get(&player, "/api/user").await["id"].clone();
    let path = format!("/api/admin/users/{id}/balance");
    let before = logged_acts(&administrator, "").await;
    for amount in [
        "\"1.999\"",
        "\"-1\"",
        "\"-0.00\"",
        "\"+1\"",
        "\"1e3\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"0x10\"",
        "\"1,000\"",
        "\" 1\"",
        "\"\"",
        "\".\"",
        "\"1.\\u0000\"",
        "\"١\"",
        "\"99999999999999999999\"",
        "\"10000000000.00\"",
        "-1",
        "1e3",
        "1.999",
        "99999999999999999999",
    ] {
        let body = format!(r#"{{"balance":{amount}}}"#);
        let answer = administrator.post_raw(&path, body).await;
        assert_eq!(
            answer.0,
            StatusCode::BAD_REQUEST,
            "{amount}: {:?}",
            answer.1
        );
        assert_refused(&answer, 400, "invalid_amount");
    }
    for body in [
        "",
        "{}",
        "[]",
        "{",
        r#"{"balance":null}"#,
        r#"{"balance":true}"#,
        r#"{"balance":["1"]}"#,
        r#"{"balance":"1","balance":"2"}"#,
        r#"{"balance":"1","reason":1}"#,
    ] {
        let answer = administrator.post_raw(&path, body).await;
        assert_eq!(answer.0, StatusCode::BAD_REQUEST, "{body}: {:?}", answer.1);
        assert_refused(&answer, 400, "malformed_request");
    }
    for body in [
        json!({ "balance": "1" }),
        json!({ "balance": "1", "reason": " " }),
    ] {
        let answer = administrator.post(&path, &body).await;
        assert_refused(&answer, 422, "reason_required");
    }
    let long = json!({ "balance": "1", "reason": "x".repeat(501) });
    assert_refused(
        &administrator.post(&path, &long).await,
        400,
        "text_too_long",
    );
    assert_eq!(player.balance().await, "5.00");
    assert_eq!(logged_acts(&administrator, "").await, before);
    server.assert_clean();
}

#[tokio::test]
async fn one_idempotency_key_sets_the_balance_once() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "5.00").await;
    let id = get(&player, "/api/user").await["id"].clone();
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "80.00", "reason": "a test" });
    let first = post_once(&administrator, &path, "set-1", &body).await;
    assert_eq!(
        (first.0, &first.1["balance"]),
        (StatusCode::OK, &json!("80.00"))
    );
    act(
        &administrator,
        &path,
        json!({ "balance": "3.00", "reason": "a test" }),
    )
    .await;
    let again = post_once(&administrator, &path, "set-1", &body).await;
    assert_eq!(again.0, StatusCode::OK, "{}", again.1);
    assert_eq!(
        player.balance().await,
        "3.00",
        "the retry set the balance again"
    );
    for (path, body) in [
        (
            path.clone(),
            json!({ "balance": "81.00", "reason": "a test" }),
        ),
        (
            format!("/api/admin/users/{id}/status"),
            json!({ "status": "banned", "banReason": "x" }),
        ),
        (
            format!("/api/admin/users/{}/balance", other_player(&server).await),
            json!({ "balance": "80.00", "reason": "a test" }),
        ),
    ] {
        let answer = post_once(&administrator, &path, "set-1", &body).await;
        assert_refused(&answer, 409, "idempotency_conflict");
    }
    assert_eq!(player.balance().await, "3.00");
    server.assert_clean();
}

async fn other_player(server: &Server) -> i64 {
    server.player("other").await.1
}

/// Each adjustment starts from the balance that the previous one set.
#[tokio::test]
async fn concurrent_adjustments_are_recorded_in_sequence() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let bodies: Vec<Value> = (1..=10)
        .map(|number| json!({ "balance": format!("{number}.00"), "reason": "a test" }))
        .collect();
    for (status, answer) in post_at_once(from_ref(&administrator), &path, &bodies, 20).await {
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let logs = get(&administrator, "/api/admin/logs?action=balance_override").await;
    let records = logs.as_array().unwrap();
    assert_eq!(records.len(), 20);
    for pair in records.windows(2) {
        assert_eq!(pair[0]["oldValue"], pair[1]["newValue"]);
    }
    assert_eq!(records[0]["newValue"], player.balance().await);
    server.assert_clean();
}
