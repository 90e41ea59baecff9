//! Measures thousands of players, each with a market in play and an event stream: the delay of the
//! ends, and the memory per stream.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use crate::house::House;
use crate::load::{Connection, count, find, percentile, post};

/// How long to wait for the answer to a stream, and for all rounds to be in play.
const TIMEOUT: Duration = Duration::from_mins(1);
/// How long all players have a round in play: whoever's round ends starts the next one.
const HELD: Duration = Duration::from_secs(30);
/// Connections that start the rounds.
const STARTERS: usize = 32;
/// The time between two prices of a market, in milliseconds.
const TICK_MS: i64 = 500;

/// The results.
pub(crate) struct Streams {
    pub(crate) players: usize,
    /// The fewest rounds that were in play at once after all had been started.
    pub(crate) in_play: usize,
    /// How many rounds ended meanwhile.
    pub(crate) ends: usize,
    /// The median delay between a round's due time and its event.
    pub(crate) median: Duration,
    pub(crate) percentile_99: Duration,
    /// The server's resident memory per idle stream, in KiB.
    pub(crate) kibibytes_each: f64,
    /// The server's resident memory with all rounds in play.
    pub(crate) resident_kibibytes: u64,
}

/// What happens to a player's round.
enum Event {
    Started {
        player: usize,
    },
    /// The end arrived so long after it was due.
    Ended {
        player: usize,
        delay: Duration,
    },
}

