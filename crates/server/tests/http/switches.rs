//! The switches of the house and the restrictions of players over HTTP, and `glasshouse maintenance`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{act, colleague_as, get, logged_acts, post_once};
use crate::sandbox_payments::create_deposit;
use crate::support::{PASSWORD, Server, Visitor, assert_refused, wait_for};

const HOUSE: &str = "/api/house";

fn roll() -> Value {
    json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" })
}

fn withdrawal() -> Value {
    json!({
        "amount": "20.00",
        "currency": "btc",
        "walletAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    })
}

fn nothing_stopped() -> Value {
    json!({ "maintenance": null, "deposits": null, "withdrawals": null, "registration": null })
}

async fn register(server: &Server, name: &str) -> (StatusCode, Value) {
    let body = json!({ "username": name, "password": PASSWORD });
    server.visitor().post("/api/register", &body).await
}

async fn bet(player: &Visitor) -> (StatusCode, Value) {
    player.post("/api/dice/play", &roll()).await
}

#[tokio::test]
async fn switches_are_thrown_in_the_panel_and_players_are_told_why() {
    let server = Server::start();
    let boss = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    assert_eq!(get(&server.visitor(), HOUSE).await, nothing_stopped());
    let (path, body) = set("withdrawals", false);
    let switches = act(&boss, &path, body.clone()).await;
    let names: Vec<_> = switches
        .as_array()
        .unwrap()
        .iter()
        .map(|s| &s["name"])
        .collect();
    assert_eq!(
        names,
        ["deposits", "maintenance", "registration", "withdrawals"]
    );
    let switch = &switches[3];
    assert_eq!(switch["isOn"], false);
    assert_eq!(switch["isStopping"], true);
    assert_eq!(switch["reason"], "The provider is down");
    assert_eq!(switch["changedBy"]["username"], "admin");
    assert_eq!(get(&boss, "/api/admin/switches").await, switches);
    let house = get(&server.visitor(), HOUSE).await;
    assert_eq!(
        house["withdrawals"],
        json!({ "reason": "The provider is down" })
    );
    assert_eq!(house["deposits"], Value::Null);
    let answer = player.post("/api/withdraw-requests", &withdrawal()).await;
    assert_refused(&answer, 409, "withdrawals_paused");
    assert_eq!(
        answer.1["message"],
        "Withdrawals are paused at the moment: The provider is down"
    );
    // The same again is recorded once.
    act(&boss, &path, body).await;
    for (path, body) in [set("registration", false), set("deposits", false)] {
        let once = post_once(&boss, &path, "once-and-again", &body).await;
        if path.ends_with("deposits") {
            assert_refused(&once, 409, "idempotency_conflict");
        } else {
            assert_eq!(once.0, StatusCode::OK, "{}", once.1);
        }
    }
    assert_refused(&register(&server, "bob").await, 409, "registration_paused");
    let records = logged_acts(&boss, "&action=house_switch").await;
    assert_eq!(records.len(), 2, "{records:?}");
    assert_eq!(records[0]["subjectKind"], "switch");
    assert_eq!(records[0]["oldValue"], "on");
    for name in ["deposits", "withdrawals", "registration"] {
        let (path, body) = set(name, true);
        act(&boss, &path, body).await;
    }
    assert_eq!(get(&server.visitor(), HOUSE).await, nothing_stopped());
    assert_eq!(register(&server, "bob").await.0, StatusCode::CREATED);
    server.assert_clean();
}

/// The call that sets a switch.
fn set(name: &str, is_on: bool) -> (String, Value) {
    let path = format!("/api/admin/switches/{name}");
    let body = json!({ "isOn": is_on, "reason": " The provider is down\n" });
    (path, body)
}

#[tokio::test]
async fn a_call_must_be_well_formed_and_stopping_needs_less_than_resuming() {
    let server = Server::start();
    let boss = server.administrator().await;
    for (path, body, status, code) in [
        (
            "lights",
            json!({ "isOn": true, "reason": "x" }),
            404,
            "not_found",
        ),
        (
            "deposits",
            json!({ "isOn": false, "reason": " " }),
            422,
            "reason_required",
        ),
        (
            "deposits",
            json!({ "isOn": false }),
            400,
            "malformed_request",
        ),
        (
            "deposits",
            json!({ "isOn": false, "reason": "x".repeat(501) }),
            400,
            "text_too_long",
        ),
    ] {
        let path = format!("/api/admin/switches/{path}");
        assert_refused(&boss.post(&path, &body).await, status, code);
    }
    // Stopping needs less than resuming.
    let cashier = colleague_as(&server, "cashier", "cashier").await;
    let (path, body) = set("deposits", false);
    act(&cashier, &path, body).await;
    let (path, body) = set("deposits", true);
    assert_refused(&cashier.post(&path, &body).await, 403, "not_permitted");
    let (path, body) = set("deposits", true);
    act(&boss, &path, body).await;
    server.assert_clean();
}

#[tokio::test]
async fn maintenance_is_turned_on_and_off_from_the_command_line() {
    let server = Server::start();
    let boss = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    create_deposit(&player, "30.00").await;
    assert_eq!(bet(&player).await.0, StatusCode::OK);
    let output = server.operate(&["maintenance", "on", "--reason", "Back at 14:00 UTC"]);
    assert!(output.status.success(), "{output:?}");
    // The server, which is another process, notices by itself.
    wait_for(async || get(&player, HOUSE).await["maintenance"].is_object()).await;
    let request = player.request(Method::POST, "/api/dice/play").json(&roll());
    let refused = request.send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()["retry-after"], "60");
    let answer: Value = refused.json().await.unwrap();
    assert_eq!(answer["code"], "maintenance");
    assert_eq!(
        answer["message"],
        "Glasshouse is under maintenance: Back at 14:00 UTC"
    );
    for (path, body) in [
        ("/api/withdraw-requests", withdrawal()),
        (
            "/api/deposits/create",
            json!({ "amount": "30.00", "cryptoCurrency": "btc" }),
        ),
    ] {
        assert_refused(&player.post(path, &body).await, 503, "maintenance");
    }
    assert_refused(&register(&server, "bob").await, 503, "maintenance");
    // Reading, signing in and the panel go on.
    get(&player, "/api/game-history").await;
    let body = json!({ "username": "alice", "password": PASSWORD });
    act(&server.visitor(), "/api/login", body).await;
    get(&boss, "/api/admin/users").await;
    let missing = server.operate(&["maintenance", "off"]);
    assert!(!missing.status.success());
    let output = server.operate(&["maintenance", "off", "--reason", "Done"]);
    assert!(output.status.success(), "{output:?}");
    wait_for(async || get(&player, HOUSE).await == nothing_stopped()).await;
    assert_eq!(bet(&player).await.0, StatusCode::OK);
    let records = logged_acts(&boss, "&action=house_switch").await;
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["adminId"], Value::Null);
    server.assert_clean();
}

