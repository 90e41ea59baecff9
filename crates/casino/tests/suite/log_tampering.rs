//! `glasshouse check` detects what is changed in the rounds, their receipts and the public log by
//! somebody who can write to the database past its triggers, and names the round.

use std::time::Duration;

use glasshouse_games::dice::BetType;
use glasshouse_testing::LOG_ORIGIN;
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::games::{place_dice_bet, play_dice};
use crate::support::log_keeping::player_of;
use crate::support::log_tampering::Played;
use crate::support::public_log::{ServedLog, stored_checkpoint};
use crate::support::tampering::assert_rows;
use crate::support::{Backend, Fixture, bet, both_databases};

/// Asserts that the check reports each of the rows.
#[track_caller]
fn assert_reported(test: &Fixture, kept: Option<String>, rows: &[String]) {
    assert_rows(&test.check_with_kept(kept), rows);
}

#[rstest]
#[case::another_payout(
    "UPDATE rounds SET payout_cents = payout_cents + 100 WHERE id = {r1}",
    &["round {r1}"],
)]
#[case::another_payout_everywhere(
    "UPDATE rounds SET payout_cents = payout_cents + 100 WHERE id = {r1};
     UPDATE accounts SET balance_cents = balance_cents + 100;
     UPDATE house_totals SET paid_cents = paid_cents + 100;
     UPDATE player_statistics SET paid_cents = paid_cents + 100",
    &["round {r1}"],
)]
#[case::another_stake(
    "UPDATE rounds SET stake_cents = 1 WHERE id = {r1}",
    &["round {r1}"],
)]
#[case::another_result(
    "UPDATE rounds SET result = CASE WHEN result = 'win' THEN 'loss' ELSE 'win' END WHERE id = {r1}",
    &["round {r1}"],
)]
#[case::other_terms(
    "UPDATE rounds SET details = REPLACE(details, '50', '60') WHERE id = {r1}",
    &["round {r1}"],
)]
#[case::another_nonce(
    "UPDATE rounds SET nonce = 17 WHERE id = {r1}",
    &["round {r1}", "before nonce 2 does not exist"],
)]
#[case::two_nonces_exchanged(
    "UPDATE rounds SET nonce = 99 WHERE id = {r0};
     UPDATE rounds SET nonce = 0 WHERE id = {r1};
     UPDATE rounds SET nonce = 1 WHERE id = {r0}",
    &["round {r0}", "round {r1}"],
)]
#[case::another_seed_pair(
    "UPDATE rounds SET nonce = 17, seed_pair_id = (SELECT seed_pair_id FROM accounts WHERE player_id = 1) WHERE id = {r1}",
    &["round {r1}"],
)]
#[case::another_balance(
    "UPDATE rounds SET balance_after_cents = 1 WHERE id = {r1}",
    &["round {r1}: receipt 0 of batch {b1} states something else"],
)]
#[case::another_time(
    "UPDATE rounds SET ended_at_micros = ended_at_micros + 1,
        started_at_micros = started_at_micros + 1 WHERE id = {r1}",
    &["round {r1}: receipt 0 of batch {b1} states something else"],
)]
#[case::another_revealed_seed(
    "UPDATE seed_pairs SET server_seed = server_seed_hash WHERE server_seed IS NOT NULL",
    &["seed pair", "round {r0}", "round {r1}", "round {r2}"],
)]
#[case::another_client_seed(
    "UPDATE seed_pairs SET client_seed = 'other' WHERE id = (SELECT seed_pair_id FROM accounts WHERE player_id = 1);
     UPDATE accounts SET client_seed = 'other' WHERE player_id = 1",
    &["round {r3}", "round {r4}", "has another client seed than its last receipt states"],
)]
#[case::a_deleted_round(
    "UPDATE player_statistics SET biggest_win_round_id = {r0} WHERE biggest_win_round_id = {r1};
     DELETE FROM rounds WHERE id = {r1}",
    &[
        "batch {b1} has 1 entries, but 0 rounds were settled in it",
        "entry 3 of the log (batch {b1}) is of no round",
        "round {r1} of player 1 is in the ledger but does not exist",
    ],
)]
#[case::a_deleted_round_beside_a_malformed_reference(
    "UPDATE player_statistics SET biggest_win_round_id = {r0} WHERE biggest_win_round_id = {r1};
     UPDATE ledger_entries SET reference = 'round:none' WHERE kind = 'stake' AND reference = 'round:{r2}';
     DELETE FROM rounds WHERE id = {r1}",
    &[
        "round {r1} of player 1 is in the ledger but does not exist",
        "round none of player 1 is in the ledger but does not exist",
    ],
)]
#[case::a_deleted_last_round_with_its_money(
    "UPDATE player_statistics SET biggest_win_round_id = {r0} WHERE biggest_win_round_id = {r5};
     DELETE FROM rounds WHERE id = {r5};
     DELETE FROM ledger_entries WHERE reference = 'round:{r5}'",
    &[
        "entry 0 of batch {b5}, which waits for its place, is of no round",
        "the last round of player 1",
    ],
)]
#[case::an_added_round(
    "INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result, details,
        seed_pair_id, nonce, balance_after_cents, unwagered_after_cents, started_at_micros,
        ended_at_micros, rules_version, receipt_batch_id, receipt_index)
     SELECT 4711, player_id, game, state, stake_cents, payout_cents, result, details, seed_pair_id,
        3, balance_after_cents, unwagered_after_cents, started_at_micros, ended_at_micros,
        rules_version, receipt_batch_id, receipt_index
     FROM rounds WHERE id = {r1}",
    &["batch {b1} has 1 entries, but 2 rounds were settled in it"],
)]
#[case::the_receipts_of_two_rounds_exchanged(
    "UPDATE rounds SET receipt_batch_id = {b2} WHERE id = {r1};
     UPDATE rounds SET receipt_batch_id = {b1} WHERE id = {r2}",
    &["round {r1}: its entry is not in batch {b2}", "round {r2}: receipt 0 of batch {b1}"],
)]
#[case::a_round_without_its_receipt(
    "UPDATE rounds SET receipt_batch_id = NULL, receipt_index = NULL WHERE id = {r1}",
    &["dice: 1 settled rounds, the newest of which are the rounds {r1}"],
)]
#[case::a_round_without_its_receipt_as_if_from_before(
    "UPDATE rounds SET receipt_batch_id = NULL, receipt_index = NULL WHERE id = {r1};
     INSERT INTO log_opening_totals SELECT 1, game, 1, stake_cents, payout_cents FROM rounds
        WHERE id = {r1}",
    &["entry 3 of the log (batch {b1}) is of no round"],
)]
#[case::a_deleted_entry(
    "DELETE FROM log_batches WHERE id = {b1}",
    &["the entries 3 to 3 are missing", "round {r1}: its batch {b1} does not exist"],
)]
#[case::a_deleted_entry_that_waited(
    "DELETE FROM log_batches WHERE id = {b5}",
    &["round {r5}: its batch {b5} does not exist"],
)]
#[case::a_deleted_entry_and_a_shorter_log(
    "DELETE FROM log_batches WHERE id = {b4};
     UPDATE log_state SET size = size - 1",
    &["the last checkpoint: it is of another size", "round {r4}: its batch {b4} does not exist"],
)]
#[case::an_added_entry_that_waits(
    "INSERT INTO log_batches (id, note, receipts, entries, entry_count)
     SELECT 4711, note, receipts, entries, entry_count FROM log_batches WHERE id = {b1}",
    &["entry 0 of batch 4711, which waits for its place, is of no round"],
)]
#[case::the_note_of_other_receipts(
    "UPDATE log_batches SET note = (SELECT note FROM log_batches WHERE id = {b2}) WHERE id = {b1}",
    &["batch {b1}: its receipts are not those that were signed", "round {r1}"],
)]
#[case::a_note_without_receipts(
    "UPDATE log_batches SET note = '', receipts = {empty} WHERE id = {b1}",
    &["entry 3 of house.example/glasshouse (batch {b1}) is of no round", "round {r1}"],
)]
#[case::another_receipt_of_a_withdrawal(
    "UPDATE receipts SET text = REPLACE(text, '2000', '1000')
        WHERE id = (SELECT MAX(id) FROM receipts)",
    &["does not have it", "is not true"],
)]
#[case::a_deleted_receipt(
    "DELETE FROM receipts WHERE id = (SELECT MAX(id) FROM receipts)",
    &["withdrawal: 0 receipts of 1"],
)]
#[case::a_deleted_receipt_of_a_seed_pair(
    "DELETE FROM receipts WHERE text LIKE '%subject pair%'",
    &["pair: 0 receipts of 3"],
)]
#[case::a_receipt_twice(
    "INSERT INTO receipts (player_id, text, batch_id, receipt_index)
     SELECT player_id, text, batch_id, receipt_index FROM receipts",
    &["of player 1: there are two of it"],
)]
#[case::another_key(
    "UPDATE log_state SET keys = REPLACE(keys, '+', '-')",
    &["the database remembers other keys than it names"],
)]
#[case::other_rules(
    "UPDATE log_state SET rules_hash = ''",
    &["the database remembers other rules than it names"],
)]
#[case::tiles_of_another_size(
    "UPDATE log_tiles SET hashes = substr(hashes, 1, 192)",
    &["the tiles have more or fewer hashes than the tree"],
)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_reports_each_change(
    #[case] change: &str,
    #[case] rows: &[&str],
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let test = &Fixture::on(backend);
    let played = Played::on(test).await;
    played.change(change);
    let rows: Vec<String> = rows.iter().map(|row| played.named(row)).collect();
    assert_reported(test, None, &rows);
}

