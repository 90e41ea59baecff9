//! What the use cases of all games do to single rounds: begin and pay them, find the open one that a
//! call means, and read the stream of any.

use glasshouse_domain::{Game, Money, RoundId, Timestamp, UserId};
use glasshouse_games::fairness::Stream;
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;

use crate::accounts::player::{round_reference, stream, stream_of};
use crate::error::{CasinoError, Refusal};

/// Reads the seeds of a round, which may have been rotated away, and returns its stream.
pub(crate) fn stream_of_round(
    transaction: &mut Transaction<'_, '_>,
    round: &Round,
) -> Result<Stream, CasinoError> {
    let (server_seed, client_seed) = transaction.seeds_of(round)?;
    stream(&server_seed, &client_seed, round.nonce)
}

/// The stream of a round of the account's: by the seeds at hand, or by those that were rotated away.
pub(crate) fn stream_by_account(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: &Round,
) -> Result<Stream, CasinoError> {
    if round.seed_pair == account.seeds.id {
        stream_of(account, round.nonce)
    } else {
        stream_of_round(transaction, round)
    }
}

/// Takes a round's stake and the next nonce, and writes the stake down: how every round begins.
/// Returns the round's number and its nonce.
pub(crate) fn place_stake(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    stake: Money,
    at: Timestamp,
) -> Result<(RoundId, u64), CasinoError> {
    let movement = account.wallet.stake(stake)?;
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    let id = transaction.next_round_id()?;
    transaction.add_entry(account, movement, round_reference(id), at);
    Ok((id, nonce))
}

/// Credits what a round pays, if it pays anything, and writes it down: how every round ends.
pub(crate) fn pay_out(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    id: RoundId,
    payout: Money,
    at: Timestamp,
) -> Result<(), CasinoError> {
    if let Some(movement) = account.wallet.pay(payout)? {
        transaction.add_entry(account, movement, round_reference(id), at);
    }
    Ok(())
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
