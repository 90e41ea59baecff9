//! What is left of a pseudonymised account in the database, and what `glasshouse check` notices.

use glasshouse_casino::limits::set_limit;
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_domain::{LimitKind, LimitPeriod, UserId};
use rstest::rstest;
use rstest_reuse::apply;

use crate::closures::close;
use crate::pseudonymisation::{keeping_for_a_day, pseudonymise};
use crate::support::administration::{
    APPROVAL, administrator, context, decide_withdrawal, pay_by_hand,
};
use crate::support::email::player_with_email;
use crate::support::limits::{DAY, of, stake};
use crate::support::mailbox::Mailbox;
use crate::support::tampering::{assert_rows, disable_triggers};
use crate::support::{Backend, Fixture, both_databases};

/// Is in everything that is personal of the player of these tests.
const NEEDLE: &str = "lenamaria";
const WALLET: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// The tables about users of which nothing is left, the addresses unless the user is excluded.
const EMPTIED: &[&str] = &[
    "authenticator_enrolments",
    "authenticators",
    "daily_play_time",
    "declined_notices",
    "email_addresses",
    "email_verifications",
    "mails",
    "passkey_ceremonies",
    "passkeys",
    "password_recoveries",
    "reality_checks",
    "recovery_codes",
    "security_events",
    "sessions",
    "withdrawal_addresses",
];

/// The tables about users that stay as they are, because the money, the proofs of rounds or the promises of
/// responsible gambling need them.
const KEPT: &[&str] = &[
    "accounts",
    "alerts",
    "daily_statements",
    "deposits",
    "exclusions",
    "hourly_statistics",
    "ledger_entries",
    "limit_changes",
    "money_acts",
    "payment_credits",
    "player_limits",
    "player_statistics",
    "proposals",
    "receipts",
    "rounds",
    "seed_pairs",
    "terms_acceptances",
    "withdrawals",
];

/// What the row in `users` has afterwards: a value, some value or none.
const USER: &[(&str, &str)] = &[
    ("ban_reason", "none"),
    // Of a restricted player it stays, as in the audit log, which must agree with it.
    ("betting_block_reason", "none"),
    ("closed_at_micros", "some"),
    ("created_at_micros", "some"),
    ("has_second_factor", "0"),
    ("id", "some"),
    ("one_time_password_until_micros", "none"),
    ("password_changed_at_micros", "none"),
    ("password_hash", "!"),
    ("pseudonymised_at_micros", "some"),
    ("role", "player"),
    ("second_factor_changed_at_micros", "none"),
    ("shows_name", "0"),
    ("username", "pseudonym"),
    ("username_key", "pseudonym"),
    ("withdrawing_block_reason", "none"),
];

/// What an account can have in all the tables, and in its own row. Most of it does not outlive a closure
/// but can be left by a request that was made at the same time.
fn leave_everything(test: &Fixture, id: UserId) {
    let (hash, handle) = ("0".repeat(64), "0".repeat(32));
    test.sql(&format!(
        "UPDATE users SET shows_name = 1, password_changed_at_micros = 1, has_second_factor = 1,
            one_time_password_until_micros = 1, second_factor_changed_at_micros = 1 WHERE id = {id};
         INSERT INTO authenticator_enrolments VALUES ({id}, '0123456789abcdef', '{NEEDLE}', 1);
         INSERT INTO authenticators VALUES ({id}, '0123456789abcdef', '{NEEDLE}', 1, 1);
         INSERT INTO recovery_codes VALUES ({id}, '{hash}', NULL);
         INSERT INTO passkeys
            (user_id, user_handle, credential_id, name, public_key, created_at_micros)
            VALUES ({id}, '{handle}', '{NEEDLE}', '{NEEDLE}s phone', '{NEEDLE}', 1);
         INSERT INTO passkey_ceremonies VALUES ('{hash}', 'confirmation', {id}, '{NEEDLE}', 1);
         INSERT INTO daily_play_time VALUES ({id}, 19675, 60000000, 1);
         INSERT INTO declined_notices VALUES ({id}, '{NEEDLE}');
         INSERT INTO email_verifications
            VALUES ({id}, '{NEEDLE}@example.com', '{NEEDLE}@example.com', '{NEEDLE}', 1);
         INSERT INTO password_recoveries VALUES ({id}, '{NEEDLE}', 1);
         INSERT INTO reality_checks VALUES ({id}, 60);
         INSERT INTO security_events
            (user_id, kind, device, address, is_new_device, created_at_micros)
            VALUES ({id}, 'signed_in', '{NEEDLE}s laptop', '192.0.2.99', 1, 1);
         INSERT INTO sessions (key_hash, user_id, created_at_micros, last_active_at_micros, device,
            address) VALUES ('{NEEDLE}', {id}, 1, 1, '{NEEDLE}s phone', '192.0.2.98');
         UPDATE withdrawal_addresses SET label = '{NEEDLE}s wallet' WHERE player_id = {id};
         INSERT INTO attempt_counters VALUES
            ('account {NEEDLE}', 1, 1, 1), ('second factor {id}', 1, 1, 1)"
    ))
    .unwrap();
}

