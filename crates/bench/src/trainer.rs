//! Measures the trainer's latency through HTTP: the exact value of all 32 holds, and the equity of
//! a heads-up hand.

use std::time::{Duration, Instant};

use anyhow::Context;
use reqwest::Client;
use serde_json::{Value, json};

use crate::house::House;
use crate::load::percentile;

/// Hands per game.
const HANDS: usize = 40;

/// The median and the 99th percentile for each game.
pub(crate) struct Trainer {
    pub(crate) video_poker: (Duration, Duration),
    pub(crate) heads_up: (Duration, Duration),
}

/// Plays hands as the first player and requests the analysis of each.
pub(crate) async fn run(house: &House) -> anyhow::Result<Trainer> {
    let cookie = house.cookies.first().context("no player")?;
    let client = Client::new();
    let mut video_poker = Vec::with_capacity(HANDS);
    let mut heads_up = Vec::with_capacity(HANDS);
    for _ in 0..HANDS {
        let bet = json!({ "betAmount": "5.00" });
        post(&client, house, cookie, "deal", &bet).await?;
        let drawn = post(&client, house, cookie, "draw", &bet).await?;
        video_poker.push(analysis_latency(&client, house, cookie, &drawn).await?);
        let call = json!({ "betAmount": "5.00", "action": "call" });
        let hand = post(&client, house, cookie, "play", &call).await?;
        heads_up.push(analysis_latency(&client, house, cookie, &hand).await?);
    }
    Ok(Trainer {
        video_poker: median_and_percentile_99(video_poker),
        heads_up: median_and_percentile_99(heads_up),
    })
}

fn median_and_percentile_99(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (percentile(&times, 50), percentile(&times, 99))
}

async fn post(
    client: &Client,
    house: &House,
    cookie: &str,
    call: &str,
    body: &Value,
) -> anyhow::Result<Value> {
    let url = format!("http://{}/api/poker/{call}", house.address);
    let request = client.post(url).header("cookie", cookie).json(body);
    let response = request.send().await?.error_for_status()?;
    Ok(response.json().await?)
}

async fn analysis_latency(
    client: &Client,
    house: &House,
    cookie: &str,
    round: &Value,
) -> anyhow::Result<Duration> {
    let id = round.get("roundId").context("no round")?;
    let url = format!("http://{}/api/poker/analysis/{id}", house.address);
    let started = Instant::now();
    let response = client.get(url).header("cookie", cookie).send().await?;
    response.error_for_status()?.bytes().await?;
    Ok(started.elapsed())
}
