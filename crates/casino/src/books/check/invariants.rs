//! Checks what follows from the seeds: a replay of every round.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, RoundId, RulesVersion, Spread};
use glasshouse_persistence::books::{HouseTotals, RoundToCheck};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::seeds::{SeedKeys, StoredServerSeed};
use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::chunks::ROWS_PER_CHUNK;
use crate::books::check::log::{LoggedRounds, ReplayedRound};
use crate::books::check::report::Finding;
use crate::books::replay::replay;
use crate::fairness::seeds::round_seeds;

/// The result of replaying the rounds.
pub(crate) struct Replay {
    /// The rounds whose replay differs.
    pub(crate) wrong: Finding,
    /// The number of replayed rounds.
    pub(crate) rounds: i64,
    /// The rounds that cannot be replayed: by this version, or without their key.
    pub(crate) unknown: Finding,
    /// The sums of the rounds' expected payouts and variances.
    pub(crate) expected: ExpectedTotals,
}

/// The expected payouts and variances of the settled rounds by the rules, by day and game.
#[derive(Default)]
pub(crate) struct ExpectedTotals(BTreeMap<(i64, Game), Option<Spread>>);

/// The relative difference that sums may have because they were added up in another order.
const ROUNDING: f64 = 1e-9;

impl ExpectedTotals {
    fn add(&mut self, round: &Round, spread: Spread) {
        let Some(ended_at) = round.ended_at else {
            return;
        };
        let key = (ended_at.day(), round.game);
        let sum = self.0.entry(key).or_insert(Some(Spread::default()));
        // The totals of rounds with an earlier rules version were computed from their squares and
        // cannot be separated.
        *sum = sum
            .filter(|_| round.rules == RulesVersion::CURRENT)
            .map(|sum| sum.plus(spread));
    }

    /// A round that cannot be replayed: its day's sum for the game is unknown.
    fn skip(&mut self, round: &Round) {
        if let Some(ended_at) = round.ended_at {
            self.0.insert((ended_at.day(), round.game), None);
        }
    }

    /// Compares the stored totals with the expected ones.
    pub(crate) fn compare(&self, totals: &[HouseTotals]) -> Finding {
        let mut wrong = Finding::new("the expected payouts in the house's totals match the rules");
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

/// Replays every round whose seeds can be derived with the keys.
pub(crate) fn replay_rounds(
    snapshot: &mut Snapshot,
    keys: Option<&SeedKeys>,
    logged: &mut LoggedRounds,
) -> Result<Replay, DatabaseError> {
    let mut replay = Replay {
        wrong: Finding::new("every round replays identically from its seeds and nonce"),
        rounds: 0,
        unknown: Finding::new("rounds that cannot be replayed"),
        expected: ExpectedTotals::default(),
    };
    let mut last = RoundId::new(0);
    loop {
        let rounds =
            snapshot.read(|connection| queries::rounds_after(connection, last, ROWS_PER_CHUNK))?;
        let Some(newest) = rounds.last() else {
            return Ok(replay);
        };
        last = newest.id;
        logged.read_batches(snapshot, &rounds)?;
        for round in &rounds {
            replay.add(round, keys, logged);
        }
    }
}

impl Replay {
    fn add(&mut self, found: &RoundToCheck, keys: Option<&SeedKeys>, logged: &mut LoggedRounds) {
        self.rounds += 1;
        let id = found.id;
        let round = match &found.round {
            Ok(round) => round,
            Err(error) => return self.unknown.add(format!("round {id}: {error}")),
        };
        if let Ok(seed) = &found.server_seed
            && let Some(key) = seed.needed_key()
            && keys.is_none_or(|keys| keys.find(key).is_none())
        {
            self.expected.skip(round);
            return self
                .unknown
                .add(format!("round {id}: its seed key {key} was not given"));
        }
        match replay_round(round, found, keys) {
            Some((spread, replayed)) => {
                self.expected.add(round, spread);
                logged.add(round, &replayed);
            }
            None => self.wrong.add(format!("round {id}")),
        }
    }
}

/// Replays a round. Returns its expected payout and variance, zero for a round in play, and what its
/// receipt and entry state; or `None` if the replay differs.
fn replay_round(
    round: &Round,
    found: &RoundToCheck,
    keys: Option<&SeedKeys>,
) -> Option<(Spread, ReplayedRound)> {
    let server_seed = match (found.server_seed.as_ref().ok()?, keys) {
        (seed, Some(keys)) => keys.text_of(seed).ok()?,
        (StoredServerSeed::Revealed(text), None) => text.clone(),
        (StoredServerSeed::Committed(_), None) => return None,
    };
    let seeds = round_seeds(server_seed, &found.client_seed, round.nonce).ok()?;
    let replayed = replay(round, &seeds).ok()?;
    let is_right = replayed.differences.is_empty();
    is_right.then(|| {
        let entry = ReplayedRound {
            server_seed_hash: seeds.server_seed.hash(),
            entry: replayed.entry,
        };
        (replayed.spread, entry)
    })
}
