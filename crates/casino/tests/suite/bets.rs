//! Bets: what they record, refusals, and races.

use glasshouse_casino::play::{read_history, read_statistics};
use glasshouse_casino::{CasinoError, DatabaseError, House, IdempotencyKey, Refusal};
use glasshouse_domain::{Money, UserId};
use glasshouse_games::dice::{Bet, BetType};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};

use glasshouse_persistence::queries;
use rstest_reuse::apply;

use crate::support::games::{ALL_HISTORY, DiceRound, place_dice_bet};
use crate::support::seeds::{rotate, use_known_seeds};
use crate::support::{Fixture, assert_refused, bet, both_databases, key};

async fn balance(test: &Fixture, id: UserId) -> i64 {
    let account = test
        .database
        .read(move |connection| queries::account_of(connection, id))
        .await
        .map_err(|error: DatabaseError| error);
    account.unwrap().wallet.balance().cents()
}

async fn in_parallel(
    house: &House,
    player: UserId,
    bet: Bet,
    keys: impl Iterator<Item = Option<IdempotencyKey>>,
) -> Vec<Result<DiceRound, CasinoError>> {
    let tasks: Vec<_> = keys
        .map(|key| {
            let house = house.clone();
            tokio::spawn(async move { place_dice_bet(&house, player, bet, key).await })
        })
        .collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

#[apply(both_databases)]
async fn parallel_bets_never_exceed_the_balance(#[case] test: &Fixture) {
    // Replaying the revealed seeds gives the exact number of bets that the balance covers, wins
    // included.
    let id = test.player("racer", 1_000).await;
    let long_shot = bet(100, 1, BetType::Under);
    let outcomes = in_parallel(&test.house, id, long_shot, (0..50).map(|_| None)).await;
    let placed: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .collect();
    let rotation = rotate(&test.house, id, "after").await.unwrap();
    let seed = ServerSeed::from_text(rotation.revealed.server_seed).unwrap();
    let client_seed = ClientSeed::parse(&rotation.revealed.client_seed).unwrap();
    let mut cents = 1_000;
    let mut covered = 0_u64;
    while cents >= 100 && covered < 50 {
        let roll = long_shot.play(&mut Stream::new(&seed, &client_seed, covered));
        // A win pays 99 dollars, without a fraction of a cent.
        cents += roll.payout.rounded_down().cents() - 100;
        covered += 1;
    }
    assert_eq!(placed.len() as u64, covered);
    assert_eq!(rotation.revealed.rounds, covered);
    for refused in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(refused, &Refusal::InsufficientBalance);
    }
    assert_eq!(balance(test, id).await, cents);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_balance_for_ten_lost_bets_admits_exactly_ten(#[case] test: &Fixture) {
    // With the chosen client seed the first fifty rolls lose.
    let id = test.player("loser", 1_000).await;
    let lost = bet(100, 1, BetType::Under);
    use_known_seeds(test, id, |seed| losing_client_seed(seed, &lost)).await;
    let outcomes = in_parallel(&test.house, id, lost, (0..50).map(|_| None)).await;
    assert_eq!(
        outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
        10
    );
    for refused in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(refused, &Refusal::InsufficientBalance);
    }
    assert_eq!(balance(test, id).await, 0);
    test.assert_clean().await;
}

fn losing_client_seed(server_seed: &str, bet: &Bet) -> String {
    let seed = ServerSeed::from_text(server_seed.to_owned()).unwrap();
    (0..10_000)
        .map(|number| format!("loser-{number}"))
        .find(|text| {
            let client_seed = ClientSeed::parse(text).unwrap();
            (0..50).all(|nonce| {
                !bet.play(&mut Stream::new(&seed, &client_seed, nonce))
                    .is_win
            })
        })
        .unwrap()
}