#[rstest]
#[case::two_entries_exchanged(
    "UPDATE log_places SET first_index = 99 WHERE batch_id = {b0};
     UPDATE log_places SET first_index = 2 WHERE batch_id = {b1};
     UPDATE log_places SET first_index = 3 WHERE batch_id = {b0}",
    "UPDATE log_batches SET first_index = 99 WHERE id = {b0};
     UPDATE log_batches SET first_index = 2 WHERE id = {b1};
     UPDATE log_batches SET first_index = 3 WHERE id = {b0}",
    &[
        "round {r0}: entry 3 of house.example/glasshouse (batch {b0}) is not the one in the tree",
        "round {r1}: entry 2 of house.example/glasshouse (batch {b1}) is not the one in the tree",
    ],
)]
#[case::an_entry_without_its_place(
    "DELETE FROM log_places WHERE batch_id = {b4}; INSERT INTO log_waiting VALUES ({b4})",
    "UPDATE log_batches SET first_index = NULL, log_id = NULL WHERE id = {b4}",
    &["the entries 6 to 6 are missing"],
)]
#[case::an_entry_that_waited_placed(
    "INSERT INTO log_places VALUES ({b5}, 1, 7); DELETE FROM log_waiting",
    "UPDATE log_batches SET first_index = 7, log_id = 1 WHERE id = {b5}",
    &[
        "there are 8 entries, but the last checkpoint is of 7",
        "round {r5}: entry 7 of house.example/glasshouse (batch {b5}) is after the last checkpoint",
    ],
)]
#[case::an_added_entry(
    "INSERT INTO log_batches (id, note, receipts, entries, entry_count)
     SELECT 4711, '', {empty}, entries, entry_count FROM log_batches WHERE id = {b1};
     INSERT INTO log_places VALUES (4711, 1, 7)",
    "INSERT INTO log_batches (id, note, receipts, entries, entry_count, log_id, first_index)
     SELECT 4711, '', {empty}, entries, entry_count, 1, 7 FROM log_batches WHERE id = {b1}",
    &["entry 7 of house.example/glasshouse (batch 4711) is of no round"],
)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_reports_each_change_of_a_place(
    #[case] on_sqlite: &str,
    #[case] on_postgres: &str,
    #[case] rows: &[&str],
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let test = &Fixture::on(backend);
    let played = Played::on(test).await;
    played.change(match backend {
        Backend::Sqlite => on_sqlite,
        Backend::Postgres => on_postgres,
    });
    let rows: Vec<String> = rows.iter().map(|row| played.named(row)).collect();
    assert_reported(test, None, &rows);
}

