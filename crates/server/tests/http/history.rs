//! The history's entry of each round, over HTTP.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::live::{settled, start, start_playing};
use crate::support::{Server, Visitor, assert_refused};

async fn call(player: &Visitor, path: &str, body: Value) -> Value {
    let (status, answer) = player.post(path, &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn entry(player: &Visitor, id: &Value) -> Value {
    let (_, page) = player.get("/api/game-history").await;
    let mut entries = page.as_array().unwrap().iter();
    entries.find(|entry| entry["id"] == *id).unwrap().clone()
}

/// Sells as soon as there is a price, unless the market crashes with it.
async fn sell_stonks(player: &Visitor, id: &Value) {
    let sale = json!({ "action": "cashout", "betAmount": "7.77", "roundId": id });
    loop {
        let (status, answer) = player.post("/api/stonks/game", &sale).await;
        if status == StatusCode::OK || answer["code"] == "round_over" {
            return;
        }
        assert_eq!(answer["code"], "not_yet_sellable", "{answer}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn cents(amount: &Value) -> i64 {
    amount.as_str().unwrap().replace('.', "").parse().unwrap()
}

#[track_caller]
fn assert_profit(entry: &Value) {
    let profit = cents(&entry["winAmount"]) - cents(&entry["betAmount"]);
    assert_eq!(cents(&entry["profit"]), profit, "{entry}");
}

#[tokio::test]
async fn every_entry_has_its_id_terms_result_and_profit() {
    let server = Server::start();
    let player = server.funded_player("alice", "10000.00").await;
    let bet = json!({ "betAmount": "2.50", "targetNumber": 40, "betType": "under" });
    let dice = call(&player, "/api/dice/play", bet).await;
    let shown = entry(&player, &dice["roundId"]).await;
    assert_profit(&shown);
    assert_eq!(shown["diceResult"], dice["diceResult"]);
    assert_eq!(
        (&shown["targetNumber"], &shown["betType"]),
        (&json!(40), &json!("under"))
    );
    assert_eq!(shown["crashPoint"], Value::Null);

    let crash = start_playing(&player, &json!({ "autoCashoutMultiplier": 1.01 })).await;
    let details = settled(&player, &crash["roundId"]).await;
    let shown = entry(&player, &crash["roundId"]).await;
    assert_profit(&shown);
    assert_eq!(shown["crashPoint"], details["crash"]["crashPoint"]);
    assert!(shown["crashPoint"].is_number());
    assert_eq!(
        shown["cashoutMultiplier"],
        details["crash"]["cashoutMultiplier"]
    );
    assert_eq!(shown["autoCashoutMultiplier"], json!(1.01));

    let stonks = start(&player, "stonks", json!({})).await;
    sell_stonks(&player, &stonks["roundId"]).await;
    let details = settled(&player, &stonks["roundId"]).await;
    let shown = entry(&player, &stonks["roundId"]).await;
    assert_profit(&shown);
    assert_eq!(
        shown["cashoutMultiplier"],
        details["stonks"]["cashoutMultiplier"]
    );

    let coin = json!({ "betAmount": "1.00", "isMaxBet": false });
    call(&player, "/api/poker/deal", coin.clone()).await;
    let drawn = call(&player, "/api/poker/draw", coin).await;
    let shown = entry(&player, &drawn["roundId"]).await;
    assert_profit(&shown);
    assert_eq!(shown["pokerGame"], "videoPoker");
    assert_eq!(shown["handRank"].is_string(), drawn["isWin"] == true);

    let raise = json!({ "betAmount": "5.00", "action": "raise" });
    let hand = call(&player, "/api/poker/play", raise).await;
    let shown = entry(&player, &hand["roundId"]).await;
    assert_profit(&shown);
    assert_eq!(
        [&shown["pokerGame"], &shown["action"], &shown["betAmount"]],
        ["headsUp", "raise", "15.00"]
    );
    assert_eq!(shown["openingBetAmount"], "5.00");
    server.assert_clean();
}

#[tokio::test]
async fn a_round_in_play_is_not_in_the_history() {
    let server = Server::start();
    let player = server.funded_player("alice", "10000.00").await;
    // The open rounds are read after the history: a round in play then was in play before.
    loop {
        let round = start_playing(&player, &json!({})).await;
        let (_, page) = player.get("/api/game-history").await;
        let (_, open) = player.get("/api/open-rounds").await;
        if open["crash"]["roundId"] == round["roundId"] {
            let mut entries = page.as_array().unwrap().iter();
            assert!(!entries.any(|entry| entry["id"] == round["roundId"]));
            return;
        }
    }
}

#[tokio::test]
async fn a_late_cash_out_reports_its_delay() {
    let server = Server::start();
    let player = server.funded_player("alice", "10000.00").await;
    // A round that crashed before its automatic cash-out, as one in three does.
    let lost = loop {
        let round = start_playing(&player, &json!({ "autoCashoutMultiplier": 1.5 })).await;
        let details = settled(&player, &round["roundId"]).await;
        if details["crash"]["cashoutMultiplier"].is_null() {
            break details;
        }
    };
    let cash_out = json!({
        "action": "cashout",
        "betAmount": "7.77",
        "cashoutMultiplier": "1.16",
        "roundId": lost["id"],
    });
    let mut latest = 0;
    for _ in 0..2 {
        let late = player.post("/api/crash/game", &cash_out).await;
        assert_refused(&late, 409, "round_over");
        let body = &late.1;
        assert_eq!(body["roundId"], lost["id"]);
        assert_eq!(body["crashPoint"], lost["crash"]["crashPoint"]);
        assert_eq!(body["claimedMultiplier"], json!(1.16));
        let late_by = body["lateByMs"].as_u64().unwrap();
        assert!(late_by >= latest);
        latest = late_by;
    }
    server.assert_clean();
}
