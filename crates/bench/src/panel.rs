//! Measures the administrators' lists and pages in a house with a hundred thousand users and ten thousand pending
//! withdrawals, with few rounds and with many.

mod fill;

use std::time::{Duration, Instant};

use crate::house::House;
use crate::load::{Connection, percentile};
use crate::postgres::Postgres;

/// How many rounds the house has at first.
pub(crate) const FEW_ROUNDS: i64 = 1_000;
/// Measured calls of each path, and the calls before them that fill the caches.
const CALLS: usize = 200;
const WARM_UP_CALLS: usize = 5;
/// The baseline: a call that reads a single row.
const BASELINE: (&str, &str) = ("`GET /api/user`", "/api/user");
/// The calls with their labels and paths. `{player}` is the ID of a player and of that player's
/// withdrawal, which is pending; `{number}` is the number of the player's payment, and `{middle}` a
/// cursor in the middle of all rounds.
const PATHS: &[(&str, &str)] = &[
    ("the summary", "/api/admin/summary"),
    ("the report of 30 days", "/api/admin/house"),
    ("the report of 366 days", "/api/admin/house?days=366"),
    ("the figures of 30 days", "/api/admin/figures"),
    ("the figures of 366 days", "/api/admin/figures?days=366"),
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
    ("users, the newest 100", "/api/admin/users"),
    ("users, the richest 100", "/api/admin/users?sort=balance"),
    ("banned users", "/api/admin/users?status=banned"),
    (
        "users by a part that no name has",
        "/api/admin/users?search=nobody",
    ),
    (
        "users by a part that 11 names have",
        "/api/admin/users?search=nel-4242",
    ),
    (
        "users by a part that all names have",
        "/api/admin/users?search=nel",
    ),
    (
        "withdrawals, the newest 100",
        "/api/admin/withdraw-requests",
    ),
    (
        "pending withdrawals, the newest 100",
        "/api/admin/withdraw-requests?status=pending",
    ),
    (
        "pending withdrawals, the oldest 100",
        "/api/admin/withdraw-requests?status=pending&sort=oldest",
    ),
    (
        "pending withdrawals, those with most risk",
        "/api/admin/withdraw-requests?status=pending&sort=risk",
    ),
    (
        "pending withdrawals, the largest 100",
        "/api/admin/withdraw-requests?status=pending&sort=amount",
    ),
    (
        "pending withdrawals by risk, 200 from the middle",
        "/api/admin/withdraw-requests?status=pending&sort=risk&limit=200&cursor={player}-15",
    ),
    (
        "pending withdrawals of a range of amounts",
        "/api/admin/withdraw-requests?status=pending&minAmount=100&maxAmount=110",
    ),
    (
        "pending withdrawals by a part that no name has",
        "/api/admin/withdraw-requests?status=pending&search=nobody",
    ),
    (
        "pending withdrawals by a part that 11 names have",
        "/api/admin/withdraw-requests?status=pending&search=nel-4242",
    ),
    (
        "withdrawals to pay",
        "/api/admin/withdraw-requests?payout=claimed",
    ),
    ("a withdrawal's page", "/api/admin/withdrawals/{player}"),
    ("deposits, the newest 100", "/api/admin/deposits"),
    (
        "deposits by a part that no order ID has",
        "/api/admin/deposits?search=nowhere",
    ),
    (
        "deposits by a part that 11 order IDs have",
        "/api/admin/deposits?search=der-4242",
    ),
    ("active payments", "/api/admin/payment-statuses"),
    (
        "active payments by a part that 11 IDs have",
        "/api/admin/payment-statuses?search=ent-4242",
    ),
    ("a payment's page", "/api/admin/payments/payment-{number}"),
    ("open reviews", "/api/admin/reviews"),
    (
        "unacknowledged alerts",
        "/api/admin/alerts?acknowledged=false",
    ),
    ("alerts, the newest 100", "/api/admin/alerts"),
    ("the badges of pending work", "/api/admin/pending-work"),
    ("a player's page", "/api/admin/users/{player}/overview"),
    ("a player's timeline", "/api/admin/users/{player}/timeline"),
    ("the audit log, the newest 100", "/api/admin/logs"),
    (
        "the audit log by action",
        "/api/admin/logs?action=user_banned",
    ),
    (
        "the audit log by a part that 11 names have",
        "/api/admin/logs?search=nel-4242",
    ),
];

