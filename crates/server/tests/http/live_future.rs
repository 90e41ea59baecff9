//! Nothing the server sends before a round's end reveals its future.

use std::fmt::Write as _;
use std::time::Duration;

use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::{crash, stonks};
use reqwest::Method;
use serde_json::{Value, json};

use crate::live::{Events, settled, start, start_playing};
use crate::support::{Server, Visitor};

#[tokio::test]
async fn responses_do_not_reveal_the_future_of_a_round_in_play() {
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
        let rotation = player.rotation("early").await;
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
            (Method::POST, "/api/fairness/rotate".to_owned(), rotation),
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
            write!(heads, "{:?}", response.headers()).unwrap();
            bodies += &response.text().await.unwrap();
        }
        // Only what was sent up to here counts; the rounds may have ended meanwhile.
        let (_, open) = player.get("/api/open-rounds").await;
        let sent = format!("{bodies}{heads}{}", events.text);
        let crash_in_play = open["crash"]["roundId"] == crash["roundId"];
        let published = open["stonks"]["points"]
            .as_array()
            .filter(|_| open["stonks"]["roundId"] == stonks["roundId"])
            .map(Vec::len);
        tokio::time::sleep(Duration::from_millis(1)).await;
        end_rounds_and_compare(&player, &crash, &stonks, &sent, crash_in_play, published).await;
    }
    server.assert_clean();
}

/// Ends both rounds, reveals the seeds, and searches the earlier responses for the rounds' future.
async fn end_rounds_and_compare(
    player: &Visitor,
    crash: &Value,
    stonks: &Value,
    sent: &str,
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
    let rotation = player.rotate("after").await;
    let seed = rotation["revealed"]["serverSeed"].as_str().unwrap();
    assert!(!sent.contains(seed), "the server seed was revealed");
    let stream = |round: &Value| {
        Stream::new(
            &ServerSeed::from_text(seed.to_owned()).unwrap(),
            &ClientSeed::parse(rotation["revealed"]["clientSeed"].as_str().unwrap()).unwrap(),
            round["nonce"].as_u64().unwrap(),
        )
    };
    let numbers: Vec<&str> = sent
        .split(|character: char| !character.is_ascii_digit() && character != '.')
        .collect();
    if crash_in_play {
        let point = crash::CrashPoint::draw(&mut stream(crash)).shown();
        for form in [point.to_string(), point.thousandths().to_string()] {
            assert!(
                !numbers.contains(&form.as_str()),
                "the crash point {form} was revealed: {sent}"
            );
        }
    }
    if let Some(published) = published {
        let path = stonks::path(&mut stream(stonks));
        let prices = sent.matches("event: price").count();
        assert!(prices < published, "a price was published too early");
        for point in path.iter().skip(published).filter(|point| {
            **point != 0 && !path.iter().take(published).any(|known| known == *point)
        }) {
            let exact = format!("{}.{:03}", point / 1_000, point % 1_000);
            let exact = exact.trim_end_matches('0').trim_end_matches('.');
            // A short number may occur for another reason.
            if exact.len() >= 5 {
                assert!(
                    !numbers.contains(&exact),
                    "the price {exact} was revealed: {sent}"
                );
            }
        }
    }
}
