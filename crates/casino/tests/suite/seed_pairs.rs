//! Seed pairs: the house commits before the player chooses, and what the database holds of a pair
//! that is not revealed predicts nothing.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use glasshouse_casino::fairness::{
    FairnessState, Rotation, RotationRequest, fairness_state, former_seed_pairs, rotate_seeds,
    set_client_seed,
};
use glasshouse_casino::play::read_round;
use glasshouse_casino::{CasinoError, House, Refusal};
use glasshouse_domain::{ClientSeedBy, Timestamp, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use rstest_reuse::apply;

use crate::support::games::{place_dice_bet, start_crash_round};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare};
use crate::support::seeds::{rotate, unrevealed_seeds};
use crate::support::{Fixture, TestClock, assert_refused, bet, both_databases, stored_texts};

fn client_seed(text: &str) -> ClientSeed {
    ClientSeed::parse(text).unwrap()
}

/// What a player remembers: every hash that was shown before the client seed for it was chosen.
#[derive(Default)]
struct Memory {
    shown: BTreeSet<String>,
}

impl Memory {
    /// Notes the hashes that the house shows now.
    fn look(&mut self, state: &FairnessState) {
        let shown = [&state.server_seed_hash, &state.next_server_seed_hash];
        self.shown.extend(shown.map(Clone::clone));
    }

    /// Rotates with a client seed that is chosen now, after the hash was shown.
    async fn rotate(&mut self, house: &House, player: UserId, seed: &str) -> Rotation {
        let before = fairness_state(house, player).await.unwrap();
        self.look(&before);
        let rotation = rotate(house, player, seed).await.unwrap();
        assert_eq!(
            rotation.current.server_seed_hash,
            before.next_server_seed_hash
        );
        assert_eq!(rotation.current.client_seed, seed);
        assert_eq!(rotation.current.client_seed_by, ClientSeedBy::Player);
        assert_eq!(rotation.current.next_nonce, 0);
        assert_eq!(rotation.revealed.server_seed_hash, before.server_seed_hash);
        let revealed = ServerSeed::from_text(rotation.revealed.server_seed.clone()).unwrap();
        assert_eq!(revealed.hash(), before.server_seed_hash);
        self.assert_was_shown(&rotation.current.server_seed_hash);
        rotation
    }

    #[track_caller]
    fn assert_was_shown(&self, hash: &str) {
        assert!(self.shown.contains(hash), "{hash} was not shown before");
    }
}

async fn roll(house: &House, player: UserId) -> (u64, i64) {
    let chosen = bet(100, 50, BetType::Over);
    let placed = place_dice_bet(house, player, chosen, None).await.unwrap();
    (placed.round.nonce, i64::from(placed.view.roll.roll))
}

