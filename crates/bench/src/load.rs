//! The load: one connection per player, each placing its next bet when the previous one is
//! answered.
//!
//! It uses plain sockets and prepared requests, because the load generator shares the machine with
//! the server and takes processor time away from it.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::house::House;

/// The result of a measurement window.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    pub(crate) bets: u64,
    /// Bets per second.
    pub(crate) per_second: f64,
    pub(crate) median: Duration,
    pub(crate) percentile_99: Duration,
}

/// A player's persistent connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(16 * 1024),
        })
    }

    /// Sends a request and returns the body of the response; any status but 200 is an error.
    pub(crate) async fn call(&mut self, request: &[u8]) -> anyhow::Result<&[u8]> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the server closed the connection");
            }
            let Some(head) = find(&self.buffer, b"\r\n\r\n") else {
                continue;
            };
            let text = std::str::from_utf8(self.buffer.get(..head).unwrap_or_default())?;
            if !text.starts_with("HTTP/1.1 200") {
                bail!(
                    "the status is not 200: {}",
                    String::from_utf8_lossy(&self.buffer)
                );
            }
            let length: usize = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .context("no content-length")?
                .parse()?;
            if self.buffer.len() >= head + 4 + length {
                return Ok(self.buffer.get(head + 4..).unwrap_or_default());
            }
        }
    }
}

/// Where the needle begins for the first time.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

const BODY: &str = r#"{"betAmount":"0.01","targetNumber":50,"betType":"over"}"#;

/// The bytes of a POST request.
pub(crate) fn post(address: &str, path: &str, cookie: &str, key: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\nidempotency-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Places bets on the connections of the first `connections` players for the given duration.
pub(crate) async fn run(
    house: &House,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Load> {
    let stamp = jiff::Timestamp::now().as_microsecond();
    let mut tasks = JoinSet::new();
    let started = Instant::now();
    let deadline = started + duration;
    for (number, cookie) in house.cookies.iter().take(connections).enumerate() {
        let address = house.address.clone();
        // The last twelve digits of the key are a counter, which is updated in place.
        let key = format!("{stamp}-{number}-000000000000");
        let mut request = post(&address, "/api/dice/play", cookie, &key, BODY);
        let digits = find(&request, b"-000000000000").context("the request has no counter")? + 1;
        tasks.spawn(async move {
            let mut connection = Connection::open(&address).await?;
            let mut latencies = Vec::with_capacity(4096);
            let mut count = 0_u64;
            while Instant::now() < deadline {
                count += 1;
                let key = format!("{count:012}");
                if let Some(counter) = request.get_mut(digits..digits + 12) {
                    counter.copy_from_slice(key.as_bytes());
                }
                let sent = Instant::now();
                connection.call(&request).await?;
                latencies.push(sent.elapsed());
            }
            anyhow::Ok(latencies)
        });
    }
    let mut latencies = Vec::new();
    while let Some(task) = tasks.join_next().await {
        latencies.extend(task??);
    }
    let elapsed = started.elapsed();
    latencies.sort_unstable();
    Ok(Load {
        bets: u64::try_from(latencies.len())?,
        per_second: count(latencies.len()) / elapsed.as_secs_f64(),
        median: percentile(&latencies, 50),
        percentile_99: percentile(&latencies, 99),
    })
}

/// The given percentile of sorted durations.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or_default()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A count as a floating-point number.
pub(crate) fn count(value: usize) -> f64 {
    u32::try_from(value).map_or(f64::INFINITY, f64::from)
}
