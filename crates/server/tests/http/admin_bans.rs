//! Bans: who can be banned, what ends with a ban, and what continues.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, get, logged_acts, post_once};
use crate::live::{Events, start_playing};
use crate::support::{PASSWORD, Server, Visitor, assert_refused};

fn ban(reason: &str) -> Value {
    json!({ "status": "banned", "banReason": reason })
}

fn status_path(id: &Value) -> String {
    format!("/api/admin/users/{id}/status")
}

async fn id_of(visitor: &Visitor) -> Value {
    get(visitor, "/api/user").await["id"].clone()
}

async fn log_in(server: &Server, name: &str) -> (Visitor, (StatusCode, Value)) {
    let visitor = server.visitor();
    let body = json!({ "username": name, "password": PASSWORD });
    let answer = visitor.post("/api/login", &body).await;
    (visitor, answer)
}

#[tokio::test]
async fn a_ban_ends_every_session_and_can_be_lifted() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let (phone, _) = log_in(&server, "alice").await;
    let (other, _) = server.player("bob").await;
    let path = status_path(&json!(id));
    let banned = act(&administrator, &path, ban("  Collusion at the tables ")).await;
    assert_eq!(
        (&banned["id"], &banned["status"], &banned["banReason"]),
        (
            &json!(id),
            &json!("banned"),
            &json!("Collusion at the tables")
        )
    );
    for visitor in [&player, &phone] {
        let answer = visitor.get("/api/user").await;
        assert_refused(&answer, 403, "account_banned");
        assert_eq!(answer.1["reason"], "Collusion at the tables");
        let answer = visitor.get("/api/admin/users").await;
        assert_refused(&answer, 403, "account_banned");
    }
    assert_eq!(other.get("/api/user").await.0, StatusCode::OK);
    let (refused, answer) = log_in(&server, "alice").await;
    assert_refused(&answer, 403, "account_banned");
    assert_eq!(answer.1["reason"], "Collusion at the tables");
    assert_refused(&refused.get("/api/user").await, 401, "not_signed_in");
    // The ban is not revealed to somebody without the password.
    let body = json!({ "username": "alice", "password": "not-the-one" });
    // Another user can sign in from a browser with a banned session.
    let body_of_bob = json!({ "username": "bob", "password": PASSWORD });
    assert_eq!(
        phone.post("/api/login", &body_of_bob).await.0,
        StatusCode::OK
    );
    assert_eq!(phone.get("/api/user").await.1["username"], "bob");
    let guess = server.visitor().post("/api/login", &body).await;
    assert_refused(&guess, 401, "invalid_credentials");

    let active = json!({ "status": "active" });
    let unbanned = act(&administrator, &path, active.clone()).await;
    assert_eq!(
        (&unbanned["status"], &unbanned["banReason"]),
        (&json!("active"), &Value::Null)
    );
    assert_refused(&player.get("/api/user").await, 401, "not_signed_in");
    assert_eq!(log_in(&server, "alice").await.1.0, StatusCode::OK);
    // Lifting a ban twice is recorded once.
    act(&administrator, &path, active).await;
    let actions = logged_acts(&administrator, "&search=alice").await;
    assert_eq!(actions.len(), 2, "{actions:?}");
    assert_eq!(
        (&actions[0]["action"], &actions[1]["action"]),
        (&json!("user_unbanned"), &json!("user_banned"))
    );
    server.assert_clean();
}

