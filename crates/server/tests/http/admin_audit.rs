//! The audit log: every administrative action with its actor, target and address, and the detection
//! of changes.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{
    WALLET, act, colleague, confirmation, get, logged_acts, orphan, withdraw,
};
use crate::support::{Server, Visitor};

/// A house in which each administrative action was performed once.
struct AuditedHouse {
    server: Server,
    administrator: Visitor,
    admin_id: Value,
    player_id: Value,
    payment: String,
    review: Value,
    reviewed: String,
    withdrawals: [Value; 2],
}

async fn audited_house() -> AuditedHouse {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let player_id = get(&player, "/api/user").await["id"].clone();
    let withdrawals = [
        withdraw(&player, "20.00").await,
        withdraw(&player, "21.00").await,
    ];
    let (reviewed, review) = orphan(&server, &administrator).await;
    let (payment, _) = orphan(&server, &administrator).await;
    let process = |id: &Value| format!("/api/admin/withdraw-requests/{id}/process");
    let status = format!("/api/admin/users/{player_id}/status");
    for (path, body) in [
        (process(&withdrawals[0]), json!({ "action": "approve" })),
        (
            process(&withdrawals[1]),
            json!({ "action": "reject", "reason": "Typo" }),
        ),
        (
            "/api/admin/confirm-payment".to_owned(),
            confirmation(&payment, &player_id, "5.00"),
        ),
        (
            format!("/api/admin/reviews/{review}/resolve"),
            json!({ "resolution": "Sent back" }),
        ),
        (
            status.clone(),
            json!({ "status": "banned", "banReason": "Bots" }),
        ),
        (status, json!({ "status": "active" })),
    ] {
        act(&administrator, &path, body).await;
    }
    AuditedHouse {
        admin_id: get(&administrator, "/api/user").await["id"].clone(),
        server,
        administrator,
        player_id,
        payment,
        review,
        reviewed,
        withdrawals,
    }
}

