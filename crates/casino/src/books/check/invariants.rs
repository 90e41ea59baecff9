//! What follows from the seeds: the hash of each server seed, and every round played again.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, Multiplier, RoundId, RulesVersion, SeedPairId, Spread};
use glasshouse_games::fairness::{ServerSeed, Stream};
use glasshouse_games::spread;
use glasshouse_persistence::books::HouseTotals;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::report::Finding;
use crate::error::CasinoError;
use crate::fairness::seeds::stream;
use crate::play::dice::DiceDetails;
use crate::play::heads_up_hand::HeadsUpView;
use crate::play::timed::plan::{Plan, outcome};
use crate::play::video_poker_hand::PokerHandView;

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
    /// What the rules let expect of them.
    pub(crate) expected: ExpectedTotals,
}

/// What the rules let expect of the settled rounds, by day and game.
#[derive(Default)]
pub(crate) struct ExpectedTotals(BTreeMap<(i64, Game), Option<Spread>>);

/// Sums that were added up in another order differ by so little.
const ROUNDING: f64 = 1e-9;

impl ExpectedTotals {
    fn add(&mut self, round: &Round, spread: Spread) {
        let Some(ended_at) = round.ended_at else {
            return;
        };
        let place = (ended_at.day(), round.game);
        let sum = self.0.entry(place).or_insert(Some(Spread::default()));
        // The totals of earlier rounds were made of their squares, and cannot be told apart.
        *sum = sum
            .filter(|_| round.rules == RulesVersion::CURRENT)
            .map(|sum| sum.plus(spread));
    }

    /// Holds the house's totals against it.
    pub(crate) fn compare(&self, totals: &[HouseTotals]) -> Finding {
        let mut wrong = Finding::new("the house's totals expect what the rules let expect");
        for total in totals {
            let Some(Some(expected)) = self.0.get(&(total.day, total.game)) else {
                continue;
            };
            let is_right = is_close(total.spread.expected_cents, expected.expected_cents)
                && is_close(total.spread.variance, expected.variance);
            if !is_right {
                let game = total.game.as_str();
                wrong.add(format!("{game} on day {}", total.day));
            }
        }
        wrong
    }
}

#[expect(clippy::float_arithmetic, reason = "statistics, not money")]
fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(1.0)
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
        expected: ExpectedTotals::default(),
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
                Ok(round) => match played_again(round, server_seed, client_seed) {
                    Some(spread) => replay.expected.add(round, spread),
                    None => replay.wrong.add(format!("round {id}")),
                },
                Err(error) => replay.unknown.add(format!("round {id}: {error}")),
            }
        }
    }
}

/// What the rules let expect of a round that is what its seeds say; none of one that is not, and
/// nothing of one in play.
fn played_again(round: &Round, server_seed: &str, client_seed: &str) -> Option<Spread> {
    let from_start = || stream(server_seed, client_seed, round.nonce);
    let stream = from_start().ok()?;
    let spread = match round.game {
        Game::Dice => dice_again(round, stream),
        Game::Crash | Game::Stonks => live_again(round, stream, from_start),
        Game::Poker => poker_again(round, stream),
        Game::HeadsUp => heads_up_again(round, stream),
    };
    spread.unwrap_or(None)
}

/// A round of crash or stonks was left at a moment that its future allows, or ended by itself, and
/// was paid and told accordingly.
fn live_again(
    round: &Round,
    mut stream: Stream,
    from_start: impl FnOnce() -> Result<Stream, CasinoError>,
) -> Result<Option<Spread>, CasinoError> {
    let plan = Plan::restore(round, &mut stream)?;
    let natural = plan.live().ending();
    let Some(ended_at) = round.ended_at else {
        // In play: it ends by itself when its future says.
        let due_at = round.started_at.saturating_add(natural.after);
        return Ok((round.due_at == Some(due_at)).then(Spread::default));
    };
    let elapsed = ended_at.saturating_since(round.started_at);
    let ending = if elapsed == natural.after {
        natural
    } else {
        let claim = round.multiplier.unwrap_or(Multiplier::ZERO);
        match plan.live().leave(elapsed, claim) {
            Ok(ending) => ending,
            Err(_) => return Ok(None),
        }
    };
    let is_right = ending.payout.in_cents(round.rules, &stream) == round.payout
        && ending.multiplier == round.multiplier
        && outcome(&ending).to_string() == round.outcome
        && plan.final_details(&ending)? == round.details;
    is_right
        .then(|| plan.spread(&ending, from_start))
        .transpose()
}

fn poker_again(round: &Round, mut stream: Stream) -> Result<Option<Spread>, CasinoError> {
    let hand = PokerHandView::restore(round.clone(), &mut stream)?;
    if round.is_open() {
        return Ok(Some(Spread::default()));
    }
    let end = hand.finish(hand.holds);
    let told = end
        .multiplier
        .map_or("loss".to_owned(), |_| format!("win ({})", end.rank.name()));
    let is_right = end.payout == round.payout && told == round.outcome;
    Ok(is_right.then(|| spread::video_poker(&hand.bet)))
}

fn heads_up_again(round: &Round, mut stream: Stream) -> Result<Option<Spread>, CasinoError> {
    let hand = HeadsUpView::restore(round.clone(), &mut stream)?;
    let Some(action) = hand.action else {
        let is_right = round.is_open() && hand.bet.stake() == round.stake;
        return Ok(is_right.then(Spread::default));
    };
    let result = hand.finish(action);
    let staked = hand.bet.stake().checked_add(hand.bet.added(action));
    let told = format!("{} (heads-up)", result.showdown.as_str());
    let is_right =
        staked == Some(round.stake) && result.payout == round.payout && told == round.outcome;
    Ok(is_right.then(|| spread::heads_up(&hand.bet, round.stake)))
}

fn dice_again(round: &Round, mut stream: Stream) -> Result<Option<Spread>, CasinoError> {
    let details = DiceDetails::of(round)?;
    let bet = details.bet(round.stake)?;
    let roll = bet.play(&mut stream);
    let is_shown_right = round.outcome.starts_with("win") == roll.is_win;
    let payout = roll.payout.in_cents(round.rules, &stream);
    let is_right = !round.is_open()
        && roll.roll == details.dice_result
        && payout == round.payout
        && is_shown_right;
    Ok(is_right.then(|| spread::dice(&bet)))
}
