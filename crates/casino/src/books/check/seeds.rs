//! Checks the seed pairs: the hash of each server seed, the order of each pair's steps, and the
//! accounts that repeat them.

use std::collections::BTreeMap;

use glasshouse_domain::{ClientSeedBy, SeedPairId};
use glasshouse_games::fairness::ServerSeed;
use glasshouse_persistence::books::SeedPairToCheck;
use glasshouse_persistence::seeds::{SeedKeys, StoredServerSeed};
use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::chunks::ROWS_PER_CHUNK;
use crate::books::check::report::{CheckReport, Finding};

/// What was found in the seed pairs.
struct SeedFindings {
    revealed: Finding,
    unrevealed: Finding,
    order: Finding,
    /// The number of unrevealed pairs by key.
    keys: BTreeMap<String, u64>,
}

/// Checks every seed pair and adds the findings to the report.
pub(crate) fn check_seeds(
    snapshot: &mut Snapshot,
    keys: Option<&SeedKeys>,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let mut findings = SeedFindings {
        revealed: Finding::new("the published hash of every revealed server seed is its SHA-256"),
        unrevealed: Finding::new("every unrevealed server seed is derived with its published hash"),
        order: Finding::new(
            "every seed pair was committed to before it was activated and its client seed chosen",
        ),
        keys: BTreeMap::new(),
    };
    let mut last = SeedPairId::new(0);
    loop {
        let pairs = snapshot
            .read(|connection| queries::seed_pairs_after(connection, last, ROWS_PER_CHUNK))?;
        let Some(newest) = pairs.last() else {
            break;
        };
        last = newest.id;
        for pair in &pairs {
            findings.add(pair, keys);
        }
    }
    let mut accounts = Finding::new("every account repeats the active seed pair of its player");
    for player in snapshot.read(queries::accounts_with_other_seeds)? {
        accounts.add(format!("the account of player {player}"));
    }
    findings.finish(keys, report);
    report.invariants.push(accounts);
    Ok(())
}

impl SeedFindings {
    fn add(&mut self, pair: &SeedPairToCheck, keys: Option<&SeedKeys>) {
        let named = format!("seed pair {} of player {}", pair.id, pair.player);
        if !is_in_order(pair) {
            self.order.add(named.clone());
        }
        match &pair.server_seed {
            Ok(StoredServerSeed::Revealed(text)) => {
                if !has_hash(text, &pair.server_seed_hash) {
                    self.revealed.add(named);
                }
            }
            Ok(StoredServerSeed::Committed(commitment)) => {
                *self.keys.entry(commitment.key_id.clone()).or_default() += 1;
                // A derived seed has the committed hash, or it is an error.
                if let Some(keys) = keys
                    && keys.find(&commitment.key_id).is_some()
                    && let Err(error) = keys.server_seed(commitment)
                {
                    self.unrevealed.add(format!("{named}: {error}"));
                }
            }
            Err(error) => self.unrevealed.add(format!("{named}: {error}")),
        }
    }

    fn finish(self, keys: Option<&SeedKeys>, report: &mut CheckReport) {
        for (id, pairs) in self.keys {
            if keys.is_none_or(|keys| keys.find(&id).is_none()) {
                report.unchecked.push(format!(
                    "{pairs} unrevealed server seeds: their key {id} was not given"
                ));
            }
            report
                .seed_keys
                .push(format!("key {id} for {pairs} unrevealed seeds"));
        }
        report
            .invariants
            .extend([self.revealed, self.unrevealed, self.order]);
    }
}

fn has_hash(text: &str, hash: &str) -> bool {
    ServerSeed::from_text(text.to_owned()).is_ok_and(|seed| seed.hash() == hash)
}

/// Whether the pair's steps are complete and in order. A client seed of the house may be as old as
/// the commitment, because a player gets a first pair at once.
fn is_in_order(pair: &SeedPairToCheck) -> bool {
    let is_revealed = pair.revealed_at.is_some();
    match (pair.activated_at, pair.client_seed_at, pair.client_seed_by) {
        (None, None, None) => !is_revealed,
        (Some(activated_at), Some(client_seed_at), Some(by)) => {
            let is_after_commitment = match by {
                ClientSeedBy::Player => client_seed_at > pair.committed_at,
                ClientSeedBy::House => client_seed_at >= pair.committed_at,
            };
            is_after_commitment
                && activated_at >= pair.committed_at
                && client_seed_at >= activated_at
        }
        _ => false,
    }
}
