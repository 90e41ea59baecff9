//! Passkeys over HTTP: adding one, signing in with it alone, confirming with it, and removing it.

use glasshouse_testing::PasskeyDevice;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{get, set_seconds_ago};
use crate::support::passkey::{
    NEW_CONFIRMATION, NEW_PASSKEY, NEW_SIGN_IN, PASSKEYS, SIGN_IN, add, assertion, begin, sign_in,
};
use crate::support::{PASSWORD, Server, Visitor, assert_refused, read};

const STATE: &str = "/api/account/second-factor";
const STEP_UP: &str = "/api/account/step-up";
const CONFIRMED: &str = "confirmed_at_micros";

fn device() -> PasskeyDevice {
    PasskeyDevice::at("http://localhost:8080")
}

async fn remove(visitor: &Visitor, id: &str) -> (StatusCode, Value) {
    let path = format!("{PASSKEYS}/{id}");
    read(visitor.request(Method::DELETE, &path).send().await.unwrap()).await
}

#[tokio::test]
async fn a_player_signs_in_with_a_passkey_alone() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let mut phone = device();
    let (status, added) = add(&alice, &mut phone, "Phone").await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    assert_eq!(added["recoveryCodes"].as_array().unwrap().len(), 10);
    let state = get(&alice, STATE).await;
    assert_eq!(state["authenticatorSince"], Value::Null);
    assert_eq!(state["passkeys"][0]["name"], "Phone", "{state}");
    assert_eq!(state["passkeys"][0]["lastUsedAt"], Value::Null);

    let visitor = server.visitor();
    let body = json!({ "username": "alice", "password": PASSWORD });
    let refused = visitor.post("/api/login", &body).await;
    assert_refused(&refused, 403, "second_factor_required");
    let body = assertion(&visitor, NEW_SIGN_IN, &mut phone).await;
    let (status, user) = visitor.post(SIGN_IN, &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(user["username"], "alice");
    assert_eq!(get(&visitor, "/api/user").await["hasSecondFactor"], true);
    // Whoever has listened cannot do the same.
    let replayed = server.visitor().post(SIGN_IN, &body).await;
    assert_refused(&replayed, 409, "passkey_ceremony_expired");
    let (status, added) = add(&visitor, &mut device(), "Laptop").await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    assert_eq!(added, json!({ "recoveryCodes": null }));
    server.assert_clean();
}

#[tokio::test]
async fn a_passkey_confirms_and_a_removed_one_does_nothing() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let none = alice.post(NEW_CONFIRMATION, &json!({})).await;
    assert_refused(&none, 409, "no_passkey");
    set_seconds_ago(&server, CONFIRMED, 301);
    let early = alice.post(NEW_PASSKEY, &json!({})).await;
    assert_refused(&early, 403, "step_up_required");
    let confirmed = alice.post(STEP_UP, &json!({ "password": PASSWORD })).await;
    assert_eq!(confirmed.0, StatusCode::OK, "{}", confirmed.1);
    let mut phone = device();
    add(&alice, &mut phone, "Phone").await;
    let id = get(&alice, STATE).await["passkeys"][0]["id"].take();
    let id = id.as_str().unwrap();

    set_seconds_ago(&server, CONFIRMED, 301);
    assert_refused(&remove(&alice, id).await, 403, "step_up_required");
    let refused = alice.post(STEP_UP, &json!({ "password": PASSWORD })).await;
    assert_refused(&refused, 403, "second_factor_required");
    let passkey = assertion(&alice, NEW_CONFIRMATION, &mut phone).await;
    let body = json!({ "passkey": passkey });
    let (status, state) = alice.post(STEP_UP, &body).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    assert_eq!(get(&alice, STEP_UP).await, state);
    let replayed = alice.post(STEP_UP, &body).await;
    assert_refused(&replayed, 409, "passkey_ceremony_expired");

    for unknown in ["0", "999999", "x", "%00"] {
        assert_refused(&remove(&alice, unknown).await, 404, "not_found");
    }
    let elsewhere = server.visitor();
    sign_in(&elsewhere, &mut phone).await;
    let (status, _) = remove(&alice, id).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_refused(&elsewhere.get("/api/user").await, 401, "not_signed_in");
    let removed = sign_in(&server.visitor(), &mut phone).await;
    assert_refused(&removed, 401, "invalid_passkey");
    let body = json!({ "username": "alice", "password": PASSWORD });
    let (status, user) = server.visitor().post("/api/login", &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    server.assert_clean();
}

