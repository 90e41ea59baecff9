//! How long the administrators' lists take in a house of a million rounds and a hundred thousand
//! users.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::house::{Backend, House};
use crate::load::{Connection, percentile};
use crate::postgres::Postgres;

/// Calls of each path that are measured, and those before them that fill the caches.
const CALLS: usize = 50;
const WARMING_CALLS: usize = 5;
/// What a call costs that asks for one row: the yardstick.
const YARDSTICK: &str = "/api/user";
/// The lists: what is asked, and by which path. `{player}` is one of the players, `{middle}` a place
/// in the middle of all rounds.
const PATHS: &[(&str, &str)] = &[
    ("the summary", "/api/admin/summary"),
    ("the report of 30 days", "/api/admin/house"),
    ("the report of 366 days", "/api/admin/house?days=366"),
    ("all rounds, the newest 100", "/api/admin/game-history"),
    (
        "all rounds, 200 from the middle",
        "/api/admin/game-history?limit=200&cursor={middle}",
    ),
    (
        "all rounds of a rare game",
        "/api/admin/game-history?gameType=poker",
    ),
    (
        "a player's rounds",
        "/api/admin/game-history?userId={player}",
    ),
];

/// Far above the numbers that the server, and the comparison of histories, have given out.
const FIRST_ROUND: i64 = 20_000_000_000;
const FIRST_PLAYER: i64 = 1_000_000;
/// The rounds spread over so many days up to now.
const DAYS: i64 = 366;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// How large the house is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) rounds: i64,
    pub(crate) users: i64,
}

impl Size {
    pub(crate) const fn of(quick: bool) -> Self {
        if quick {
            Self {
                rounds: 20_000,
                users: 2_000,
            }
        } else {
            Self {
                rounds: 1_000_000,
                users: 100_000,
            }
        }
    }
}

/// The median and the slowest but one in a hundred of each of the paths.
pub(crate) struct Panel {
    pub(crate) yardstick: (Duration, Duration),
    pub(crate) lists: Vec<(&'static str, Duration, Duration)>,
}

/// Fills the house and calls every list in turn.
pub(crate) async fn run(house: &House, postgres: &Postgres, size: Size) -> anyhow::Result<Panel> {
    let now = jiff::Timestamp::now().as_microsecond();
    fill(house, postgres, size, now)?;
    let middle = now - DAYS * MICROS_PER_DAY / 2;
    let request = |path: &str| {
        let path = path
            .replace("{player}", &(FIRST_PLAYER + size.users / 2).to_string())
            .replace("{middle}", &format!("{middle}-{FIRST_ROUND}"));
        let (host, cookie) = (&house.address, &house.administrator);
        format!("GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n\r\n").into_bytes()
    };
    let paths = PATHS.iter().map(|(_, path)| *path);
    let requests: Vec<Vec<u8>> = [YARDSTICK].into_iter().chain(paths).map(request).collect();
    let mut latencies = vec![Vec::with_capacity(CALLS); requests.len()];
    let mut connection = Connection::open(&house.address).await?;
    for number in 0..WARMING_CALLS + CALLS {
        for (request, latencies) in requests.iter().zip(&mut latencies) {
            let sent = Instant::now();
            connection.call(request).await?;
            if number >= WARMING_CALLS {
                latencies.push(sent.elapsed());
            }
        }
    }
    let mut measured = latencies.into_iter().map(|mut latencies: Vec<Duration>| {
        latencies.sort_unstable();
        (percentile(&latencies, 50), percentile(&latencies, 99))
    });
    let yardstick = measured.next().context("nothing was measured")?;
    let names = PATHS.iter().map(|(name, _)| *name);
    Ok(Panel {
        yardstick,
        lists: names
            .zip(measured)
            .map(|(name, (median, slowest))| (name, median, slowest))
            .collect(),
    })
}

/// Writes users and settled rounds straight into the tables, and adds them up as the server would:
/// this database is thrown away afterwards.
fn fill(house: &House, postgres: &Postgres, size: Size, now: i64) -> anyhow::Result<()> {
    ensure!(
        size.users < 9 * FIRST_PLAYER,
        "the seeds below have seven digits at their ends"
    );
    let prefix = "f".repeat(57);
    let player = format!("({FIRST_PLAYER} + i)");
    let users = format!(
        "INSERT INTO users SELECT {player}, 'panel-' || i, 'panel-' || i, 'none', 'player',
            CASE WHEN i % 500 = 0 THEN 'Chargeback' END, {now} - i"
    );
    let seed_pairs = format!(
        "INSERT INTO seed_pairs SELECT {player}, {player}, '{prefix}' || {player},
            '{prefix}' || {player}, 'client', 1, NULL"
    );
    let accounts = format!(
        "INSERT INTO accounts SELECT {player}, 100000, 0, 0, {player}, '{prefix}' || {player},
            '{prefix}' || {player}, 'client', 0"
    );
    // A prime, so that neighbours in time are no neighbours by number.
    let player = format!("({FIRST_PLAYER} + (i * 7919) % {})", size.users);
    let step = DAYS * MICROS_PER_DAY / size.rounds;
    let ended_at = format!("{now} - ({} - i) * {step}", size.rounds);
    let rounds = format!(
        "INSERT INTO rounds SELECT {FIRST_ROUND} + i, {player},
            CASE WHEN i % 20 < 14 THEN 'dice' WHEN i % 20 < 17 THEN 'crash'
                WHEN i % 20 < 19 THEN 'stonks' ELSE 'poker' END,
            'settled', 100 + i % 900, CASE WHEN i % 2 = 0 THEN 2 * (100 + i % 900) ELSE 0 END,
            CASE WHEN i % 2 = 0 THEN 'win' ELSE 'loss' END,
            '{{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":1}}', {player}, i, NULL, 0, 0,
            {ended_at}, {ended_at}, NULL, NULL, NULL, ''"
    );
    // A writer's number that the server has none of.
    let totals = format!(
        "INSERT INTO house_totals SELECT ended_at_micros / {MICROS_PER_DAY}, game, variant, 9,
            COUNT(*), SUM(CASE WHEN outcome LIKE 'win%' THEN 1 ELSE 0 END), SUM(stake_cents),
            SUM(payout_cents), 1, 1, 1
         FROM rounds WHERE id >= {FIRST_ROUND} GROUP BY 1, 2, 3"
    );
    let counted = [
        (users, size.users),
        (seed_pairs, size.users),
        (accounts, size.users),
        (rounds, size.rounds),
    ];
    match &house.backend {
        Backend::Sqlite => {
            let connection = rusqlite::Connection::open(house.sqlite_path())?;
            connection.execute_batch("PRAGMA busy_timeout = 60000")?;
            for (statement, count) in counted {
                connection.execute_batch(&format!(
                    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})
                     {statement} FROM n"
                ))?;
            }
            connection.execute_batch(&totals)?;
        }
        Backend::Postgres(url) => {
            let (_, database) = url.rsplit_once('/').context("no database in the URL")?;
            for (statement, count) in counted {
                let series = format!(
                    "{statement} FROM generate_series(CAST(0 AS BIGINT), {count} - 1) AS n (i)"
                );
                postgres.sql(database, &series)?;
            }
            postgres.sql(database, &totals)?;
            postgres.sql(database, "ANALYZE")?;
        }
    }
    Ok(())
}
