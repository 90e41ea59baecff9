//! Measures how fast the house accepts bets, compared with what the databases achieve without it.
//!
//! Run it with `cargo xtask bench`, which builds the server and starts a temporary PostgreSQL. Only
//! the ratios of medians over interleaved windows are meaningful: absolute numbers depend on the
//! machine.
#![expect(clippy::float_arithmetic, reason = "these are measurements, not money")]

mod costs;
mod history;
mod house;
mod load;
mod machine;
mod mines;
mod panel;
mod postgres;
mod raw_sqlite;
mod report;
mod streams;
mod trainer;

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;

use house::{Backend, House};
use load::Load;
use machine::{StallWatch, describe};
use report::{Report, Window};

#[derive(Parser)]
struct Arguments {
    /// Duration of each measurement window, in seconds
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Number of windows per measurement
    #[arg(long, default_value_t = 5)]
    windows: usize,
    /// A short run to check that the benchmark works; writes no document
    #[arg(long)]
    quick: bool,
    /// Players who each have a round in play and an event stream
    #[arg(long, default_value_t = 2000)]
    streams: usize,
    /// How many rounds the long history and the administrators' lists have
    #[arg(long, value_parser = clap::value_parser!(u32).range(2_000..))]
    rounds: Option<u32>,
    /// Measure only this, and print the results without writing the document
    #[arg(long)]
    only: Option<Only>,
    /// The file for the results
    #[arg(long, default_value = "docs/benchmarks.md")]
    output: PathBuf,
}

/// What can be measured on its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    /// Bets through 64 connections, beside the databases without the house
    Bets,
    /// 1,000 connections, and rounds with event streams
    Connections,
    /// The first page of a long history
    History,
    /// The administrators' lists
    Lists,
}

/// Connections of the normal load and of the heavy load, with one player each.
const CONNECTIONS: usize = 64;
const MANY_CONNECTIONS: usize = 1000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let (windows, seconds) = if arguments.quick {
        (1, 2)
    } else {
        (arguments.windows, arguments.seconds)
    };
    let duration = Duration::from_secs(seconds);
    let binary = PathBuf::from(
        std::env::var("GLASSHOUSE_BENCH_SERVER").context("run this with `cargo xtask bench`")?,
    );
    let postgres = postgres::Postgres::from_environment()?;
    let (players, streams) = if arguments.quick || arguments.only == Some(Only::Bets) {
        (CONNECTIONS, CONNECTIONS)
    } else {
        (MANY_CONNECTIONS, arguments.streams)
    };
    let size = panel::Size::of(arguments.quick, arguments.rounds);
    match arguments.only {
        Some(Only::Lists) => return measure_lists_only(&binary, &postgres, size).await,
        Some(Only::History) => return measure_history_only(&binary, &postgres, size).await,
        Some(Only::Connections) => {
            return measure_connections_only(&binary, &postgres, (players, streams), duration)
                .await;
        }
        Some(Only::Bets) | None => {}
    }
    let machine = describe()?;
    report::progress("Preparing pgbench and the databases");
    postgres.prepare_pgbench()?;
    let raw = raw_sqlite::RawSqlite::prepare(&binary)?;
    report::progress("Starting two houses and registering their players");
    let houses = open_houses(&binary, &postgres, "glasshouse_bench", players.max(streams)).await?;
    let houses = houses.each_ref();
    if !arguments.quick {
        postgres.prepare_wal()?;
    }
    let mut report = Report {
        windows: measure_bets(houses, &raw, &postgres, (windows, duration)).await?,
        ..Report::default()
    };
    if arguments.only == Some(Only::Bets) {
        report::progress(&report.bets_markdown(seconds));
        return Ok(());
    }
    measure_connections(&mut report, houses, (players, streams), duration).await?;
    report::progress("Rounds of Mines beside bets on dice");
    for house in houses {
        let mines = mines::run(house, CONNECTIONS, windows, duration).await?;
        report.mines.push((house.name(), mines));
    }
    report::progress("The trainer");
    let [sqlite, _] = houses;
    report.trainer = Some(trainer::run(sqlite).await?);
    // It fills the databases, so the lists have others.
    measure_history(&mut report, houses, &postgres, size).await?;
    measure_panels(&mut report, &binary, &postgres, size).await?;
    let text = report.markdown(&machine, players, seconds, size);
    report::progress(&text);
    if !arguments.quick {
        std::fs::write(&arguments.output, text)?;
    }
    Ok(())
}

