//! One round as administrators see it: replayed, without a secret of a round in play or of seeds in use.

use glasshouse_domain::{ClientSeedBy, RoundId};
use glasshouse_persistence::rounds::{Round, RoundWithSeeds};
use glasshouse_persistence::seeds::SeedKeys;
use glasshouse_persistence::{DatabaseError, queries};

use crate::books::replay::replay;
use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::seeds_read_with;
use crate::house::House;
use crate::play::VerifiableRound;

/// What a replay of the round has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayFinding {
    /// The round is in play: its outcome is nobody's business yet.
    InPlay,
    /// Stake, payout, result and details are what the seeds and the rules determine.
    Same,
    /// These are not.
    Different(Vec<&'static str>),
    /// It cannot be replayed: its seed key is missing, or its stored data cannot be read. The log has the cause.
    Impossible,
}

/// A round with its player, its seeds as far as they may be known, and its replay.
#[derive(Debug, Clone)]
pub struct InspectedRound {
    /// The round. What is in its details while it is in play must not be shown.
    pub round: Round,
    /// The player's name.
    pub username: String,
    /// The hash of the server seed, which was published before the round.
    pub server_seed_hash: String,
    /// The server seed once its pair has been rotated. Until then nobody is shown it, because the player's next rounds
    /// follow from it.
    pub revealed_server_seed: Option<String>,
    /// The client seed.
    pub client_seed: String,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
    /// What a replay has found.
    pub replay: ReplayFinding,
    /// What anybody needs to verify it; `None` unless the replay agrees.
    pub verifiable: Option<VerifiableRound>,
}

/// Reads a round of any player and replays it.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub async fn inspect_round(house: &House, id: RoundId) -> Result<InspectedRound, CasinoError> {
    let found = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::any_round_with_seeds(connection, id)
        })
        .await?;
    let (found, username) = found.ok_or(Refusal::NotFound)?;
    let keys = &house.database.keys().seeds;
    let replay = finding(keys, &found);
    // Of a round whose stored nonce was changed, the cards would be those of another round, perhaps of a future one.
    let as_played = Some(found.clone()).filter(|_| replay == ReplayFinding::Same);
    Ok(InspectedRound {
        verifiable: as_played.and_then(|found| VerifiableRound::of(keys, found).ok()),
        round: found.round,
        username,
        server_seed_hash: found.server_seed_hash,
        revealed_server_seed: found.server_seed.revealed(),
        client_seed: found.client_seed,
        client_seed_by: found.client_seed_by,
        replay,
    })
}

fn finding(keys: &SeedKeys, found: &RoundWithSeeds) -> ReplayFinding {
    if found.round.is_open() {
        return ReplayFinding::InPlay;
    }
    let replayed = seeds_read_with(keys, found).and_then(|seeds| replay(&found.round, &seeds));
    match replayed {
        Ok(replayed) if replayed.differences.is_empty() => ReplayFinding::Same,
        Ok(replayed) => ReplayFinding::Different(replayed.differences),
        Err(error) => {
            let round = found.round.id.get();
            tracing::error!(%error, round, "a round cannot be replayed");
            ReplayFinding::Impossible
        }
    }
}
