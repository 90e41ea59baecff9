//! Another log follows one that cannot be continued: it says so in its first entry, and takes over what
//! waits. Nothing of the old one is lost.

use std::fs;
use std::time::Duration;

use glasshouse_casino::House;
use glasshouse_casino::public_log::{
    LogSigner, Receipt, RestartError, read_round_proof, read_round_receipt, restart_public_log,
    stated_end,
};
use glasshouse_domain::{RoundId, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_persistence::public_log::NewLog;
use glasshouse_persistence::{DatabaseError, Scope};
use glasshouse_testing::{LOG_ORIGIN, log_signer_of};
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, Restart, leaf_hash};
use glasshouse_transparency::proof::verify_inclusion;
use rstest_reuse::apply;

use crate::support::games::{place_dice_bet, play_dice};
use crate::support::log_keeping::{Keeping, assert_refuses, player_of, try_bet};
use crate::support::public_log::{ServedLog, advance, proven, verifier_keys, waiting_batches};
use crate::support::{Backend, Fixture, bet, both_databases};

const NEW_ORIGIN: &str = "house.example/glasshouse/2";

fn new_signer() -> LogSigner {
    log_signer_of(NEW_ORIGIN, &[9])
}

/// Begins another log on this database, with the file of a server that cannot continue the old one.
async fn restart(test: &Fixture, server: &Keeping) -> (House, Result<(), RestartError>) {
    let house = server.another(test.house_signing_with(new_signer()));
    test.clock.advance(Duration::from_secs(1));
    let result = restart_public_log(&house).await.map(drop);
    (house, result)
}

/// Asserts that a round is in a log with this signer.
async fn assert_proved(house: &House, player: UserId, id: RoundId, signer: &LogSigner) -> u64 {
    let proof = read_round_proof(house, player, id).await.unwrap();
    let end = Checkpoint::open(&proof.checkpoint, signer.keys().verifier_keys()).unwrap();
    let leaf = leaf_hash(proof.entry.as_bytes());
    verify_inclusion(&proof.path, proof.index, leaf, &end).unwrap();
    proof.index
}

fn first_entry(log: &ServedLog) -> Restart {
    match log.entries().remove(0) {
        Entry::Restart(restart) => restart,
        other => panic!("{other:?}"),
    }
}

async fn receipt_of(house: &House, player: UserId, id: i64) -> Receipt {
    read_round_receipt(house, player, RoundId::new(id))
        .await
        .unwrap()
}

/// The IDs of the player's rounds.
fn rounds(test: &Fixture) -> Vec<RoundId> {
    let ids = test.texts("SELECT CAST(id AS TEXT) AS value FROM rounds ORDER BY id");
    ids.iter()
        .map(|id| RoundId::new(id.parse().unwrap()))
        .collect()
}

#[apply(both_databases)]
async fn a_new_log_follows_the_one_of_before_the_backup(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    play_dice(test, player, 3).await;
    advance(test, &server.house).await;
    let backup = &test.copy();
    play_dice(test, player, 2).await;
    advance(test, &server.house).await;
    let lost = ServedLog::read(&test.house).await;

    // On the restored database a round is settled whose entry waits.
    play_dice(backup, player, 1).await;
    let receipt = proven(Some(&receipt_of(&backup.house, player, 1).await));
    let in_old_log = ServedLog::read(&backup.house).await;
    let old = server.another(backup.another_house());
    assert_refuses(backup, &old, player).await;
    let (house, restarted) = restart(backup, &server).await;
    restarted.unwrap();
    let log = ServedLog::read(&house).await;
    let (origin, _) = stated_end(&log.signed).unwrap();
    assert_eq!(origin.as_str(), NEW_ORIGIN);
    let first = first_entry(&log);
    assert_eq!(
        (first.origin.as_str(), first.size, first.root),
        (LOG_ORIGIN, lost.end.size, lost.end.root)
    );
    // Key and rules are named again, and the entry that waited follows.
    assert!(matches!(
        log.entries()[1..],
        [Entry::Key(_), Entry::Rules(_), Entry::Round(_)]
    ));
    assert_eq!(waiting_batches(backup), 0);
    log.assert_whole();

    // Bets are possible again, and the file is of the new log.
    try_bet(&house, player).await.unwrap();
    advance(backup, &house).await;
    let log = ServedLog::read(&house).await;
    assert_eq!(fs::read_to_string(&server.file).unwrap(), log.signed);
    let aside: Vec<String> = fs::read_dir(server.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("log-checkpoint-until-"))
        .collect();
    let kept = fs::read_to_string(server.folder.path().join(&aside[0])).unwrap();
    assert_eq!((aside.len(), kept), (1, lost.signed));

    // Rounds of before are proved in the old log, the others in the new one. Receipts stay.
    let ids = rounds(backup);
    for id in &ids[..3] {
        assert_proved(&house, player, *id, &backup.database.keys().log).await;
    }
    for (index, id) in (3..).zip(&ids[3..]) {
        assert_eq!(
            assert_proved(&house, player, *id, &new_signer()).await,
            index
        );
    }
    let again = receipt_of(&house, player, 1).await.proven().unwrap();
    assert_eq!(again, receipt);
    again.verify(&verifier_keys()).unwrap();
    let entries = "SELECT CAST(SUM(entry_count) AS TEXT) AS value FROM log_batches_and_places WHERE log_id = 1";
    assert_eq!(backup.texts(entries), [in_old_log.end.size.to_string()]);
    backup.assert_clean_signed_by(&[new_signer()]);
}