/// Measures bets beside the databases without the house, in interleaved windows.
async fn measure_bets(
    [sqlite, on_postgres]: [&House; 2],
    raw: &raw_sqlite::RawSqlite,
    postgres: &postgres::Postgres,
    (windows, duration): (usize, Duration),
) -> anyhow::Result<Vec<Window>> {
    let mut measured = Vec::with_capacity(windows);
    let watch = StallWatch::start();
    for number in 1..=windows {
        report::progress(&format!("Window {number} of {windows}"));
        let stalls = watch.count();
        measured.push(Window {
            raw_sqlite: raw.bets_per_second(duration)?,
            sqlite: costs::measure(sqlite, postgres, CONNECTIONS, duration).await?,
            postgres: costs::measure(on_postgres, postgres, CONNECTIONS, duration).await?,
            pgbench_simple: postgres.transactions_per_second("simple", duration)?,
            pgbench_prepared: postgres.transactions_per_second("prepared", duration)?,
            is_stalled: watch.count() > stalls,
        });
    }
    Ok(measured)
}

/// Starts a house on each database, on PostgreSQL on a new one with this name, with so many players.
async fn open_houses(
    binary: &Path,
    postgres: &postgres::Postgres,
    database: &str,
    players: usize,
) -> anyhow::Result<[House; 2]> {
    let url = postgres.new_database(database)?;
    Ok([
        House::open(binary, Backend::Sqlite, players).await?,
        House::open(binary, Backend::Postgres(url), players).await?,
    ])
}

/// Measures nothing but many connections and event streams, on new databases.
async fn measure_connections_only(
    binary: &Path,
    postgres: &postgres::Postgres,
    (players, streams): (usize, usize),
    duration: Duration,
) -> anyhow::Result<()> {
    let mut report = Report::default();
    let houses = open_houses(binary, postgres, "glasshouse_bench", players.max(streams)).await?;
    measure_connections(&mut report, houses.each_ref(), (players, streams), duration).await?;
    report::progress(&report.connections_markdown(players));
    Ok(())
}

async fn measure_connections(
    report: &mut Report,
    houses: [&House; 2],
    (players, streams): (usize, usize),
    duration: Duration,
) -> anyhow::Result<()> {
    report::progress("Many connections");
    for house in houses {
        let (load, resident) = load_with_memory(house, players, duration).await?;
        report.many.push((house.name(), load, resident));
    }
    report::progress("Rounds in play, each with an event stream");
    for house in houses {
        let streams = streams::run(house, streams).await?;
        report.streams.push((house.name(), streams));
    }
    Ok(())
}

/// The load, and the most memory in KiB that the server had meanwhile.
async fn load_with_memory(
    house: &House,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<(Load, u64)> {
    let mut load = pin!(load::run(house, connections, duration));
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    let mut most = 0;
    loop {
        tokio::select! {
            load = &mut load => return Ok((load?, most)),
            _ = ticks.tick() => most = most.max(house.resident_kibibytes()?),
        }
    }
}

/// Measures nothing but the administrators' lists, on new databases.
async fn measure_lists_only(
    binary: &Path,
    postgres: &postgres::Postgres,
    size: panel::Size,
) -> anyhow::Result<()> {
    let mut report = Report::default();
    measure_panels(&mut report, binary, postgres, size).await?;
    report::progress(&report.panels_markdown(size));
    Ok(())
}

/// Measures nothing but the first page of a history, on new databases.
async fn measure_history_only(
    binary: &Path,
    postgres: &postgres::Postgres,
    size: panel::Size,
) -> anyhow::Result<()> {
    let mut report = Report::default();
    let houses = open_houses(binary, postgres, "glasshouse_bench", 2).await?;
    measure_history(&mut report, houses.each_ref(), postgres, size).await?;
    report::progress(&report.history_markdown(size));
    Ok(())
}

/// Fills the databases and measures the first page of a short and of a long history.
async fn measure_history(
    report: &mut Report,
    houses: [&House; 2],
    postgres: &postgres::Postgres,
    size: panel::Size,
) -> anyhow::Result<()> {
    report::progress("A long history compared with a short one");
    for house in houses {
        let comparison = history::compare(house, postgres, size.rounds).await?;
        report.history.push((house.name(), comparison));
    }
    Ok(())
}

/// Fills new databases and measures the administrators' lists.
async fn measure_panels(
    report: &mut Report,
    binary: &Path,
    postgres: &postgres::Postgres,
    size: panel::Size,
) -> anyhow::Result<()> {
    report::progress("The administrators' lists");
    for house in open_houses(binary, postgres, "glasshouse_lists", 1).await? {
        let panel = panel::run(&house, postgres, size).await?;
        report.panels.push((house.name(), panel));
    }
    Ok(())
}
