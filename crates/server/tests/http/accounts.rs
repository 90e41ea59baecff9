//! Registration, login, sessions and administrators over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{PASSWORD, Server, assert_refused, read, session_cookie};

#[tokio::test]
async fn a_player_registers_signs_out_and_signs_in_again() {
    let server = Server::start();
    let visitor = server.visitor();
    assert_refused(&visitor.get("/api/user").await, 401, "not_signed_in");
    let (player, id) = server.player("Alice").await;
    let (status, user) = player.get("/api/user").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(user["id"], id);
    assert_eq!(user["username"], "Alice");
    assert_eq!(user["balance"], "0.00");
    assert_eq!(user["availableToWithdraw"], "0.00");
    assert_eq!(user["isAdmin"], false);
    let (status, _) = read(
        player
            .request(Method::POST, "/api/logout")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_refused(&player.get("/api/user").await, 401, "not_signed_in");
    let body = json!({ "username": "aLICE", "password": PASSWORD });
    assert_eq!(player.post("/api/login", &body).await.0, StatusCode::OK);
    assert_eq!(player.get("/api/user").await.1["id"], id);
}

#[tokio::test]
async fn invalid_registrations_are_refused_with_a_reason() {
    let server = Server::start();
    server.player("taken").await;
    let visitor = server.visitor();
    let long = "x".repeat(1025);
    for (username, password, status, code) in [
        ("al", PASSWORD, 400, "invalid_username"),
        ("a b c", PASSWORD, 400, "invalid_username"),
        (&"x".repeat(33), PASSWORD, 400, "invalid_username"),
        ("alice", "12345", 422, "invalid_password"),
        ("alice", &long, 422, "invalid_password"),
        ("alice", "password", 422, "password_too_common"),
        ("TAKEN", PASSWORD, 409, "username_taken"),
    ] {
        let body = json!({ "username": username, "password": password });
        assert_refused(&visitor.post("/api/register", &body).await, status, code);
    }
    let body = json!({ "username": "mallory", "password": PASSWORD, "isAdmin": true });
    assert_refused(
        &visitor.post("/api/register", &body).await,
        400,
        "malformed_request",
    );
    let body = json!({ "username": "mallory", "password": PASSWORD });
    let login = visitor.post("/api/login", &body).await;
    assert_refused(&login, 401, "invalid_credentials");
    assert_eq!(login.1["message"], "Invalid username or password");
}

#[tokio::test]
async fn a_cookie_is_invalid_after_logout() {
    let server = Server::start();
    let (player, _) = server.player("alice").await;
    let body = json!({ "username": "alice", "password": PASSWORD });
    let login = server.visitor();
    let response = login
        .request(Method::POST, "/api/login")
        .json(&body)
        .send()
        .await
        .unwrap();
    let cookie = session_cookie(&response);
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let with_cookie = async |cookie: &str| {
        let request = server
            .visitor()
            .request(Method::GET, "/api/user")
            .header("cookie", cookie);
        request.send().await.unwrap().status()
    };
    assert_eq!(with_cookie(&cookie).await, StatusCode::OK);
    let mut forged = cookie.clone();
    forged.pop();
    forged.push(if cookie.ends_with('0') { '1' } else { '0' });
    assert_eq!(with_cookie(&forged).await, StatusCode::UNAUTHORIZED);
    login
        .request(Method::POST, "/api/logout")
        .send()
        .await
        .unwrap();
    assert_eq!(with_cookie(&cookie).await, StatusCode::UNAUTHORIZED);
    // The player's other session stays valid.
    assert_eq!(player.get("/api/user").await.0, StatusCode::OK);
}

#[tokio::test]
async fn only_administrators_set_balances() {
    let server = Server::start();
    let (player, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "100.00", "reason": "a test" });
    assert_refused(
        &server.visitor().post(&path, &body).await,
        401,
        "not_signed_in",
    );
    assert_refused(&player.post(&path, &body).await, 403, "forbidden");
    assert_eq!(player.balance().await, "0.00");
    let administrator = server.administrator().await;
    let (status, view) = administrator.post(&path, &body).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(view["balance"], "100.00");
    assert_eq!(view["status"], "active");
    assert_eq!(player.balance().await, "100.00");
    for balance in ["-1", "1.001", "1e3", "", "NaN", "99999999999999999999"] {
        let body = json!({ "balance": balance, "reason": "a test" });
        assert_refused(
            &administrator.post(&path, &body).await,
            400,
            "invalid_amount",
        );
    }
    for unknown in ["999", "0", "-1", "abc"] {
        let path = format!("/api/admin/users/{unknown}/balance");
        assert_refused(&administrator.post(&path, &body).await, 404, "not_found");
    }
    assert_eq!(player.balance().await, "100.00");
    server.assert_clean();
}

#[tokio::test]
async fn too_many_wrong_passwords_get_429_with_a_delay() {
    let server = Server::start_with(&[]);
    server.player("alice").await;
    let visitor = server.visitor();
    let body = json!({ "username": "alice", "password": "wrong-guess" });
    for _ in 0..5 {
        assert_refused(
            &visitor.post("/api/login", &body).await,
            401,
            "invalid_credentials",
        );
    }
    let limited = visitor
        .request(Method::POST, "/api/login")
        .json(&body)
        .send()
        .await
        .unwrap();
    let seconds: u64 = limited.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(seconds >= 1);
    assert_refused(&read(limited).await, 429, "rate_limited");
}
