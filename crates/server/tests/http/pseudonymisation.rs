//! A started server removes everything personal from accounts that were closed long ago.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;

use crate::email::{ADDRESS, verify_address};
use crate::support::{PASSWORD, Server, assert_refused, wait_for};

/// From when the house's clock goes on when it is started again. Before a round was in play, the stored
/// moment is in the distant past.
fn two_days_from_now() -> String {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let later = (now + Duration::from_hours(48)).as_micros();
    format!("UPDATE house_clock SET not_before_micros = {later}")
}

#[tokio::test]
async fn an_account_that_was_closed_long_ago_loses_its_name() {
    let settings = [
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_CLOSED_ACCOUNT_RETENTION_DAYS", "1"),
    ];
    let mut server = Server::start_with(&settings);
    let (alice, id) = server.player("alice").await;
    verify_address(&server, &alice).await;
    let body = json!({ "password": PASSWORD });
    let closed = alice.post("/api/account/closure", &body).await;
    assert_eq!(closed.0, StatusCode::NO_CONTENT, "{}", closed.1);
    let name = |server: &Server| {
        let query = format!("SELECT username AS value FROM users WHERE id = {id}");
        server.texts(&query).concat()
    };
    assert_eq!(name(&server), "alice");

    server.sql(&two_days_from_now()).unwrap();
    server.crash_and_restart_with(&settings);
    let pseudonym = format!("closed.{id}");
    wait_for(async || name(&server) == pseudonym).await;
    let addresses = "SELECT address AS value FROM email_addresses";
    assert!(!server.texts(addresses).contains(&ADDRESS.to_owned()));
    let body = json!({ "username": "alice", "password": PASSWORD });
    let refused = server.visitor().post("/api/login", &body).await;
    assert_refused(&refused, 401, "invalid_credentials");
    let recorded =
        format!("SELECT action AS value FROM audit_log WHERE target_user_id = {id} ORDER BY id");
    assert_eq!(
        server.texts(&recorded),
        ["account_closed", "account_pseudonymised"]
    );

    for (name, reason) in [
        (pseudonym.as_str(), "everything personal was removed"),
        ("alice", "not found"),
    ] {
        let output = server.operate(&["admin", "reopen", name]);
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert!(said.contains(reason), "{said}");
    }
    let pseudonymous = json!({ "username": pseudonym, "password": PASSWORD });
    let refused = server.visitor().post("/api/register", &pseudonymous).await;
    assert_refused(&refused, 400, "invalid_username");
    let again = server.visitor().post("/api/register", &body).await;
    assert_eq!(again.0, StatusCode::CREATED, "{}", again.1);
    server.assert_clean();
}