/// The names of all tables and columns.
fn columns(test: &Fixture) -> Vec<(String, String)> {
    let columns = test.texts(if test.is_postgres() {
        "SELECT CAST(table_name || '.' || column_name AS TEXT) COLLATE \"C\" AS value
         FROM information_schema.columns WHERE table_schema = 'public' ORDER BY value"
    } else {
        "SELECT m.name || '.' || c.name AS value FROM sqlite_schema m
         JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY value"
    });
    let split = |column: &String| {
        let (table, name) = column.split_once('.').unwrap();
        (table.to_owned(), name.to_owned())
    };
    columns.iter().map(split).collect()
}

/// Every table and column that contains a text, in any case.
fn places_of(test: &Fixture, needle: &str) -> Vec<String> {
    let columns = columns(test);
    let ranges = columns.iter().map(|(table, column)| {
        format!(
            "SELECT '{table}.{column}' AS value WHERE EXISTS (SELECT 1 FROM {table}
                WHERE LOWER(CAST({column} AS TEXT)) LIKE '%{needle}%')"
        )
    });
    let ranges: Vec<String> = ranges.collect();
    // SQLite joins at most five hundred.
    let found = ranges.chunks(100).flat_map(|part| {
        let query = part.join(" UNION ALL ");
        test.texts(&query)
    });
    found.collect()
}

/// The name of the column that says whom a row is about.
fn owner_of<'c>(columns: &'c [(String, String)], table: &str) -> &'c str {
    let is_owner = |name: &str| name == "player_id" || name == "user_id";
    let mut of_table = columns.iter().filter(|(other, _)| other == table);
    &of_table.find(|(_, name)| is_owner(name)).unwrap().1
}

/// How many rows each of the tables has about a player.
fn rows_of(test: &Fixture, tables: &[&str], id: UserId) -> Vec<String> {
    let columns = columns(test);
    let count = |table: &&str| {
        let owner = owner_of(&columns, table);
        let query =
            format!("SELECT CAST(COUNT(*) AS TEXT) AS value FROM {table} WHERE {owner} = {id}");
        format!("{table}: {}", test.texts(&query).concat())
    };
    tables.iter().map(count).collect()
}

/// A player who has done everything that the tests need, and has closed the account.
async fn closed_player(test: &Fixture) -> UserId {
    let mailbox = Mailbox::new();
    let boss = administrator(test, "boss").await;
    let address = format!("{NEEDLE}@example.com");
    let player = player_with_email(test, &mailbox, (NEEDLE, &address)).await;
    test.set_balance(player, 10_000).await.unwrap();
    let time = of(player, LimitKind::SessionTime, LimitPeriod::Week);
    set_limit(&test.house, time, Some(600)).await.unwrap();
    stake(&test.house, player, 100).await.unwrap();
    test.set_balance(player, 2_500).await.unwrap();
    let request = WithdrawalRequest::parse("25.00", "btc", WALLET).unwrap();
    let held = request_withdrawal(&test.house, player, request, None)
        .await
        .unwrap();
    decide_withdrawal(&test.house, context(boss), held.withdrawal.id, APPROVAL)
        .await
        .unwrap();
    pay_by_hand(&test.house, boss, held.withdrawal.id).await;
    close(&test.house, player, None).await.unwrap();
    player
}

/// Fails for a new table about users until somebody has decided what becomes of its rows.
#[apply(both_databases)]
async fn every_table_about_users_is_emptied_or_kept(#[case] test: &Fixture) {
    let all = columns(test);
    let is_owner = |name: &str| name == "player_id" || name == "user_id";
    let mut tables: Vec<&str> = all
        .iter()
        .filter(|(_, name)| is_owner(name))
        .map(|(table, _)| table.as_str())
        .collect();
    tables.sort_unstable();
    let mut known = [EMPTIED, KEPT].concat();
    known.sort_unstable();
    assert_eq!(tables, known);
    let mut of_users: Vec<&str> = all
        .iter()
        .filter(|(table, _)| table == "users")
        .map(|(_, name)| name.as_str())
        .collect();
    of_users.sort_unstable();
    let known: Vec<&str> = USER.iter().map(|(column, _)| *column).collect();
    assert_eq!(of_users, known);
}

