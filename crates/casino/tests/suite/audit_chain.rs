//! `glasshouse check` detects every change of the audit log's chain.

use glasshouse_casino::administration::{BanState, set_ban_state};
use rstest_reuse::apply;

use crate::support::administration::{administrator, context};
use crate::support::cashier_fixture::at_once;
use crate::support::tampering::disable_triggers;
use crate::support::{Fixture, both_databases};

/// Ways to change the log. The first record is older than the chain.
const CHANGES: [&str; 11] = [
    "UPDATE audit_log SET action = 'new' WHERE id = (SELECT MIN(id) FROM audit_log)",
    "DELETE FROM audit_log WHERE id = (SELECT MIN(id) FROM audit_log)",
    "UPDATE audit_log SET actor_id = NULL WHERE id = (SELECT MAX(id) FROM audit_log)",
    "UPDATE audit_log SET target_user_id = NULL WHERE action = 'user_banned'",
    "UPDATE audit_log SET subject = '' WHERE id = (SELECT MAX(id) FROM audit_log)",
    "UPDATE audit_log SET old_value = NULL WHERE id = (SELECT MAX(id) FROM audit_log)",
    "UPDATE audit_log SET new_value = 'harmless' WHERE id = (SELECT MAX(id) - 3 FROM audit_log)",
    "UPDATE audit_log SET address = NULL WHERE id = (SELECT MAX(id) FROM audit_log)",
    "UPDATE audit_log SET created_at_micros = 1 WHERE id = (SELECT MAX(id) - 1 FROM audit_log)",
    "DELETE FROM audit_log WHERE id = (SELECT MAX(id) - 5 FROM audit_log)",
    "DELETE FROM audit_log WHERE id = (SELECT MAX(id) FROM audit_log)",
];
const BROKEN_CHAIN: &str = "the hash chain of the audit log is intact";
/// A record of something that never happened.
const FORGED_RECORD: &str =
    "INSERT INTO audit_log (action, created_at_micros) VALUES ('nothing_happened', 1)";

#[apply(both_databases)]
async fn check_detects_every_change_of_the_audit_log(#[case] test: &Fixture) {
    // Records from before the chain existed precede it.
    let older = "INSERT INTO audit_log (action, created_at_micros) VALUES ('old', 1), ('older', 2)";
    assert!(
        test.sql(older).is_err(),
        "records without a hash are rejected"
    );
    let triggers = disable_triggers(test);
    test.sql(older).unwrap();
    test.sql(&triggers).unwrap();
    test.assert_clean().await;
    let admin = administrator(test, "scribe").await;
    let player = test.player("player", 0).await;
    let houses = [test.house.clone(), test.another_house()];
    at_once(20, |number| {
        let house = houses[number % 2].clone();
        async move {
            let reason = BanState::Banned(format!("reason {number}"));
            set_ban_state(&house, context(admin), player, reason)
                .await
                .unwrap();
        }
    })
    .await;
    test.assert_clean().await;
    for change in CHANGES {
        assert!(test.sql(change).is_err(), "{change}");
    }
    if !test.is_postgres() {
        let replaced = "INSERT OR REPLACE INTO audit_log (id, action, created_at_micros, hash)
            SELECT id, action, 1, hash FROM audit_log WHERE hash IS NOT NULL";
        assert!(test.sql(replaced).is_err());
    }
    for tampering in CHANGES.into_iter().chain([FORGED_RECORD]) {
        let triggers = disable_triggers(test);
        test.sql("CREATE TABLE kept AS SELECT * FROM audit_log")
            .unwrap();
        test.sql(tampering).unwrap();
        test.sql(&triggers).unwrap();
        let report = test.check();
        let broken: Vec<_> = report
            .invariants
            .iter()
            .filter(|one| one.count > 0)
            .collect();
        let chain = broken.iter().find(|one| one.invariant == BROKEN_CHAIN);
        let chain = chain.unwrap_or_else(|| panic!("{tampering}: {broken:?}"));
        assert!(chain.rows[0].starts_with("audit"), "{chain:?}");
        let triggers = disable_triggers(test);
        test.sql(
            "DELETE FROM audit_log; INSERT INTO audit_log SELECT * FROM kept; DROP TABLE kept",
        )
        .unwrap();
        test.sql(&triggers).unwrap();
        test.assert_clean().await;
    }
}

#[apply(both_databases)]
async fn the_chain_verifies_while_records_are_added(#[case] test: &Fixture) {
    let admin = administrator(test, "scribe").await;
    let player = test.player("player", 0).await;
    let house = test.another_house();
    let writes = tokio::spawn(async move {
        for number in 0..100 {
            let reason = BanState::Banned(format!("reason {number}"));
            set_ban_state(&house, context(admin), player, reason)
                .await
                .unwrap();
        }
    });
    while !writes.is_finished() {
        test.assert_clean().await;
    }
    writes.await.unwrap();
    test.assert_clean().await;
}
