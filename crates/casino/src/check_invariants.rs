//! What follows from the seeds: the hash of each server seed, and every round played again.

use glasshouse_domain::{Game, Multiplier, RoundId, SeedPairId};
use glasshouse_games::fairness::{ServerSeed, Stream};
use glasshouse_persistence::{DatabaseError, Round, Snapshot, queries};

use crate::check_report::Finding;
use crate::error::CasinoError;
use crate::heads_up_hand::HeadsUpView;
use crate::live_round::{Plan, outcome};
use crate::place_dice_bet::DiceDetails;
use crate::player::stream;
use crate::poker_hand::PokerHandView;

/// Rows that are read at once: the check's memory does not grow with the data.
pub(crate) const CHUNK: i64 = 2_000;

/// What came of playing the rounds again.
pub(crate) struct Replay {
    /// Those that came out otherwise.
    pub(crate) wrong: Finding,
    /// How many were played again.
    pub(crate) rounds: i64,
    /// Those of which this program cannot say.
    pub(crate) unknown: Finding,
}

/// Hashes every server seed.
pub(crate) fn wrong_hashes(snapshot: &mut Snapshot) -> Result<Finding, DatabaseError> {
    let mut wrong = Finding::new("the hash shown for a server seed is its SHA-256");
    let mut last = SeedPairId::new(0);
    loop {
        let pairs =
            snapshot.read(|connection| queries::seed_pairs_after(connection, last, CHUNK))?;
        let Some(newest) = pairs.last() else {
            return Ok(wrong);
        };
        last = SeedPairId::new(newest.id);
        for pair in &pairs {
            let is_right = ServerSeed::from_text(pair.server_seed.clone())
                .is_ok_and(|seed| seed.hash() == pair.server_seed_hash);
            if !is_right {
                wrong.add(format!("seed pair {}", pair.id));
            }
        }
    }
}

/// Plays every round again.
pub(crate) fn replay_rounds(snapshot: &mut Snapshot) -> Result<Replay, DatabaseError> {
    let mut replay = Replay {
        wrong: Finding::new("every round comes out again from its seeds and nonce"),
        rounds: 0,
        unknown: Finding::new("rounds that this program does not know how to play"),
    };
    let mut last = RoundId::new(0);
    loop {
        let rounds = snapshot.read(|connection| queries::rounds_after(connection, last, CHUNK))?;
        let Some((newest, ..)) = rounds.last() else {
            return Ok(replay);
        };
        last = *newest;
        for (id, round, server_seed, client_seed) in &rounds {
            replay.rounds += 1;
            match round {
                Ok(round) if comes_out_again(round, server_seed, client_seed) => {}
                Ok(_) => replay.wrong.add(format!("round {id}")),
                Err(error) => replay.unknown.add(format!("round {id}: {error}")),
            }
        }
    }
}

/// Whether a round is what its seeds say.
fn comes_out_again(round: &Round, server_seed: &str, client_seed: &str) -> bool {
    let Ok(stream) = stream(server_seed, client_seed, round.nonce) else {
        return false;
    };
    match round.game {
        Game::Dice => !round.is_open() && dice_comes_out_again(round, stream).unwrap_or(false),
        Game::Crash | Game::Stonks => live_comes_out_again(round, stream).unwrap_or(false),
        Game::Poker => poker_comes_out_again(round, stream).unwrap_or(false),
        Game::HeadsUp => heads_up_comes_out_again(round, stream).unwrap_or(false),
    }
}

/// A round of crash or stonks was left at a moment that its future allows, or ended by itself, and
/// was paid and told accordingly.
fn live_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let plan = Plan::restore(round, &mut stream)?;
    let natural = plan.live().ending();
    let Some(ended_at) = round.ended_at else {
        // In play: it ends by itself when its future says.
        let due_at = round.started_at.saturating_add(natural.after);
        return Ok(round.due_at == Some(due_at));
    };
    let elapsed = ended_at.saturating_since(round.started_at);
    let ending = if elapsed == natural.after {
        natural
    } else {
        let claim = round.multiplier.unwrap_or(Multiplier::ZERO);
        match plan.live().leave(elapsed, claim) {
            Ok(ending) => ending,
            Err(_) => return Ok(false),
        }
    };
    Ok(ending.payout.in_cents(round.rules, &stream) == round.payout
        && ending.multiplier == round.multiplier
        && outcome(&ending).to_string() == round.outcome
        && plan.final_details(&ending)? == round.details)
}

fn poker_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let hand = PokerHandView::restore(round.clone(), &mut stream)?;
    if round.is_open() {
        return Ok(true);
    }
    let end = hand.finish(hand.holds);
    let told = end
        .multiplier
        .map_or("loss".to_owned(), |_| format!("win ({})", end.rank.name()));
    Ok(end.payout == round.payout && told == round.outcome)
}

fn heads_up_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let hand = HeadsUpView::restore(round.clone(), &mut stream)?;
    let Some(action) = hand.action else {
        return Ok(round.is_open() && hand.bet.stake() == round.stake);
    };
    let result = hand.finish(action);
    let staked = hand.bet.stake().checked_add(hand.bet.added(action));
    let told = format!("{} (heads-up)", result.showdown.as_str());
    Ok(staked == Some(round.stake) && result.payout == round.payout && told == round.outcome)
}

fn dice_comes_out_again(round: &Round, mut stream: Stream) -> Result<bool, CasinoError> {
    let details = DiceDetails::of(round)?;
    let bet = details.bet(round.stake)?;
    let roll = bet.play(&mut stream);
    let is_shown_right = round.outcome.starts_with("win") == roll.is_win;
    let payout = roll.payout.in_cents(round.rules, &stream);
    Ok(roll.roll == details.dice_result && payout == round.payout && is_shown_right)
}
