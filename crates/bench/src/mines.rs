//! Rounds of Mines through HTTP, beside bets on dice: what a game of several calls costs a call.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use reqwest::Client;
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinSet;

use crate::house::House;
use crate::load::{self, Connection, count, post};

const PATH: &str = "/api/mines/game";
/// Cells that are revealed before the player cashes out: with three mines, about two rounds in three
/// come to the cash-out.
const REVEALS: u64 = 3;

/// Medians over the windows, per second.
pub(crate) struct Mines {
    pub(crate) rounds: f64,
    pub(crate) calls: f64,
    /// Bets on dice over the same connections.
    pub(crate) dice: f64,
}

#[derive(Default)]
struct Played {
    rounds: usize,
    calls: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    round_id: i64,
    result: String,
}

/// Opens the game and plays interleaved windows of dice and Mines over `connections` players'
/// connections.
pub(crate) async fn run(
    house: &House,
    connections: usize,
    windows: usize,
    duration: Duration,
) -> anyhow::Result<Mines> {
    open_game(house).await?;
    let (mut rounds, mut calls, mut dice) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..windows {
        dice.push(load::run(house, connections, duration).await?.per_second);
        let started = Instant::now();
        let played = play(house, connections, duration).await?;
        let seconds = started.elapsed().as_secs_f64();
        rounds.push(count(played.rounds) / seconds);
        calls.push(count(played.calls) / seconds);
    }
    Ok(Mines {
        rounds: load::median(rounds),
        calls: load::median(calls),
        dice: load::median(dice),
    })
}

/// Mines is only announced in a new house.
async fn open_game(house: &House) -> anyhow::Result<()> {
    let url = format!("http://{}/api/admin/games/mines/status", house.address);
    let body = json!({ "status": "open", "reason": "benchmark" });
    let request = Client::new().post(url).json(&body);
    let response = request
        .header("cookie", &house.administrator)
        .send()
        .await?;
    ensure!(
        response.status().is_success(),
        "Mines was not opened: {}",
        response.status()
    );
    Ok(())
}

async fn play(house: &House, connections: usize, duration: Duration) -> anyhow::Result<Played> {
    let stamp = jiff::Timestamp::now().as_microsecond();
    let deadline = Instant::now() + duration;
    let mut tasks = JoinSet::new();
    for (number, cookie) in house.cookies.iter().take(connections).enumerate() {
        let mut player = Player {
            connection: Connection::open(&house.address).await?,
            address: house.address.clone(),
            cookie: cookie.clone(),
            key_prefix: format!("{stamp}-mines-{number}"),
            calls: 0,
        };
        tasks.spawn(async move {
            let mut rounds = 0;
            while Instant::now() < deadline {
                player.play_round().await?;
                rounds += 1;
            }
            let calls = player.calls;
            anyhow::Ok(Played { rounds, calls })
        });
    }
    let mut total = Played::default();
    while let Some(task) = tasks.join_next().await {
        let played = task??;
        total.rounds += played.rounds;
        total.calls += played.calls;
    }
    Ok(total)
}

struct Player {
    connection: Connection,
    address: String,
    cookie: String,
    key_prefix: String,
    calls: usize,
}

impl Player {
    /// Starts a round, reveals cells until a mine is hit or [`REVEALS`] are safe, and cashes out.
    async fn play_round(&mut self) -> anyhow::Result<()> {
        let start = json!({ "action": "start", "betAmount": "0.10", "mines": 3 });
        let round = self.call(&start).await?.round_id;
        for cell in 0..REVEALS {
            let reveal = json!({ "action": "reveal", "roundId": round, "cell": cell });
            if self.call(&reveal).await?.result != "playing" {
                return Ok(());
            }
        }
        let cash_out = json!({ "action": "cash_out", "roundId": round });
        if self.call(&cash_out).await?.result == "playing" {
            bail!("round {round} is open after its cash-out");
        }
        Ok(())
    }

    async fn call(&mut self, body: &serde_json::Value) -> anyhow::Result<Answer> {
        self.calls += 1;
        let key = format!("{}-{}", self.key_prefix, self.calls);
        let request = post(&self.address, PATH, &self.cookie, &key, &body.to_string());
        let answer = self.connection.call(&request).await?;
        serde_json::from_slice(answer).context("an answer of Mines cannot be read")
    }
}
