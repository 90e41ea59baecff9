//! The keys that server seeds are derived from: what happens when one is missing, how they are
//! changed, and how a database in which seeds were stored is brought under them.

use glasshouse_casino::books::{CheckOptions, CheckReport, check_books};
use glasshouse_casino::fairness::fairness_state;
use glasshouse_casino::{Database, HouseKeys, OpenError, SeedKeys, seed_keys_in_use};
use glasshouse_domain::ClientSeedBy;
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::ServerSeed;
use glasshouse_persistence::{DatabaseError, queries};
use rstest_reuse::apply;

use crate::b982bd5::{OldHouse, both_copies};
use glasshouse_testing::database_options;

use crate::support::games::place_dice_bet;
use crate::support::seeds::rotate;
use crate::support::{
    Fixture, audit_keys, bet, both_databases, house_keys, log_keys, seed_keys, stored_texts,
};

fn other_keys() -> SeedKeys {
    SeedKeys::parse(&"0b5e".repeat(16)).unwrap()
}

/// The tests' key, followed by another one.
fn both_keys() -> SeedKeys {
    SeedKeys::parse(&format!("{}\n{}\n", "5eed".repeat(16), "0b5e".repeat(16))).unwrap()
}

fn open(test: &Fixture, seeds: SeedKeys) -> Result<Database, OpenError> {
    let keys = HouseKeys {
        seeds,
        ..house_keys()
    };
    Database::open(&database_options(&test.url, keys))
}

fn check(test: &Fixture, seed_keys: Option<SeedKeys>) -> CheckReport {
    let options = CheckOptions {
        audit_keys: Some(audit_keys()),
        seed_keys,
        log_keys: vec![log_keys()],
        kept_checkpoint: None,
        noted_hashes: Vec::new(),
    };
    check_books(&test.url, &options).unwrap()
}

