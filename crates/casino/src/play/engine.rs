//! What the use cases of all games do to single rounds: begin and pay them, and find the open one that
//! a call means.

use glasshouse_domain::{Game, Money, RoundId, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;

use crate::error::{CasinoError, Refusal};

/// The reference of a round's ledger entries.
pub(crate) fn round_reference(id: glasshouse_domain::RoundId) -> String {
    format!("round:{id}")
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
