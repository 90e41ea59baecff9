//! What use cases ask of single rounds: the open one that a call means, and the stream of any.

use glasshouse_domain::{Game, RoundId, UserId};
use glasshouse_games::fairness::Stream;
use glasshouse_persistence::{Round, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::player::stream;

/// Reads the seeds of a round, which may have been rotated away, and returns its stream.
pub(crate) fn stream_of_round(
    transaction: &mut Transaction<'_, '_>,
    round: &Round,
) -> Result<Stream, CasinoError> {
    let (server_seed, client_seed) = transaction.seeds_of(round)?;
    stream(&server_seed, &client_seed, round.nonce)
}

/// The open round of a game, if it is the one that is meant.
pub(crate) fn open_round_meant(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    game: Game,
    meant: Option<RoundId>,
) -> Result<Round, CasinoError> {
    let open = transaction.open_round(player, game)?;
    match (open, meant) {
        (Some(round), None) => Ok(round),
        (Some(round), Some(id)) if round.id == id => Ok(round),
        (_, Some(id)) => match transaction.round(player, id)? {
            Some(round) if round.game == game => Err(Refusal::RoundOver.into()),
            _ => Err(Refusal::NotFound.into()),
        },
        (None, None) => Err(Refusal::NoOpenRound.into()),
    }
}
