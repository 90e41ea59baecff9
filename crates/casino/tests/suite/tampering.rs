//! `glasshouse check` detects tampering by somebody who can write to the database past its
//! triggers: it verifies the audit log by its key, and compares it with the ledger, the decisions,
//! the roles and the bans.

use glasshouse_persistence::queries;
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::tampering::{
    assert_rows, disable_triggers, record_admin_actions, rewrite_chain,
};
use crate::support::{Backend, Fixture, audit_keys, both_databases};

/// What happens to the audit log's chain of hashes after the tampering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chain {
    Kept,
    Rewritten,
}

/// Tampers past the triggers, and asserts that the check reports each of the rows.
fn assert_tampering_reported(test: &Fixture, tampering: &str, chain: Chain, rows: &[&str]) {
    let triggers = disable_triggers(test);
    test.sql(tampering).unwrap();
    if chain == Chain::Rewritten {
        rewrite_chain(test, Some(&audit_keys()));
    }
    test.sql(&triggers).unwrap();
    assert_reported(test, rows);
}

/// Asserts that the check reports each of the rows.
fn assert_reported(test: &Fixture, rows: &[&str]) {
    assert_rows(&test.check(), rows);
}

#[rstest]
#[case::a_changed_value_without_hashes(
    "UPDATE audit_log SET new_value = '9000.00' WHERE new_value = '600.00';
     UPDATE audit_log SET hash = NULL; UPDATE audit_head SET hash = NULL, records = 0",
    Chain::Kept,
    &["audit_head", "(balance_override) has no hash", "ledger entry 2 of player 3"],
)]
#[case::a_changed_value_without_hashes_and_keys(
    "UPDATE audit_log SET new_value = '9000.00' WHERE new_value = '600.00';
     UPDATE audit_log SET hash = NULL, key_id = NULL;
     UPDATE audit_head SET hash = NULL, records = 0, key_id = NULL, seal = NULL",
    Chain::Kept,
    &["audit_head: the end of the log has no seal", "ledger entry 2 of player 3"],
)]
#[case::an_emptied_log(
    "DELETE FROM audit_log;
     UPDATE audit_head SET hash = NULL, records = 0, key_id = NULL, seal = NULL",
    Chain::Kept,
    &[
        "audit_head: the end of the log has no seal",
        "user 1 has the role owner",
        "user 4 is banned for \"reason 4\"",
        "ledger entry 1 of player 3",
        "withdrawal 1 of player 3",
    ],
)]
#[case::the_newest_eight_records_removed_and_the_head_adjusted(
    "DELETE FROM audit_log WHERE id > (SELECT MAX(id) - 8 FROM audit_log);
     UPDATE audit_head SET records = (SELECT COUNT(*) FROM audit_log),
        hash = (SELECT hash FROM audit_log ORDER BY id DESC LIMIT 1)",
    Chain::Kept,
    &[
        "audit_head: the end of the log does not match its seal",
        "withdrawal 1 of player 3",
        "user 4 is banned",
    ],
)]
#[case::a_removed_adjustment_in_a_rewritten_chain(
    "DELETE FROM audit_log WHERE new_value = '600.00'",
    Chain::Rewritten,
    &["ledger entry 2 of player 3: the log has no adjustment from 500.00 to 600.00"],
)]
#[case::an_invented_adjustment_in_a_rewritten_chain(
    "UPDATE audit_log SET action = 'balance_override', old_value = '1.00' WHERE action = 'user_banned'
        AND new_value = 'reason 0'",
    Chain::Rewritten,
    &["the ledger of player 4 has no adjustment from 1.00 to reason 0"],
)]
#[case::another_amount_in_a_rewritten_chain(
    "UPDATE audit_log SET new_value = '550.00' WHERE new_value = '600.00'",
    Chain::Rewritten,
    &["ledger entry 2 of player 3", "the ledger of player 3 has no adjustment from 500.00 to 550.00"],
)]
#[case::a_rejection_changed_to_an_approval_in_a_rewritten_chain(
    "UPDATE audit_log SET action = 'withdrawal_approved',
        new_value = REPLACE(REPLACE(new_value, 'rejected', 'approved'), '; reason=a typo', '')
        WHERE action = 'withdrawal_rejected'",
    Chain::Rewritten,
    &["withdrawal 2 of player 3 (rejected)"],
)]
#[case::a_rejection_changed_to_an_approval_everywhere(
    "UPDATE audit_log SET action = 'withdrawal_approved',
        new_value = REPLACE(REPLACE(new_value, 'rejected', 'approved'), '; reason=a typo', '')
        WHERE action = 'withdrawal_rejected';
     UPDATE withdrawals SET status = 'approved', reason = NULL WHERE id = 2;
     DELETE FROM ledger_entries WHERE kind = 'withdrawal_returned';
     UPDATE accounts SET balance_cents = balance_cents - 2000, ledger_sequence = ledger_sequence - 1
        WHERE player_id = 3",
    Chain::Kept,
    &["(withdrawal_approved) does not match its hash"],
)]
#[case::a_role_without_a_record(
    "UPDATE users SET role = 'owner' WHERE id = 3",
    Chain::Kept,
    &["user 3 has the role owner, the log says player"],
)]
#[case::a_role_revoked_without_a_record(
    "UPDATE users SET role = 'player' WHERE id = 2",
    Chain::Kept,
    &["user 2 has the role player, the log says owner"],
)]
#[case::a_role_whose_record_was_removed(
    "DELETE FROM audit_log WHERE action = 'administrator_granted'",
    Chain::Rewritten,
    &["user 2 has the role owner, the log says player"],
)]
#[case::a_ban_without_a_record(
    "UPDATE users SET ban_reason = 'none' WHERE id = 3",
    Chain::Kept,
    &["user 3 is banned for \"none\", the log says not banned"],
)]
#[case::a_ban_lifted_without_a_record(
    "UPDATE users SET ban_reason = NULL WHERE id = 4",
    Chain::Kept,
    &["user 4 is not banned, the log says banned for \"reason 4\""],
)]
#[case::a_ban_whose_record_was_removed(
    "DELETE FROM audit_log WHERE new_value = 'reason 2'",
    Chain::Rewritten,
    &["contradict the old ban of user 4"],
)]
#[case::another_address_of_an_approved_withdrawal(
    "UPDATE withdrawals SET address = '1F1tAaz5x1HUXrCNLbtMDqcw6o5GNn4xqX' WHERE id = 1",
    Chain::Kept,
    &["withdrawal 1 of player 3 (approved): audit record"],
)]
#[case::another_currency_of_an_approved_withdrawal(
    "UPDATE withdrawals SET currency = 'ltc' WHERE id = 1",
    Chain::Kept,
    &["withdrawal 1 of player 3 (approved): audit record"],
)]
#[case::another_fee_of_an_approved_withdrawal(
    "UPDATE withdrawals SET fee_cents = fee_cents + 1 WHERE id = 1",
    Chain::Kept,
    &["withdrawal 1 of player 3 (approved): audit record"],
)]
#[case::an_approval_without_a_record(
    "DELETE FROM audit_log WHERE action = 'withdrawal_approved'",
    Chain::Rewritten,
    &["withdrawal 1 of player 3 (approved): the log has 0 decisions"],
)]
#[case::another_salt_of_a_next_seed(
    "UPDATE seed_pairs SET salt = server_seed_hash WHERE id = 6",
    Chain::Kept,
    &["seed pair 6 of player 3: "],
)]
#[case::another_hash_of_an_active_seed(
    "UPDATE seed_pairs SET server_seed_hash = salt WHERE id = 5",
    Chain::Kept,
    &["seed pair 5 of player 3: ", "the account of player 3"],
)]
#[case::a_mask_that_selects_another_seed(
    "UPDATE seed_pairs SET mask = salt WHERE id = 5;
     UPDATE accounts SET seed_mask = seed_salt WHERE player_id = 3",
    Chain::Kept,
    &["seed pair 5 of player 3: "],
)]
#[case::the_seed_of_another_player(
    "UPDATE accounts SET
        server_seed_hash = (SELECT server_seed_hash FROM accounts WHERE player_id = 4),
        seed_salt = (SELECT seed_salt FROM accounts WHERE player_id = 4) WHERE player_id = 3",
    Chain::Kept,
    &["the account of player 3"],
)]
#[case::a_next_pair_that_is_in_use(
    "UPDATE accounts SET next_seed_pair_id = seed_pair_id WHERE player_id = 3",
    Chain::Kept,
    &["the account of player 3"],
)]
#[case::the_pairs_of_two_players_exchanged(
    "INSERT INTO users (id, username, username_key, password_hash, role, created_at_micros)
        VALUES (99, 'nobody', 'nobody', 'x', 'player', 1);
     UPDATE seed_pairs SET player_id = 99 WHERE id = 6;
     UPDATE seed_pairs SET player_id = 3 WHERE id = 8;
     UPDATE seed_pairs SET player_id = 4 WHERE id = 6",
    Chain::Kept,
    &["the account of player 3", "the account of player 4"],
)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_reports_each_tampered_row(
    #[case] tampering: &str,
    #[case] chain: Chain,
    #[case] rows: &[&str],
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let test = &Fixture::on(backend);
    record_admin_actions(test).await;
    assert_tampering_reported(test, tampering, chain, rows);
}

