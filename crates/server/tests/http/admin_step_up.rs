//! What moves money asks for the password again after five minutes, and nothing else does.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{
    Call, Places, act, calls, get, orphan, post_once, set_seconds_ago, withdraw,
};
use crate::support::{Server, Visitor, assert_refused};

const STEP_UP: &str = "/api/admin/step-up";
const EXPORT: &str = "/api/admin/export/{list}.csv";
/// When the password was last entered.
const CONFIRMED: &str = "confirmed_at_micros";

/// Every call by which an administrator changes anything, and whether it asks for the password.
const ASKS: [(&str, bool); 8] = [
    ("/api/admin/games/{name}/status", true),
    ("/api/admin/users/{userId}/status", true),
    ("/api/admin/users/{userId}/balance", true),
    ("/api/admin/withdraw-requests/{requestId}/process", true),
    // It credits what the provider says, nobody's word besides.
    ("/api/admin/check-payment/{paymentId}", false),
    ("/api/admin/confirm-payment", true),
    ("/api/admin/reviews/{reviewId}/resolve", true),
    (STEP_UP, false),
];

fn asks(call: &Call) -> bool {
    let found = ASKS.iter().find(|(template, _)| *template == call.template);
    found
        .unwrap_or_else(|| panic!("{call:?} is new: does it ask for the password?"))
        .1
}

async fn unsafe_calls(server: &Server) -> Vec<Call> {
    let calls = calls(server).await.into_iter();
    let calls: Vec<Call> = calls.filter(Call::is_unsafe).collect();
    assert_eq!(calls.len(), ASKS.len(), "{calls:?}");
    calls
}

/// Something for each call to be done to.
async fn places(server: &Server, administrator: &Visitor) -> Places {
    let player = server.funded_player("alice", "100.00").await;
    let withdrawal = withdraw(&player, "20.00").await;
    // One is resolved, the other confirmed.
    let (_, review) = orphan(server, administrator).await;
    let (payment, _) = orphan(server, administrator).await;
    Places {
        user: get(&player, "/api/user").await["id"].clone(),
        withdrawal,
        payment,
        review,
    }
}

async fn enter(administrator: &Visitor, password: &str) -> (StatusCode, Value) {
    let body = json!({ "password": password });
    administrator.post(STEP_UP, &body).await
}

#[tokio::test]
async fn decisions_over_money_ask_for_the_password_after_five_minutes() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let places = places(&server, &administrator).await;
    let calls = unsafe_calls(&server).await;
    let before = get(&administrator, "/api/admin/logs").await;
    set_seconds_ago(&server, CONFIRMED, 301);
    for call in calls.iter().filter(|call| asks(call)) {
        let path = call.path(&places);
        // It is asked for whatever is sent, so that nobody enters it for nothing.
        let answer = post_once(&administrator, &path, &key(call), &call.body(&places)).await;
        assert_refused(&answer, 403, "step_up_required");
        let message = "Please enter your password again to continue.";
        assert_eq!(answer.1["message"], message);
        let answer = administrator.post_raw(&path, "").await;
        assert_refused(&answer, 403, "step_up_required");
    }
    assert_eq!(get(&administrator, "/api/admin/logs").await, before);
    assert_eq!(
        get(&administrator, STEP_UP).await,
        json!({ "validUntil": null })
    );

    let wrong = enter(&administrator, "not-my-password").await;
    assert_refused(&wrong, 401, "invalid_credentials");
    assert_eq!(get(&administrator, "/api/user").await["isAdmin"], true);
    let path = format!("/api/admin/users/{}/balance", places.user);
    let answer = administrator
        .post(&path, &json!({ "balance": "1.00" }))
        .await;
    assert_refused(&answer, 403, "step_up_required");

    let (status, entered) = enter(&administrator, &server.administrator_password).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    assert!(entered["validUntil"].is_string(), "{entered}");
    assert_eq!(get(&administrator, STEP_UP).await, entered);
    // The very same calls, once more.
    for call in calls.iter().filter(|call| asks(call)) {
        let path = call.path(&places);
        let answer = post_once(&administrator, &path, &key(call), &call.body(&places)).await;
        assert_eq!(answer.0, StatusCode::OK, "{path}: {}", answer.1);
    }
    server.assert_clean();
}

fn key(call: &Call) -> String {
    let letters = call.template.chars();
    letters
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect()
}

#[tokio::test]
async fn nothing_else_asks_for_it() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let places = places(&server, &administrator).await;
    set_seconds_ago(&server, CONFIRMED, 3_600);
    for call in calls(&server).await {
        let path = call.path(&places);
        if call.template == STEP_UP && call.is_unsafe() {
            continue;
        }
        if call.is_unsafe() && asks(&call) {
            continue;
        }
        if call.template == EXPORT {
            // What takes everything out of the house does.
            assert_refused(&administrator.get(&path).await, 403, "step_up_required");
            continue;
        }
        let request = administrator.request(call.method.clone(), &path);
        let answer = request.json(&call.body(&places)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{call:?}");
    }
}

#[tokio::test]
async fn a_password_holds_for_five_minutes_in_its_session_alone() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (_, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "3.00" });
    set_seconds_ago(&server, CONFIRMED, 290);
    act(&administrator, &path, body.clone()).await;
    // Using it does not make it younger.
    set_seconds_ago(&server, CONFIRMED, 301);
    assert_refused(
        &administrator.post(&path, &body).await,
        403,
        "step_up_required",
    );
    let elsewhere = server.administrator().await;
    act(&elsewhere, &path, body.clone()).await;
    assert_refused(
        &administrator.post(&path, &body).await,
        403,
        "step_up_required",
    );
    // Nor does somebody else's password, nor one that is none.
    for body in [
        json!({}),
        json!({ "password": null }),
        json!({ "password": server.administrator_password, "username": "alice" }),
    ] {
        let answer = administrator.post(STEP_UP, &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for wrong in ["", crate::support::PASSWORD, &"x".repeat(2_000)] {
        let answer = enter(&administrator, wrong).await;
        assert_refused(&answer, 401, "invalid_credentials");
    }
    assert_refused(
        &administrator.post(&path, &body).await,
        403,
        "step_up_required",
    );
}

#[tokio::test]
async fn guessing_the_password_ends_the_session() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let elsewhere = server.administrator().await;
    // A right one in between begins the count anew.
    for guesses in [9, 10] {
        assert_eq!(
            enter(&administrator, &server.administrator_password)
                .await
                .0,
            StatusCode::OK
        );
        for _ in 0..guesses {
            let answer = enter(&administrator, "guess").await;
            assert_refused(&answer, 401, "invalid_credentials");
        }
    }
    let answer = enter(&administrator, &server.administrator_password).await;
    assert_refused(&answer, 401, "not_signed_in");
    assert_eq!(get(&elsewhere, "/api/user").await["isAdmin"], true);
}

#[tokio::test]
async fn guessing_the_password_is_slowed_down() {
    let server = Server::start_with(&[]);
    let administrator = server.administrator().await;
    set_seconds_ago(&server, CONFIRMED, 301);
    let mut refused = Vec::new();
    for _ in 0..6 {
        refused.push(enter(&administrator, "guess").await);
    }
    for answer in &refused[..5] {
        assert_refused(answer, 401, "invalid_credentials");
    }
    assert_refused(&refused[5], 429, "rate_limited");
    let right = enter(&administrator, &server.administrator_password).await;
    assert_refused(&right, 429, "rate_limited");
    assert_eq!(get(&administrator, "/api/user").await["isAdmin"], true);
}
