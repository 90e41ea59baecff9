//! What follows from the seeds: the hash of each server seed, and every round played again.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, RoundId, RulesVersion, SeedPairId, Spread};
use glasshouse_games::fairness::{RoundSeeds, ServerSeed};
use glasshouse_games::game_round::{GameRound, payout_in_cents};
use glasshouse_games::with_game;
use glasshouse_persistence::books::HouseTotals;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::report::Finding;
use crate::error::CasinoError;
use crate::fairness::seeds::round_seeds;
use crate::play::current::details_text;
use crate::play::round_view::details_of;

/// Rows that are read at once: the check's memory does not grow with the data.
pub(crate) const ROUNDS_PER_CHUNK: i64 = 2_000;

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
        let pairs = snapshot
            .read(|connection| queries::seed_pairs_after(connection, last, ROUNDS_PER_CHUNK))?;
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
        let rounds = snapshot
            .read(|connection| queries::rounds_after(connection, last, ROUNDS_PER_CHUNK))?;
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
    let seeds = round_seeds(server_seed, client_seed, round.nonce).ok()?;
    with_game!(round.game, R => again::<R>(round, &seeds)).unwrap_or(None)
}

/// A round that is over ended at a moment and in a way that its future allows, and was paid and
/// written down accordingly; one in play waits for what its future says.
fn again<R: GameRound>(round: &Round, seeds: &RoundSeeds) -> Result<Option<Spread>, CasinoError> {
    let details = details_of::<R>(round)?;
    let game = R::restore(round.stake, details, &mut seeds.stream())
        .map_err(|error| CasinoError::corrupt(error.to_string()))?;
    let Some(ended_at) = round.ended_at else {
        let natural = game.natural_end();
        let after = natural.and_then(|end| end.after);
        let is_right = !natural.is_some_and(|end| end.is_immediate())
            && round.due_at == after.map(|after| round.started_at.saturating_add(after))
            && R::stake(&game.bet()) == round.stake
            && details_text(&game, None)? == round.details;
        return Ok(is_right.then(Spread::default));
    };
    let elapsed = ended_at.saturating_since(round.started_at);
    let Some(end) = game.end_as_stored(elapsed, round.multiplier) else {
        return Ok(None);
    };
    let is_right = R::stake(&game.bet()).checked_add(end.added_stake) == Some(round.stake)
        && payout_in_cents(&end, round.rules, seeds) == round.payout
        && Some(end.result) == round.result
        && end.multiplier == round.multiplier
        && details_text(&game, Some(&end))? == round.details;
    Ok(is_right.then(|| game.spread(&end, seeds)))
}
