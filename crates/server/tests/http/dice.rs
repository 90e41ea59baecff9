//! Dice, history and fairness over HTTP.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read};

fn bet(amount: &str) -> Value {
    json!({ "betAmount": amount, "targetNumber": 50, "betType": "over" })
}

async fn play_with_key(player: &Visitor, body: &Value, key: &str) -> (StatusCode, Value) {
    let request = player
        .request(Method::POST, "/api/dice/play")
        .header("idempotency-key", key);
    read(request.json(body).send().await.unwrap()).await
}

fn cents(amount: &Value) -> i64 {
    amount.as_str().unwrap().replace('.', "").parse().unwrap()
}

#[tokio::test]
async fn a_bet_moves_exactly_its_stake_and_payout() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let (_, settings) = player.get("/api/dice-settings").await;
    assert_eq!(
        settings,
        json!({
            "targetNumber": 50, "betType": "over", "betAmount": "10.00", "maxBet": "1000.00"
        })
    );
    let mut balance = 10_000;
    for nonce in 0..20 {
        let (status, result) = player.post("/api/dice/play", &bet("2.50")).await;
        assert_eq!(status, StatusCode::OK, "{result}");
        let is_win = result["diceResult"].as_i64().unwrap() > 50;
        assert_eq!(result["isWin"], is_win);
        assert_eq!(result["payout"], "4.95");
        assert_eq!(result["multiplier"], "1.98");
        assert_eq!(result["winAmount"], if is_win { "4.95" } else { "0.00" });
        assert_eq!(result["nonce"], nonce);
        balance += cents(&result["winAmount"]) - 250;
        assert_eq!(cents(&result["newBalance"]), balance);
    }
    // A JSON number is parsed by its digits.
    let body = json!({ "betAmount": 2.5, "targetNumber": 50, "betType": "under" });
    assert_eq!(player.post("/api/dice/play", &body).await.0, StatusCode::OK);
    server.assert_clean();
}