/// Opens a stream for each of the first `players` players, and keeps a round of each in play for a while.
pub(crate) async fn run(house: &House, players: usize) -> anyhow::Result<Streams> {
    // Only the streams are opened between this reading and the next, so that the memory of other
    // connections does not count.
    let before = house.resident_kibibytes()?;
    let (sender, events) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    for (player, cookie) in house.cookies.iter().take(players).enumerate() {
        let opened = timeout(TIMEOUT, open_stream(house, cookie)).await;
        let (stream, received) = opened.context("a stream was not answered")??;
        tasks.spawn(listen(player, stream, received, sender.clone()));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let with_streams = house.resident_kibibytes()?;
    let starters = open_starters(house, &mut tasks, &sender);
    let (in_play, mut delays) = hold(players, &starters, events, &mut tasks).await?;
    let resident_kibibytes = house.resident_kibibytes()?;
    delays.sort_unstable();
    let kibibytes = i32::try_from(with_streams.saturating_sub(before)).unwrap_or(i32::MAX);
    Ok(Streams {
        players,
        in_play,
        ends: delays.len(),
        median: percentile(&delays, 50),
        percentile_99: percentile(&delays, 99),
        kibibytes_each: f64::from(kibibytes) / count(players),
        resident_kibibytes,
    })
}

/// Starts a round for each player, and another whenever one has ended. Returns the fewest rounds that were in play
/// once all had been started, and the delays of the ends from then on.
async fn hold(
    players: usize,
    starters: &[mpsc::UnboundedSender<usize>],
    mut events: mpsc::UnboundedReceiver<Event>,
    tasks: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<(usize, Vec<Duration>)> {
    let start = |player: usize| {
        let starter = starters.get(player % STARTERS);
        starter.context("no starter")?.send(player)?;
        anyhow::Ok(())
    };
    (0..players).try_for_each(start)?;
    let mut has_started = vec![false; players];
    // How many players have started, how many rounds are in play, and how many were at least.
    let (mut started, mut in_play, mut fewest) = (0, 0_usize, players);
    let mut delays = Vec::new();
    let mut deadline = Instant::now() + TIMEOUT;
    loop {
        tokio::select! {
            event = events.recv() => match event.context("no stream is open")? {
                Event::Started { player } => {
                    in_play += 1;
                    let has_started = has_started.get_mut(player).context("no such player")?;
                    if !std::mem::replace(has_started, true) {
                        started += 1;
                        if started == players {
                            deadline = Instant::now() + HELD;
                        }
                    }
                }
                Event::Ended { player, delay } => {
                    // An end may arrive before the answer to the start.
                    in_play = in_play.saturating_sub(1);
                    start(player)?;
                    if started >= players {
                        delays.push(delay);
                    }
                }
            },
            Some(task) = tasks.join_next() => {
                task?.context("a stream or a start failed")?;
                bail!("a stream ended");
            }
            () = sleep_until(deadline) => break,
        }
        if started >= players {
            fewest = fewest.min(in_play);
        }
    }
    ensure!(
        started >= players,
        "{started} of {players} players have started a round"
    );
    Ok((fewest, delays))
}

/// Opens a stream, and returns it with what has arrived so far. Waits for the answer: a server refuses requests when a
/// thousand others already wait.
async fn open_stream(house: &House, cookie: &str) -> anyhow::Result<(TcpStream, Vec<u8>)> {
    let mut stream = TcpStream::connect(&house.address).await?;
    let request = format!(
        "GET /api/events HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\r\n",
        house.address
    );
    stream.write_all(request.as_bytes()).await?;
    let mut received = Vec::with_capacity(4096);
    while find(&received, b"\r\n\r\n").is_none() {
        let count = stream.read_buf(&mut received).await?;
        ensure!(count > 0, "a stream was closed before it was answered");
    }
    let answer = String::from_utf8_lossy(&received);
    ensure!(answer.starts_with("HTTP/1.1 200 "), "no stream: {answer}");
    Ok((stream, received))
}

/// Reads events, after those in `text`, and sends how long after its due time each end of a round arrived.
async fn listen(
    player: usize,
    mut stream: TcpStream,
    mut text: Vec<u8>,
    events: mpsc::UnboundedSender<Event>,
) -> anyhow::Result<()> {
    loop {
        if stream.read_buf(&mut text).await? == 0 {
            return Ok(());
        }
        let now = jiff::Timestamp::now().as_millisecond();
        while let Some(end) = find(&text, b"\n\n") {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            if let Some(due) = end_of_round(&event) {
                let delay = u64::try_from(now - due).context("a round ended too early")?;
                let delay = Duration::from_millis(delay);
                events.send(Event::Ended { player, delay })?;
            }
        }
    }
}

/// The time at which the round of an event was due to end, in milliseconds since the epoch, if the
/// event is the end of a round: the time of its last price.
fn end_of_round(event: &[u8]) -> Option<i64> {
    let name = b"event: stonks\n";
    let begin = find(event, name)? + name.len();
    let text = std::str::from_utf8(event.get(begin..)?).ok()?;
    let round: Value = serde_json::from_str(text.strip_prefix("data: ")?.lines().next()?).ok()?;
    if round.get("result")? == "playing" {
        return None;
    }
    let prices = i64::try_from(round.get("points")?.as_array()?.len()).ok()?;
    Some(round.get("startedAtMs")?.as_i64()? + TICK_MS * (prices - 1))
}

/// Connections that start rounds for the players whose numbers they are sent.
fn open_starters(
    house: &House,
    tasks: &mut JoinSet<anyhow::Result<()>>,
    events: &mpsc::UnboundedSender<Event>,
) -> Vec<mpsc::UnboundedSender<usize>> {
    let cookies: Arc<[String]> = house.cookies.as_slice().into();
    let opened = (0..STARTERS).map(|_| {
        let (sender, mut players) = mpsc::unbounded_channel();
        let (address, cookies) = (house.address.clone(), Arc::clone(&cookies));
        let events = events.clone();
        tasks.spawn(async move {
            let mut connection = Connection::open(&address).await?;
            let body = r#"{"action":"start","betAmount":"1.00"}"#;
            let mut number = 0_u64;
            while let Some(player) = players.recv().await {
                number += 1;
                let cookie: &String = cookies.get(player).context("no such player")?;
                let key = format!("round-{player}-{number}");
                let request = post(&address, "/api/stonks/game", cookie, &key, body);
                connection.call(&request).await?;
                events.send(Event::Started { player })?;
            }
            Ok(())
        });
        sender
    });
    opened.collect()
}