/// The key is lost: the database has the whole log, but nobody can sign for it.
#[apply(both_databases)]
async fn a_new_log_follows_one_whose_key_is_lost(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    play_dice(test, player, 3).await;
    advance(test, &server.house).await;
    let old = ServedLog::read(&test.house).await;
    let (house, restarted) = restart(test, &server).await;
    restarted.unwrap();
    let log = ServedLog::read(&house).await;
    let first = first_entry(&log);
    assert_eq!(
        (first.origin.as_str(), first.size),
        (LOG_ORIGIN, old.end.size)
    );
    // A server with the old key cannot write any more.
    assert_refuses(test, &test.house, player).await;
    // The books of the new log count its own rounds.
    try_bet(&house, player).await.unwrap();
    test.clock.advance(Duration::from_hours(24));
    advance(test, &house).await;
    let entries = ServedLog::read(&house).await.entries();
    let Some(Entry::Books(books)) = entries.last() else {
        panic!("{entries:?}")
    };
    assert_eq!(books.games[0].rounds, 1);
    // The log can be followed again, by a third one.
    let third = test.house_signing_with(log_signer_of("house.example/3", &[1]));
    test.clock.advance(Duration::from_secs(1));
    restart_public_log(&server.another(third.clone()))
        .await
        .unwrap();
    let first = first_entry(&ServedLog::read(&third).await);
    assert_eq!(first.origin, NEW_ORIGIN);
    assert_proved(&third, player, RoundId::new(1), &test.database.keys().log).await;
}

/// The database is lost: a new one begins a log that says what it follows.
#[apply(both_databases)]
async fn a_new_log_in_an_empty_database_follows_the_kept_checkpoint(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    advance(test, &server.house).await;
    let old = ServedLog::read(&test.house).await;
    let backend = if test.is_postgres() {
        Backend::Postgres
    } else {
        Backend::Sqlite
    };
    let empty = &Fixture::on(backend);
    let player = player_of(empty).await;
    let (house, restarted) = restart(empty, &server).await;
    restarted.unwrap();
    let first = first_entry(&ServedLog::read(&house).await);
    assert_eq!(
        (first.origin.as_str(), first.root),
        (LOG_ORIGIN, old.end.root)
    );
    try_bet(&house, player).await.unwrap();
    // Nothing here says who signed the first receipts of the player and of whoever has set the balance, before
    // the new log began.
    let report = empty.check_signed_by(&[new_signer()]);
    assert!(report.is_clean(), "{report:#?}");
    let unknown = "the signatures of 2 batches of receipts: their key was not given";
    assert_eq!(report.unchecked, [unknown]);
    empty.assert_clean_signed_by(&[new_signer(), log_signer_of(LOG_ORIGIN, &[7])]);
}

#[apply(both_databases)]
async fn a_new_log_needs_another_name_and_something_to_follow(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    let (_, nothing) = restart(test, &server).await;
    assert!(
        matches!(nothing, Err(RestartError::NothingToFollow)),
        "{nothing:?}"
    );
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    let signed = ServedLog::read(&test.house).await.signed;
    for house in [
        server.another(test.another_house()),
        server.another(test.house_signing_with(log_signer_of(LOG_ORIGIN, &[8]))),
    ] {
        let same = restart_public_log(&house).await.map(drop);
        assert!(
            matches!(&same, Err(RestartError::NameInUse(name)) if name == LOG_ORIGIN),
            "{same:?}"
        );
    }
    // A damaged file may be the only trace of what was signed.
    let forged = signed.replacen("\n3\n", "\n7\n", 1);
    for damaged in ["", "nothing", &forged, &signed[..signed.len() - 9]] {
        fs::write(&server.file, damaged).unwrap();
        let (_, result) = restart(test, &server).await;
        assert!(
            matches!(result, Err(RestartError::Damaged(_))),
            "{damaged}: {result:?}"
        );
    }
    // Nothing has happened to the log.
    fs::write(&server.file, &signed).unwrap();
    play_dice(test, player, 1).await;
    ServedLog::advanced(test).await.assert_whole();
    // The name of the kept checkpoint's log is in use too, although the database does not know it.
    let (house, restarted) = restart(test, &server).await;
    restarted.unwrap();
    place_dice_bet(&house, player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    advance(test, &house).await;
    let empty = Fixture::on(Backend::Sqlite);
    let (_, same) = restart(&empty, &server).await;
    assert!(
        matches!(&same, Err(RestartError::NameInUse(name)) if name == NEW_ORIGIN),
        "{same:?}"
    );
}

/// An attempt that was interrupted before the first checkpoint is completed by the next one.
#[apply(both_databases)]
async fn an_interrupted_restart_is_completed(#[case] test: &Fixture) {
    let server = Keeping::on(test.another_house());
    let player = player_of(test).await;
    play_dice(test, player, 1).await;
    advance(test, &server.house).await;
    let kept = fs::read_to_string(&server.file).unwrap();
    // As if the process had ended after its transaction.
    let (origin, follows) = (NEW_ORIGIN.to_owned(), kept.clone());
    test.database
        .write(Scope::nobody(), move |transaction| {
            let opening = transaction.totals_since(None)?;
            transaction.add_log(&NewLog {
                id: 2,
                origin: origin.clone(),
                follows: follows.clone(),
                opening,
            })
        })
        .await
        .map_err(|error: DatabaseError| error)
        .unwrap();
    assert_refuses(test, &test.house, player).await;
    let (house, restarted) = restart(test, &server).await;
    restarted.unwrap();
    assert_eq!(
        first_entry(&ServedLog::read(&house).await).origin,
        LOG_ORIGIN
    );
    try_bet(&house, player).await.unwrap();
    advance(test, &house).await;
    test.assert_clean_signed_by(&[new_signer()]);
}
