//! One-time passwords: the first administrator's, and those that the operator issues.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::administration::{get, one_time_password, set_seconds_ago};
use crate::support::{
    Authenticator, FIRST_PASSWORD, PASSWORD, Server, Visitor, assert_refused, read, wait_for,
};

const NEW: &str = "quiet-otter-7-canyon";
/// What somebody who must choose a password can call, and visitors cannot.
const ALLOWED: [(&str, &str); 5] = [
    ("GET", "/api/user"),
    ("GET", "/api/account/step-up"),
    ("POST", "/api/account/step-up"),
    ("POST", "/api/account/step-up/ceremony"),
    ("POST", "/api/account/password"),
];

async fn sign_in(server: &Server, username: &str, password: &str) -> (Visitor, StatusCode) {
    let visitor = server.visitor();
    let body = json!({ "username": username, "password": password });
    let (status, _) = visitor.post("/api/login", &body).await;
    (visitor, status)
}

async fn choose(visitor: &Visitor, current: &str, new: &str) -> StatusCode {
    let body = json!({ "currentPassword": current, "newPassword": new });
    visitor.post("/api/account/password", &body).await.0
}

#[tokio::test]
async fn the_first_password_is_in_a_private_file_until_another_is_chosen() {
    let mut server = Server::start();
    let password = server.one_time_password().await;
    let file = server.folder.path().join(FIRST_PASSWORD);
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // The output is not a terminal.
    assert!(!server.said.contains(&password), "{}", server.said);
    assert!(server.said.contains("First administrator: admin"));
    assert!(server.said.contains("first-admin-password"));
    let (administrator, status) = sign_in(&server, "admin", &password).await;
    assert_eq!(status, StatusCode::OK);
    // Somebody who signs in and is interrupted can sign in again.
    let said = server.crash_and_restart();
    assert!(!said.contains(&password), "{said}");
    assert!(file.exists());
    let status = choose(&administrator, &password, NEW).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    wait_for(async || !file.exists()).await;
    let old = sign_in(&server, "admin", &password).await.1;
    assert_eq!(old, StatusCode::UNAUTHORIZED);
    Authenticator::enrol(&administrator).await;
    get(&administrator, "/api/admin/users").await;
}

#[tokio::test]
async fn a_file_that_is_no_longer_needed_is_deleted_at_the_next_start() {
    let mut server = Server::start();
    let file = server.folder.path().join(FIRST_PASSWORD);
    server.administrator().await;
    wait_for(async || !file.exists()).await;
    std::fs::write(&file, "restored from a backup\n").unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    server.crash_and_restart();
    wait_for(async || !file.exists()).await;
}

/// The calls are taken from the OpenAPI document, which covers new ones as well.
#[tokio::test]
async fn nothing_else_is_possible_before_another_password_is_chosen() {
    let server = Server::start();
    let visitor = server.visitor();
    let password = server.one_time_password().await;
    let (administrator, _) = sign_in(&server, "admin", &password).await;
    assert_eq!(
        get(&administrator, "/api/user").await["mustChangePassword"],
        true
    );
    let document = get(&visitor, "/api/openapi.json").await;
    let mut refused = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            if ALLOWED.contains(&(method.as_str(), path)) {
                continue;
            }
            let path = path.replace("{id}", "1").replace("{userId}", "1");
            let call = |visitor: &Visitor| {
                let request = visitor.request(method.clone(), &path);
                if method == Method::GET {
                    request
                } else {
                    request.json(&json!({}))
                }
            };
            // Wrong passwords and signatures are refused with 401, too.
            let outside = call(&visitor).send().await.unwrap();
            if outside.status() != StatusCode::UNAUTHORIZED
                || read(outside).await.1["code"] != "not_signed_in"
            {
                continue;
            }
            let answer = read(call(&administrator).send().await.unwrap()).await;
            assert_eq!(answer.0, StatusCode::FORBIDDEN, "{method} {path}");
            assert_eq!(answer.1["code"], "password_change_required", "{path}");
            refused += 1;
        }
    }
    assert!(refused > 30, "only {refused} calls were refused");
    // Also when the activity has to be stored, which a refused call is not, and before the body is read.
    set_seconds_ago(&server, "last_active_at_micros", 300);
    let last_active =
        || server.texts("SELECT CAST(last_active_at_micros AS TEXT) AS value FROM sessions");
    let before = last_active();
    let answer = administrator.post("/api/dice/play", &json!({})).await;
    assert_refused(&answer, 403, "password_change_required");
    assert_eq!(last_active(), before);
    let status = choose(&administrator, &password, NEW).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(
        get(&administrator, "/api/user").await["mustChangePassword"],
        false
    );
    // An administrator then needs a second factor.
    let refused = administrator.get("/api/admin/users").await;
    assert_refused(&refused, 403, "second_factor_enrolment_required");
}

#[tokio::test]
async fn the_operator_resets_a_password() {
    let server = Server::start();
    let (player, id) = server.player("alice").await;
    let password = one_time_password(&server.operate(&["admin", "reset", "Alice"]));
    assert_refused(&player.get("/api/user").await, 401, "not_signed_in");
    let old = sign_in(&server, "alice", PASSWORD).await.1;
    assert_eq!(old, StatusCode::UNAUTHORIZED);
    let (player, _) = sign_in(&server, "alice", &password).await;
    let refused = player.get("/api/deposits").await;
    assert_refused(&refused, 403, "password_change_required");
    assert_eq!(
        choose(&player, &password, PASSWORD).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(get(&player, "/api/user").await["id"], id);
    let output = server.operate(&["admin", "reset", "nobody"]);
    assert!(!output.status.success());
    let expired = one_time_password(&server.operate(&["admin", "reset", "alice"]));
    server
        .sql("UPDATE users SET one_time_password_until_micros = 1 WHERE username = 'alice'")
        .unwrap();
    let body = json!({ "username": "alice", "password": expired });
    let answer = server.visitor().post("/api/login", &body).await;
    assert_refused(&answer, 403, "one_time_password_expired");
    server.assert_clean();
}
