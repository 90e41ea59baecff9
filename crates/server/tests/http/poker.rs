//! Both poker games over HTTP: the wire format, refusals, and what responses must not reveal.

use std::fmt::Write as _;

use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::{heads_up, video_poker};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused};

async fn post(player: &Visitor, call: &str, body: Value) -> Value {
    let (status, answer) = player.post(&format!("/api/poker/{call}"), &body).await;
    assert_eq!(status, StatusCode::OK, "{call}: {answer}");
    answer
}

#[tokio::test]
async fn a_hand_is_played_by_the_specified_calls() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let dealt = post(
        &player,
        "deal",
        json!({ "betAmount": 10, "isMaxBet": true }),
    )
    .await;
    assert_eq!(dealt["hand"].as_array().unwrap().len(), 5);
    assert_eq!(
        (&dealt["stage"], &dealt["isMaxBet"]),
        (&json!("DRAW"), &json!(true))
    );
    assert_eq!(dealt["newBalance"], "90.00");
    let held = post(&player, "hold", json!({ "heldIndexes": [1, 3] })).await;
    assert_eq!(
        (&held["hand"], &held["heldIndexes"]),
        (&dealt["hand"], &json!([1, 3]))
    );
    let (_, open) = player.get("/api/open-rounds").await;
    assert_eq!(open["poker"]["heldIndexes"], json!([1, 3]));
    // A different bet at the draw is ignored.
    let drawn = post(
        &player,
        "draw",
        json!({ "betAmount": "1.00", "isMaxBet": false }),
    )
    .await;
    assert_eq!(
        (&drawn["stage"], &drawn["betAmount"]),
        (&json!("RESULT"), &json!("10.00"))
    );
    for held in [1, 3] {
        assert_eq!(drawn["hand"][held], dealt["hand"][held]);
    }
    let times = drawn["multiplier"].as_u64().unwrap();
    assert_eq!(drawn["winAmount"], format!("{}.00", times * 10));
    assert_eq!(drawn["isWin"], json!(times > 0));
    let (_, page) = player.get("/api/game-history?gameType=poker").await;
    assert_eq!(page[0]["gameType"], "poker");
    let outcome = page[0]["outcome"].as_str().unwrap();
    assert_eq!(outcome.starts_with("win ("), times > 0, "{outcome}");
    let path = format!("/api/poker/analysis/{}", drawn["roundId"]);
    let (status, analysis) = player.get(&path).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&analysis["kind"], &analysis["chosen"]),
        (&json!("video_poker"), &json!([1, 3]))
    );
    assert_eq!(analysis["best"], analysis["holds"][0]["heldIndexes"]);
    server.assert_clean();
}

#[tokio::test]
async fn heads_up_is_dealt_played_and_shown_down() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    let dealt = post(&player, "heads-up/deal", json!({ "betAmount": "25.00" })).await;
    assert_eq!(dealt["houseCards"], Value::Null);
    assert_eq!(dealt["board"].as_array().unwrap().len(), 3);
    let shown = post(
        &player,
        "play",
        json!({ "betAmount": "25.00", "action": "raise" }),
    )
    .await;
    assert_eq!(
        (&shown["result"], &shown["action"]),
        (&json!("complete"), &json!("raise"))
    );
    assert_eq!(
        (&shown["roundId"], &shown["stakedAmount"]),
        (&dealt["roundId"], &json!("75.00"))
    );
    assert_eq!(shown["board"].as_array().unwrap().len(), 5);
    assert_eq!(shown["isWin"], json!(shown["outcome"] == "win"));
    // Without a dealt hand, `play` deals and plays at once.
    let alone = post(
        &player,
        "play",
        json!({ "betAmount": "5.00", "action": "fold" }),
    )
    .await;
    assert_eq!(
        (&alone["outcome"], &alone["winAmount"]),
        (&json!("fold"), &json!("0.00"))
    );
    let (_, details) = player
        .get(&format!("/api/rounds/{}", shown["roundId"]))
        .await;
    assert_eq!(details["headsUp"]["houseCards"], shown["houseCards"]);
    assert_eq!(details["gameType"], "poker");
    let path = format!("/api/poker/analysis/{}", shown["roundId"]);
    let (_, analysis) = player.get(&path).await;
    assert_eq!(
        (&analysis["kind"], &analysis["completions"]),
        (&json!("heads_up"), &json!(1_070_190))
    );
    server.assert_clean();
}

