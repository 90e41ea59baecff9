//! Calls that move money require the second factor again after five minutes; other calls do not.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{
    Call, Places, act, calls, get, logged_acts, newest_alert, orphan, play_round, post_once,
    proposal, set_seconds_ago, withdraw,
};
use crate::support::{Server, Visitor, assert_refused};

const STEP_UP: &str = "/api/admin/step-up";
const EXPORT: &str = "/api/admin/export/{list}.csv";
/// The column with the time at which the second factor was last entered.
const CONFIRMED: &str = "confirmed_at_micros";

/// Every unsafe call of administrators, and whether it requires a step-up.
const REQUIRES_STEP_UP: [(&str, bool); 20] = [
    ("/api/admin/users/{userId}/notes", true),
    ("/api/admin/users/{userId}/end-sessions", true),
    ("/api/admin/games/{name}/limits", true),
    ("/api/admin/games/{name}/status", true),
    ("/api/admin/switches/{switch}", true),
    ("/api/admin/users/{userId}/restrictions", true),
    ("/api/admin/users/{userId}/status", true),
    ("/api/admin/users/{userId}/balance", true),
    ("/api/admin/users/{userId}/role", true),
    ("/api/admin/approval/thresholds", true),
    ("/api/admin/proposals/{proposalId}/approve", true),
    ("/api/admin/proposals/{proposalId}/refuse", true),
    ("/api/admin/proposals/{proposalId}/withdraw", true),
    ("/api/admin/withdraw-requests/{requestId}/payout", true),
    ("/api/admin/withdraw-requests/{requestId}/process", true),
    // It credits only what the provider reports.
    ("/api/admin/check-payment/{paymentId}", false),
    ("/api/admin/confirm-payment", true),
    ("/api/admin/alerts/{alertId}/acknowledge", true),
    ("/api/admin/reviews/{reviewId}/resolve", true),
    (STEP_UP, false),
];

fn requires_step_up(call: &Call) -> bool {
    let found = REQUIRES_STEP_UP
        .iter()
        .find(|(template, _)| *template == call.template);
    found
        .unwrap_or_else(|| panic!("{call:?} is new: does it require a step-up?"))
        .1
}

async fn unsafe_calls(server: &Server) -> Vec<Call> {
    let calls = calls(server).await.into_iter();
    let calls: Vec<Call> = calls.filter(Call::is_unsafe).collect();
    assert_eq!(calls.len(), REQUIRES_STEP_UP.len(), "{calls:?}");
    calls
}

/// A target for each call.
async fn create_places(server: &Server, administrator: &Visitor) -> Places {
    let player = server.funded_player("alice", "100.00").await;
    let withdrawal = withdraw(&player, "20.00").await;
    // The first is resolved, the second confirmed.
    let (_, review) = orphan(server, administrator).await;
    let (payment, _) = orphan(server, administrator).await;
    let user = get(&player, "/api/user").await["id"].clone();
    let proposal = proposal(server, &user).await;
    server.lift_thresholds();
    Places {
        alert: newest_alert(server),
        round: play_round(&player).await,
        user,
        withdrawal,
        payment,
        review,
        proposal,
    }
}

async fn step_up(administrator: &Visitor, code: &str) -> (StatusCode, Value) {
    let body = json!({ "secondFactor": code });
    administrator.post(STEP_UP, &body).await
}

