//! The audit log's key: what happens when it is missing or wrong, how it is changed, and how a log
//! that is older than the key is brought under it.

use std::fs;

use glasshouse_casino::administration::{BanState, set_ban_state};
use glasshouse_casino::books::{CheckOptions, CheckReport, check_books};
use glasshouse_casino::{AuditKeys, Database, House, HouseKeys, OpenError, SnapshotError};
use glasshouse_domain::UserId;
use glasshouse_persistence::migrate;
use rstest_reuse::apply;

use glasshouse_testing::database_options;

use crate::support::administration::{audit_actions, context};
use crate::support::tampering::{disable_triggers, record_admin_actions, rewrite_chain};
use crate::support::{
    Backend, Fixture, audit_keys, both_databases, house_keys, log_keys, open_database, seed_keys,
};

fn other_keys() -> AuditKeys {
    AuditKeys::parse(&"0b5e".repeat(16)).unwrap()
}

/// The tests' key, followed by another one.
fn both_keys() -> AuditKeys {
    AuditKeys::parse(&format!("{}\n{}\n", "5ea1".repeat(16), "0b5e".repeat(16))).unwrap()
}

fn check(test: &Fixture, audit_keys: Option<AuditKeys>, noted: &[&str]) -> CheckReport {
    let options = CheckOptions {
        audit_keys,
        seed_keys: Some(seed_keys()),
        log_keys: vec![log_keys()],
        kept_checkpoint: None,
        noted_hashes: noted.iter().map(|hash| (*hash).to_owned()).collect(),
    };
    check_books(&test.url, &options).unwrap()
}

fn open(test: &Fixture, audit: AuditKeys) -> Result<Database, OpenError> {
    let keys = HouseKeys {
        audit,
        ..house_keys()
    };
    Database::open(&database_options(&test.url, keys))
}

async fn ban(house: &House, reason: &str) {
    let reason = BanState::Banned(reason.to_owned());
    set_ban_state(house, context(UserId::new(1)), UserId::new(4), reason)
        .await
        .unwrap();
}

#[apply(both_databases)]
async fn without_its_key_the_log_is_reported_as_unverified(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    for keys in [None, Some(other_keys())] {
        let report = check(test, keys, &[]);
        assert!(report.is_clean(), "{report:#?}");
        assert_eq!(report.unchecked.len(), 2, "{report:#?}");
        assert!(report.unchecked[0].contains("seal"), "{report:#?}");
        assert!(
            report.unchecked[1].contains("records of the audit log"),
            "{report:#?}"
        );
    }
}

#[apply(both_databases)]
async fn a_server_with_the_wrong_key_does_not_open(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let id = audit_keys().current().id().to_owned();
    match open(test, other_keys()) {
        Err(OpenError::UnknownAuditKey(named)) => assert_eq!(named, id),
        other => panic!("{:?}", other.map(drop)),
    }
    open(test, audit_keys()).unwrap();
}

#[apply(both_databases)]
async fn a_new_key_continues_the_chain_of_the_old_one(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let house = House::new(open(test, both_keys()).unwrap(), test.clock.clone());
    ban(&house, "after the change").await;
    ban(&house, "and again").await;
    let done = audit_actions(test).await;
    assert_eq!(
        done[..3],
        ["user_banned", "user_banned", "audit_key_changed"]
    );
    let report = check(test, Some(both_keys()), &[]);
    assert!(report.is_clean() && report.is_complete(), "{report:#?}");
    assert_eq!(report.audit_keys.len(), 2, "{report:#?}");
    // Either key alone verifies only a part of the log.
    assert!(!check(test, Some(audit_keys()), &[]).is_complete());
    assert!(!check(test, Some(other_keys()), &[]).is_complete());
}

