//! How fast the house takes bets, beside what the same databases can do without it.
//!
//! Started by `cargo xtask bench`, which builds the server and brings a PostgreSQL of its own.
//! Ratios of medians of interleaved windows are what counts: absolute numbers are this machine's.
#![expect(clippy::float_arithmetic, reason = "these are measurements, not money")]

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

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;

use house::{Backend, House};
use machine::StallWatch;
use report::{Report, Window};

#[derive(Parser)]
struct Arguments {
    /// Seconds of each window
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Windows of each measurement
    #[arg(long, default_value_t = 5)]
    windows: usize,
    /// A short run, to see that it works; writes no document
    #[arg(long)]
    quick: bool,
    /// Where the results are written
    #[arg(long, default_value = "docs/benchmarks.md")]
    output: PathBuf,
}

/// Connections of the usual load, and of the heavy one; a player each.
const CONNECTIONS: usize = 64;
const MANY_CONNECTIONS: usize = 1000;
/// Players with a round in play and an event stream each.
const STREAMS: usize = 2000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let (windows, seconds) = if arguments.quick {
        (1, 2)
    } else {
        (arguments.windows, arguments.seconds)
    };
    let length = Duration::from_secs(seconds);
    let binary = PathBuf::from(
        std::env::var("GLASSHOUSE_BENCH_SERVER").context("start this by `cargo xtask bench`")?,
    );
    let postgres = postgres::Postgres::from_environment()?;
    let (players, streams) = if arguments.quick {
        (CONNECTIONS, CONNECTIONS)
    } else {
        (MANY_CONNECTIONS, STREAMS)
    };
    let size = panel::Size::of(arguments.quick);

    report::progress("Preparing pgbench and the databases");
    postgres.prepare_pgbench()?;
    let raw = raw_sqlite::RawSqlite::prepare(&binary)?;
    report::progress("Opening two houses and registering their players");
    let sqlite = House::open(&binary, Backend::Sqlite, streams).await?;
    let url = postgres.new_database("glasshouse_bench")?;
    let on_postgres = House::open(&binary, Backend::Postgres(url), streams).await?;

    let mut report = Report::default();
    let watch = StallWatch::start();
    for number in 1..=windows {
        report::progress(&format!("Window {number} of {windows}"));
        let stalls = watch.count();
        let window = Window {
            raw_sqlite: raw.bets_per_second(length)?,
            sqlite: load::run(&sqlite, CONNECTIONS, length).await?,
            postgres: load::run(&on_postgres, CONNECTIONS, length).await?,
            pgbench_simple: postgres.transactions_per_second("simple", length)?,
            pgbench_prepared: postgres.transactions_per_second("prepared", length)?,
            is_stalled: watch.count() > stalls,
        };
        report.windows.push(window);
    }
    report::progress("Many connections");
    for house in [&sqlite, &on_postgres] {
        let load = load::run(house, players, length).await?;
        report
            .many
            .push((house.name(), load, house.resident_mebibytes()?));
    }
    report::progress("Rounds in play, each with an event stream");
    for house in [&sqlite, &on_postgres] {
        let streams = streams::run(house, streams).await?;
        report.streams.push((house.name(), streams));
    }
    report::progress("Rounds of Mines beside bets on dice");
    for house in [&sqlite, &on_postgres] {
        let mines = mines::run(house, CONNECTIONS, windows, length).await?;
        report.mines.push((house.name(), mines));
    }
    report::progress("The trainer");
    report.trainer = Some(trainer::run(&sqlite).await?);
    let rounds = if arguments.quick { 20_000 } else { 1_000_000 };
    let houses = [&sqlite, &on_postgres];
    measure_long_lists(&mut report, houses, &postgres, rounds, size).await?;
    let text = report.markdown(players, rounds, seconds, size);
    report::progress(&text);
    if !arguments.quick {
        std::fs::write(&arguments.output, text)?;
    }
    Ok(())
}

/// Last, because it fills the databases.
async fn measure_long_lists(
    report: &mut Report,
    houses: [&House; 2],
    postgres: &postgres::Postgres,
    rounds: u64,
    size: panel::Size,
) -> anyhow::Result<()> {
    report::progress("A history of a million rounds beside one of a hundred");
    for house in houses {
        let compared = history::compare(house, postgres, rounds).await?;
        report.history.push((house.name(), compared));
    }
    report::progress("The administrators' lists over a million rounds");
    for house in houses {
        let panel = panel::run(house, postgres, size).await?;
        report.panels.push((house.name(), panel));
    }
    Ok(())
}
