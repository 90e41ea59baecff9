//! Rotations, and seeds that a test knows before they are used.

use glasshouse_casino::fairness::{Rotation, RotationRequest, fairness_state, rotate_seeds};
use glasshouse_casino::{CasinoError, House};
use glasshouse_domain::{SeedPairId, UserId};
use glasshouse_persistence::seeds::{SeedCommitment, SeedRotation};
use glasshouse_persistence::{DatabaseError, Scope, queries};
use glasshouse_transparency::receipt::{
    ClientSeed, ClientSeedBy, PairStatement, Receipt, SeedHash, Statement,
};
use glasshouse_transparency::time::UtcTime;

use super::Fixture;

/// Rotates the player's seeds with the next hash as it is now.
pub(crate) async fn rotate(
    house: &House,
    player: UserId,
    client_seed: &str,
) -> Result<Rotation, CasinoError> {
    let next = fairness_state(house, player).await?.next_server_seed_hash;
    rotate_seeds(house, player, RotationRequest::parse(client_seed, next)?).await
}

/// Gives the player a pair whose server seed is always the same, with the client seed chosen for it.
pub(crate) async fn use_known_seeds(
    test: &Fixture,
    player: UserId,
    client_seed: impl Fn(&str) -> String,
) {
    let keys = &test.database.keys().seeds;
    let known = keys.commit([1; 32]);
    let client_seed = client_seed(&keys.server_seed(&known).unwrap());
    rotate_to(test, player, "before", known).await;
    rotate_to(test, player, &client_seed, keys.commit([2; 32])).await;
}

/// Rotates with a chosen commitment to the next server seed.
async fn rotate_to(test: &Fixture, player: UserId, client_seed: &str, next: SeedCommitment) {
    let (at, client_seed) = (test.house.now(), client_seed.to_owned());
    test.database
        .write(Scope::player(player), move |transaction| {
            let mut account = transaction.account(player)?;
            let pairs = transaction.unrevealed_pairs(&account)?;
            let rotation = SeedRotation {
                client_seed: &client_seed,
                next: &next,
                at,
            };
            let at = pairs.next_step_at(at);
            transaction.rotate_seed_pair(&mut account, pairs, &rotation)?;
            let receipt = Receipt {
                origin: transaction.log_origin(),
                player: player.get(),
                statement: Statement::Pair(PairStatement {
                    server_seed_hash: SeedHash::parse(&account.seeds.commitment.hash).unwrap(),
                    client_seed: ClientSeed::parse(&client_seed).unwrap(),
                    client_seed_by: ClientSeedBy::Player,
                    next_server_seed_hash: SeedHash::parse(&next.hash).unwrap(),
                }),
                time: UtcTime::from_micros(at.as_micros()),
            };
            transaction.add_stored_receipt(player, receipt.to_string())?;
            transaction.save_account(account);
            Ok::<_, CasinoError>(())
        })
        .await
        .unwrap();
}

/// The server seeds of all active and next pairs, derived with the tests' key.
pub(crate) async fn unrevealed_seeds(test: &Fixture) -> Vec<String> {
    let keys = test.database.keys();
    let pairs = test
        .database
        .read::<_, DatabaseError, _>(|connection| {
            queries::seed_pairs_after(connection, SeedPairId::new(0), i64::MAX)
        })
        .await
        .unwrap();
    pairs
        .into_iter()
        .filter(|pair| pair.revealed_at.is_none())
        .map(|pair| keys.seeds.text_of(&pair.server_seed.unwrap()).unwrap())
        .collect()
}