#[apply(both_databases)]
async fn check_names_the_round_of_a_changed_entry(#[case] test: &Fixture) {
    let played = Played::on(test).await;
    for (round, wrong) in [(1, 3), (5, 0)] {
        let change = |lines: &mut Vec<String>| {
            lines[0] = lines[0].replace(r#""stake":10"#, r#""stake":90"#);
        };
        played.change_entries(round, change);
        let rows = [format!(
            "round {{r{round}}}: its entry is not in batch {{b{round}}}"
        )];
        assert_reported(test, None, &rows.map(|row| played.named(&row)));
        if round == 1 {
            let row =
                format!("entry {wrong} of {LOG_ORIGIN} (batch {{b1}}) is not the one in the tree");
            assert_reported(test, None, &[played.named(&row)]);
            // Somebody may also compute the tiles anew; what was signed stays.
            played.rebuild_tiles();
            let root = "the entries do not lead to the root of the last checkpoint".to_owned();
            let round = played.named("round {r1}: its entry is not in batch {b1}");
            assert_reported(test, None, &[root, round]);
        }
    }
}

#[apply(both_databases)]
async fn check_names_the_place_of_an_added_entry(#[case] test: &Fixture) {
    let played = Played::on(test).await;
    played.change_entries(4, |lines| lines.push(lines[0].replace("104", "105")));
    let rows = [
        "batch {b4} has 2 entries, but 1 rounds were settled in it",
        "entry 7 of the log (batch {b4}) is of no round",
        "there are 8 entries, but the last checkpoint is of 7",
    ];
    assert_reported(test, None, &rows.map(|row| played.named(row)));
}

#[apply(both_databases)]
async fn check_reports_a_changed_receipt_even_if_it_is_signed(#[case] test: &Fixture) {
    let played = Played::on(test).await;
    played.change_receipt(1, false);
    let rows = [
        "batch {b1}: its receipts are not those that were signed",
        "round {r1}: the receipts of its batch are not those that were signed",
    ];
    assert_reported(test, None, &rows.map(|row| played.named(row)));
    played.change_receipt(2, true);
    let row = played.named("round {r2}: receipt 0 of batch {b2} states something else");
    assert_reported(test, None, &[row]);
}

#[apply(both_databases)]
async fn check_reports_a_changed_tile(#[case] test: &Fixture) {
    let played = Played::on(test).await;
    played.change_tile(3);
    let row = format!(
        "round {{r1}}: entry 3 of {LOG_ORIGIN} (batch {{b1}}) has another hash in its tile"
    );
    assert_reported(test, None, &[played.named(&row)]);
}

#[apply(both_databases)]
async fn check_reports_an_older_checkpoint(#[case] test: &Fixture) {
    let played = Played::on(test).await;
    let former = stored_checkpoint(test);
    ServedLog::advanced(test).await;
    let size = "(SELECT size - 1 FROM log_state)";
    played.change(&format!(
        "UPDATE log_state SET checkpoint = '{former}', size = {size}"
    ));
    let size = "there are 8 entries, but the last checkpoint is of 7".to_owned();
    let row = format!("round {{r5}}: entry 7 of {LOG_ORIGIN} (batch {{b5}}) is after");
    assert_reported(test, None, &[size, played.named(&row)]);
}

#[apply(both_databases)]
async fn check_reports_a_restored_old_backup(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 2).await;
    ServedLog::advanced(test).await;
    let backup = &test.copy();
    play_dice(test, player, 2).await;
    let lost = ServedLog::advanced(test).await;
    assert!(test.check_with_kept(Some(lost.signed.clone())).is_clean());
    let row = "the log ends after 4 entries, but a checkpoint of 6 was signed";
    assert_reported(backup, Some(lost.signed.clone()), &[row.to_owned()]);

    // Other rounds do not make it the same log.
    for _ in 0..3 {
        let bet = bet(700, 50, BetType::Over);
        place_dice_bet(&backup.house, player, bet, None)
            .await
            .unwrap();
    }
    ServedLog::advanced(backup).await;
    let row = "the first 6 entries are not those that were signed";
    assert_reported(backup, Some(lost.signed.clone()), &[row.to_owned()]);

    let other = lost.signed.replace("house.example", "other.example");
    let row = "the database does not contain that log";
    assert_reported(test, Some(other), &[row.to_owned()]);
    let row = "what was kept is not a checkpoint";
    assert_reported(test, Some("damaged".to_owned()), &[row.to_owned()]);
}

/// The house signs what its totals say; the check adds up the rounds.
#[apply(both_databases)]
async fn check_reports_wrong_books(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 2).await;
    ServedLog::advanced(test).await;
    let day = Duration::from_hours(24);
    test.clock.advance(day);
    ServedLog::advanced(test).await;
    test.assert_clean().await;
    test.sql("UPDATE house_totals SET paid_cents = paid_cents + 1")
        .unwrap();
    test.clock.advance(day);
    ServedLog::advanced(test).await;
    test.sql("UPDATE house_totals SET paid_cents = paid_cents - 1")
        .unwrap();
    let row = "are not the sums of the rounds before them";
    assert_reported(test, None, &[row.to_owned()]);
}

/// Without the key, only the log itself says by whom it is signed.
#[apply(both_databases)]
async fn check_says_when_it_was_not_given_the_key(#[case] test: &Fixture) {
    let player = player_of(test).await;
    play_dice(test, player, 2).await;
    ServedLog::advanced(test).await;
    let report = test.check_without_log_key();
    assert!(report.is_clean(), "{report:#?}");
    let expected = "who signed the public log house.example/glasshouse: its key was not given";
    assert!(
        report.unchecked.contains(&expected.to_owned()),
        "{report:#?}"
    );
}