#[apply(both_databases)]
async fn check_reports_a_client_seed_that_is_older_than_the_commitment(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let prepare = if test.is_postgres() {
        "ALTER TABLE seed_pairs DROP CONSTRAINT seed_pairs_player_after_commitment;"
    } else {
        "PRAGMA ignore_check_constraints = ON;"
    };
    let tampering = format!(
        "{prepare} UPDATE seed_pairs SET client_seed_by = 'player' WHERE id = 5;
         UPDATE seed_pairs SET committed_at_micros = committed_at_micros - 1 WHERE id = 3"
    );
    assert_tampering_reported(test, &tampering, Chain::Kept, &["seed pair 5 of player 3"]);
    let report = test.check();
    let reported: Vec<&String> = report.invariants.iter().flat_map(|one| &one.rows).collect();
    assert!(
        !reported.iter().any(|row| row.contains("seed pair 3 of")),
        "{reported:#?}"
    );
}

#[apply(both_databases)]
async fn check_reports_a_dropped_trigger(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let table = if test.is_postgres() {
        " ON ledger_entries"
    } else {
        ""
    };
    test.sql(&format!("DROP TRIGGER ledger_entries_never_change{table}"))
        .unwrap();
    assert_reported(test, &["trigger ledger_entries_never_change"]);
}