#[tokio::test]
async fn a_players_betting_and_withdrawing_are_blocked() {
    let server = Server::start();
    let boss = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let id = get(&player, "/api/user").await["id"].clone();
    let path = format!("/api/admin/users/{id}/restrictions");
    let change = |restriction: &str, is_blocked: bool| json!({ "restriction": restriction, "isBlocked": is_blocked, "reason": "chargeback" });
    let user = act(&boss, &path, change("betting", true)).await;
    assert_eq!(user["bettingBlockReason"], "chargeback");
    assert_eq!(user["withdrawingBlockReason"], Value::Null);
    let answer = bet(&player).await;
    assert_refused(&answer, 403, "betting_blocked");
    assert!(!answer.1.to_string().contains("chargeback"), "{}", answer.1);
    let user = get(&player, "/api/user").await;
    assert_eq!(user["isBettingBlocked"], true);
    assert_eq!(user["isWithdrawingBlocked"], false);
    assert!(!user.to_string().contains("chargeback"), "{user}");

    let cashier = colleague_as(&server, "cashier", "cashier").await;
    let not_permitted = cashier.post(&path, &change("betting", false)).await;
    assert_refused(&not_permitted, 403, "not_permitted");
    act(&cashier, &path, change("withdrawing", true)).await;
    assert_refused(
        &player.post("/api/withdraw-requests", &withdrawal()).await,
        403,
        "withdrawing_blocked",
    );
    act(&boss, &path, change("betting", false)).await;
    act(&boss, &path, change("withdrawing", false)).await;
    assert_eq!(bet(&player).await.0, StatusCode::OK);
    let answer = player.post("/api/withdraw-requests", &withdrawal()).await;
    assert_eq!(answer.0, StatusCode::CREATED, "{}", answer.1);
    for (path, body, status, code) in [
        (
            path.clone(),
            json!({ "restriction": "betting", "isBlocked": true, "reason": "" }),
            422,
            "reason_required",
        ),
        (
            path,
            json!({ "restriction": "playing", "isBlocked": true, "reason": "x" }),
            400,
            "malformed_request",
        ),
        (
            "/api/admin/users/99999/restrictions".to_owned(),
            change("betting", true),
            404,
            "not_found",
        ),
    ] {
        assert_refused(&boss.post(&path, &body).await, status, code);
    }
    server.assert_clean();
}