/// The expected records, newest first: action, subject, old value, new value.
fn expected(house: &AuditedHouse) -> [(&'static str, Value, Value, Value); 7] {
    let AuditedHouse {
        payment,
        review,
        reviewed,
        ..
    } = house;
    let [approved, rejected] = &house.withdrawals;
    let about = |text: String| json!(text);
    [
        ("user_unbanned", Value::Null, json!("Bots"), Value::Null),
        ("user_banned", Value::Null, Value::Null, json!("Bots")),
        (
            "review_resolved",
            about(format!("review {review} of payment {reviewed}, orphan")),
            Value::Null,
            json!("Sent back"),
        ),
        (
            "payment_confirmed",
            about(format!("payment {payment}")),
            about(format!("payment {payment} waiting, 0.00 credited")),
            json!("5.00 credited, paid in BTC (a test)"),
        ),
        (
            "withdrawal_rejected",
            about(format!("withdrawal {rejected} of 21.00")),
            json!("pending"),
            decision("rejected", "21.00", "0.21", "20.79", "; reason=Typo"),
        ),
        (
            "withdrawal_approved",
            about(format!("withdrawal {approved} of 20.00")),
            json!("pending"),
            decision("approved", "20.00", "0.20", "19.80", ""),
        ),
        (
            "balance_override",
            json!("reason: a test"),
            json!("0.00"),
            json!("100.00"),
        ),
    ]
}

/// The expected new value of a decision's record: status, amounts, currency and address.
fn decision(status: &str, amount: &str, fee: &str, net: &str, reason: &str) -> Value {
    json!(format!(
        "{status}; amount={amount}; fee={fee}; net={net}; currency=btc; address={WALLET}{reason}"
    ))
}

#[tokio::test]
async fn every_action_is_recorded_with_all_details() {
    let house = audited_house().await;
    let logs = logged_acts(&house.administrator, "").await;
    assert_eq!(logs.len(), 8, "{logs:?}");
    for (record, (action, subject, old, new)) in logs.iter().zip(expected(&house)) {
        assert_eq!(record["action"], action);
        assert_eq!(record["adminId"], house.admin_id);
        assert_eq!(record["adminUsername"], "admin");
        let is_about_nobody = action == "review_resolved";
        let target = if is_about_nobody {
            (Value::Null, Value::Null)
        } else {
            (house.player_id.clone(), json!("alice"))
        };
        assert_eq!(
            (&record["targetUserId"], &record["targetUsername"]),
            (&target.0, &target.1),
            "{action}"
        );
        assert_eq!(record["subject"], subject);
        assert_eq!(
            (&record["oldValue"], &record["newValue"]),
            (&old, &new),
            "{action}"
        );
        assert_eq!(record["address"], "127.0.0.1");
        let details = record["details"].as_str().unwrap();
        for part in [&subject, &old, &new].into_iter().filter_map(Value::as_str) {
            assert!(details.contains(part), "{details}");
        }
    }
    // The record has the time of the decision.
    let decided = get(&house.administrator, "/api/admin/withdraw-requests").await;
    assert_eq!(logs[4]["createdAt"], decided[0]["decidedAt"]);
    assert_eq!(logs[5]["createdAt"], decided[1]["decidedAt"]);
    let adjustment = &logs[7];
    assert_eq!(
        (
            &adjustment["action"],
            &adjustment["adminId"],
            &adjustment["address"]
        ),
        (&json!("administrator_created"), &Value::Null, &Value::Null)
    );
    house.server.assert_clean();
}

#[tokio::test]
async fn the_log_is_searched_by_actor_target_and_action() {
    let house = audited_house().await;
    let second = colleague(&house.server, "second").await;
    let path = format!("/api/admin/users/{}/balance", house.player_id);
    act(
        &second,
        &path,
        json!({ "balance": "1.00", "reason": "a test" }),
    )
    .await;
    let revoked = house.server.operate(&["admin", "revoke", "second"]);
    assert!(revoked.status.success());
    for (query, count) in [
        ("search=ALI", 7),
        ("search=second", 3),
        ("action=balance_override", 2),
        ("action=balance_override&search=second", 1),
        ("action=user_banned", 1),
        ("action=game_status", 0),
        ("search=%25", 0),
    ] {
        let logs = logged_acts(&house.administrator, &format!("&{query}")).await;
        assert_eq!(logs.len(), count, "{query}: {logs:?}");
    }
    let (status, answer) = house
        .administrator
        .get("/api/admin/logs?action=nothing")
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    house.server.assert_clean();
}

/// The invariant under which `glasshouse check` reports the chain.
const CHAIN: &str = "the hash chain of the audit log is intact";

/// Runs `glasshouse check` and asserts whether it finds the chain intact.
fn assert_chain(server: &Server, is_intact: bool) {
    let output = server.operate(&["check"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(i32::from(!is_intact)),
        "{stdout}"
    );
    let line = stdout.lines().find(|line| line.contains(CHAIN)).unwrap();
    assert_eq!(line.contains("BROKEN"), !is_intact, "{stdout}");
    assert_eq!(
        stdout.contains("All invariants hold."),
        is_intact,
        "{stdout}"
    );
}

/// Runs SQL while the trigger that protects the audit log's records is disabled.
fn without_trigger(server: &Server, statements: &str) {
    let (before, after) = if server.is_on_postgres() {
        let set = |verb| format!("ALTER TABLE audit_log {verb} TRIGGER USER");
        (set("DISABLE"), set("ENABLE"))
    } else {
        let trigger = server
            .texts("SELECT sql AS value FROM sqlite_schema WHERE name = 'audit_log_never_changes'");
        let drop = "DROP TRIGGER audit_log_never_changes".to_owned();
        (drop, trigger.concat())
    };
    server
        .sql(&format!("{before}; {statements}; {after};"))
        .unwrap();
}

#[tokio::test]
async fn a_changed_record_is_detected() {
    let house = audited_house().await;
    for statement in [
        "UPDATE audit_log SET new_value = '1.00' WHERE action = 'balance_override'",
        "DELETE FROM audit_log WHERE action = 'balance_override'",
    ] {
        let error = house.server.sql(statement).unwrap_err();
        assert!(error.contains("the audit log is append-only"), "{error}");
    }
    assert_chain(&house.server, true);
    // The owner of the database can disable the trigger and enable it again.
    let tamper = |statements: &str| without_trigger(&house.server, statements);
    let (admin, player) = (&house.admin_id, &house.player_id);
    for (column, forgery) in [
        ("new_value", "'1.00'".to_owned()),
        ("old_value", "NULL".to_owned()),
        ("action", "'user_banned'".to_owned()),
        ("address", "'192.0.2.1'".to_owned()),
        ("actor_id", player.to_string()),
        ("target_user_id", admin.to_string()),
        ("subject", "'nothing'".to_owned()),
        ("created_at_micros", "created_at_micros + 1".to_owned()),
        ("hash", format!("'{}'", "0".repeat(64))),
        ("key_id", format!("'{}'", "0".repeat(16))),
        ("key_id", "NULL".to_owned()),
    ] {
        tamper(&format!(
            "CREATE TABLE before AS SELECT * FROM audit_log;
             UPDATE audit_log SET {column} = {forgery} WHERE action = 'balance_override'"
        ));
        let output = house.server.operate(&["check"]);
        let code = output.status.code();
        // A record whose key is missing cannot be verified.
        let expected = if forgery.starts_with("'0000") && column == "key_id" {
            3
        } else {
            1
        };
        assert_eq!(code, Some(expected), "{column} = {forgery}");
        tamper(&format!(
            "UPDATE audit_log SET {column} =
                (SELECT {column} FROM before WHERE before.id = audit_log.id);
             DROP TABLE before"
        ));
        assert_chain(&house.server, true);
    }
    // The server continues the chain as it is.
    let path = format!("/api/admin/users/{player}/balance");
    act(
        &house.administrator,
        &path,
        json!({ "balance": "2.00", "reason": "a test" }),
    )
    .await;
    assert_chain(&house.server, true);
}

#[tokio::test]
async fn a_removed_record_is_detected() {
    for which in ["MIN(id)", "MIN(id) + 3", "MAX(id)"] {
        let house = audited_house().await;
        let server = &house.server;
        let disable = if server.is_on_postgres() {
            "ALTER TABLE audit_log DISABLE TRIGGER USER"
        } else {
            "DROP TRIGGER audit_log_stays"
        };
        let remove = format!("DELETE FROM audit_log WHERE id = (SELECT {which} FROM audit_log)");
        server.sql(&format!("{disable}; {remove};")).unwrap();
        assert_chain(&house.server, false);
    }
}