#[apply(both_databases)]
async fn every_hash_is_shown_before_its_client_seed_is_chosen(#[case] test: &Fixture) {
    let houses = [test.house.clone(), test.another_house()];
    let player = test.player("sceptic", 1_000_000).await;
    let mut memory = Memory::default();
    let first = fairness_state(&test.house, player).await.unwrap();
    assert_eq!(first.client_seed_by, ClientSeedBy::House);
    memory.look(&first);
    let own = set_client_seed(&houses[1], player, client_seed("own-0"))
        .await
        .unwrap();
    assert_eq!(own.server_seed_hash, first.server_seed_hash);
    assert_eq!(own.next_server_seed_hash, first.next_server_seed_hash);
    assert_eq!(
        (own.client_seed.as_str(), own.client_seed_by),
        ("own-0", ClientSeedBy::Player)
    );
    for turn in 1..=6 {
        let mut rolls = Vec::new();
        for number in 0..3 {
            rolls.push(roll(&houses[number % 2], player).await);
        }
        let house = &houses[turn % 2];
        let rotation = memory.rotate(house, player, &format!("own-{turn}")).await;
        assert_eq!(rotation.revealed.client_seed, format!("own-{}", turn - 1));
        assert_eq!(rotation.revealed.client_seed_by, ClientSeedBy::Player);
        assert_eq!(rotation.revealed.rounds, 3);
        let server_seed = ServerSeed::from_text(rotation.revealed.server_seed).unwrap();
        let seed = client_seed(&rotation.revealed.client_seed);
        for (nonce, roll) in rolls {
            let mut stream = Stream::new(&server_seed, &seed, nonce);
            assert_eq!(i64::from(stream.below(100)) + 1, roll);
        }
    }
    // The first pair's hash, and one for each rotation.
    assert_eq!(memory.shown.len(), 1 + 6);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_stale_hash_changes_nothing(#[case] test: &Fixture) {
    let player = test.player("sceptic", 1_000_000).await;
    let first = fairness_state(&test.house, player).await.unwrap();
    rotate(&test.house, player, "one").await.unwrap();
    let before = fairness_state(&test.house, player).await.unwrap();
    let pairs = test.texts(PAIRS);
    let stale = [
        first.next_server_seed_hash,
        first.server_seed_hash,
        before.server_seed_hash.clone(),
        "0".repeat(64),
    ];
    for hash in stale {
        let request = RotationRequest::parse("two", hash).unwrap();
        let refused = rotate_seeds(&test.house, player, request).await;
        assert_refused(refused, &Refusal::NextSeedChanged);
    }
    assert_eq!(test.texts(PAIRS), pairs);
    let after = fairness_state(&test.house, player).await.unwrap();
    assert_eq!(format!("{after:?}"), format!("{before:?}"));
    test.assert_clean().await;
}

const PAIRS: &str = "SELECT id || ' ' || server_seed_hash || ' ' || COALESCE(client_seed, '-')
    || ' ' || COALESCE(server_seed, '-') AS value FROM seed_pairs ORDER BY id";

#[apply(both_databases)]
async fn of_two_rotations_at_once_one_takes_place(#[case] test: &Fixture) {
    let player = test.player("hasty", 1_000_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let next = fairness_state(&test.house, player).await.unwrap();
    let next = next.next_server_seed_hash;
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let house = houses[number % 2].clone();
            let seed = format!("seed-{number}");
            let request = RotationRequest::parse(&seed, next.clone()).unwrap();
            tokio::spawn(async move { rotate_seeds(&house, player, request).await })
        })
        .collect();
    let mut winners = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok(rotation) => winners.push(rotation.current),
            Err(CasinoError::Refused(Refusal::NextSeedChanged)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(winners.len(), 1);
    let now = fairness_state(&test.house, player).await.unwrap();
    // Only the call that changes the pair answers with its receipt.
    let answered = FairnessState {
        receipt: None,
        ..winners[0].clone()
    };
    assert_eq!(format!("{now:?}"), format!("{answered:?}"));
    assert_eq!(now.server_seed_hash, next);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_client_seed_can_be_replaced_until_the_first_round(#[case] test: &Fixture) {
    let player = test.player("chooser", 1_000_000).await;
    let houses = [test.house.clone(), test.another_house()];
    for (number, seed) in ["one", "two", "two"].into_iter().enumerate() {
        let state = set_client_seed(&houses[number % 2], player, client_seed(seed))
            .await
            .unwrap();
        assert_eq!(state.client_seed, seed);
    }
    let (nonce, first) = roll(&test.house, player).await;
    let refused = set_client_seed(&houses[1], player, client_seed("three")).await;
    assert_refused(refused, &Refusal::SeedPairUsed);
    let state = fairness_state(&test.house, player).await.unwrap();
    assert_eq!((state.client_seed.as_str(), state.next_nonce), ("two", 1));
    let rotation = rotate(&test.house, player, "four").await.unwrap();
    let server_seed = ServerSeed::from_text(rotation.revealed.server_seed).unwrap();
    let mut stream = Stream::new(&server_seed, &client_seed("two"), nonce);
    assert_eq!(i64::from(stream.below(100)) + 1, first);
    set_client_seed(&test.house, player, client_seed("five"))
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rounds_with_a_client_seed_by_the_house_say_so(#[case] test: &Fixture) {
    let player = test.player("casual", 1_000_000).await;
    let chosen = bet(100, 50, BetType::Over);
    let mut rounds = Vec::new();
    for by in [ClientSeedBy::House, ClientSeedBy::Player] {
        let placed = place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
        rounds.push((placed.round.id, by));
        rotate(&test.house, player, "mine").await.unwrap();
    }
    for (id, by) in rounds {
        let found = read_round(&test.house, player, id).await.unwrap();
        assert_eq!(found.client_seed_by, by);
    }
    let pairs = former_seed_pairs(&test.house, player, None, 10)
        .await
        .unwrap();
    let by: Vec<_> = pairs
        .entries
        .iter()
        .map(|pair| pair.client_seed_by)
        .collect();
    assert_eq!(by, [ClientSeedBy::Player, ClientSeedBy::House]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn former_pairs_are_listed_newest_first(#[case] test: &Fixture) {
    let player = test.player("archivist", 1_000_000).await;
    let mut revealed = Vec::new();
    for number in 0..5_u64 {
        for _ in 0..number {
            roll(&test.house, player).await;
        }
        test.clock.advance(Duration::from_secs(1));
        let rotation = rotate(&test.house, player, "next").await.unwrap();
        revealed.push((rotation.revealed.server_seed, number));
    }
    revealed.reverse();
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = former_seed_pairs(&test.house, player, after, 2)
            .await
            .unwrap();
        for pair in page.entries {
            let seed = ServerSeed::from_text(pair.server_seed.clone()).unwrap();
            assert_eq!(seed.hash(), pair.server_seed_hash);
            assert!(pair.committed_at <= pair.activated_at);
            assert!(pair.activated_at < pair.revealed_at);
            listed.push((pair.server_seed, pair.rounds));
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed, revealed);
    let stranger = test.player("stranger", 0).await;
    let page = former_seed_pairs(&test.house, stranger, None, 10)
        .await
        .unwrap();
    assert!(page.entries.is_empty());
}

#[apply(both_databases)]
async fn steps_follow_their_commitment_whatever_the_servers_clocks_say(#[case] test: &Fixture) {
    let player = test.player("commuter", 1_000_000).await;
    let late = Arc::new(TestClock::at(Timestamp::from_micros(1)));
    let late = test.another_house_with_clock(late);
    set_client_seed(&late, player, client_seed("own"))
        .await
        .unwrap();
    for house in [&test.house, &late, &late, &test.house, &late] {
        rotate(house, player, "next").await.unwrap();
        set_client_seed(house, player, client_seed("own"))
            .await
            .unwrap();
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_stolen_database_predicts_nothing(#[case] test: &Fixture) {
    let player = test.player("victim", 1_000_000).await;
    test.player("other", 1_000_000).await;
    let revealed = rotate(&test.house, player, "one").await.unwrap().revealed;
    roll(&test.house, player).await;
    let terms = crash_bet(100, None);
    prepare(test, player, terms, crashes_in(200..10_000)).await;
    start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    let seeds = unrevealed_seeds(test).await;
    assert_eq!(seeds.len(), 2 * 3);
    let stolen = stored_texts(test);
    // The search finds what is there.
    assert!(stolen.contains(&revealed.server_seed));
    for seed in seeds {
        assert!(
            !stolen.contains(&seed),
            "the database contains a seed in use"
        );
        assert!(!stolen.contains(&seed.to_uppercase()));
    }
}

#[apply(both_databases)]
async fn triggers_allow_no_other_steps(#[case] test: &Fixture) {
    let player = test.player("played", 1_000_000).await;
    rotate(&test.house, player, "one").await.unwrap();
    roll(&test.house, player).await;
    test.player("fresh", 1_000_000).await;
    let next = "activated_at_micros IS NULL";
    let active = "activated_at_micros IS NOT NULL AND revealed_at_micros IS NULL";
    let revealed = "revealed_at_micros IS NOT NULL";
    let played = "EXISTS (SELECT 1 FROM rounds r WHERE r.seed_pair_id = seed_pairs.id)";
    let another = "client_seed = 'other', client_seed_by = 'player',
        client_seed_at_micros = client_seed_at_micros + 1";
    let activate = "client_seed = 'x', client_seed_by = 'house',
        client_seed_at_micros = committed_at_micros, activated_at_micros = committed_at_micros";
    let reveal = "server_seed = server_seed_hash, revealed_at_micros = committed_at_micros";
    let commitment = [
        "id = id + 1000",
        "player_id = 3 - player_id",
        "server_seed_hash = salt",
        "key_id = '0123456789abcdef'",
        "salt = server_seed_hash",
        "mask = server_seed_hash",
        "committed_at_micros = committed_at_micros - 1",
    ];
    let mut refused = Vec::new();
    for change in commitment {
        for state in [next, active, revealed] {
            refused.push(format!("UPDATE seed_pairs SET {change} WHERE {state}"));
        }
        // Nor together with an allowed step.
        refused.push(format!(
            "UPDATE seed_pairs SET {change}, {activate} WHERE {next}"
        ));
        refused.push(format!(
            "UPDATE seed_pairs SET {change}, {reveal} WHERE {active}"
        ));
    }
    for (change, state) in [
        ("client_seed = 'x'", next),
        (reveal, next),
        ("server_seed = server_seed_hash", next),
        ("activated_at_micros = committed_at_micros", next),
        // The house must not replace a client seed, and nobody may after the first round.
        ("client_seed = 'x'", active),
        ("client_seed = 'x', client_seed_by = 'house'", active),
        ("client_seed_by = 'house'", played),
        (another, played),
        (
            "client_seed = NULL, client_seed_by = NULL, client_seed_at_micros = NULL,
            activated_at_micros = NULL",
            active,
        ),
        ("activated_at_micros = activated_at_micros - 1", active),
        ("server_seed = server_seed_hash", active),
        ("revealed_at_micros = 1", active),
        (another, revealed),
        (reveal, revealed),
        ("server_seed = server_seed_hash", revealed),
        ("server_seed = NULL, revealed_at_micros = NULL", revealed),
    ] {
        refused.push(format!("UPDATE seed_pairs SET {change} WHERE {state}"));
    }
    refused.push(format!(
        "UPDATE seed_pairs SET {reveal}, {another} WHERE {active}"
    ));
    for state in [next, active, revealed] {
        refused.push(format!("DELETE FROM seed_pairs WHERE {state}"));
    }
    for columns in [
        // A second next pair, a pair that begins as active or revealed, and one with a mask.
        "player_id, server_seed_hash, key_id, salt, committed_at_micros)
            SELECT player_id, salt, key_id, salt, 1",
        "player_id, server_seed_hash, key_id, salt, committed_at_micros, client_seed, client_seed_by,
            client_seed_at_micros, activated_at_micros)
            SELECT player_id, salt, key_id, salt, 1, 'x', 'house', 1, 1",
        "player_id, server_seed_hash, committed_at_micros, client_seed, client_seed_by,
            client_seed_at_micros, activated_at_micros, server_seed, revealed_at_micros)
            SELECT player_id, salt, 1, 'x', 'house', 1, 1, salt, 1",
        "player_id, server_seed_hash, key_id, salt, mask, committed_at_micros)
            SELECT player_id, salt, key_id, salt, salt, 1",
    ] {
        refused.push(format!("INSERT INTO seed_pairs ({columns} FROM seed_pairs WHERE {next}"));
    }
    if !test.is_postgres() {
        refused.push(
            "INSERT OR REPLACE INTO seed_pairs (player_id, server_seed_hash, key_id, salt,
                committed_at_micros) SELECT player_id, salt, key_id, salt, 1 FROM seed_pairs"
                .to_owned(),
        );
    }
    for statement in refused {
        assert!(test.sql(&statement).is_err(), "{statement}");
    }
    test.assert_clean().await;
}