#[apply(both_databases)]
async fn a_noted_hash_must_still_be_in_the_log(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    let noted = test.check().audit_head;
    ban(&test.house, "later").await;
    let now = test.check().audit_head;
    assert_ne!(noted, now);
    let report = check(test, Some(audit_keys()), &[&noted, &now]);
    assert!(report.is_clean(), "{report:#?}");
    // Not even a holder of the key can rewrite the log and keep its hashes.
    let triggers = disable_triggers(test);
    test.sql("UPDATE audit_log SET address = '192.0.2.99' WHERE action = 'withdrawal_approved'")
        .unwrap();
    rewrite_chain(test, Some(&audit_keys()));
    test.sql(&triggers).unwrap();
    test.assert_clean().await;
    let report = check(test, Some(audit_keys()), &[&noted]);
    let broken: Vec<_> = report.invariants.iter().flat_map(|one| &one.rows).collect();
    assert_eq!(
        broken,
        [&format!("the hash {noted} is not in the audit log")]
    );
}

#[apply(both_databases)]
async fn a_removed_seal_is_not_replaced_by_later_records(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    test.sql("UPDATE audit_head SET seal = NULL").unwrap();
    ban(&test.house, "business as usual").await;
    let house = House::new(open_database(&test.url), test.clock.clone());
    ban(&house, "after a restart").await;
    let report = test.check();
    let broken: Vec<_> = report.invariants.iter().flat_map(|one| &one.rows).collect();
    assert_eq!(
        broken,
        ["audit_head: the end of the log does not match its seal"]
    );
}

#[apply(both_databases)]
async fn a_log_older_than_the_key_is_sealed_with_it(#[case] test: &Fixture) {
    record_admin_actions(test).await;
    // As the previous version left it: no key, and approvals without the address that was paid.
    let triggers = disable_triggers(test);
    test.sql(
        "UPDATE audit_log SET new_value = 'approved' WHERE action = 'withdrawal_approved';
         UPDATE audit_log SET new_value = 'rejected: a typo' WHERE action = 'withdrawal_rejected'",
    )
    .unwrap();
    rewrite_chain(test, None);
    test.sql(&triggers).unwrap();
    let down = if test.is_postgres() {
        include_str!("../../../../migrations/postgres/0012_audit_key/down.sql")
    } else {
        include_str!("../../../../migrations/sqlite/0012_audit_key/down.sql")
    };
    test.sql(down).unwrap();
    test.sql("DELETE FROM __diesel_schema_migrations WHERE version = '0012'")
        .unwrap();
    match check_books(&test.url, &CheckOptions::default()) {
        Err(SnapshotError::OtherVersion("an older", ..)) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(
        migrate(&mut test.url.connect().unwrap(), &house_keys()).unwrap(),
        1
    );
    let done = audit_actions(test).await;
    assert_eq!(
        done[..3],
        [
            "withdrawal_restated",
            "withdrawal_restated",
            "audit_key_introduced"
        ]
    );
    ban(&test.house, "as before").await;
    test.assert_clean().await;
    let triggers = disable_triggers(test);
    test.sql("UPDATE withdrawals SET address = 'elsewhere' WHERE id = 1")
        .unwrap();
    test.sql(&triggers).unwrap();
    let report = test.check();
    let broken: Vec<_> = report.invariants.iter().flat_map(|one| &one.rows).collect();
    assert!(
        broken[0].starts_with("withdrawal 1 of player 3 (approved)"),
        "{broken:?}"
    );
}

/// The check writes nothing, whether or not a server has the database open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_changes_no_byte_of_the_database() {
    let test = Fixture::on(Backend::Sqlite);
    record_admin_actions(&test).await;
    let glasshouse_casino::DatabaseUrl::Sqlite(path) = test.url.clone() else {
        panic!("expected SQLite");
    };
    let folder = tempfile::TempDir::new().unwrap();
    let copy = folder.path().join("a copy?.db");
    test.sql(&format!("VACUUM INTO '{}'", copy.display()))
        .unwrap();
    let before = (fs::read(&path).unwrap(), fs::read(&copy).unwrap());
    test.assert_clean().await;
    let options = CheckOptions {
        audit_keys: Some(audit_keys()),
        seed_keys: Some(seed_keys()),
        log_keys: vec![log_keys()],
        kept_checkpoint: None,
        noted_hashes: Vec::new(),
    };
    let url = glasshouse_casino::DatabaseUrl::Sqlite(copy.clone());
    let report = check_books(&url, &options).unwrap();
    assert!(report.is_clean() && report.is_complete(), "{report:#?}");
    let after = (fs::read(&path).unwrap(), fs::read(&copy).unwrap());
    assert!(before == after);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no file besides the copy");
}
