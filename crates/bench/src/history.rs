//! Compares the latency of the first page of a short history and of a long one.

use std::time::{Duration, Instant};

use anyhow::Context;

use crate::house::{Backend, House};
use crate::load::{Connection, percentile};
use crate::postgres::Postgres;

const REQUESTS: usize = 300;
/// How many rounds the short history has.
pub(crate) const SHORT_HISTORY_ROUNDS: u32 = 1_000;
/// Far above the IDs that the server has assigned.
const FIRST_ID: u64 = 10_000_000_000;

/// The median latency of a page of the short history, and of the long one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparison {
    pub(crate) short: Duration,
    pub(crate) long: Duration,
}

/// Writes a short and a long history for two players who have hardly played, and requests the first
/// page of each alternately.
pub(crate) async fn compare(
    house: &House,
    postgres: &Postgres,
    rounds: u32,
) -> anyhow::Result<Comparison> {
    // Players' IDs follow the administrator's; the last two players have the fewest rounds.
    let last = u64::try_from(house.cookies.len())? + 1;
    fill(house, postgres, last - 1, FIRST_ID, SHORT_HISTORY_ROUNDS)?;
    fill(
        house,
        postgres,
        last,
        FIRST_ID + u64::from(SHORT_HISTORY_ROUNDS),
        rounds,
    )?;
    let mut short = Vec::with_capacity(REQUESTS);
    let mut long = Vec::with_capacity(REQUESTS);
    let mut connection = Connection::open(&house.address).await?;
    let requests = [request(house, 2)?, request(house, 1)?];
    for _ in 0..REQUESTS {
        for (request, latencies) in requests.iter().zip([&mut short, &mut long]) {
            let sent = Instant::now();
            connection.call(request).await?;
            latencies.push(sent.elapsed());
        }
    }
    short.sort_unstable();
    long.sort_unstable();
    Ok(Comparison {
        short: percentile(&short, 50),
        long: percentile(&long, 50),
    })
}

fn request(house: &House, position_from_end: usize) -> anyhow::Result<Vec<u8>> {
    let cookie = house
        .cookies
        .iter()
        .rev()
        .nth(position_from_end - 1)
        .context("too few players")?;
    Ok(format!(
        "GET /api/game-history?limit=50 HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\r\n",
        house.address
    )
    .into_bytes())
}

const COLUMNS: &str = "id, player_id, game, state, stake_cents, payout_cents, result, details, \
    seed_pair_id, nonce, balance_after_cents, unwagered_after_cents, started_at_micros, \
    ended_at_micros, rules_version";

/// Inserts settled rounds directly into the table, because this database is deleted afterwards.
fn fill(
    house: &House,
    postgres: &Postgres,
    player: u64,
    first_id: u64,
    rounds: u32,
) -> anyhow::Result<()> {
    // Nonces far above those already used, so that they are unique.
    let values = format!(
        "{first_id} + i, {player}, 'dice', 'settled', 1, 0, 'loss',
         '{{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":1}}',
         (SELECT seed_pair_id FROM accounts WHERE player_id = {player}), 1000000000 + i, 0, 0,
         1700000000000000 + i, 1700000000000000 + i, 2"
    );
    match &house.backend {
        Backend::Sqlite => {
            let connection = rusqlite::Connection::open(house.sqlite_path())?;
            connection.execute_batch(&format!(
                "PRAGMA busy_timeout = 60000; PRAGMA cache_size = -4000000;
                 WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rounds})
                 INSERT INTO rounds ({COLUMNS}) SELECT {values} FROM n;"
            ))?;
        }
        Backend::Postgres(url) => {
            let (_, database) = url.rsplit_once('/').context("the URL has no database")?;
            let last = rounds - 1;
            postgres.sql(
                database,
                // Without looking for the player and the seeds of each round again.
                &format!(
                    "SET session_replication_role = replica;
                     INSERT INTO rounds ({COLUMNS}) SELECT {values} FROM generate_series(0, {last}) AS n (i)"
                ),
            )?;
            postgres.sql(database, "ANALYZE rounds")?;
        }
    }
    Ok(())
}