#[apply(both_databases)]
async fn nothing_personal_is_left_and_the_books_are_right(#[case] test: &Fixture) {
    let player = closed_player(test).await;
    leave_everything(test, player);
    let before = rows_of(test, EMPTIED, player);
    assert!(
        before.iter().all(|rows| !rows.ends_with(": 0")),
        "{before:?}"
    );
    let kept = rows_of(test, KEPT, player);
    assert!(places_of(test, NEEDLE).len() > 10);
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&keeping_for_a_day(&test.house)).await, 1);

    assert_eq!(places_of(test, NEEDLE), [""; 0]);
    assert_eq!(places_of(test, "192.0.2.9"), [""; 0]);
    assert_eq!(places_of(test, &format!("second factor {player}")), [""; 0]);
    let after = rows_of(test, EMPTIED, player);
    assert!(after.iter().all(|rows| rows.ends_with(": 0")), "{after:?}");
    assert_eq!(rows_of(test, KEPT, player), kept);
    assert!(places_of(test, &WALLET.to_lowercase()).contains(&"withdrawals.address".to_owned()));
    for (column, expected) in USER {
        let query = format!(
            "SELECT COALESCE(CAST({column} AS TEXT), 'none') AS value FROM users WHERE id = {player}"
        );
        let value = test.texts(&query).concat();
        match *expected {
            "some" => assert_ne!(value, "none", "{column}"),
            "pseudonym" => assert_eq!(value, format!("closed.{player}"), "{column}"),
            expected => assert_eq!(value, expected, "{column}"),
        }
    }
    test.assert_clean().await;
}

/// Everything of others stays.
#[apply(both_databases)]
async fn only_the_closed_account_is_touched(#[case] test: &Fixture) {
    let player = closed_player(test).await;
    let mailbox = Mailbox::new();
    let other = player_with_email(test, &mailbox, ("other", "other@example.com")).await;
    let tables: Vec<&str> = columns(test)
        .iter()
        .filter(|(_, name)| name == "player_id" || name == "user_id")
        .map(|(table, _)| EMPTIED.iter().chain(KEPT).find(|known| **known == *table))
        .map(|known| *known.unwrap())
        .collect();
    let before = rows_of(test, &tables, other);
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&keeping_for_a_day(&test.house)).await, 1);
    assert_eq!(rows_of(test, &tables, other), before);
    assert_ne!(player, other);
    test.assert_clean().await;
}

const MARKED: &str =
    "every pseudonymised account is closed and has neither a name nor a way to sign in";

#[rstest]
#[case::a_mark_without_a_record(
    "UPDATE users SET pseudonymised_at_micros = closed_at_micros WHERE id = 4",
    &["user 4: whether it is pseudonymised, the log differs"],
    Some(MARKED),
)]
#[case::a_mark_of_an_open_account(
    "PRAGMA ignore_check_constraints = ON;
     UPDATE users SET pseudonymised_at_micros = 1 WHERE id = 1",
    &["user 1: whether it is pseudonymised, the log differs"],
    Some(MARKED),
)]
#[case::a_removed_mark(
    "UPDATE users SET pseudonymised_at_micros = NULL WHERE id = 2",
    &["user 2: whether it is pseudonymised, the log differs"],
    Some("only pseudonymised accounts have pseudonyms"),
)]
#[case::another_time(
    "UPDATE users SET pseudonymised_at_micros = pseudonymised_at_micros + 1 WHERE id = 2",
    &["user 2: whether it is pseudonymised, the log differs"],
    None,
)]
#[case::a_new_password(
    "UPDATE users SET password_hash = 'x' WHERE id = 2",
    &[],
    Some(MARKED),
)]
#[case::an_account_opened_past_the_operator(
    "PRAGMA ignore_check_constraints = ON;
     UPDATE users SET closed_at_micros = NULL WHERE id = 2",
    &["user 2 is not closed, the log says so"],
    Some(MARKED),
)]
#[tokio::test]
async fn the_check_notices(
    #[case] tampering: &str,
    #[case] rows: &[&str],
    #[case] invariant: Option<&str>,
) {
    let test = Fixture::on(Backend::Sqlite);
    let player = closed_player(&test).await;
    assert_eq!(player, UserId::new(2));
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&keeping_for_a_day(&test.house)).await, 1);
    let another = test.player("another", 0).await;
    close(&test.house, another, None).await.unwrap();
    test.assert_clean().await;
    let triggers = disable_triggers(&test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
    let report = test.check();
    assert_rows(&report, rows);
    if let Some(invariant) = invariant {
        let found = report
            .invariants
            .iter()
            .find(|one| one.invariant == invariant);
        assert_eq!(found.unwrap().count, 1);
    }
}

/// The database itself refuses what no server does.
#[apply(both_databases)]
async fn the_database_refuses_to_open_a_pseudonymised_account(#[case] test: &Fixture) {
    let player = closed_player(test).await;
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&keeping_for_a_day(&test.house)).await, 1);
    let opened = format!("UPDATE users SET closed_at_micros = NULL WHERE id = {player}");
    let refused = test.sql(&opened).unwrap_err();
    assert!(
        refused.to_lowercase().contains("check constraint"),
        "{refused}"
    );
}