/// The call, fields added to a body with a stake of 5.00, and the expected status and code.
const REFUSED: &[(&str, &str, u16, &str)] = &[
    ("deal", r#"{"betAmount":"0"}"#, 422, "invalid_bet"),
    ("deal", r#"{"betAmount":"0.50"}"#, 422, "invalid_bet"),
    ("deal", r#"{"betAmount":"1.50"}"#, 422, "invalid_bet"),
    ("deal", r#"{"betAmount":"11"}"#, 422, "bet_exceeds_limit"),
    ("deal", r#"{"isMaxBet":true}"#, 422, "invalid_bet"),
    ("deal", r#"{"betAmount":"5e0"}"#, 400, "invalid_amount"),
    ("deal", r#"{"isMaxBet":"yes"}"#, 400, "malformed_request"),
    ("deal", r#"{"hand":["AS"]}"#, 400, "malformed_request"),
    ("draw", "{}", 409, "no_open_round"),
    ("draw", r#"{"roundId":77}"#, 404, "not_found"),
    ("draw", r#"{"heldIndexes":[5]}"#, 422, "invalid_holds"),
    ("draw", r#"{"heldIndexes":[-1]}"#, 422, "invalid_holds"),
    ("draw", r#"{"heldIndexes":[0,0]}"#, 422, "invalid_holds"),
    ("draw", r#"{"heldIndexes":[0.5]}"#, 400, "malformed_request"),
    (
        "draw",
        r#"{"winAmount":"8000.00"}"#,
        400,
        "malformed_request",
    ),
    ("heads-up/deal", r#"{"betAmount":"4"}"#, 422, "invalid_bet"),
    ("heads-up/deal", r#"{"betAmount":"7"}"#, 422, "invalid_bet"),
    (
        "heads-up/deal",
        r#"{"betAmount":"1005"}"#,
        422,
        "bet_exceeds_limit",
    ),
    (
        "heads-up/deal",
        r#"{"betAmount":"105"}"#,
        422,
        "insufficient_balance",
    ),
    ("play", r#"{"action":"check"}"#, 400, "malformed_request"),
    (
        "play",
        r#"{"action":"call","roundId":77}"#,
        404,
        "not_found",
    ),
    (
        "play",
        r#"{"action":"call","cards":["AS"]}"#,
        400,
        "malformed_request",
    ),
];

#[tokio::test]
async fn invalid_calls_are_refused_and_move_no_money() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    for (call, more, status, code) in REFUSED {
        let mut body = json!({ "betAmount": "5.00" });
        let more: Value = serde_json::from_str(more).unwrap();
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let answer = player.post(&format!("/api/poker/{call}"), &body).await;
        assert_refused(&answer, *status, code);
    }
    for positions in [
        json!([7]),
        json!([1, 1]),
        json!([-1]),
        json!([0, 1, 2, 3, 4, 0]),
    ] {
        let answer = player
            .post("/api/poker/hold", &json!({ "heldIndexes": positions }))
            .await;
        assert_refused(&answer, 422, "invalid_holds");
    }
    let hold = player
        .post("/api/poker/hold", &json!({ "heldIndexes": [0] }))
        .await;
    assert_refused(&hold, 409, "no_open_round");
    assert_refused(&player.get("/api/poker/analysis/1").await, 404, "not_found");
    assert_eq!(player.balance().await, "100.00");
    server.assert_clean();
}

#[tokio::test]
async fn responses_do_not_reveal_undealt_cards() {
    let server = Server::start();
    let player = server.funded_player("spy", "500.00").await;
    let dealt = post(&player, "deal", json!({ "betAmount": "5.00" })).await;
    let heads_up = post(&player, "heads-up/deal", json!({ "betAmount": "25.00" })).await;
    let mut received = format!("{dealt}{heads_up}");
    for (method, path, body) in [
        (Method::GET, "/api/open-rounds".to_owned(), Value::Null),
        (
            Method::GET,
            format!("/api/rounds/{}", dealt["roundId"]),
            Value::Null,
        ),
        (
            Method::GET,
            format!("/api/rounds/{}", heads_up["roundId"]),
            Value::Null,
        ),
        (
            Method::GET,
            format!("/api/poker/analysis/{}", dealt["roundId"]),
            Value::Null,
        ),
        (Method::GET, "/api/game-history".to_owned(), Value::Null),
        (
            Method::POST,
            "/api/poker/hold".to_owned(),
            json!({ "heldIndexes": [0] }),
        ),
        (
            Method::POST,
            "/api/poker/deal".to_owned(),
            json!({ "betAmount": "5.00" }),
        ),
        (
            Method::POST,
            "/api/fairness/rotate".to_owned(),
            player.rotation("early").await,
        ),
    ] {
        let mut request = player.request(method, &path);
        if !body.is_null() {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        write!(received, "{:?}", response.headers()).unwrap();
        received += &response.text().await.unwrap();
    }
    finish_and_compare(&player, &dealt, &heads_up, &received).await;
    server.assert_clean();
}

/// Ends both hands, reveals the seeds, and searches the earlier responses for undealt cards.
async fn finish_and_compare(player: &Visitor, dealt: &Value, heads_up: &Value, received: &str) {
    post(player, "draw", json!({ "betAmount": "5.00" })).await;
    post(
        player,
        "play",
        json!({ "betAmount": "25.00", "action": "fold" }),
    )
    .await;
    let rotation = player.rotate("after").await;
    let seed = rotation["revealed"]["serverSeed"].as_str().unwrap();
    assert!(!received.contains(seed));
    let stream = |round: &Value| {
        Stream::new(
            &ServerSeed::from_text(seed.to_owned()).unwrap(),
            &ClientSeed::parse(rotation["revealed"]["clientSeed"].as_str().unwrap()).unwrap(),
            round["nonce"].as_u64().unwrap(),
        )
    };
    let hand = video_poker::Deal::new(&mut stream(dealt));
    let table = heads_up::Deal::new(&mut stream(heads_up));
    let shown: Vec<_> = hand
        .dealt()
        .iter()
        .chain(table.player())
        .copied()
        .chain(table.flop())
        .collect();
    let drawn = hand.draw(video_poker::Holds::NONE);
    let hidden = drawn.iter().chain(table.house()).chain(&table.board()[3..]);
    for card in hidden.filter(|card| !shown.contains(card)) {
        let text = format!(
            r#"{{"suit":"{}","value":"{}"}}"#,
            card.suit().as_str(),
            card.value()
        );
        assert!(!received.contains(&text), "{card} was revealed: {received}");
    }
    for card in shown {
        let text = format!(
            r#"{{"suit":"{}","value":"{}"}}"#,
            card.suit().as_str(),
            card.value()
        );
        assert!(
            received.contains(&text),
            "{card} is not found in its wire format"
        );
    }
}

#[tokio::test]
async fn a_hand_survives_a_killed_server() {
    let mut server = Server::start();
    let player = server.funded_player("survivor", "100.00").await;
    let dealt = post(&player, "deal", json!({ "betAmount": "5.00" })).await;
    post(&player, "hold", json!({ "heldIndexes": [2] })).await;
    server.crash_and_restart();
    let (_, open) = player.get("/api/open-rounds").await;
    assert_eq!(open["poker"]["hand"], dealt["hand"]);
    assert_eq!(open["poker"]["heldIndexes"], json!([2]));
    let drawn = post(&player, "draw", json!({ "betAmount": "5.00" })).await;
    assert_eq!(drawn["hand"][2], dealt["hand"][2]);
    server.assert_clean();
}