#[apply(both_databases)]
async fn check_reports_a_trigger_that_never_fires(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let change = if test.is_postgres() {
        "DROP TRIGGER rounds_settle_once ON rounds;
         CREATE TRIGGER rounds_settle_once BEFORE UPDATE ON rounds FOR EACH ROW WHEN (false)
         EXECUTE FUNCTION refuse_change('a settled round never changes')"
    } else {
        "DROP TRIGGER rounds_settle_once;
         CREATE TRIGGER rounds_settle_once BEFORE UPDATE ON rounds WHEN 0
         BEGIN SELECT RAISE(ABORT, 'a settled round never changes'); END"
    };
    test.sql(change).unwrap();
    assert_reported(test, &["trigger rounds_settle_once"]);
}

#[apply(both_databases)]
async fn check_reports_an_unknown_trigger(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let change = if test.is_postgres() {
        "CREATE RULE quiet AS ON INSERT TO audit_log DO INSTEAD NOTHING"
    } else {
        "CREATE TRIGGER quiet BEFORE INSERT ON audit_log BEGIN SELECT RAISE(IGNORE); END"
    };
    test.sql(change).unwrap();
    assert_reported(test, &["quiet"]);
}

#[apply(both_databases)]
async fn check_reports_a_missing_index(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    test.sql("DROP INDEX rounds_nonce").unwrap();
    assert_reported(test, &["index rounds_nonce"]);
}

#[apply(both_databases)]
async fn check_reports_a_view_that_hides_what_waits(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    test.sql(
        "DROP VIEW waiting_log_batches;
         CREATE VIEW waiting_log_batches AS
         SELECT id, entries, entry_count FROM log_batches WHERE id < 0",
    )
    .unwrap();
    assert_reported(test, &["view waiting_log_batches"]);
}

/// Only PostgreSQL can disable a trigger without dropping it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_reports_a_disabled_trigger() {
    let test = Fixture::on(Backend::Postgres);
    record_admin_actions(&test).await;
    test.sql("ALTER TABLE audit_log DISABLE TRIGGER audit_log_never_changes")
        .unwrap();
    assert_reported(&test, &["trigger audit_log_never_changes"]);
    test.sql("ALTER TABLE audit_log ENABLE TRIGGER audit_log_never_changes")
        .unwrap();
    test.assert_clean().await;
    test.sql("ALTER TABLE sessions DISABLE TRIGGER ALL")
        .unwrap();
    assert_reported(&test, &["trigger of a foreign key of sessions"]);
}

/// The schema that the check expects is the one the migrations create. After adding a migration, run this
/// test with `GLASSHOUSE_WRITE_SCHEMA=1` to update the files.
#[rstest]
#[case::sqlite(Backend::Sqlite, "sqlite_schema.txt")]
#[case::postgres(Backend::Postgres, "postgres_schema.txt")]
fn the_written_schema_matches_the_migrations(#[case] backend: Backend, #[case] file: &str) {
    let test = Fixture::on(backend);
    let mut connection = test.url.connect().unwrap();
    let schema = queries::describe_schema(&mut connection).unwrap();
    if std::env::var_os("GLASSHOUSE_WRITE_SCHEMA").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../persistence/src");
        std::fs::write(format!("{folder}/{file}"), schema).unwrap();
        return;
    }
    assert_eq!(
        schema,
        queries::written_schema(&connection),
        "run this test with GLASSHOUSE_WRITE_SCHEMA=1"
    );
}