#[tokio::test]
async fn invalid_bans_are_refused_with_a_reason() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let path = status_path(&json!(id));
    for body in [
        json!({ "status": "banned" }),
        json!({ "status": "banned", "banReason": null }),
        ban(""),
        ban(" \n\t "),
    ] {
        let answer = administrator.post(&path, &body).await;
        assert_refused(&answer, 422, "ban_reason_required");
        assert_eq!(answer.1["message"], "Ban reason is required");
    }
    let answer = administrator.post(&path, &ban(&"x".repeat(501))).await;
    assert_refused(&answer, 400, "text_too_long");
    for body in [
        json!({}),
        json!([]),
        json!({ "status": "gone", "banReason": "x" }),
        json!({ "status": "banned", "banReason": 7 }),
        json!({ "status": "banned", "banReason": "x", "isAdmin": true }),
    ] {
        let answer = administrator.post(&path, &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    let own = status_path(&id_of(&administrator).await);
    let answer = administrator.post(&own, &ban("coup")).await;
    assert_refused(&answer, 403, "administrator_not_bannable");
    // An administrator who was banned before the grant can be unbanned.
    let (status, answer) = administrator
        .post(&own, &json!({ "status": "active" }))
        .await;
    assert_eq!(
        (status, &answer["status"]),
        (StatusCode::OK, &json!("active"))
    );
    let unknown = status_path(&json!(999_999));
    assert_refused(
        &administrator.post(&unknown, &ban("who")).await,
        404,
        "not_found",
    );
    assert_eq!(player.get("/api/user").await.0, StatusCode::OK);
    let logs = logged_acts(&administrator, "").await;
    assert_eq!(logs.len(), 1, "{logs:?}");
}

#[tokio::test]
async fn one_idempotency_key_bans_once() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (_, id) = server.player("alice").await;
    let path = status_path(&json!(id));
    let active = json!({ "status": "active" });
    let first = post_once(&administrator, &path, "ban-1", &ban("bots")).await;
    assert_eq!(first.0, StatusCode::OK);
    act(&administrator, &path, active).await;
    // A late retry of the ban does not ban the player again.
    let late = post_once(&administrator, &path, "ban-1", &ban("bots")).await;
    assert_eq!(
        (late.0, &late.1["status"]),
        (StatusCode::OK, &json!("active"))
    );
    let other = post_once(&administrator, &path, "ban-1", &ban("cards")).await;
    assert_refused(&other, 409, "idempotency_conflict");
    for key in ["", "a b", &"k".repeat(65)] {
        let answer = post_once(&administrator, &path, key, &ban("x")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
}

/// A banned player's round in play is neither lost nor stopped: it ends as it would have.
#[tokio::test]
async fn a_banned_players_timed_round_ends_as_usual() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "1000.00").await;
    let id = id_of(&player).await;
    let auto = json!({ "autoCashoutMultiplier": 2 });
    let round = start_playing(&player, &auto).await;
    let mut events = Events::open(&player).await;
    act(&administrator, &status_path(&id), ban("in the middle")).await;
    let body = json!({ "action": "cashout", "betAmount": "7.77" });
    let answer = player.post("/api/crash/game", &body).await;
    assert_refused(&answer, 403, "account_banned");
    let started = Instant::now();
    events.listen(Duration::from_mins(1)).await;
    assert!(
        started.elapsed() < Duration::from_secs(50),
        "the round was not settled"
    );
    let path = format!("/api/admin/game-history?userId={id}&limit=1");
    let mut ended = Value::Null;
    for _ in 0..200 {
        ended = get(&administrator, &path).await[0].clone();
        if ended["id"] == round["roundId"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(ended["id"], round["roundId"], "{ended}");
    let has_won = ended["outcome"] == "win (2.00x)";
    let expected = if has_won { "15.54" } else { "0.00" };
    assert_eq!(ended["winAmount"], expected, "{ended}");
    server.assert_clean();
}

/// The hand waits for its player, who may be unbanned.
#[tokio::test]
async fn a_banned_players_poker_hand_stays_open() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "50.00").await;
    let id = id_of(&player).await;
    let bet = json!({ "betAmount": "5.00", "isMaxBet": false });
    let dealt = act(&player, "/api/poker/deal", bet.clone()).await;
    act(&administrator, &status_path(&id), ban("in the middle")).await;
    let answer = player.post("/api/poker/draw", &bet).await;
    assert_refused(&answer, 403, "account_banned");
    let found = get(&administrator, "/api/admin/users?search=alice").await;
    assert_eq!(found[0]["balance"], "45.00");
    server.assert_clean();
    act(
        &administrator,
        &status_path(&id),
        json!({ "status": "active" }),
    )
    .await;
    let (player, _) = log_in(&server, "alice").await;
    let held = json!({ "heldIndexes": [0, 1, 2, 3, 4] });
    act(&player, "/api/poker/hold", held).await;
    let drawn = act(&player, "/api/poker/draw", bet).await;
    assert_eq!(
        (&drawn["hand"], &drawn["roundId"]),
        (&dealt["hand"], &dealt["roundId"])
    );
    server.assert_clean();
}
