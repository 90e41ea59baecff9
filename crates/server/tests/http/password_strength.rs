//! Breached passwords, and how good a password would be, over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::act;
use crate::support::{PASSWORD, Server, Visitor, assert_refused};

const PATH: &str = "/api/password-strength";
/// On the list of breached passwords, and in no dictionary of the estimate.
const BREACHED: &str = "bmvm3e46gtr";

/// The assessment of a password that was typed beside a username.
async fn strength(visitor: &Visitor, password: &str, username: &str) -> Value {
    let body = json!({ "password": password, "username": username });
    let (status, strength) = visitor.post(PATH, &body).await;
    assert_eq!(status, StatusCode::OK, "{strength}");
    strength
}

/// Asserts that an assessment is a refusal with this code and with a message, or none.
#[track_caller]
fn assert_verdict(strength: &Value, code: Option<&str>) {
    let refusal = &strength["refusal"];
    assert_eq!(strength["isAccepted"], code.is_none(), "{strength}");
    assert_eq!(refusal["code"].as_str(), code, "{strength}");
    let message = refusal["message"].as_str();
    assert_eq!(message.is_some_and(|text| !text.is_empty()), code.is_some());
}

#[tokio::test]
async fn a_breached_password_is_refused_in_any_spelling() {
    let server = Server::start();
    let visitor = server.visitor();
    let full_width = "\u{ff22}mvm3e46gtr";
    for password in [BREACHED, "BmVm3E46GTR", full_width] {
        let body = json!({ "username": "alice", "password": password });
        let refused = visitor.post("/api/register", &body).await;
        assert_refused(&refused, 422, "password_breached");
        let strength = strength(&visitor, password, "alice").await;
        assert_verdict(&strength, Some("password_breached"));
        assert_eq!(strength["refusal"]["message"], refused.1["message"]);
    }
    server.player("alice").await;
}

#[tokio::test]
async fn a_visitor_learns_how_good_a_password_would_be() {
    let server = Server::start();
    let visitor = server.visitor();
    assert_eq!(
        strength(&visitor, "password", "alice").await,
        json!({
            "isAccepted": false,
            "refusal": {
                "message": "This password is among the most common ones. Please choose another.",
                "code": "password_too_common",
            },
            "score": 0,
            "guessesPowerOfTen": 0,
            "warning": "This is a top-10 common password.",
            "suggestions": ["Add another word or two. Uncommon words are better."],
        })
    );
    assert_eq!(
        strength(&visitor, "c4reful-hands-of-a-keeper", "").await,
        json!({
            "isAccepted": true,
            "refusal": null,
            "score": 4,
            "guessesPowerOfTen": 17,
            "warning": null,
            "suggestions": [],
        })
    );
    let (status, without_username) = visitor.post(PATH, &json!({ "password": PASSWORD })).await;
    assert_eq!(status, StatusCode::OK);
    assert_verdict(&without_username, None);
    // The username typed so far counts, even if nobody could have it.
    for username in ["tr4vel lamp", "Travel-Lamp"] {
        let strength = strength(&visitor, PASSWORD, username).await;
        assert_verdict(&strength, Some("password_too_common"));
    }
    for password in ["", "k7#qP", "\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}"] {
        let strength = strength(&visitor, password, "alice").await;
        assert_verdict(&strength, Some("invalid_password"));
        assert_eq!(strength["score"], 0, "{strength}");
    }
    let long = strength(&visitor, &"x".repeat(1_025), "alice").await;
    assert_verdict(&long, Some("invalid_password"));
    assert_eq!(long["score"], 0, "{long}");
}

#[tokio::test]
async fn the_answer_is_not_stored_and_starts_no_session() {
    let server = Server::start();
    let request = server.visitor().request(Method::POST, PATH);
    let body = json!({ "password": PASSWORD });
    let response = request.json(&body).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert!(!response.headers().contains_key("set-cookie"));
    assert!(
        server
            .texts("SELECT 'one' AS value FROM sessions")
            .is_empty()
    );
}

#[tokio::test]
async fn the_own_name_and_role_of_a_signed_in_user_count() {
    let server = Server::start();
    let (player, id) = server.player("merry-widow").await;
    let administrator = server.administrator().await;
    let own_name = strength(&player, "merry-widow!", "alice").await;
    assert_verdict(&own_name, Some("password_too_common"));
    // Another name that is typed does not count.
    assert_verdict(&strength(&player, PASSWORD, PASSWORD).await, None);
    let of_administrator = strength(&administrator, PASSWORD, "").await;
    assert_verdict(&of_administrator, Some("password_too_common"));
    let message = of_administrator["refusal"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("An administrator's password"),
        "{message}"
    );
    let strong = strength(&administrator, "c4reful-hands-of-a-keeper", "").await;
    assert_verdict(&strong, None);
    // In the browser of a banned user, somebody else may register.
    let ban = json!({ "status": "banned", "banReason": "cheating" });
    act(
        &administrator,
        &format!("/api/admin/users/{id}/status"),
        ban,
    )
    .await;
    assert_refused(&player.get("/api/user").await, 403, "account_banned");
    let other = strength(&player, PASSWORD, PASSWORD).await;
    assert_verdict(&other, Some("password_too_common"));
}

#[tokio::test]
async fn malformed_questions_are_refused() {
    let server = Server::start();
    let visitor = server.visitor();
    for body in [
        json!({}),
        json!({ "username": "alice" }),
        json!({ "password": null }),
        json!({ "password": 123_456 }),
        json!({ "password": PASSWORD, "role": "player" }),
        json!({ "password": PASSWORD, "username": ["alice"] }),
    ] {
        let answer = visitor.post(PATH, &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    let huge = json!({ "password": "x".repeat(20_000) });
    assert_refused(&visitor.post(PATH, &huge).await, 413, "body_too_large");
    assert_refused(&visitor.get(PATH).await, 405, "other_method");
}

#[tokio::test]
async fn questions_are_limited_after_a_burst_of_sixty() {
    let server = Server::start_with(&[]);
    let visitor = server.visitor();
    let body = json!({ "password": "" });
    let mut answered = 0;
    let limited = loop {
        let answer = visitor.post(PATH, &body).await;
        if answer.0 != StatusCode::OK {
            break answer;
        }
        answered += 1;
        assert!(answered < 1_000, "the call is not limited");
    };
    assert_refused(&limited, 429, "rate_limited");
    assert!(answered >= 60, "limited after {answered}");
    // Logins are counted separately.
    server.administrator().await;
}
