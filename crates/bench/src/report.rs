//! Computes medians and ratios, and formats the document.
#![expect(clippy::print_stdout, reason = "progress and results are printed here")]

use std::fmt::Write;
use std::time::Duration;

use crate::costs::Bets;
use crate::history::{Comparison, SHORT_HISTORY_ROUNDS};
use crate::load::{Load, median};
use crate::mines::Mines;
use crate::panel::{FEW_ROUNDS, Latency, Size};
use crate::streams::Streams;
use crate::trainer::Trainer;

/// Half of the 38.3 kB that a bet wrote before any of the steps in `docs/performance.md`.
const MAXIMUM_KILOBYTES: f64 = 38.3 / 2.0;

/// The results of one measurement window.
pub(crate) struct Window {
    pub(crate) raw_sqlite: f64,
    pub(crate) sqlite: Bets,
    pub(crate) postgres: Bets,
    pub(crate) pgbench_simple: f64,
    pub(crate) pgbench_prepared: f64,
    /// Whether the machine stalled during the window.
    pub(crate) is_stalled: bool,
}

/// All results.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) windows: Vec<Window>,
    pub(crate) many: Vec<(&'static str, Load, u64)>,
    pub(crate) streams: Vec<(&'static str, Streams)>,
    pub(crate) mines: Vec<(&'static str, Mines)>,
    pub(crate) trainer: Option<Trainer>,
    pub(crate) history: Vec<(&'static str, Comparison)>,
    pub(crate) panels: Vec<(&'static str, Vec<Latency>)>,
}

/// Prints a progress message.
pub(crate) fn progress(text: &str) {
    println!("{text}");
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn kilobytes(bytes: u64) -> f64 {
    u32::try_from(bytes).map_or(f64::INFINITY, f64::from) / 1000.0
}

fn mebibytes(kibibytes: u64) -> f64 {
    u32::try_from(kibibytes).map_or(f64::INFINITY, f64::from) / 1024.0
}

/// The mark after a figure that misses its target; empty if the target is met.
fn missed(is_reached: bool) -> &'static str {
    if is_reached { "" } else { " (**missed**)" }
}

impl Report {
    fn median_of(&self, value: impl Fn(&Window) -> f64) -> f64 {
        median(self.windows.iter().map(value).collect())
    }

    /// The document, with the lines that describe the machine. Absolute numbers depend on it; the targets apply to the
    /// ratios.
    pub(crate) fn markdown(
        &self,
        machine: &[String],
        players: usize,
        seconds: u64,
        size: Size,
    ) -> String {
        let mut text = String::from(
            "# Benchmarks\n\nWritten by `cargo xtask bench`. Compare only figures of the same run: the \
             load generator, the server and the database share the machine. Where the time and \
             memory go, and what each step contributed, is in [performance](performance.md).\n\n",
        );
        let lines = self.body(players, seconds, size);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "Measured {}.\n\n",
            jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC")
        );
        for line in machine {
            let _ = writeln!(text, "- {line}");
        }
        text.push('\n');
        text.push_str(&lines);
        text.push_str(&self.panels_markdown(size));
        text
    }

    /// The tables of the bets through 64 connections.
    pub(crate) fn bets_markdown(&self, seconds: u64) -> String {
        let mut text = String::new();
        let raw = self.median_of(|window| window.raw_sqlite);
        let sqlite = self.median_of(|window| window.sqlite.load.per_second);
        let postgres = self.median_of(|window| window.postgres.load.per_second);
        let simple = self.median_of(|window| window.pgbench_simple);
        let prepared = self.median_of(|window| window.pgbench_prepared);
        let latency =
            |value: fn(&Window) -> Duration| self.median_of(|window| milliseconds(value(window)));
        let sqlite_99 = latency(|window| window.sqlite.load.percentile_99);
        let postgres_99 = latency(|window| window.postgres.load.percentile_99);
        let stalled = self
            .windows
            .iter()
            .filter(|window| window.is_stalled)
            .count();
        let _ = write!(
            text,
            "Medians of {} interleaved windows of {seconds} s ({stalled} of them with a machine \
             stall of over 200 ms), 64 connections with one player each.\n\n\
             | bets per second | | baseline | ratio | target |\n|---|---|---|---|---|\n\
             | SQLite through HTTP | {sqlite:.0} | the same statements through rusqlite, 64 per \
             transaction: {raw:.0} | {:.2}{} | 1.0 |\n\
             | PostgreSQL through HTTP | {postgres:.0} | pgbench tpcb-like, 16 clients, simple: \
             {simple:.0} | {:.2} | |\n\
             | | | the same, prepared: {prepared:.0} | {:.2}{} | 1.5 |\n\n\
             | latency at 64 connections | p50 | p99 | target |\n|---|---|---|---|\n\
             | SQLite | {:.1} ms | {sqlite_99:.1} ms{} | 20 ms |\n\
             | PostgreSQL | {:.1} ms | {postgres_99:.1} ms{} | 20 ms |\n\n",
            self.windows.len(),
            sqlite / raw,
            missed(sqlite / raw >= 1.0),
            postgres / simple,
            postgres / prepared,
            missed(postgres / prepared >= 1.5),
            latency(|window| window.sqlite.load.median),
            missed(sqlite_99 <= 20.0),
            latency(|window| window.postgres.load.median),
            missed(postgres_99 <= 20.0),
        );
        self.write_costs(&mut text);
        text
    }

    fn write_costs(&self, text: &mut String) {
        let _ = write!(
            text,
            "| a bet takes | processor time of the server | of PostgreSQL | of the load generator | bytes \
             |\n|---|---|---|---|---|\n"
        );
        let micros = |of: fn(&Window) -> Duration| {
            self.median_of(|window| of(window).as_secs_f64() * 1_000_000.0)
        };
        let written = self.median_of(|window| kilobytes(window.sqlite.bytes));
        let _ = writeln!(
            text,
            "| SQLite | {:.0} µs | | {:.0} µs | {written:.1} kB written to the disk{} (target: \
             {MAXIMUM_KILOBYTES:.1}, half of the first measurement) |",
            micros(|window| window.sqlite.server),
            micros(|window| window.sqlite.generator),
            missed(written <= MAXIMUM_KILOBYTES),
        );
        let _ = writeln!(
            text,
            "| PostgreSQL | {:.0} µs | {:.0} µs | {:.0} µs | {:.1} kB of WAL |\n",
            micros(|window| window.postgres.server),
            micros(|window| window.postgres.postgres),
            micros(|window| window.postgres.generator),
            self.median_of(|window| kilobytes(window.postgres.bytes)),
        );
    }

    fn body(&self, players: usize, seconds: u64, size: Size) -> String {
        let mut text = self.bets_markdown(seconds);
        text.push_str(&self.connections_markdown(players));
        self.write_mines(&mut text);
        self.write_trainer(&mut text);
        text.push_str(&self.history_markdown(size));
        text
    }

    /// The table of the first page of a short and of a long history.
    pub(crate) fn history_markdown(&self, size: Size) -> String {
        let mut text = String::new();
        let _ = write!(
            text,
            "\n| first page of the history, median | {SHORT_HISTORY_ROUNDS} rounds | {} rounds | ratio \
             (target: 1.2) |\n|---|---|---|---|\n",
            size.rounds
        );
        for (name, Comparison { short, long }) in &self.history {
            let ratio = long.as_secs_f64() / short.as_secs_f64();
            let _ = writeln!(
                text,
                "| {name} | {:.2} ms | {:.2} ms | {ratio:.2}{} |",
                milliseconds(*short),
                milliseconds(*long),
                missed(ratio <= 1.2)
            );
        }
        text
    }

    /// The tables of many connections and of event streams.
    pub(crate) fn connections_markdown(&self, players: usize) -> String {
        let mut text = String::new();
        self.write_many(&mut text, players);
        self.write_streams(&mut text);
        text
    }

    fn write_many(&self, text: &mut String, players: usize) {
        let _ = write!(
            text,
            "| {players} connections | bets per second | p50 | p99 | server's resident memory (target: \
             70 MB, which are 66.8 MiB) |\n|---|---|---|---|---|\n"
        );
        for (name, load, resident) in &self.many {
            let _ = writeln!(
                text,
                "| {name} | {:.0} | {:.0} ms | {:.0} ms | {:.1} MiB{} |",
                load.per_second,
                milliseconds(load.median),
                milliseconds(load.percentile_99),
                mebibytes(*resident),
                missed(*resident * 1024 <= 70_000_000)
            );
        }
    }

    fn write_streams(&self, text: &mut String) {
        let _ = write!(
            text,
            "\n| rounds of stonks, each with an event stream | in play at all times | ends | delay of the \
             round's end, p50 | p99 | memory per stream | server in total |\n|---|---|---|---|---|---|---|\n"
        );
        for (name, streams) in &self.streams {
            let _ = writeln!(
                text,
                "| {name}, {} players (target: p99 50 ms, 8 kB) | {} | {} | {:.0} ms | {:.0} ms{} | \
                 {:.1} KiB{} | {:.1} MiB |",
                streams.players,
                streams.in_play,
                streams.ends,
                milliseconds(streams.median),
                milliseconds(streams.percentile_99),
                missed(streams.percentile_99 <= Duration::from_millis(50)),
                streams.kibibytes_each,
                missed(streams.kibibytes_each * 1.024 <= 8.0),
                mebibytes(streams.resident_kibibytes)
            );
        }
    }

    fn write_mines(&self, text: &mut String) {
        let _ = write!(
            text,
            "\n| rounds of Mines (start, up to three reveals, cash-out) | rounds a second | calls a \
             second | beside it: bets on dice a second | calls per bet |\n|---|---|---|---|---|\n"
        );
        for (name, mines) in &self.mines {
            let _ = writeln!(
                text,
                "| {name} | {:.0} | {:.0} | {:.0} | {:.2} |",
                mines.rounds,
                mines.calls,
                mines.dice,
                mines.calls / mines.dice
            );
        }
    }

    fn write_trainer(&self, text: &mut String) {
        let Some(trainer) = &self.trainer else { return };
        let _ = write!(
            text,
            "\n| the trainer through HTTP (target: 50 ms) | p50 | p99 |\n|---|---|---|\n"
        );
        let rows = [
            ("video poker, all 32 holds", trainer.video_poker),
            ("heads-up, all 1,070,190 completions", trainer.heads_up),
        ];
        for (name, (median, percentile_99)) in rows {
            let (median, percentile_99) = (milliseconds(median), milliseconds(percentile_99));
            let mark = missed(percentile_99 <= 50.0);
            let _ = writeln!(
                text,
                "| {name} | {median:.0} ms | {percentile_99:.0} ms{mark} |"
            );
        }
    }

    /// The tables of the administrators' lists.
    pub(crate) fn panels_markdown(&self, Size { rounds, users }: Size) -> String {
        let mut text = String::new();
        // As many as `fill` inserts.
        let pending = users / 10;
        for (name, calls) in &self.panels {
            let _ = write!(
                text,
                "\n| {name}: administrators' lists, {users} users, {pending} pending withdrawals | p50 with \
                 {FEW_ROUNDS} rounds | p50 with {rounds} | p99 | ratio of the medians (target: 1.2) |\n\
                 |---|---|---|---|---|\n"
            );
            for latency in calls {
                let ratio = latency.many.as_secs_f64() / latency.few.as_secs_f64();
                let _ = writeln!(
                    text,
                    "| {} | {:.2} ms | {:.2} ms | {:.2} ms | {ratio:.2}{} |",
                    latency.call,
                    milliseconds(latency.few),
                    milliseconds(latency.many),
                    milliseconds(latency.percentile_99),
                    missed(ratio <= 1.2)
                );
            }
        }
        text
    }
}
