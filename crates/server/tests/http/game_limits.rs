//! The owners' limits of games over HTTP.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, colleague_as, get, logged_acts, post_once};
use crate::support::{Server, Visitor, assert_refused};

const GAMES: &str = "/api/admin/games";

fn limits_of(game: &str) -> String {
    format!("{GAMES}/{game}/limits")
}

fn named(games: &Value, name: &str) -> Value {
    let games = games.as_array().unwrap();
    games
        .iter()
        .find(|game| game["name"] == name)
        .unwrap()
        .clone()
}

async fn roll(player: &Visitor, amount: &str) -> (StatusCode, Value) {
    let body = json!({ "betAmount": amount, "targetNumber": 50, "betType": "over" });
    player.post("/api/dice/play", &body).await
}

#[tokio::test]
async fn limits_are_set_in_the_panel_and_bets_are_refused_with_them() {
    let server = Server::start();
    let boss = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let crash = named(&get(&boss, GAMES).await, "crash");
    assert_eq!(
        crash,
        json!({
            "name": "crash", "minimumStake": "1.00", "rulesMaximumStake": "1000.00",
            "maximumStake": null, "maximumProfit": null, "maximumExposure": null,
            "exposure": "0.00",
        })
    );
    assert_eq!(
        named(&get(&boss, GAMES).await, "dice")["exposure"],
        Value::Null
    );
    let body =
        json!({ "maximumStake": "5.00", "maximumProfit": 4.5, "reason": "A small bankroll" });
    let games = post_once(&boss, &limits_of("dice"), "once", &body).await;
    assert_eq!(games.0, StatusCode::OK, "{}", games.1);
    let dice = named(&games.1, "dice");
    assert_eq!(dice["maximumStake"], "5.00");
    assert_eq!(dice["maximumProfit"], "4.50");
    // The screens ask for the largest stake; the default is never above it.
    let settings = get(&player, "/api/dice-settings").await;
    assert_eq!(settings["maxBet"], "5.00");
    assert_eq!(settings["betAmount"], "5.00");
    let refused = roll(&player, "5.01").await;
    assert_refused(&refused, 422, "bet_exceeds_limit");
    assert_eq!(refused.1["message"], "Maximum allowed is $5.00");
    let refused = roll(&player, "5.00").await;
    assert_refused(&refused, 400, "profit_exceeds_limit");
    assert_eq!(roll(&player, "4.59").await.0, StatusCode::OK);
    // The same key sets nothing again, and nothing else.
    let again = post_once(&boss, &limits_of("dice"), "once", &body).await;
    assert_eq!(again.0, StatusCode::OK);
    let other = post_once(&boss, &limits_of("mines"), "once", &body).await;
    assert_refused(&other, 409, "idempotency_conflict");
    let records = logged_acts(&boss, "&action=game_limits").await;
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(
        records[0]["newValue"],
        "stake 5.00, profit 4.50, exposure none"
    );
    // An exposure is used up by a hand in play, and freed by its end.
    let body = json!({ "maximumExposure": "249.00", "reason": "x" });
    act(&boss, &limits_of("poker"), body).await;
    let other = server.funded_player("bob", "100.00").await;
    let deal = json!({ "betAmount": "1.00", "isMaxBet": false });
    assert_eq!(
        player.post("/api/poker/deal", &deal).await.0,
        StatusCode::OK
    );
    assert_eq!(
        named(&get(&boss, GAMES).await, "poker")["exposure"],
        "249.00"
    );
    assert_refused(
        &other.post("/api/poker/deal", &deal).await,
        409,
        "exposure_reached",
    );
    player.post("/api/poker/draw", &deal).await;
    assert_eq!(other.post("/api/poker/deal", &deal).await.0, StatusCode::OK);
    // No body but the reason removes all limits.
    act(&boss, &limits_of("dice"), json!({ "reason": "x" })).await;
    assert_eq!(roll(&player, "20.00").await.0, StatusCode::OK);
    server.assert_clean();
}

#[tokio::test]
async fn a_call_must_be_well_formed_and_only_owners_set_limits() {
    let server = Server::start();
    let boss = server.administrator().await;
    for (game, body, status, code) in [
        ("roulette", json!({ "reason": "x" }), 404, "not_found"),
        (
            "dice",
            json!({ "maximumStake": "5.00" }),
            400,
            "malformed_request",
        ),
        (
            "dice",
            json!({ "maximumStake": "5.00", "reason": " " }),
            422,
            "reason_required",
        ),
        (
            "dice",
            json!({ "maximumStake": "five", "reason": "x" }),
            400,
            "invalid_amount",
        ),
        (
            "dice",
            json!({ "maximumStake": "1000.01", "reason": "x" }),
            400,
            "invalid_game_limit",
        ),
        (
            "crash",
            json!({ "maximumStake": "0.99", "reason": "x" }),
            400,
            "invalid_game_limit",
        ),
        (
            "crash",
            json!({ "maximumProfit": "0", "reason": "x" }),
            400,
            "invalid_game_limit",
        ),
        (
            "dice",
            json!({ "maximumExposure": "9.00", "reason": "x" }),
            400,
            "invalid_game_limit",
        ),
        (
            "crash",
            json!({ "limit": "9.00", "reason": "x" }),
            400,
            "malformed_request",
        ),
    ] {
        assert_refused(&boss.post(&limits_of(game), &body).await, status, code);
    }
    let finance = colleague_as(&server, "finance", "finance").await;
    assert_eq!(get(&finance, GAMES).await, get(&boss, GAMES).await);
    let body = json!({ "maximumStake": "5.00", "reason": "x" });
    let refused = finance.post(&limits_of("dice"), &body).await;
    assert_refused(&refused, 403, "role_forbidden");
    server.assert_clean();
}
