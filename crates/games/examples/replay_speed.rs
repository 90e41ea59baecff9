//! Prints how many published rounds of each game are verified in a second on one core:
//! `cargo run --release --locked --example replay_speed`.
#![expect(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a program that prints measurements"
)]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use glasshouse_domain::{Money, Multiplier, RulesVersion};
use glasshouse_games::fairness::{ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_games::game_round::{GameRound, payout_in_cents};
use glasshouse_games::published::{Amounts, PublishedRound, publish, verify};
use glasshouse_games::{crash, dice, heads_up, mines, stonks, video_poker};

const ROUNDS: u64 = 20_000;
const REPEATS: usize = 20;

/// Plays rounds of a bet to their natural end, or by the moves given for it.
fn measure<R: GameRound>(bet: R::Bet, moves: &[R::Move]) -> Result<(), Box<dyn Error>> {
    let mut rounds: Vec<PublishedRound<'_>> = Vec::new();
    for nonce in 0..ROUNDS {
        let seeds = RoundSeeds {
            server_seed: ServerSeed::from_bytes([7; 32]),
            client_seed: ClientSeed::parse("speed")?,
            nonce,
        };
        let mut stream = seeds.stream();
        let mut round = R::begin(bet, &mut stream);
        let mut end = round.natural_end();
        for play in moves {
            if end.is_none() {
                end = round
                    .play(play.clone(), std::time::Duration::ZERO)
                    .unwrap_or(None);
            }
        }
        let end = end.ok_or("the round did not end")?;
        let stake = R::stake(&bet).cents() + end.added_stake.cents();
        let amounts = Amounts {
            rules: RulesVersion::CURRENT,
            stake: Money::from_cents(stake),
            payout: payout_in_cents(&end, RulesVersion::CURRENT, &mut stream),
        };
        rounds.push(publish(&round, &end, amounts, &mut stream)?);
    }
    let start = Instant::now();
    for _ in 0..REPEATS {
        for round in &rounds {
            black_box(verify(black_box(round))?);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let count = rounds.len() * REPEATS;
    println!(
        "{:>10}: {:>9.0} rounds a second",
        R::INFO.report_name,
        count as f64 / seconds
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let money = Money::from_cents;
    let target = dice::Target::new(66)?;
    measure::<dice::Round>(dice::Bet::new(money(1), target, dice::BetType::Under)?, &[])?;
    let auto = Some(Multiplier::from_hundredths(200));
    measure::<crash::Round>(
        crash::Bet::new(money(101), auto, crash::Curve::Linear)?,
        &[],
    )?;
    measure::<stonks::Round>(stonks::Bet::new(money(101), None)?, &[])?;
    let draw = [video_poker::Move::Draw(None)];
    measure::<video_poker::Round>(video_poker::Bet::new(money(500))?, &draw)?;
    measure::<heads_up::Round>(heads_up::Bet::new(money(500))?, &[heads_up::Action::Call])?;
    let mut moves = [0, 6, 12]
        .into_iter()
        .map(|cell| mines::Cell::new(cell).map(mines::Move::Reveal))
        .collect::<Result<Vec<_>, _>>()?;
    moves.push(mines::Move::CashOut);
    measure::<mines::Round>(mines::Bet::new(money(1_001), 3)?, &moves)?;
    Ok(())
}