/// Far above the IDs that the server and the comparison of histories have assigned.
const FIRST_ROUND: i64 = 20_000_000_000;
const FIRST_PLAYER: i64 = 1_000_000;
/// The rounds are spread over this many days up to now.
const DAYS: i64 = 366;
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// How many rows are inserted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) rounds: u32,
    pub(crate) users: i64,
}

impl Size {
    /// With so many rounds if it is given.
    pub(crate) fn of(quick: bool, rounds: Option<u32>) -> Self {
        let (usual_rounds, users) = if quick {
            (20_000, 2_000)
        } else {
            (1_000_000, 100_000)
        };
        Self {
            rounds: rounds.unwrap_or(usual_rounds),
            users,
        }
    }

    /// The number of the user whose rounds and page are listed, who has a payment and a pending withdrawal with points
    /// of risk.
    const fn listed(self) -> i64 {
        self.users / 2 + 20
    }
}

/// The latency of a call.
pub(crate) struct Latency {
    pub(crate) call: &'static str,
    /// The median in the house with few rounds.
    pub(crate) few: Duration,
    /// The median and the 99th percentile in the house with many.
    pub(crate) many: Duration,
    pub(crate) percentile_99: Duration,
}

/// Fills the database and calls every list in turn, with few rounds and again with many.
pub(crate) async fn run(
    house: &House,
    postgres: &Postgres,
    size: Size,
) -> anyhow::Result<Vec<Latency>> {
    let now = jiff::Timestamp::now().as_microsecond();
    fill::fill(house, postgres, size, now)?;
    let requests = requests(house, size, now);
    let few = measure(house, &requests).await?;
    fill::add_rounds(house, postgres, size, now)?;
    let many = measure(house, &requests).await?;
    let calls = requests.iter().map(|(call, _)| *call);
    let latencies = calls.zip(few.into_iter().zip(many));
    Ok(latencies
        .map(|(call, (few, many))| Latency {
            call,
            few: percentile(&few, 50),
            many: percentile(&many, 50),
            percentile_99: percentile(&many, 99),
        })
        .collect())
}

/// The calls with their names.
fn requests(house: &House, size: Size, now: i64) -> Vec<(&'static str, Vec<u8>)> {
    let middle = now - DAYS * MICROS_PER_DAY / 2;
    let number = size.listed();
    let request = |path: &str| {
        let path = path
            .replace("{player}", &(FIRST_PLAYER + number).to_string())
            .replace("{number}", &number.to_string())
            .replace("{middle}", &format!("{middle}-{FIRST_ROUND}"));
        let (host, cookie) = (&house.address, &house.administrator);
        format!("GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n\r\n").into_bytes()
    };
    let all = [BASELINE].into_iter().chain(PATHS.iter().copied());
    all.map(|(call, path)| (call, request(path))).collect()
}

/// The sorted latencies of each request.
async fn measure(
    house: &House,
    requests: &[(&'static str, Vec<u8>)],
) -> anyhow::Result<Vec<Vec<Duration>>> {
    let mut latencies = vec![Vec::with_capacity(CALLS); requests.len()];
    let mut connection = Connection::open(&house.address).await?;
    for number in 0..WARM_UP_CALLS + CALLS {
        for ((_, request), latencies) in requests.iter().zip(&mut latencies) {
            let sent = Instant::now();
            connection.call(request).await?;
            if number >= WARM_UP_CALLS {
                latencies.push(sent.elapsed());
            }
        }
    }
    for latencies in &mut latencies {
        latencies.sort_unstable();
    }
    Ok(latencies)
}