#[tokio::test]
async fn calls_that_move_money_require_a_step_up_after_five_minutes() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let places = create_places(&server, &administrator).await;
    let calls = unsafe_calls(&server).await;
    let before = logged_acts(&administrator, "").await;
    set_seconds_ago(&server, CONFIRMED, 301);
    for call in calls.iter().filter(|call| requires_step_up(call)) {
        let path = call.path(&places);
        // It is required before the request is validated.
        let answer = post_once(&administrator, &path, &key(call), &call.body(&places)).await;
        assert_refused(&answer, 403, "step_up_required");
        let message = "Please confirm that it is you to continue.";
        assert_eq!(answer.1["message"], message);
        let answer = administrator.post_raw(&path, "").await;
        assert_refused(&answer, 403, "step_up_required");
    }
    assert_eq!(logged_acts(&administrator, "").await, before);
    assert_eq!(
        get(&administrator, STEP_UP).await,
        json!({ "validUntil": null })
    );

    let wrong = step_up(&administrator, "not-my-code").await;
    assert_refused(&wrong, 401, "invalid_second_factor");
    // The password is no substitute.
    let body = json!({ "password": server.administrator_password });
    let password = administrator.post(STEP_UP, &body).await;
    assert_refused(&password, 403, "second_factor_required");
    assert_eq!(get(&administrator, "/api/user").await["isAdmin"], true);
    let path = format!("/api/admin/users/{}/balance", places.user);
    let answer = administrator
        .post(&path, &json!({ "balance": "1.00", "reason": "a test" }))
        .await;
    assert_refused(&answer, 403, "step_up_required");

    let (status, confirmed) = step_up(&administrator, &server.recovery_code().await).await;
    assert_eq!(status, StatusCode::OK, "{confirmed}");
    assert!(confirmed["validUntil"].is_string(), "{confirmed}");
    assert_eq!(get(&administrator, STEP_UP).await, confirmed);
    // The same calls again.
    for call in calls.iter().filter(|call| requires_step_up(call)) {
        let path = call.path(&places);
        let answer = post_once(&administrator, &path, &key(call), &call.body(&places)).await;
        // The first call about the proposal decides on it, and the withdrawal is not approved yet when its
        // payment is recorded.
        let is_late = ["proposal_decided", "others_proposal", "not_approved"]
            .into_iter()
            .any(|code| answer.1["code"] == code);
        assert!(answer.0.is_success() || is_late, "{path}: {}", answer.1);
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
async fn other_calls_require_no_step_up() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let places = create_places(&server, &administrator).await;
    set_seconds_ago(&server, CONFIRMED, 3_600);
    for call in calls(&server).await {
        let path = call.path(&places);
        if call.template == STEP_UP && call.is_unsafe() {
            continue;
        }
        if call.is_unsafe() && requires_step_up(&call) {
            continue;
        }
        if call.template == EXPORT {
            // Exporting a whole list does.
            assert_refused(&administrator.get(&path).await, 403, "step_up_required");
            continue;
        }
        let request = administrator.request(call.method.clone(), &path);
        let answer = request.json(&call.body(&places)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{call:?}");
    }
}

#[tokio::test]
async fn a_step_up_is_valid_for_five_minutes_in_its_session_only() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (_, id) = server.player("alice").await;
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "3.00", "reason": "a test" });
    set_seconds_ago(&server, CONFIRMED, 290);
    act(&administrator, &path, body.clone()).await;
    // Using it does not extend it.
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
    // Malformed bodies and what is no code are refused.
    let code = server.recovery_code().await;
    for body in [
        json!({}),
        json!({ "secondFactor": null }),
        json!({ "password": null }),
        json!({ "secondFactor": 123_456 }),
        json!({ "secondFactor": code, "username": "alice" }),
    ] {
        let answer = administrator.post(STEP_UP, &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for wrong in ["", crate::support::PASSWORD, &"x".repeat(2_000)] {
        let answer = step_up(&administrator, wrong).await;
        assert_refused(&answer, 401, "invalid_second_factor");
    }
    assert_refused(
        &administrator.post(&path, &body).await,
        403,
        "step_up_required",
    );
}

#[tokio::test]
async fn guessing_the_code_ends_the_session() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let elsewhere = server.administrator().await;
    // A right code in between resets the count.
    for guesses in [9, 10] {
        assert_eq!(
            step_up(&administrator, &server.recovery_code().await)
                .await
                .0,
            StatusCode::OK
        );
        for _ in 0..guesses {
            let answer = step_up(&administrator, "guess").await;
            assert_refused(&answer, 401, "invalid_second_factor");
        }
    }
    let answer = step_up(&administrator, &server.recovery_code().await).await;
    assert_refused(&answer, 401, "not_signed_in");
    assert_eq!(get(&elsewhere, "/api/user").await["isAdmin"], true);
}

#[tokio::test]
async fn guessing_the_code_is_slowed_down() {
    let server = Server::start_with(&[]);
    let administrator = server.administrator().await;
    set_seconds_ago(&server, CONFIRMED, 301);
    let mut refused = Vec::new();
    for _ in 0..6 {
        refused.push(step_up(&administrator, "guess").await);
    }
    for answer in &refused[..5] {
        assert_refused(answer, 401, "invalid_second_factor");
    }
    assert_refused(&refused[5], 429, "rate_limited");
    let right = step_up(&administrator, &server.recovery_code().await).await;
    assert_refused(&right, 429, "rate_limited");
    assert_eq!(get(&administrator, "/api/user").await["isAdmin"], true);
}