#[apply(both_databases)]
async fn one_idempotency_key_makes_one_round(#[case] test: &Fixture) {
    let id = test.player("repeater", 10_000).await;
    let chosen = bet(100, 50, BetType::Over);
    let outcomes = in_parallel(&test.house, id, chosen, (0..50).map(|_| Some(key("once")))).await;
    let rounds: std::collections::BTreeSet<_> = outcomes
        .iter()
        .map(|outcome| {
            let placed = outcome.as_ref().unwrap();
            (
                placed.round.id,
                placed.view.roll.roll,
                placed.round.balance_after,
            )
        })
        .collect();
    assert_eq!(rounds.len(), 1, "every call returns the first result");
    // Also after later rounds, and from another server.
    place_dice_bet(&test.house, id, chosen, Some(key("twice")))
        .await
        .unwrap();
    let again = place_dice_bet(&test.another_house(), id, chosen, Some(key("once")))
        .await
        .unwrap();
    assert_eq!(again.round.id, rounds.first().unwrap().0);
    assert_eq!(again.round.balance_after, rounds.first().unwrap().2);
    for other in [
        bet(101, 50, BetType::Over),
        bet(100, 51, BetType::Over),
        bet(100, 50, BetType::Under),
    ] {
        let outcome = place_dice_bet(&test.house, id, other, Some(key("once"))).await;
        assert_refused(outcome, &Refusal::IdempotencyConflict);
    }
    // Keys are separate for each player.
    let neighbour = test.player("neighbour", 10_000).await;
    let own = place_dice_bet(&test.house, neighbour, chosen, Some(key("once")))
        .await
        .unwrap();
    assert_ne!(own.round.id, again.round.id);
    let page = read_history(&test.house, id, ALL_HISTORY).await.unwrap();
    assert_eq!(page.entries.len(), 2);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_refused_bet_changes_nothing(#[case] test: &Fixture) {
    let id = test.player("poor", 99).await;
    let outcome =
        place_dice_bet(&test.house, id, bet(100, 50, BetType::Over), Some(key("k"))).await;
    assert_refused(outcome, &Refusal::InsufficientBalance);
    assert_eq!(balance(test, id).await, 99);
    assert!(
        read_history(&test.house, id, ALL_HISTORY)
            .await
            .unwrap()
            .entries
            .is_empty()
    );
    assert!(read_statistics(&test.house, id).await.unwrap().is_empty());
    // The refused bet used up neither the key nor a nonce.
    let placed = place_dice_bet(&test.house, id, bet(99, 50, BetType::Over), Some(key("k"))).await;
    assert_eq!(placed.unwrap().round.nonce, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn statistics_are_the_sums_of_the_rounds(#[case] test: &Fixture) {
    let id = test.player("player", 1_000_000).await;
    for number in 0..40 {
        let chosen = bet(100 + number, 1 + number * 2, BetType::Over);
        place_dice_bet(&test.house, id, chosen, None).await.unwrap();
    }
    let rounds = read_history(&test.house, id, ALL_HISTORY)
        .await
        .unwrap()
        .entries;
    let statistics = read_statistics(&test.house, id).await.unwrap();
    let [dice] = statistics.as_slice() else {
        panic!("expected one game")
    };
    let sum = |of: fn(&glasshouse_casino::Round) -> Money| -> i64 {
        rounds.iter().map(|round| of(round).cents()).sum()
    };
    assert_eq!(dice.rounds, 40);
    assert_eq!(dice.staked.cents(), sum(|round| round.stake));
    assert_eq!(dice.paid.cents(), sum(|round| round.payout));
    assert_eq!(
        dice.wins,
        rounds.iter().filter(|round| round.is_win()).count() as u64
    );
    let biggest = rounds.iter().map(|round| round.payout).max().unwrap();
    assert_eq!(
        dice.biggest_win
            .as_ref()
            .map_or(Money::ZERO, |round| round.payout),
        biggest
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn bets_on_two_servers_do_not_deadlock(#[case] test: &Fixture) {
    let houses = [test.house.clone(), test.another_house()];
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(test.player(&format!("player{number}"), 1_000_000).await);
    }
    let tasks: Vec<_> = (0..400)
        .map(|number| {
            let house = houses[number % 2].clone();
            let player = players[(number / 2) % players.len()];
            let chosen = bet(100, 50, BetType::Under);
            tokio::spawn(async move { place_dice_bet(&house, player, chosen, None).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    for player in players {
        let fairness = glasshouse_casino::fairness::fairness_state(&test.house, player)
            .await
            .unwrap();
        assert_eq!(fairness.next_nonce, 50);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rotating_reveals_the_committed_server_seed(#[case] test: &Fixture) {
    let id = test.player("sceptic", 10_000).await;
    let before = glasshouse_casino::fairness::fairness_state(&test.house, id)
        .await
        .unwrap();
    let chosen = bet(100, 50, BetType::Over);
    let placed = place_dice_bet(&test.house, id, chosen, None).await.unwrap();
    let unrevealed = glasshouse_casino::play::read_round(&test.house, id, placed.round.id)
        .await
        .unwrap();
    assert_eq!(unrevealed.revealed_server_seed, None);
    let rotation = rotate(&test.house, id, "my-own-seed").await.unwrap();
    let seed = ServerSeed::from_text(rotation.revealed.server_seed.clone()).unwrap();
    assert_eq!(seed.hash(), before.server_seed_hash);
    assert_eq!(rotation.revealed.server_seed_hash, before.server_seed_hash);
    assert_eq!(rotation.current.client_seed, "my-own-seed");
    assert_eq!(rotation.current.next_nonce, 0);
    let revealed = glasshouse_casino::play::read_round(&test.house, id, placed.round.id)
        .await
        .unwrap();
    assert_eq!(
        revealed.revealed_server_seed,
        Some(rotation.revealed.server_seed)
    );
    let client_seed = ClientSeed::parse(&revealed.client_seed).unwrap();
    let roll = chosen.play(&mut Stream::new(
        &seed,
        &client_seed,
        revealed.round.round().nonce,
    ));
    assert_eq!(roll.roll, placed.view.roll.roll);
    // The next bet uses the new pair from its first nonce.
    let next = place_dice_bet(&test.house, id, chosen, None).await.unwrap();
    assert_eq!(next.round.nonce, 0);
    let stranger = test.player("stranger", 0).await;
    let peek = glasshouse_casino::play::read_round(&test.house, stranger, placed.round.id).await;
    assert_refused(peek, &Refusal::NotFound);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_bets_and_rotations_skip_no_nonce(#[case] test: &Fixture) {
    let id = test.player("busy", 1_000_000).await;
    let tasks: Vec<_> = (0..120)
        .map(|number| {
            let house = test.house.clone();
            tokio::spawn(async move {
                if number % 6 == 0 {
                    // Of concurrent rotations to the same next pair only one takes place.
                    match rotate(&house, id, "another").await.map(drop) {
                        Err(CasinoError::Refused(Refusal::NextSeedChanged)) => Ok(()),
                        outcome => outcome,
                    }
                } else {
                    place_dice_bet(&house, id, bet(100, 50, BetType::Over), None)
                        .await
                        .map(drop)
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    test.assert_clean().await;
}
