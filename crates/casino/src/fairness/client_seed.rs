//! The player's own client seed for a pair that no round was played with yet.

use glasshouse_domain::UserId;
use glasshouse_games::fairness::ClientSeed;
use glasshouse_persistence::Scope;

use crate::error::{CasinoError, Refusal};
use crate::fairness::pairs::FairnessState;
use crate::house::House;

/// Replaces the client seed of the active pair. The hash of its server seed was published before,
/// and stays.
///
/// # Errors
/// If a round was already played with the pair; or on a fault.
pub async fn set_client_seed(
    house: &House,
    player: UserId,
    client_seed: ClientSeed,
) -> Result<FairnessState, CasinoError> {
    let now = house.now();
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            if account.seeds.next_nonce > 0 {
                return Err(CasinoError::from(Refusal::SeedPairUsed));
            }
            let pairs = transaction.unrevealed_pairs(&account)?;
            let at = pairs.next_step_at(now);
            transaction.set_client_seed(&mut account, &pairs, client_seed.as_str(), at)?;
            let next = pairs.next.commitment.hash;
            let state = FairnessState::chosen_by_player(transaction, &account, next, at)?;
            transaction.save_account(account);
            Ok(state)
        })
        .await
}