#[tokio::test]
async fn malformed_answers_are_refused() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let mut phone = device();
    let (ceremony, options) = begin(&alice, NEW_PASSKEY).await;
    let credential = phone.make(&options).unwrap();
    for (name, code) in [
        ("", "invalid_passkey_name"),
        ("a\nb", "invalid_passkey_name"),
    ] {
        let body = json!({ "ceremony": ceremony, "name": name, "credential": credential });
        assert_refused(&alice.post(PASSKEYS, &body).await, 400, code);
    }
    let mut other = credential.clone();
    other["response"]["attestationObject"] = json!("AAAA");
    for (body, status, code) in [
        (json!({}), 400, "malformed_request"),
        (
            json!({ "ceremony": ceremony, "name": "Phone", "credential": {} }),
            400,
            "malformed_request",
        ),
        (
            json!({ "ceremony": ceremony, "name": "Phone", "credential": "\u{0}" }),
            400,
            "malformed_request",
        ),
        (
            json!({ "ceremony": "", "name": "Phone", "credential": credential }),
            409,
            "passkey_ceremony_expired",
        ),
        (
            json!({ "ceremony": ceremony, "name": "Phone", "credential": other }),
            401,
            "invalid_passkey",
        ),
    ] {
        assert_refused(&alice.post(PASSKEYS, &body).await, status, code);
    }
    // A refused addition has not ended the ceremony, and has changed nothing.
    let body = json!({ "ceremony": ceremony, "name": "Phone", "credential": credential });
    let (status, added) = alice.post(PASSKEYS, &body).await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    for path in [SIGN_IN, STEP_UP] {
        let visitor = if path == SIGN_IN {
            &server.visitor()
        } else {
            &alice
        };
        let assertion = json!({ "ceremony": "x", "credential": { "id": 1 } });
        let body = if path == SIGN_IN {
            assertion
        } else {
            json!({ "passkey": assertion })
        };
        assert_refused(&visitor.post(path, &body).await, 400, "malformed_request");
    }
    server.assert_clean();
}

#[tokio::test]
async fn an_administrator_enrols_with_a_passkey() {
    let server = Server::start();
    let first = server.administrator().await;
    drop(first);
    assert!(
        server
            .operate(&["admin", "reset-second-factor", "ADMIN"])
            .status
            .success()
    );
    let administrator = server.visitor();
    let body = json!({ "username": "admin", "password": server.administrator_password });
    let (_, user) = administrator.post("/api/login", &body).await;
    assert_eq!(user["mustEnrolSecondFactor"], true);
    let mut key = device();
    let (status, added) = add(&administrator, &mut key, "Security key").await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    assert_eq!(
        get(&administrator, "/api/user").await["mustEnrolSecondFactor"],
        false
    );
    let id = get(&administrator, STATE).await["passkeys"][0]["id"].take();
    let last = remove(&administrator, id.as_str().unwrap()).await;
    assert_refused(&last, 403, "second_factor_mandatory");
    let elsewhere = server.visitor();
    let (status, _) = sign_in(&elsewhere, &mut key).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(elsewhere.get("/api/admin/users").await.0, StatusCode::OK);
    let body = json!({ "passkey": assertion(&elsewhere, NEW_CONFIRMATION, &mut key).await });
    let (status, state) = elsewhere.post("/api/admin/step-up", &body).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    server.assert_clean();
}

#[tokio::test]
async fn a_house_at_a_number_has_no_passkeys() {
    let server = Server::start_with(&[("GLASSHOUSE_PUBLIC_URL", "http://192.0.2.1:8080")]);
    let refused = server.visitor().post(NEW_SIGN_IN, &json!({})).await;
    assert_refused(&refused, 409, "passkeys_unavailable");
}
