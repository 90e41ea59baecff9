//! Invalid calls of crash and stonks.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::live::start_playing;
use crate::support::{Server, assert_refused};

/// The game, fields added to a start with a stake of 10.00, and the expected status and code.
const REFUSED: &[(&str, &str, u16, &str)] = &[
    ("crash", r#"{"betAmount":"0.99"}"#, 422, "invalid_bet"),
    ("crash", r#"{"betAmount":"0"}"#, 422, "invalid_bet"),
    (
        "crash",
        r#"{"betAmount":"1000.01"}"#,
        422,
        "bet_exceeds_limit",
    ),
    (
        "crash",
        r#"{"betAmount":"100.01"}"#,
        422,
        "insufficient_balance",
    ),
    ("crash", r#"{"betAmount":"1e1"}"#, 400, "invalid_amount"),
    ("crash", r#"{"betAmount":-1}"#, 400, "invalid_amount"),
    (
        "crash",
        r#"{"autoCashoutMultiplier":"1.00"}"#,
        422,
        "invalid_auto_cashout",
    ),
    (
        "crash",
        r#"{"autoCashoutMultiplier":1}"#,
        422,
        "invalid_auto_cashout",
    ),
    (
        "crash",
        r#"{"autoCashoutMultiplier":"1.555"}"#,
        422,
        "invalid_auto_cashout",
    ),
    (
        "crash",
        r#"{"autoCashoutMultiplier":"NaN"}"#,
        422,
        "invalid_auto_cashout",
    ),
    (
        "crash",
        r#"{"autoCashoutMultiplier":"-2"}"#,
        422,
        "invalid_auto_cashout",
    ),
    (
        "crash",
        r#"{"autoCashoutMultiplier":[2]}"#,
        400,
        "malformed_request",
    ),
    ("crash", r#"{"curve":"vertical"}"#, 400, "malformed_request"),
    ("crash", r#"{"action":"win"}"#, 400, "malformed_request"),
    (
        "crash",
        r#"{"winAmount":"1000.00"}"#,
        400,
        "malformed_request",
    ),
    ("crash", r#"{"action":"cashout"}"#, 422, "field_missing"),
    (
        "crash",
        r#"{"action":"cashout","cashoutMultiplier":"0.99"}"#,
        422,
        "invalid_multiplier",
    ),
    (
        "crash",
        r#"{"action":"cashout","cashoutMultiplier":"x"}"#,
        400,
        "invalid_multiplier",
    ),
    (
        "crash",
        r#"{"action":"cashout","cashoutMultiplier":2,"crashPoint":99}"#,
        409,
        "no_open_round",
    ),
    (
        "crash",
        r#"{"action":"cashout","cashoutMultiplier":2,"roundId":1}"#,
        404,
        "not_found",
    ),
    ("stonks", r#"{"betAmount":"0.00"}"#, 422, "invalid_bet"),
    (
        "stonks",
        r#"{"autoCashoutProfit":"10.00"}"#,
        422,
        "invalid_auto_sell",
    ),
    (
        "stonks",
        r#"{"autoCashoutProfit":"1e9"}"#,
        400,
        "invalid_amount",
    ),
    (
        "stonks",
        r#"{"autoCashoutProfit":"10.005"}"#,
        400,
        "invalid_amount",
    ),
    ("stonks", r#"{"points":[1,100]}"#, 400, "malformed_request"),
    ("stonks", r#"{"action":"cashout"}"#, 409, "no_open_round"),
    ("stonks", r#"{"action":"crashed"}"#, 409, "no_open_round"),
    (
        "stonks",
        r#"{"action":"crashed","roundId":7}"#,
        404,
        "not_found",
    ),
];

#[tokio::test]
async fn invalid_calls_are_refused_and_move_no_money() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let call = |game: &str, more: &Value| {
        let mut body = json!({ "action": "start", "betAmount": "10.00" });
        let fields = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        let (player, path) = (player.clone(), format!("/api/{game}/game"));
        async move { player.post(&path, &body).await }
    };
    for (game, more, status, code) in REFUSED {
        let answer = call(game, &serde_json::from_str(more).unwrap()).await;
        assert_refused(&answer, *status, code);
    }
    let endless = json!({ "autoCashoutMultiplier": "9".repeat(10_000) });
    assert_refused(&call("crash", &endless).await, 422, "invalid_auto_cashout");
    assert_eq!(player.balance().await, "100.00");
    let stranger = server.visitor();
    for path in [
        "/api/crash-settings",
        "/api/stonks-settings",
        "/api/open-rounds",
        "/api/events",
    ] {
        assert_refused(&stranger.get(path).await, 401, "not_signed_in");
    }
    let round = start_playing(&player, &json!({})).await;
    let second = call("crash", &json!({})).await;
    if second.0 == StatusCode::CONFLICT {
        assert_eq!(second.1["roundId"], round["roundId"]);
    }
    server.assert_clean();
}
