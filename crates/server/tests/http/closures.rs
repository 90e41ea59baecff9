//! Closing one's account over HTTP, and what administrators and the operator see of it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{get, pages};
use crate::email::{ADDRESS, mails, verify_address};
use crate::support::{PASSWORD, Server, Visitor, assert_refused, wait_for};

const CLOSURE: &str = "/api/account/closure";

async fn close(visitor: &Visitor, given_up: Option<&str>) -> (StatusCode, Value) {
    let mut body = json!({ "password": PASSWORD });
    if let Some(amount) = given_up {
        body["givenUpBalance"] = json!(amount);
    }
    visitor.post(CLOSURE, &body).await
}

#[tokio::test]
async fn an_account_is_closed_and_opened_again_by_the_operator() {
    let server = Server::start();
    let alice = server.funded_player("alice", "7.35").await;
    let id = get(&alice, "/api/user").await["id"].as_i64().unwrap();
    let sign_in = async |password: &str| {
        let body = json!({ "username": "alice", "password": password });
        server.visitor().post("/api/login", &body).await
    };
    assert_eq!(sign_in(PASSWORD).await.0, StatusCode::OK);

    let wrong = json!({ "password": "wrong-password", "givenUpBalance": "7.35" });
    let refused = alice.post(CLOSURE, &wrong).await;
    assert_refused(&refused, 401, "invalid_credentials");
    assert_refused(&close(&alice, None).await, 409, "remainder_left");
    for amount in ["7.34", "0", "20.00"] {
        let refused = close(&alice, Some(amount)).await;
        assert_refused(&refused, 409, "balance_changed");
    }
    for amount in ["x", "-7.35", "7.355"] {
        let refused = close(&alice, Some(amount)).await;
        assert!(refused.0.is_client_error(), "{}", refused.1);
    }
    for body in [json!({}), json!({ "password": PASSWORD, "userId": 1 })] {
        let refused = alice.post(CLOSURE, &body).await;
        assert_refused(&refused, 400, "malformed_request");
    }
    assert_eq!(alice.balance().await, "7.35");

    let administrator = server.administrator().await;
    assert_eq!(close(&alice, Some("7.35")).await.0, StatusCode::NO_CONTENT);
    assert_refused(&alice.get("/api/user").await, 401, "not_signed_in");
    assert_refused(&close(&alice, None).await, 401, "not_signed_in");
    assert_refused(&sign_in(PASSWORD).await, 403, "account_closed");
    assert_refused(&sign_in("wrong-password").await, 401, "invalid_credentials");
    let body = json!({ "username": "Alice", "password": PASSWORD });
    let taken = server.visitor().post("/api/register", &body).await;
    assert_refused(&taken, 409, "username_taken");
    let path = format!("/api/admin/users/{id}");
    let seen = get(&administrator, &path).await;
    assert_eq!(seen["balance"], "0.00");
    assert!(seen["closedAt"].is_string(), "{seen}");
    let log = get(&administrator, "/api/admin/logs?action=account_closed").await;
    assert_eq!(log[0]["targetUserId"], id, "{log}");
    assert_eq!(log[0]["address"], Value::Null, "{log}");
    server.assert_clean();

    let reopened = server.operate(&["admin", "reopen", "ALICE"]);
    let said = String::from_utf8_lossy(&reopened.stdout);
    assert!(reopened.status.success(), "{said}");
    assert!(
        !server
            .operate(&["admin", "reopen", "alice"])
            .status
            .success()
    );
    assert!(
        !server
            .operate(&["admin", "reopen", "nobody"])
            .status
            .success()
    );
    let visitor = server.visitor();
    let body = json!({ "username": "alice", "password": PASSWORD });
    assert_eq!(visitor.post("/api/login", &body).await.0, StatusCode::OK);
    assert_eq!(get(&administrator, &path).await["closedAt"], Value::Null);
    let events = pages(&visitor, "/api/account/security-events?limit=20").await;
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["kind"].as_str().unwrap())
        .collect();
    for kind in ["account_closed", "account_reopened"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    server.assert_clean();
}

#[tokio::test]
async fn a_closed_account_cannot_be_recovered_and_its_address_is_told() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    verify_address(&server, &alice).await;
    assert_eq!(close(&alice, None).await.0, StatusCode::NO_CONTENT);
    wait_for(async || mails(&server).await.contains("Your account was closed")).await;
    let recover = async |address: &str| {
        let body = json!({ "email": address });
        server.visitor().post("/api/password-recovery", &body).await
    };
    let unknown = recover("nobody@example.com").await;
    assert_eq!(unknown.0, StatusCode::ACCEPTED);
    assert_eq!(recover(ADDRESS).await, unknown);
    server.assert_clean();
}

#[tokio::test]
async fn a_double_click_closes_an_account_once() {
    let server = Server::start();
    let (alice, id) = server.player("alice").await;
    let (one, other) = tokio::join!(close(&alice, None), close(&alice, None));
    let statuses = [one.0, other.0];
    assert!(statuses.contains(&StatusCode::NO_CONTENT), "{statuses:?}");
    let closures = server.texts(&format!(
        "SELECT action AS value FROM audit_log WHERE target_user_id = {id}"
    ));
    assert_eq!(closures, ["account_closed"]);
    server.assert_clean();
}

#[tokio::test]
async fn the_last_administrator_cannot_leave() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let body = json!({ "password": server.administrator_password });
    let refused = administrator.post(CLOSURE, &body).await;
    assert_refused(&refused, 409, "last_owner");
    get(&administrator, "/api/admin/users").await;
}
