//! Tampering by somebody who can write to the database past its triggers.

use diesel::RunQueryDsl;
use glasshouse_casino::AuditKeys;
use glasshouse_casino::administration::{BanState, Decision, set_ban_state, set_role};
use glasshouse_casino::books::CheckReport;
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_domain::{Role, UserId, WithdrawalId};
use glasshouse_persistence::audit::{AuditHead, AuditRecord};
use glasshouse_persistence::queries;

use super::Fixture;
use super::administration::{APPROVAL, administrator, context, decide_withdrawal};

const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// Drops or disables all triggers, as somebody who may change the schema could. Returns the SQL
/// that restores them.
pub(crate) fn disable_triggers(test: &Fixture) -> String {
    if test.is_postgres() {
        let tables = test.texts(
            "SELECT DISTINCT c.relname::text AS value FROM pg_trigger t
             JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal",
        );
        let alter_all = |verb: &str| -> String {
            let statement = |table| format!("ALTER TABLE {table} {verb} TRIGGER USER;");
            tables.iter().map(statement).collect()
        };
        test.sql(&alter_all("DISABLE")).unwrap();
        return alter_all("ENABLE");
    }
    let all_triggers = "FROM sqlite_schema WHERE type = 'trigger'";
    let triggers = test.texts(&format!("SELECT sql AS value {all_triggers}"));
    for name in test.texts(&format!("SELECT name AS value {all_triggers}")) {
        test.sql(&format!("DROP TRIGGER {name}")).unwrap();
    }
    triggers.join(";\n")
}

/// Makes updates of a table's rows that meet the condition fail, by a trigger named `block`, as a fault of the database
/// would.
pub(crate) fn block_updates(test: &Fixture, table: &str, condition: &str) {
    let trigger = if test.is_postgres() {
        format!(
            "CREATE FUNCTION block() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'blocked'; END $$;
             CREATE TRIGGER block BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({condition})
             EXECUTE FUNCTION block()"
        )
    } else {
        format!(
            "CREATE TRIGGER block BEFORE UPDATE ON {table} WHEN {condition}
             BEGIN SELECT RAISE(ABORT, 'blocked'); END"
        )
    };
    test.sql(&trigger).unwrap();
}

/// Asserts that a check reports each of the rows.
#[track_caller]
pub(crate) fn assert_rows(report: &CheckReport, rows: &[impl AsRef<str>]) {
    let reported: Vec<&String> = report.invariants.iter().flat_map(|one| &one.rows).collect();
    for row in rows.iter().map(AsRef::as_ref) {
        assert!(
            reported.iter().any(|name| name.contains(row)),
            "{row} is not among {reported:#?}"
        );
    }
    assert!(!report.is_clean());
}

/// Rewrites the whole chain, as only a holder of the key can; without a key, as before keys
/// existed.
pub(crate) fn rewrite_chain(test: &Fixture, keys: Option<&AuditKeys>) {
    let mut connection = test.url.connect().unwrap();
    let records = queries::audit_records_after(&mut connection, 0, i64::MAX).unwrap();
    let key = keys.map(AuditKeys::current);
    let key_id = key.map(|key| key.id().to_owned());
    let quoted = |value: &Option<String>| match value {
        Some(value) => format!("'{value}'"),
        None => "NULL".to_owned(),
    };
    let mut hash = AuditRecord::genesis().to_owned();
    let mut statements = Vec::new();
    for record in &records {
        let record = AuditRecord {
            key_id: key_id.clone(),
            ..record.clone()
        };
        hash = record.chained(&hash, key);
        statements.push(format!(
            "UPDATE audit_log SET hash = '{hash}', key_id = {} WHERE id = {}",
            quoted(&key_id),
            record.id
        ));
    }
    let mut head = AuditHead {
        records: i64::try_from(records.len()).unwrap(),
        hash: Some(hash),
        key_id,
        seal: None,
    };
    head.seal = key.map(|key| head.seal_with(key));
    statements.push(format!(
        "UPDATE audit_head SET records = {}, hash = {}, key_id = {}, seal = {}",
        head.records,
        quoted(&head.hash),
        quoted(&head.key_id),
        quoted(&head.seal)
    ));
    for statement in statements {
        diesel::sql_query(statement)
            .execute(&mut connection)
            .unwrap();
    }
}

async fn decide_new_withdrawal(
    test: &Fixture,
    admin: UserId,
    player: UserId,
    decision: Decision,
) -> WithdrawalId {
    let wish = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
    let requested = request_withdrawal(&test.house, player, wish, None).await;
    let id = requested.unwrap().withdrawal.id;
    decide_withdrawal(&test.house, context(admin), id, decision)
        .await
        .unwrap();
    id
}

/// Fills the audit log: user 1 is an administrator, user 2 was made one, user 3 has an adjusted
/// balance, one approved and one rejected withdrawal, and user 4 is banned.
pub(crate) async fn record_admin_actions(test: &Fixture) {
    let admin = administrator(test, "scribe").await;
    test.player("second", 0).await;
    set_role(&test.house, "second", Role::Owner).await.unwrap();
    let player = test.player("alice", 0).await;
    let rowdy = test.player("rowdy", 0).await;
    test.set_balance(player, 50_000).await.unwrap();
    test.set_balance(player, 60_000).await.unwrap();
    decide_new_withdrawal(test, admin, player, APPROVAL).await;
    decide_new_withdrawal(test, admin, player, Decision::Reject("a typo".to_owned())).await;
    for number in 0..5 {
        let ban = BanState::Banned(format!("reason {number}"));
        set_ban_state(&test.house, context(admin), rowdy, ban)
            .await
            .unwrap();
    }
    test.assert_clean().await;
}
