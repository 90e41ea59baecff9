//! Crash and stonks over HTTP: the events of a round in play, and its end.

use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, read};

/// The event stream of one player.
pub(crate) struct Events {
    response: Response,
    pub(crate) text: String,
}

impl Events {
    pub(crate) async fn open(visitor: &Visitor) -> Self {
        Self::open_at(visitor, "/api/events").await
    }

    pub(crate) async fn open_at(visitor: &Visitor, path: &str) -> Self {
        let response = visitor.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let text = format!("{:?}", response.headers());
        Self { response, text }
    }

    /// Reads events for `duration`.
    pub(crate) async fn listen(&mut self, duration: Duration) {
        let read = async {
            while let Ok(Some(chunk)) = self.response.chunk().await {
                self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        let _ = tokio::time::timeout(duration, read).await;
    }

    /// Reads events until `is_done`, for ten seconds at most.
    pub(crate) async fn listen_until(&mut self, is_done: impl Fn(&Self) -> bool) {
        for _ in 0..100 {
            if is_done(self) {
                return;
            }
            self.listen(Duration::from_millis(100)).await;
        }
        panic!("not received within ten seconds: {}", self.text);
    }

    /// Waits until the stream ends.
    ///
    /// # Errors
    /// If it is cut off instead.
    pub(crate) async fn end(&mut self) -> reqwest::Result<()> {
        while self.response.chunk().await?.is_some() {}
        Ok(())
    }

    /// All events with this name so far.
    pub(crate) fn named(&self, name: &str) -> Vec<Value> {
        let head = format!("event: {name}\ndata: ");
        self.text
            .split("\n\n")
            .filter_map(|event| event.split_once(&head))
            .map(|(_, data)| serde_json::from_str(data).unwrap())
            .collect()
    }
}

pub(crate) async fn start(visitor: &Visitor, game: &str, more: Value) -> Value {
    let mut body = json!({ "action": "start", "betAmount": "7.77" });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let (status, answer) = visitor.post(&format!("/api/{game}/game"), &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

/// Waits until a round is in the history.
pub(crate) async fn settled(visitor: &Visitor, id: &Value) -> Value {
    for _ in 0..5_000 {
        let (status, round) = visitor.get(&format!("/api/rounds/{id}")).await;
        if status.is_success() {
            return round;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("round {id} was not settled");
}

/// Starts rounds until one does not crash at once.
pub(crate) async fn start_playing(visitor: &Visitor, more: &Value) -> Value {
    loop {
        let round = start(visitor, "crash", more.clone()).await;
        if round["result"] == "playing" {
            return round;
        }
    }
}

#[tokio::test]
async fn a_crash_round_is_published_cashed_out_and_verified() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let mut events = Events::open(&player).await;
    let round = start_playing(&player, &json!({ "autoCashoutMultiplier": 1.01 })).await;
    assert_eq!(round["autoCashoutMultiplier"], json!(1.01));
    let is_over =
        |event: &Value| event["roundId"] == round["roundId"] && event["result"] != "playing";
    events
        .listen_until(|events| events.named("crash").iter().any(is_over))
        .await;
    let received = events.named("crash");
    let mine: Vec<_> = received
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
async fn stonks_prices_are_published_one_by_one() {
    let server = Server::start();
    let player = server.funded_player("trader", "100.00").await;
    let mut events = Events::open(&player).await;
    // A market that lasts long enough.
    let (round, open, prices) = loop {
        let round = start(&player, "stonks", json!({ "autoCashoutProfit": null })).await;
        let early =
            json!({ "action": "cashout", "betAmount": "7.77", "roundId": round["roundId"] });
        assert_refused(
            &player.post("/api/stonks/game", &early).await,
            422,
            "not_yet_sellable",
        );
        let id = &round["roundId"];
        let prices = |events: &Events| -> Vec<Value> {
            let all = events.named("price").into_iter();
            all.filter(|price| price["roundId"] == *id).collect()
        };
        let is_over = |event: &Value| event["roundId"] == *id && event["result"] != "playing";
        events
            .listen_until(|events| {
                prices(events).len() >= 2 || events.named("stonks").iter().any(is_over)
            })
            .await;
        let (_, open) = player.get("/api/open-rounds").await;
        let received = prices(&events);
        if !open["stonks"].is_null() && received.len() >= 2 {
            break (round, open, received);
        }
    };
    let points = open["stonks"]["points"].as_array().unwrap();
    for price in &prices {
        let tick = usize::try_from(price["tick"].as_u64().unwrap()).unwrap();
        assert_eq!(price["multiplier"], points[tick]);
        let at = round["startedAtMs"].as_i64().unwrap() + 500 * i64::try_from(tick).unwrap();
        assert!(
            price["serverTimeMs"].as_i64().unwrap() >= at,
            "a price was published too early"
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
    // The market continues until it is sold or has crashed: mostly seconds, at most two minutes.
    let (status, _) = player.get("/api/open-rounds").await;
    assert_eq!(status, StatusCode::OK);
    let sell = json!({ "action": "cashout", "betAmount": "7.77", "roundId": stonks["roundId"] });
    for _ in 0..500 {
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
    tokio::time::timeout(Duration::from_secs(5), events.end())
        .await
        .expect("the stream did not end")
        .unwrap();
}
