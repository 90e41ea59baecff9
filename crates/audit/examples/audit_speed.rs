//! Prints how many dice rounds of a log in memory are audited in a second, with everything but the
//! download: `cargo run --release --locked -p glasshouse-audit --example audit_speed`.
#![expect(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a program that prints measurements"
)]

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use glasshouse_audit::Fault;
use glasshouse_audit::audit::{Target, Walk};
use glasshouse_audit::log::LogSource;
use glasshouse_domain::{Money, RulesVersion};
use glasshouse_games::dice;
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_games::game_round::{GameRound as _, payout_in_cents};
use glasshouse_games::published::{Amounts, publish};
use glasshouse_transparency::entry::{Entry, Round, Terms, encode_bundle, leaf_hash};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::tile::{Bundle, FULL_WIDTH, RightEdge, TilePath};
use serde_json::value::RawValue;

const ROUNDS: u64 = 1 << 20;
const REPEATS: usize = 3;
const SECOND: i64 = 1_795_290_535;

/// A log in memory.
#[derive(Default)]
struct MemoryLog {
    files: HashMap<TilePath, Vec<u8>>,
}

impl LogSource for MemoryLog {
    async fn read(&self, path: TilePath) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.files.get(&path).cloned())
    }
}

/// The public entry of a round, with the stakes and targets that players choose.
fn entry(nonce: u64) -> Result<String, Box<dyn Error>> {
    let seeds = RoundSeeds {
        server_seed: ServerSeed::from_bytes([7; 32]),
        client_seed: ClientSeed::parse("speed")?,
        nonce,
    };
    let mut stream = seeds.stream();
    let stake = Money::from_cents(i64::try_from(nonce % 1_000)? + 1);
    let target = dice::Target::new(i64::try_from(nonce % 90)? + 5)?;
    let bet = dice::Bet::new(stake, target, dice::BetType::Under)?;
    let round = dice::Round::begin(bet, &mut stream);
    let end = round.natural_end().ok_or("the round did not end")?;
    let rules = RulesVersion::CURRENT;
    let payout = payout_in_cents(&end, rules, &mut stream);
    let amounts = Amounts {
        rules,
        stake,
        payout,
    };
    let published = publish(&round, &end, amounts, &mut stream)?;
    let terms = RawValue::from_string(published.terms.into_owned())?;
    let entry = Entry::Round(Round {
        game: published.game.as_str().to_owned(),
        rules: rules.number().into(),
        stake: stake.cents(),
        payout: payout.cents(),
        terms: Terms::new(&terms)?,
        words: published.blocks.into_owned(),
        second: SECOND,
    });
    Ok(entry.to_line()?)
}

fn write_log() -> Result<(MemoryLog, RightEdge, usize), Box<dyn Error>> {
    let mut log = MemoryLog::default();
    let mut edge = RightEdge::empty();
    let mut bytes = 0;
    for index in 0..ROUNDS / u64::from(FULL_WIDTH) {
        let first = index * u64::from(FULL_WIDTH);
        let lines = (first..first + u64::from(FULL_WIDTH))
            .map(entry)
            .collect::<Result<Vec<_>, _>>()?;
        let bundle = Bundle::new(index, FULL_WIDTH).ok_or("no bundle")?;
        let data = encode_bundle(&lines)?;
        bytes += data.len();
        log.files.insert(TilePath::Entries(bundle), data);
        let leaves: Vec<_> = lines
            .iter()
            .map(|line| leaf_hash(line.as_bytes()))
            .collect();
        for stored in edge.append(&leaves)? {
            log.files.insert(TilePath::Hashes(stored.tile), stored.data);
        }
    }
    Ok((log, edge, bytes))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (log, edge, bytes) = write_log()?;
    println!(
        "{} bytes per round in bundles",
        bytes as f64 / ROUNDS as f64
    );
    let log = Arc::new(log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    for _ in 0..REPEATS {
        let target = Target {
            origin: Origin::parse("play.example/glasshouse")?,
            checkpoint: edge.checkpoint(),
            now: SECOND,
        };
        let mut walk = Walk::new(Arc::clone(&log), target);
        let start = Instant::now();
        runtime.block_on(async {
            while !walk.is_done() {
                walk.advance().await?;
            }
            Ok::<_, glasshouse_audit::audit::Failure>(())
        })?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{:.0} rounds a second", ROUNDS as f64 / seconds);
    }
    Ok(())
}