#[apply(both_databases)]
async fn a_server_without_a_key_in_use_does_not_open(#[case] test: &Fixture) {
    assert!(seed_keys_in_use(&test.url).unwrap().is_empty());
    // A house without players needs no key.
    open(test, other_keys()).unwrap();
    test.player("alice", 0).await;
    let id = seed_keys().current().id().to_owned();
    assert_eq!(seed_keys_in_use(&test.url).unwrap(), [id.as_str()]);
    match open(test, other_keys()) {
        Err(OpenError::UnknownSeedKey(named)) => assert_eq!(named, id),
        other => panic!("{:?}", other.map(drop)),
    }
    open(test, both_keys()).unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn without_its_key_unrevealed_seeds_are_reported_as_unchecked(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    for _ in 0..2 {
        let chosen = bet(100, 50, BetType::Over);
        place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
        rotate(&test.house, player, "next").await.unwrap();
        place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
    }
    test.assert_clean().await;
    let id = seed_keys().current().id().to_owned();
    for keys in [None, Some(other_keys())] {
        let report = check(test, keys);
        assert!(report.is_clean(), "{report:#?}");
        assert_eq!(
            report.unchecked,
            [
                format!("4 unrevealed server seeds: their key {id} was not given"),
                format!(
                    "1 rounds could not be replayed, such as round 4: its seed key {id} was not \
                     given"
                ),
            ]
        );
    }
}

#[apply(both_databases)]
async fn a_new_key_is_used_for_new_seeds(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    let chosen = bet(100, 50, BetType::Over);
    place_dice_bet(&test.house, player, chosen, None)
        .await
        .unwrap();
    let (old, new) = (seed_keys(), other_keys());
    let house = {
        let database = open(test, both_keys()).unwrap();
        glasshouse_casino::House::new(database, test.clock.clone())
    };
    // The pairs that exist keep their key, and so does a pair that is played.
    for (turn, (active, next)) in [(&old, &old), (&old, &new), (&new, &new)]
        .into_iter()
        .enumerate()
    {
        place_dice_bet(&house, player, chosen, None).await.unwrap();
        let before = fairness_state(&house, player).await.unwrap();
        let keys = seed_keys_in_use(&test.url).unwrap();
        for key in [active, next] {
            assert!(keys.iter().any(|id| id == key.current().id()), "{keys:?}");
        }
        let rotation = rotate(&house, player, &format!("turn-{turn}"))
            .await
            .unwrap();
        assert_eq!(rotation.revealed.server_seed_hash, before.server_seed_hash);
    }
    for client_seed in ["first", "second"] {
        rotate(&house, test.funder().await, client_seed)
            .await
            .unwrap();
    }
    let report = check(test, Some(both_keys()));
    assert!(report.is_clean() && report.is_complete(), "{report:#?}");
    let used = format!("key {} for 4 unrevealed seeds", new.current().id());
    assert_eq!(report.seed_keys, [used]);
    // Nothing needs the old key any more.
    open(test, other_keys()).unwrap();
    assert!(matches!(open(test, old), Err(OpenError::UnknownSeedKey(_))));
}

#[apply(both_copies)]
async fn seeds_in_use_are_converted_and_erased(#[case] old: &OldHouse) {
    let test = &old.test;
    assert!(old.seeds_in_use.len() > 8);
    let stored = stored_texts(test);
    for (player, server_seed, hash, client_seed) in &old.seeds_in_use {
        let player = glasshouse_domain::UserId::new(player.parse().unwrap());
        let state = fairness_state(&test.house, player).await.unwrap();
        assert_eq!(state.server_seed_hash, *hash);
        assert_eq!(state.client_seed, *client_seed);
        assert_eq!(state.client_seed_by, ClientSeedBy::House);
        assert_ne!(state.next_server_seed_hash, *hash);
        let seeds = test
            .database
            .read::<_, DatabaseError, _>(move |connection| {
                Ok(queries::account_of(connection, player)?.seeds)
            })
            .await
            .unwrap();
        assert!(seeds.commitment.mask.is_some());
        let derived = seed_keys().server_seed(&seeds.commitment).unwrap();
        assert_eq!(derived, *server_seed);
        assert_eq!(ServerSeed::from_text(derived).unwrap().hash(), *hash);
        assert!(!stored.contains(server_seed), "player {player}");
        assert_eq!(files_with(old, server_seed), NONE, "player {player}");
    }
    // The search finds what is there.
    let revealed = "SELECT server_seed AS value FROM seed_pairs WHERE server_seed IS NOT NULL";
    let revealed = test.texts(revealed);
    assert!(!revealed.is_empty());
    assert!(revealed.iter().all(|seed| stored.contains(seed)));
    assert_ne!(files_with(old, &revealed[0]), NONE);
    test.assert_clean().await;
}

const NONE: [String; 0] = [];

/// The files with a text: those of PostgreSQL's two tables, each with its path and the text's position.
/// SQLite's file is already searched as a whole.
fn files_with(old: &OldHouse, seed: &str) -> Vec<String> {
    let test = &old.test;
    if !test.is_postgres() {
        let is_stored = stored_texts(test).contains(seed);
        return is_stored
            .then(|| "the file".to_owned())
            .into_iter()
            .collect();
    }
    test.sql("CHECKPOINT").unwrap();
    let files = ["accounts", "seed_pairs"].map(|table| {
        test.texts(&format!(
            "SELECT '{table}' || ' ' || path || ' ' || CAST(at AS TEXT) AS value
             FROM (SELECT path, position(convert_to('{seed}', 'UTF8') IN pg_read_binary_file(path)) AS at
                FROM (SELECT pg_relation_filepath('{table}') AS path) paths) places
             WHERE at > 0"
        ))
    });
    files.concat()
}

#[apply(both_copies)]
async fn players_rotate_away_from_a_converted_seed(#[case] old: &OldHouse) {
    let test = &old.test;
    let player = old.player("alice");
    let (_, server_seed, hash, client_seed) = old
        .seeds_in_use
        .iter()
        .find(|seeds| seeds.0 == player.to_string())
        .unwrap();
    let next = fairness_state(&test.house, player)
        .await
        .unwrap()
        .next_server_seed_hash;
    let rotation = rotate(&test.house, player, "own").await.unwrap();
    assert_eq!(rotation.revealed.server_seed, *server_seed);
    assert_eq!(rotation.revealed.server_seed_hash, *hash);
    assert_eq!(rotation.revealed.client_seed, *client_seed);
    assert_eq!(rotation.current.server_seed_hash, next);
    test.assert_clean().await;
}
