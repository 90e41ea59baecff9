//! Measures thousands of players, each with a round in play and an event stream: the delay of the
//! ends, and the memory per stream.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::house::House;
use crate::load::{Connection, count, find, percentile};

/// How long to wait for the last round, whose automatic cash-out is at 15.00 at most, and for the answer to a stream.
const STREAM_TIMEOUT: Duration = Duration::from_secs(45);
/// Connections that start the rounds.
const STARTERS: usize = 32;

/// The results.
pub(crate) struct Streams {
    pub(crate) players: usize,
    /// How many rounds were in play when the last one was started.
    pub(crate) in_play: usize,
    /// The median delay between a round's due time and its event.
    pub(crate) median: Duration,
    pub(crate) percentile_99: Duration,
    /// The server's resident memory per idle stream, in KiB.
    pub(crate) kibibytes_each: f64,
    pub(crate) resident_mebibytes: u64,
}

/// Opens a stream and starts a round for each of the first `players` players, and waits for all
/// ends.
pub(crate) async fn run(house: &House, players: usize) -> anyhow::Result<Streams> {
    // Only the streams are opened between this reading and the next, so that the memory of other
    // connections does not count.
    let before = house.resident_kibibytes()?;
    let (sender, mut delays) = mpsc::unbounded_channel();
    let mut listeners = JoinSet::new();
    for cookie in house.cookies.iter().take(players) {
        let opened = tokio::time::timeout(STREAM_TIMEOUT, open_stream(house, cookie)).await;
        let (stream, received) = opened.context("a stream was not answered")??;
        listeners.spawn(listen(stream, received, sender.clone()));
    }
    drop(sender);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let with_streams = house.resident_kibibytes()?;
    start_rounds(house, players).await?;
    let mut received = Vec::with_capacity(players);
    while let Ok(delay) = delays.try_recv() {
        received.push(delay);
    }
    let in_play = players.saturating_sub(received.len());
    let resident_mebibytes = house.resident_kibibytes()? / 1024;
    let receive_all = async {
        while received.len() < players {
            match delays.recv().await {
                Some(delay) => received.push(delay),
                None => break,
            }
        }
    };
    drop(tokio::time::timeout(STREAM_TIMEOUT, receive_all).await);
    listeners.abort_all();
    ensure!(
        received.len() == players,
        "{} of {players} rounds ended",
        received.len()
    );
    received.sort_unstable();
    let kibibytes = i32::try_from(with_streams.saturating_sub(before)).unwrap_or(i32::MAX);
    Ok(Streams {
        players,
        in_play,
        median: percentile(&received, 50),
        percentile_99: percentile(&received, 99),
        kibibytes_each: f64::from(kibibytes) / count(players),
        resident_mebibytes,
    })
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

/// Reads events, after those in `text`, and sends how long after its due time each end arrived.
async fn listen(
    mut stream: TcpStream,
    mut text: Vec<u8>,
    delays: mpsc::UnboundedSender<Duration>,
) -> anyhow::Result<()> {
    loop {
        if stream.read_buf(&mut text).await? == 0 {
            return Ok(());
        }
        let now = jiff::Timestamp::now().as_millisecond();
        while let Some(end) = find(&text, b"\n\n") {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            if let Some(due) = end_of_round(&String::from_utf8_lossy(&event)) {
                let delay = u64::try_from(now - due).unwrap_or(0);
                delays.send(Duration::from_millis(delay))?;
            }
        }
    }
}

/// The time at which the round of an event was due to end, in milliseconds since the epoch, if the
/// event is the end of a round. The linear curve reaches k hundredths `ceil(100 · (k − 100) / 7)`
/// milliseconds after the start.
fn end_of_round(event: &str) -> Option<i64> {
    let (_, data) = event.split_once("event: crash\ndata: ")?;
    let round: Value = serde_json::from_str(data.lines().next()?).ok()?;
    let hundredths = |field: &str| -> Option<i64> {
        let value = round.get(field)?.as_f64()?;
        format!("{:.0}", value * 100.0).parse().ok()
    };
    let last = match round.get("result")?.as_str()? {
        "cashed_out" => hundredths("cashoutMultiplier")?,
        "crashed" => hundredths("crashPoint")? + 1,
        _ => return None,
    };
    let started = round.get("startedAtMs")?.as_i64()?;
    // An instant crash, at 1.00, is over at the start. Its due time is computed a little too late,
    // so its measured delay is a little too small.
    Some(started + (100 * (last - 100) + 6) / 7)
}

async fn start_rounds(house: &House, players: usize) -> anyhow::Result<()> {
    let mut starters = JoinSet::new();
    for starter in 0..STARTERS {
        let requests: Vec<Vec<u8>> = house
            .cookies
            .iter()
            .take(players)
            .enumerate()
            .filter(|(number, _)| number % STARTERS == starter)
            .map(|(number, cookie)| start_request(house, cookie, number))
            .collect();
        let address = house.address.clone();
        starters.spawn(async move {
            let mut connection = Connection::open(&address).await?;
            for request in requests {
                connection.call(&request).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(starter) = starters.join_next().await {
        starter?.context("a start failed")?;
    }
    Ok(())
}

/// A request for a round that cashes out between 5.00 and 15.00 unless it crashes before.
fn start_request(house: &House, cookie: &str, number: usize) -> Vec<u8> {
    let body = json!({
        "action": "start",
        "betAmount": "1.00",
        "autoCashoutMultiplier": format!("{}.{:02}", 5 + number % 10, number % 100),
    })
    .to_string();
    format!(
        "POST /api/crash/game HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        house.address,
        body.len()
    )
    .into_bytes()
}
