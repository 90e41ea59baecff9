//! Crash and stonks through HTTP: what is told of a round in play, when it ends, and what no byte
//! says before.

use std::time::Duration;

use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::{crash, stonks};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read};

/// The events of one player, as they arrive.
struct Events {
    response: Response,
    text: String,
}

impl Events {
    async fn open(visitor: &Visitor) -> Self {
        let response = visitor
            .request(Method::GET, "/api/events")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let text = format!("{:?}", response.headers());
        Self { response, text }
    }

    /// Reads for that long.
    async fn listen(&mut self, duration: Duration) {
        let read = async {
            while let Ok(Some(chunk)) = self.response.chunk().await {
                self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        let _ = tokio::time::timeout(duration, read).await;
    }

    /// All events of that name so far.
    fn named(&self, name: &str) -> Vec<Value> {
        let head = format!("event: {name}\ndata: ");
        self.text
            .split("\n\n")
            .filter_map(|event| event.split_once(&head))
            .map(|(_, data)| serde_json::from_str(data).unwrap())
            .collect()
    }
}

async fn start(visitor: &Visitor, game: &str, more: Value) -> Value {
    let mut body = json!({ "action": "start", "betAmount": "7.77" });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let (status, answer) = visitor.post(&format!("/api/{game}/game"), &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

/// Waits until a round is in the history.
async fn settled(visitor: &Visitor, id: &Value) -> Value {
    for _ in 0..600 {
        let (status, round) = visitor.get(&format!("/api/rounds/{id}")).await;
        if status.is_success() {
            return round;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("round {id} was not settled");
}

/// Starts a round that does not crash at once.
async fn start_playing(visitor: &Visitor, more: &Value) -> Value {
    loop {
        let round = start(visitor, "crash", more.clone()).await;
        if round["result"] == "playing" {
            return round;
        }
    }
}

#[tokio::test]
async fn no_byte_of_a_round_in_play_tells_its_future() {
    let server = Server::start();
    for number in 0..6 {
        let player = server
            .funded_player(&format!("spy-{number}"), "1000.00")
            .await;
        let mut events = Events::open(&player).await;
        let curve = if number % 2 == 0 {
            "linear"
        } else {
            "exponential"
        };
        let crash = start_playing(&player, &json!({ "curve": curve })).await;
        let stonks = start(&player, "stonks", json!({})).await;
        assert_eq!(
            (&crash["crashPoint"], &stonks["points"]),
            (&Value::Null, &json!([1]))
        );
        let mut bodies = format!("{crash}{stonks}");
        let mut heads = String::new();
        events.listen(Duration::from_millis(700)).await;
        for (method, path, body) in [
            (Method::GET, "/api/open-rounds".to_owned(), Value::Null),
            (
                Method::GET,
                format!("/api/rounds/{}", crash["roundId"]),
                Value::Null,
            ),
            (Method::GET, "/api/game-history".to_owned(), Value::Null),
            (Method::GET, "/api/statistics".to_owned(), Value::Null),
            (Method::GET, "/api/fairness".to_owned(), Value::Null),
            (Method::GET, "/api/user".to_owned(), Value::Null),
            (Method::POST, "/api/fairness/rotate".to_owned(), json!({})),
            (
                Method::POST,
                "/api/crash/game".to_owned(),
                json!({ "action": "start", "betAmount": "7.77" }),
            ),
            (
                Method::POST,
                "/api/crash/game".to_owned(),
                json!({ "action": "cashout", "betAmount": "7.77", "cashoutMultiplier": "0.5" }),
            ),
            (
                Method::POST,
                "/api/stonks/game".to_owned(),
                json!({ "action": "crashed", "betAmount": "7.77" }),
            ),
        ] {
            let mut request = player.request(method, &path);
            if !body.is_null() {
                request = request.json(&body);
            }
            let response = request.send().await.unwrap();
            heads += &format!("{:?}", response.headers());
            bodies += &response.text().await.unwrap();
        }
        // What was told up to here is all that counts; the rounds may have ended meanwhile.
        let (_, open) = player.get("/api/open-rounds").await;
        let told = format!("{bodies}{heads}{}", events.text);
        let crash_in_play = open["crash"]["roundId"] == crash["roundId"];
        let published = open["stonks"]["points"]
            .as_array()
            .filter(|_| open["stonks"]["roundId"] == stonks["roundId"])
            .map(Vec::len);
        tokio::time::sleep(Duration::from_millis(1)).await;
        leave_and_compare(&player, &crash, &stonks, &told, crash_in_play, published).await;
    }
    server.assert_clean();
}

/// Ends both rounds, learns the seeds, and looks for the future in what was told before.
async fn leave_and_compare(
    player: &Visitor,
    crash: &Value,
    stonks: &Value,
    told: &str,
    crash_in_play: bool,
    published: Option<usize>,
) {
    let cash_out = json!({ "action": "cashout", "betAmount": "7.77", "cashoutMultiplier": "1.00" });
    player.post("/api/crash/game", &cash_out).await;
    player
        .post(
            "/api/stonks/game",
            &json!({ "action": "cashout", "betAmount": "7.77" }),
        )
        .await;
    settled(player, &crash["roundId"]).await;
    settled(player, &stonks["roundId"]).await;
    let (status, rotation) = player.post("/api/fairness/rotate", &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{rotation}");
    let seed = rotation["revealed"]["serverSeed"].as_str().unwrap();
    assert!(!told.contains(seed), "the server seed was told");
    let stream = |round: &Value| {
        Stream::new(
            &ServerSeed::from_text(seed.to_owned()).unwrap(),
            &ClientSeed::parse(rotation["revealed"]["clientSeed"].as_str().unwrap()).unwrap(),
            round["nonce"].as_u64().unwrap(),
        )
    };
    let numbers: Vec<&str> = told
        .split(|character: char| !character.is_ascii_digit() && character != '.')
        .collect();
    if crash_in_play {
        let point = crash::CrashPoint::draw(&mut stream(crash)).shown();
        for form in [point.to_string(), point.thousandths().to_string()] {
            assert!(
                !numbers.contains(&form.as_str()),
                "the crash point {form} was told: {told}"
            );
        }
    }
    if let Some(published) = published {
        let path = stonks::path(&mut stream(stonks));
        let prices = told.matches("event: price").count();
        assert!(prices < published, "a price was told before its time");
        for point in path.iter().skip(published).filter(|point| {
            **point != 0 && !path.iter().take(published).any(|known| known == *point)
        }) {
            let exact = format!("{}.{:03}", point / 1_000, point % 1_000);
            let exact = exact.trim_end_matches('0').trim_end_matches('.');
            // A whole or a round number may stand there for another reason.
            if exact.len() >= 5 {
                assert!(
                    !numbers.contains(&exact),
                    "the price {exact} was told: {told}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_round_is_started_watched_left_and_verified() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let mut events = Events::open(&player).await;
    let round = start_playing(&player, &json!({ "autoCashoutMultiplier": 1.01 })).await;
    assert_eq!(round["autoCashoutMultiplier"], json!(1.01));
    events.listen(Duration::from_millis(800)).await;
    let told = events.named("crash");
    let mine: Vec<_> = told
        .iter()
        .filter(|event| event["roundId"] == round["roundId"])
        .collect();
    assert_eq!(mine[0]["result"], "playing");
    let end = mine.last().unwrap();
    assert!(
        end["result"] == "cashed_out" || end["result"] == "crashed",
        "{end}"
    );
    assert!(end["crashPoint"].as_f64().unwrap() >= 1.0);
    assert!(!events.named("clock").is_empty());
    let (_, user) = player.get("/api/user").await;
    assert_eq!(user["balance"], end["newBalance"]);

    let details = settled(&player, &round["roundId"]).await;
    assert_eq!(details["crash"]["crashPoint"], end["crashPoint"]);
    assert_eq!(details["serverSeed"], Value::Null);
    let (_, page) = player.get("/api/game-history?gameType=crash&limit=1").await;
    let expected = if end["result"] == "crashed" {
        "loss"
    } else {
        "win (1.01x)"
    };
    assert_eq!(page[0]["outcome"], expected);
    let (_, statistics) = player.get("/api/statistics").await;
    assert_eq!(statistics["games"][0]["gameType"], "crash");
    server.assert_clean();
}

#[tokio::test]
async fn a_market_is_told_point_by_point() {
    let server = Server::start();
    let player = server.funded_player("trader", "100.00").await;
    let mut events = Events::open(&player).await;
    // One that lasts a little.
    let (round, open) = loop {
        let round = start(&player, "stonks", json!({ "autoCashoutProfit": null })).await;
        let early =
            json!({ "action": "cashout", "betAmount": "7.77", "roundId": round["roundId"] });
        assert_refused(
            &player.post("/api/stonks/game", &early).await,
            422,
            "not_yet_sellable",
        );
        events.listen(Duration::from_millis(1_200)).await;
        let (_, open) = player.get("/api/open-rounds").await;
        if !open["stonks"].is_null() {
            break (round, open);
        }
    };
    let prices: Vec<Value> = events
        .named("price")
        .into_iter()
        .filter(|price| price["roundId"] == round["roundId"])
        .collect();
    assert!(prices.len() >= 2, "{prices:?}");
    let points = open["stonks"]["points"].as_array().unwrap();
    for price in &prices {
        let tick = usize::try_from(price["tick"].as_u64().unwrap()).unwrap();
        assert_eq!(price["multiplier"], points[tick]);
        let at = round["startedAtMs"].as_i64().unwrap() + 500 * i64::try_from(tick).unwrap();
        assert!(
            price["serverTimeMs"].as_i64().unwrap() >= at,
            "told before its time"
        );
    }
    let hint = json!({ "action": "crashed", "betAmount": "7.77", "roundId": round["roundId"] });
    let (status, looked) = player.post("/api/stonks/game", &hint).await;
    assert_eq!(status, StatusCode::OK, "{looked}");
    let sell = json!({ "action": "cashout", "betAmount": "7.77", "cashoutMultiplier": 99, "roundId": round["roundId"] });
    let (status, sold) = player.post("/api/stonks/game", &sell).await;
    if status == StatusCode::OK {
        let points = sold["points"].as_array().unwrap();
        assert_eq!(&sold["cashoutMultiplier"], points.last().unwrap());
    } else {
        assert_eq!(sold["code"], "round_over");
    }
    let details = settled(&player, &round["roundId"]).await;
    assert!(details["stonks"]["points"].as_array().unwrap().len() >= points.len());
    server.assert_clean();
}

#[tokio::test]
async fn what_is_no_call_is_refused_and_moves_nothing() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let start = |game: &str, more: Value| {
        let mut body = json!({ "action": "start", "betAmount": "10.00" });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let (player, path) = (player.clone(), format!("/api/{game}/game"));
        async move { player.post(&path, &body).await }
    };
    for (game, more, status, code) in [
        ("crash", json!({ "betAmount": "0.99" }), 422, "invalid_bet"),
        ("crash", json!({ "betAmount": "0" }), 422, "invalid_bet"),
        (
            "crash",
            json!({ "betAmount": "1000.01" }),
            422,
            "bet_exceeds_limit",
        ),
        (
            "crash",
            json!({ "betAmount": "100.01" }),
            422,
            "insufficient_balance",
        ),
        (
            "crash",
            json!({ "betAmount": "1e1" }),
            400,
            "invalid_amount",
        ),
        ("crash", json!({ "betAmount": -1 }), 400, "invalid_amount"),
        (
            "crash",
            json!({ "autoCashoutMultiplier": "1.00" }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": 1 }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": "1.555" }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": "NaN" }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": "-2" }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": "9".repeat(10_000) }),
            422,
            "invalid_auto_cashout",
        ),
        (
            "crash",
            json!({ "autoCashoutMultiplier": [2] }),
            400,
            "malformed_request",
        ),
        (
            "crash",
            json!({ "curve": "vertical" }),
            400,
            "malformed_request",
        ),
        (
            "crash",
            json!({ "action": "win" }),
            400,
            "malformed_request",
        ),
        (
            "crash",
            json!({ "winAmount": "1000.00" }),
            400,
            "malformed_request",
        ),
        (
            "crash",
            json!({ "action": "cashout" }),
            400,
            "malformed_request",
        ),
        (
            "crash",
            json!({ "action": "cashout", "cashoutMultiplier": "0.99" }),
            422,
            "invalid_multiplier",
        ),
        (
            "crash",
            json!({ "action": "cashout", "cashoutMultiplier": "x" }),
            400,
            "invalid_multiplier",
        ),
        (
            "crash",
            json!({ "action": "cashout", "cashoutMultiplier": "2.00", "crashPoint": 99 }),
            409,
            "no_open_round",
        ),
        (
            "crash",
            json!({ "action": "cashout", "cashoutMultiplier": "2.00", "roundId": 1 }),
            404,
            "not_found",
        ),
        ("stonks", json!({ "betAmount": "0.00" }), 422, "invalid_bet"),
        (
            "stonks",
            json!({ "autoCashoutProfit": "10.00" }),
            422,
            "invalid_auto_sell",
        ),
        (
            "stonks",
            json!({ "autoCashoutProfit": "1e9" }),
            400,
            "invalid_amount",
        ),
        (
            "stonks",
            json!({ "autoCashoutProfit": "10.005" }),
            400,
            "invalid_amount",
        ),
        (
            "stonks",
            json!({ "points": [1, 100] }),
            400,
            "malformed_request",
        ),
        (
            "stonks",
            json!({ "action": "cashout" }),
            409,
            "no_open_round",
        ),
        (
            "stonks",
            json!({ "action": "crashed" }),
            409,
            "no_open_round",
        ),
        (
            "stonks",
            json!({ "action": "crashed", "roundId": 7 }),
            404,
            "not_found",
        ),
    ] {
        let answer = start(game, more.clone()).await;
        assert_refused(&answer, status, code);
    }
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
    let second = start("crash", json!({})).await;
    if second.0 == StatusCode::CONFLICT {
        assert_eq!(second.1["roundId"], round["roundId"]);
    }
    server.assert_clean();
}

#[tokio::test]
async fn rounds_survive_a_killed_server() {
    let mut server = Server::start();
    let player = server.funded_player("survivor", "100.00").await;
    let crash = start_playing(&player, &json!({ "autoCashoutMultiplier": "1.05" })).await;
    let stonks = start(&player, "stonks", json!({ "autoCashoutProfit": "7.78" })).await;
    server.crash_and_restart();
    let ended = settled(&player, &crash["roundId"]).await;
    let point = ended["crash"]["crashPoint"].as_f64().unwrap();
    assert_eq!(
        ended["outcome"],
        if point >= 1.05 { "win (1.05x)" } else { "loss" }
    );
    // The market goes on until it is sold or gone: at most two minutes, mostly a few seconds.
    let (status, _) = player.get("/api/open-rounds").await;
    assert_eq!(status, StatusCode::OK);
    let sell = json!({ "action": "cashout", "betAmount": "7.77", "roundId": stonks["roundId"] });
    for _ in 0..20 {
        let (status, answer) = player.post("/api/stonks/game", &sell).await;
        if status == StatusCode::OK || answer["code"] == "round_over" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    settled(&player, &stonks["roundId"]).await;
    server.assert_clean();
}

#[tokio::test]
async fn a_logout_ends_the_stream() {
    let server = Server::start();
    let player = server.funded_player("leaver", "1.00").await;
    let mut events = Events::open(&player).await;
    let response = player
        .request(Method::POST, "/api/logout")
        .send()
        .await
        .unwrap();
    assert_eq!(read(response).await.0, StatusCode::NO_CONTENT);
    let gone = async { while matches!(events.response.chunk().await, Ok(Some(_))) {} };
    tokio::time::timeout(Duration::from_secs(5), gone)
        .await
        .expect("the stream ends");
}
