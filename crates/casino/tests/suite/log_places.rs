//! The places of batches in the log: given once, and kept by the database itself.

use std::fs;

use rstest_reuse::apply;

use crate::support::games::play_dice;
use crate::support::log_keeping::player_of;
use crate::support::log_tampering::Played;
use crate::support::public_log::{ServedLog, advance, waiting_batches};
use crate::support::tampering::assert_rows;
use crate::support::{Backend, Fixture, both_databases};

/// The place of every batch.
fn places(test: &Fixture) -> Vec<String> {
    test.texts(
        "SELECT id || ' ' || COALESCE(log_id || ' ' || first_index, 'none') AS value
         FROM log_batches_and_places ORDER BY id",
    )
}

/// Undoes the migration, as if the database were from before it.
fn undo_migration(test: &Fixture) {
    let backend = if test.is_postgres() {
        "postgres"
    } else {
        "sqlite"
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
    let undo = fs::read_to_string(format!("{folder}/{backend}/0050_log_places/down.sql")).unwrap();
    test.sql(&undo).unwrap();
    test.sql("DELETE FROM __diesel_schema_migrations WHERE version = '0050'")
        .unwrap();
}

#[apply(both_databases)]
async fn the_migration_keeps_every_place_and_what_waits(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 3).await;
    advance(test, &test.house).await;
    for _ in 0..2 {
        play_dice(test, player, 1).await;
    }
    let before = places(test);
    assert_eq!(waiting_batches(test), 2);
    undo_migration(test);
    let house = test.another_house();
    assert_eq!(places(test), before);
    assert_eq!(waiting_batches(test), 2);
    test.assert_clean().await;
    play_dice(test, player, 1).await;
    advance(test, &house).await;
    assert_eq!(waiting_batches(test), 0);
    assert_eq!(places(test)[..before.len() - 2], before[..before.len() - 2]);
    ServedLog::read(&house).await.assert_whole();
    test.assert_clean().await;
}

/// On PostgreSQL the place is a part of the batch, which `log_batches_never_change` protects.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_refuses_to_change_a_place_or_to_forget_a_batch() {
    let test = &Fixture::on(Backend::Sqlite);
    let player = player_of(test).await;
    play_dice(test, player, 1).await;
    advance(test, &test.house).await;
    play_dice(test, player, 1).await;
    let before = places(test);
    for (change, refusal) in [
        (
            "UPDATE log_batches SET entry_count = entry_count + 1",
            "a batch never changes",
        ),
        ("DELETE FROM log_batches", "batches are never deleted"),
        (
            "UPDATE log_places SET first_index = first_index + 100",
            "a place in the log never changes",
        ),
        (
            "DELETE FROM log_places",
            "places in the log are never deleted",
        ),
        (
            "INSERT INTO log_places SELECT batch_id, 2, first_index FROM log_places",
            "a batch gets its place in the log once",
        ),
        (
            "DELETE FROM log_waiting",
            "a batch waits until it has its place in the log",
        ),
        (
            "INSERT INTO log_waiting SELECT batch_id FROM log_places",
            "only a batch with entries and without a place waits for one",
        ),
        (
            "UPDATE log_waiting SET batch_id = batch_id + 1",
            "a batch waits until it has its place in the log",
        ),
    ] {
        let refused = test.sql(change).unwrap_err();
        assert!(refused.contains(refusal), "{change}: {refused}");
    }
    assert_eq!((places(test), waiting_batches(test)), (before, 1));
}

/// On PostgreSQL a batch waits as long as it has no place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_reports_an_entry_that_wrongly_waits_for_its_place_or_does_not() {
    let test = &Fixture::on(Backend::Sqlite);
    let played = Played::on(test).await;
    for (change, row) in [
        ("DELETE FROM log_waiting", "batch {b5}"),
        (
            "INSERT INTO log_waiting VALUES ({b4}), ({b5})",
            "batch {b4}",
        ),
    ] {
        played.change(change);
        assert_rows(&test.check_with_kept(None), &[played.named(row)]);
    }
}
