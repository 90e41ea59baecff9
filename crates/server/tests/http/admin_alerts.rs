//! Alerts over HTTP: what has happened reaches the panel and the receivers, and one administrator acknowledges it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{
    act, colleague, colleague_as, get, logged_acts, newest_alert, orphan, post_at_once, post_once,
};
use crate::email::mails;
use crate::support::{Server, Visitor, assert_refused, free_address, wait_for};

const ALERTS: &str = "/api/admin/alerts";
const PENDING_WORK: &str = "/api/admin/pending-work";

fn acknowledgement_of(alert: &Value) -> String {
    format!("{ALERTS}/{alert}/acknowledge")
}

#[tokio::test]
async fn an_alert_is_listed_and_acknowledged_once() {
    let server = Server::start();
    let boss = server.administrator().await;
    let boss_id = get(&boss, "/api/user").await["id"].clone();
    let (payment, _) = orphan(&server, &boss).await;
    let id = newest_alert(&server);
    let alerts = get(&boss, ALERTS).await;
    let alert = &alerts[0];
    assert_eq!(alerts.as_array().unwrap().len(), 1, "{alerts}");
    assert_eq!((&alert["id"], &alert["kind"]), (&id, &json!("review")));
    assert_eq!(
        alert["text"],
        format!("Payment {payment} needs a review (orphan).")
    );
    assert_eq!(alert["isCondition"], false);
    for field in [
        "user",
        "roundId",
        "resolvedAt",
        "acknowledgedAt",
        "acknowledgedBy",
    ] {
        assert_eq!(alert[field], Value::Null, "{field}");
    }
    let pending = get(&boss, PENDING_WORK).await;
    assert_eq!(
        (&pending["unacknowledgedAlerts"], &pending["newestAlertId"]),
        (&json!(1), &id)
    );
    let auditor = colleague_as(&server, "auditor", "auditor").await;
    assert_eq!(get(&auditor, ALERTS).await[0]["id"], id);
    let path = acknowledgement_of(&id);
    let refused = auditor.post(&path, &Value::Null).await;
    assert_refused(&refused, 403, "role_forbidden");

    let done = post_once(&boss, &path, "once", &Value::Null).await;
    assert_eq!(done.0, StatusCode::OK, "{}", done.1);
    assert_eq!(
        done.1["acknowledgedBy"],
        json!({ "id": boss_id, "username": "admin" })
    );
    assert!(done.1["acknowledgedAt"].is_string(), "{}", done.1);
    assert_eq!(post_once(&boss, &path, "once", &Value::Null).await, done);
    let again = boss.post(&path, &Value::Null).await;
    assert_refused(&again, 409, "already_acknowledged");
    assert_eq!(again.1["message"], "This alert was already acknowledged");
    for unknown in [json!(999), json!("x"), json!(0)] {
        let unknown = acknowledgement_of(&unknown).replace('"', "");
        assert_refused(&boss.post(&unknown, &Value::Null).await, 404, "not_found");
    }
    let filtered = async |query: &str| get(&boss, &format!("{ALERTS}?{query}")).await;
    assert_eq!(filtered("acknowledged=false").await, json!([]));
    assert_eq!(filtered("acknowledged=true").await, json!([done.1]));
    assert_eq!(get(&boss, PENDING_WORK).await["unacknowledgedAlerts"], 0);
    let records = logged_acts(&boss, "&action=alert_acknowledged").await;
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0]["details"], format!("alert {id}, review"));
    assert_eq!(
        (&records[0]["subjectKind"], &records[0]["subjectId"]),
        (&json!("alert"), &json!(id.to_string()))
    );
    assert_eq!(records[0]["createdAt"], done.1["acknowledgedAt"]);
    server.assert_clean();
}

#[tokio::test]
async fn concurrent_acknowledgements_take_effect_once() {
    let server = Server::start();
    let administrators = [
        server.administrator().await,
        colleague(&server, "second").await,
        colleague_as(&server, "helper", "support").await,
    ];
    orphan(&server, &administrators[0]).await;
    let path = acknowledgement_of(&newest_alert(&server));
    let answers = post_at_once(&administrators, &path, &[Value::Null], 9).await;
    let (done, refused): (Vec<_>, Vec<_>) = answers
        .into_iter()
        .partition(|answer| answer.0 == StatusCode::OK);
    assert_eq!((done.len(), refused.len()), (1, 8));
    for answer in &refused {
        assert_refused(answer, 409, "already_acknowledged");
    }
    let records = logged_acts(&administrators[0], "&action=alert_acknowledged").await;
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(
        records[0]["adminUsername"],
        done[0].1["acknowledgedBy"]["username"]
    );
    server.assert_clean();
}

/// Bets until a round wins 196 dollars; its ID.
async fn win_much(player: &Visitor) -> Value {
    let bet = json!({ "betAmount": "200.00", "targetNumber": 50, "betType": "over" });
    loop {
        let round = act(player, "/api/dice/play", bet.clone()).await;
        if round["winAmount"] != "0.00" {
            return round["roundId"].clone();
        }
    }
}

/// The mail arrives, and nobody answers at the webhook's address.
#[tokio::test]
async fn a_large_win_reaches_the_panel_with_what_became_of_its_deliveries() {
    let nowhere = format!("http://{}/token-in-the-path", free_address());
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_ALERT_LARGE_WIN", "100.00"),
        ("GLASSHOUSE_ALERT_MAIL", "ops@example.com"),
        ("GLASSHOUSE_ALERT_WEBHOOK_URL", nowhere.as_str()),
        (
            "GLASSHOUSE_ALERT_WEBHOOK_SECRET",
            "a-secret-of-the-operator",
        ),
    ]);
    let boss = server.administrator().await;
    let alice = server.funded_player("alice", "9000.00").await;
    let alice_id = get(&alice, "/api/user").await["id"].clone();
    let round = win_much(&alice).await;
    let alert = async || get(&boss, &format!("{ALERTS}?kind=large_win")).await[0].clone();
    let delivery = |alert: &Value, channel: &str| {
        let deliveries = alert["deliveries"].as_array().cloned().unwrap_or_default();
        let found = deliveries.into_iter().find(|one| one["channel"] == channel);
        found.unwrap_or(Value::Null)
    };
    wait_for(async || {
        let alert = alert().await;
        delivery(&alert, "mail")["state"] == "delivered"
            && delivery(&alert, "webhook")["problem"].is_string()
    })
    .await;
    let alert = alert().await;
    assert_eq!(
        (&alert["roundId"], &alert["user"]),
        (&round, &json!({ "id": alice_id, "username": "alice" }))
    );
    let text = format!("alice (#{alice_id}) has won $196.00 in round {round} of dice");
    assert!(
        alert["text"].as_str().unwrap().starts_with(&text),
        "{alert}"
    );
    let mail = delivery(&alert, "mail");
    assert_eq!(
        (&mail["recipient"], &mail["message"], &mail["attempts"]),
        (&json!("ops@example.com"), &json!("raised"), &json!(1))
    );
    assert!(mail["deliveredAt"].is_string(), "{mail}");
    let webhook = delivery(&alert, "webhook");
    assert_eq!(
        (
            &webhook["recipient"],
            &webhook["state"],
            &webhook["deliveredAt"]
        ),
        (&Value::Null, &json!("waiting"), &Value::Null)
    );
    assert!(!alert.to_string().contains("token-in-the-path"), "{alert}");
    assert!(mails(&server).await.contains("Alert: Large win"));
    act(&boss, &acknowledgement_of(&alert["id"]), Value::Null).await;
    server.assert_clean();
}