/// Invalid bodies, with the expected status and code.
fn invalid_bets() -> Vec<(String, u16, &'static str)> {
    let digits = "9".repeat(10_000);
    let with =
        |amount: &str| format!(r#"{{"betAmount":{amount},"targetNumber":50,"betType":"over"}}"#);
    let target = |number: &str| {
        format!(r#"{{"betAmount":"1.00","targetNumber":{number},"betType":"over"}}"#)
    };
    vec![
        (with("\"0\""), 422, "invalid_bet"),
        (with("0"), 422, "invalid_bet"),
        (with("\"-1\""), 400, "invalid_amount"),
        (with("-1"), 400, "invalid_amount"),
        (with("\"1e309\""), 400, "invalid_amount"),
        (with("1e309"), 400, "invalid_amount"),
        (with("\"NaN\""), 400, "invalid_amount"),
        (with("NaN"), 400, "malformed_request"),
        (with("\"0.001\""), 400, "invalid_amount"),
        (with("0.001"), 400, "invalid_amount"),
        (with("\"10.005\""), 400, "invalid_amount"),
        (with("10.005"), 400, "invalid_amount"),
        (with(&digits), 400, "invalid_amount"),
        (with(&format!("\"{digits}\"")), 400, "invalid_amount"),
        (with("9223372036854775808"), 400, "invalid_amount"),
        (with("\"9223372036854775808\""), 400, "invalid_amount"),
        (with("null"), 400, "malformed_request"),
        (with("[1]"), 400, "malformed_request"),
        (with("{}"), 400, "malformed_request"),
        (with("true"), 400, "malformed_request"),
        (
            r#"{"targetNumber":50,"betType":"over"}"#.to_owned(),
            400,
            "malformed_request",
        ),
        (with("\"100.01\""), 422, "insufficient_balance"),
        (with("\"1000.01\""), 422, "bet_exceeds_limit"),
        (target("0"), 422, "invalid_target"),
        (target("99"), 422, "invalid_target"),
        (target("-5"), 422, "invalid_target"),
        (target("1.5"), 400, "malformed_request"),
        (target("\"50\""), 400, "malformed_request"),
        (target("null"), 400, "malformed_request"),
        (
            r#"{"betAmount":"1","targetNumber":50,"betType":"OVER"}"#.to_owned(),
            400,
            "malformed_request",
        ),
        (
            r#"{"betAmount":"1","targetNumber":50,"betType":"over","isWin":true}"#.to_owned(),
            400,
            "malformed_request",
        ),
        ("{".to_owned(), 400, "malformed_request"),
        (String::new(), 400, "malformed_request"),
        ("[]".to_owned(), 400, "malformed_request"),
        ("x".repeat(16 * 1024 + 1), 413, "body_too_large"),
    ]
}

#[tokio::test]
async fn invalid_bets_get_a_4xx_and_change_nothing() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    for (body, status, code) in invalid_bets() {
        let answer = player.post_raw("/api/dice/play", body.clone()).await;
        assert_eq!(answer.0.as_u16(), status, "{body:.80}: {}", answer.1);
        assert_refused(&answer, status, code);
    }
    let request = player
        .request(Method::POST, "/api/dice/play")
        .header("content-type", "text/plain");
    let answer = read(
        request
            .json(&bet("1.00"))
            .header("content-type", "text/plain")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_refused(&answer, 415, "not_json");
    for key in ["", "a b", &"x".repeat(65)] {
        let answer = play_with_key(&player, &bet("1.00"), key).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    assert_eq!(player.balance().await, "100.00");
    assert_eq!(player.get("/api/game-history").await.1, json!([]));
    server.assert_clean();
}

#[tokio::test]
async fn a_retry_returns_the_first_result_even_after_a_crash() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let first = play_with_key(&player, &bet("1.00"), "key-1").await;
    assert_eq!(first.0, StatusCode::OK);
    assert_eq!(play_with_key(&player, &bet("1.00"), "key-1").await, first);
    let conflict = play_with_key(&player, &bet("2.00"), "key-1").await;
    assert_refused(&conflict, 409, "idempotency_conflict");
    let said = server.crash_and_restart();
    assert!(
        !said.contains("password"),
        "the second start created an administrator"
    );
    assert_eq!(play_with_key(&player, &bet("1.00"), "key-1").await, first);
    assert_eq!(
        cents(&first.1["newBalance"]),
        cents(&json!(player.balance().await))
    );
    server.assert_clean();
}

#[tokio::test]
async fn a_server_killed_under_load_leaves_clean_books() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    let storm: Vec<_> = (0..300)
        .map(|number| {
            let player = player.clone();
            tokio::spawn(async move {
                let request = player
                    .request(Method::POST, "/api/dice/play")
                    .header("idempotency-key", format!("bet-{number}"))
                    .json(&bet("0.50"));
                request
                    .send()
                    .await
                    .is_ok_and(|response| response.status().is_success())
            })
        })
        .collect();
    tokio::time::sleep(std::time::Duration::from_millis(60)).await;
    server.crash_and_restart();
    for bet in storm {
        bet.await.unwrap();
    }
    // Calls without a response are retried: in the end there is one round for each.
    for number in 0..300 {
        let answer = play_with_key(&player, &bet("0.50"), &format!("bet-{number}")).await;
        assert_eq!(answer.0, StatusCode::OK, "{}", answer.1);
    }
    let (_, statistics) = player.get("/api/statistics").await;
    assert_eq!(statistics["totalGames"], 300);
    server.assert_clean();
}

#[tokio::test]
async fn history_pages_reach_the_first_round() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    for _ in 0..25 {
        player.post("/api/dice/play", &bet("1.00")).await;
    }
    let (_, newest) = player.get("/api/game-history").await;
    assert_eq!(newest.as_array().unwrap().len(), 25);
    let mut ids = BTreeSet::new();
    let mut path = "/api/game-history?limit=10".to_owned();
    for expected in [10, 10, 5] {
        let response = player.request(Method::GET, &path).send().await.unwrap();
        let next = response
            .headers()
            .get("next-cursor")
            .map(|next| next.to_str().unwrap().to_owned());
        let (_, page) = read(response).await;
        let page = page.as_array().unwrap();
        assert_eq!(page.len(), expected);
        ids.extend(page.iter().map(|entry| entry["id"].as_i64().unwrap()));
        assert_eq!(next.is_some(), expected == 10);
        path = format!(
            "/api/game-history?limit=10&cursor={}",
            next.unwrap_or_default()
        );
    }
    assert_eq!(ids.len(), 25);
    for query in [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=x",
        "cursor=1-0",
        "gameType=chess",
        "page=2",
    ] {
        let answer = player.get(&format!("/api/game-history?{query}")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    assert_eq!(
        player.get("/api/game-history?gameType=crash").await.1,
        json!([])
    );
    assert_eq!(
        player
            .get("/api/game-history?search=1.00%20dice")
            .await
            .1
            .as_array()
            .unwrap()
            .len(),
        25
    );

    server.assert_clean();
}

#[tokio::test]
async fn a_round_is_private_and_its_seed_is_revealed_by_rotating() {
    let server = Server::start();
    let player = server.funded_player("alice", "10.00").await;
    let (_, round) = player.post("/api/dice/play", &bet("1.00")).await;
    let id = &round["roundId"];
    let (stranger, _) = server.player("mallory").await;
    assert_refused(
        &stranger.get(&format!("/api/rounds/{id}")).await,
        404,
        "not_found",
    );
    assert_eq!(stranger.get("/api/game-history").await.1, json!([]));
    for unknown in ["999999", "0", "-1", "abc", "1e3"] {
        assert_refused(
            &player.get(&format!("/api/rounds/{unknown}")).await,
            404,
            "not_found",
        );
    }
    let (_, before) = player.get(&format!("/api/rounds/{id}")).await;
    assert_eq!(before["serverSeed"], Value::Null);
    let (_, fairness) = player.get("/api/fairness").await;
    assert_eq!(fairness["nonce"], 1);
    assert_eq!(before["serverSeedHash"], fairness["serverSeedHash"]);
    let rotation = player.rotate("mine").await;
    assert_eq!(
        rotation["revealed"]["serverSeedHash"],
        fairness["serverSeedHash"]
    );
    assert_eq!(rotation["current"]["clientSeed"], "mine");
    let (_, after) = player.get(&format!("/api/rounds/{id}")).await;
    assert_eq!(after["serverSeed"], rotation["revealed"]["serverSeed"]);
    for seed in ["", "a b", &"x".repeat(65)] {
        let body = player.rotation(seed).await;
        let answer = player.post("/api/fairness/rotate", &body).await;
        assert_refused(&answer, 400, "invalid_seed");
    }
    server.assert_clean();
}

/// No response before a rotation may contain the current server seed.
#[tokio::test]
async fn the_current_server_seed_is_in_no_response() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let mut responses = String::new();
    for _ in 0..5 {
        responses.push_str(
            &player
                .post("/api/dice/play", &bet("1.00"))
                .await
                .1
                .to_string(),
        );
    }
    for path in [
        "/api/user",
        "/api/fairness",
        "/api/game-history",
        "/api/statistics",
        "/api/rounds/1",
    ] {
        let response = player.request(Method::GET, path).send().await.unwrap();
        responses.extend(
            response
                .headers()
                .values()
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
        );
        responses.push_str(&response.text().await.unwrap());
    }
    let rotation = player.rotate("after").await;
    assert!(!responses.contains(rotation["revealed"]["serverSeed"].as_str().unwrap()));
}

#[tokio::test]
async fn excessive_bets_get_429_with_retry_after() {
    let server = Server::start_with(&[]);
    let player = server.funded_player("alice", "1000.00").await;
    let bets: Vec<_> = (0..250)
        .map(|_| {
            let player = player.clone();
            tokio::spawn(async move {
                let request = player
                    .request(Method::POST, "/api/dice/play")
                    .json(&bet("0.01"));
                let response = request.send().await.unwrap();
                let retry_after = response.headers().contains_key("retry-after");
                (response.status().as_u16(), retry_after)
            })
        })
        .collect();
    let mut limited = 0;
    for answer in bets {
        match answer.await.unwrap() {
            (200, _) => {}
            (429, has_retry_after) => {
                assert!(has_retry_after);
                limited += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(limited > 0);
    server.assert_clean();
}
