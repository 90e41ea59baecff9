//! Tortures a house: players play every game, deposit and withdraw, while its servers are killed, its database is
//! stopped, its disk fills up, its clock jumps and its payment provider misbehaves. Then everything is compared
//! with what the players were told.
//!
//! It uses the programs from the outside, as `cargo xtask torture` has built them, and knows nothing of the
//! casino but its API.

mod administrator;
mod book;
mod caller;
mod cents;
mod clock;
mod cluster;
mod disk;
mod disturbances;
mod house;
mod nginx;
mod players;
mod postgres;
mod process;
mod report;
mod run;
mod tally;
mod verify;
mod waiting;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::Result;
use clap::Parser;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use disturbances::Disturbance;
use house::{Kind, Programs};
use report::line;
use run::{Goal, Torture};

/// Plays while everything fails, and compares what is stored with what was acknowledged
#[derive(Debug, Parser)]
struct Options {
    /// The databases, one house each
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["sqlite", "postgres"])]
    databases: Vec<Kind>,
    /// How long each house is tortured. Without --operations and --kills, 30 seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// At least so many acknowledged operations in each house
    #[arg(long, default_value_t = 0)]
    operations: u64,
    /// At least so many kills of servers and databases in each house
    #[arg(long, default_value_t = 0)]
    kills: u64,
    /// What goes wrong; by default, everything that is possible here
    #[arg(long, value_enum, value_delimiter = ',')]
    disturb: Vec<Disturbance>,
    /// Players at the same time
    #[arg(long, default_value_t = 24)]
    players: usize,
    /// Which random decisions are made; chosen and printed if omitted
    #[arg(long)]
    seed: Option<u64>,
    /// The size of the disk in memory that each house is on, in MiB
    #[arg(long, default_value_t = 3_000)]
    disk_mebibytes: u64,
    /// Where the logs are copied
    #[arg(long, default_value = "target/torture")]
    logs: PathBuf,
    /// The program `glasshouse`
    #[arg(long, env = "GLASSHOUSE_TORTURE_SERVER")]
    server: PathBuf,
    /// The program `glasshouse` of the version before, with which the house is opened. Its servers are upgraded one after
    /// the other while players play
    #[arg(long)]
    previous: Option<PathBuf>,
    /// The program `glasshouse-sandbox`
    #[arg(long, env = "GLASSHOUSE_TORTURE_PROVIDER")]
    provider: PathBuf,
}

impl Options {
    /// When a house has been tortured enough.
    fn goal(&self) -> Goal {
        let has_numbers = self.operations > 0 || self.kills > 0;
        let seconds = self.seconds.unwrap_or(if has_numbers { 0 } else { 30 });
        Goal {
            seconds,
            operations: self.operations,
            kills: self.kills,
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match torture_all(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            line(&format!("FAILED: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Tortures a house for each database, and returns whether nothing was found. Players play in one house after the other.
/// While the last payments of one are waited for, which leaves the processors idle, they play in the next.
fn torture_all(options: &Options) -> Result<bool> {
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    line(&format!("The seed is {seed}."));
    let programs = &Programs {
        server: options.server.clone(),
        previous: options.previous.clone(),
        provider: options.provider.clone(),
    };
    let goal = &options.goal();
    let runtime = &Runtime::new()?;
    let turns = &Semaphore::new(1);
    thread::scope(|scope| {
        let mut runs = Vec::new();
        for kind in &options.databases {
            let turn = runtime.block_on(turns.acquire())?;
            let torture = Torture {
                kind: *kind,
                programs,
                players: options.players,
                disturb: &options.disturb,
                seed,
                disk_mebibytes: options.disk_mebibytes,
                logs: &options.logs,
            };
            runs.push(scope.spawn(move || {
                let outcome = runtime.block_on(torture.run(goal, turn));
                if let Err(error) = &outcome {
                    line(&format!("{kind}: FAILED: {error:#}"));
                }
                outcome.is_ok()
            }));
        }
        // All are waited for, also after one has found something.
        let outcomes: Vec<bool> = runs
            .into_iter()
            .map(|run| run.join().unwrap_or(false))
            .collect();
        Ok(!outcomes.contains(&false))
    })
}
