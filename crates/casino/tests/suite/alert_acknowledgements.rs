//! Alerts in the panel: listed with what their receivers were told, and acknowledged once, by whoever is first.

use glasshouse_casino::administration::{acknowledge_alert, list, read_pending_work};
use glasshouse_casino::{AlertEntry, AlertQuery, DeliveryEntry, Refusal};
use glasshouse_domain::{AlertChannel, AlertId, AlertMessage, Timestamp};
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::administration::{administrator, audit_actions, context, keyed};
use crate::support::alerts::{raise, raise_about};
use crate::support::cashier_fixture::at_once;
use crate::support::tampering::{assert_rows, disable_triggers};
use crate::support::{Backend, Fixture, assert_refused, both_databases};

/// The whole list, newest first.
async fn listed(test: &Fixture) -> Vec<AlertEntry> {
    let query = AlertQuery {
        limit: 50,
        ..AlertQuery::default()
    };
    list(&test.house, query).await.unwrap().entries
}

/// How many alerts wait for somebody.
async fn waiting(test: &Fixture) -> u64 {
    read_pending_work(&test.house).await.unwrap().alerts
}

#[apply(both_databases)]
async fn an_alert_is_listed_with_its_deliveries_and_acknowledged_once(#[case] test: &Fixture) {
    let ann = administrator(test, "ann").await;
    let ben = administrator(test, "ben").await;
    let alice = test.player("alice", 0).await;
    let first = raise_about(test, "large_win", Some(alice));
    let second = raise(test, "test");
    assert_eq!(waiting(test).await, 2);
    test.sql(&format!(
        "INSERT INTO alert_deliveries (alert_id, message, channel, recipient, created_at_micros,
            expires_at_micros, attempts, next_attempt_at_micros, delivered_at_micros, problem)
         VALUES ({first}, 'raised', 'webhook', '', 1, 9, 2, 8, NULL, 'it answered 500'),
            ({first}, 'raised', 'mail', 'ops@example.com', 1, 9, 1, NULL, 7, NULL),
            ({first}, 'raised', 'mail', 'boss@example.com', 1, 9, 9, NULL, NULL, 'unknown')"
    ))
    .unwrap();
    test.clock.advance(std::time::Duration::from_secs(1));
    let done = acknowledge_alert(&test.house, context(ann), first)
        .await
        .unwrap();
    assert_eq!(done.acknowledged_at, Some(test.house.now()));
    assert_eq!(done.acknowledged_by.unwrap().username, "ann");
    let [newest, oldest]: [AlertEntry; 2] = listed(test).await.try_into().unwrap();
    assert_eq!((newest.alert.id, oldest.alert.id), (second, first));
    assert_eq!(newest.acknowledged_at, None);
    assert!(newest.acknowledged_by.is_none() && newest.deliveries.is_empty());
    assert_eq!(oldest.alert.user, Some((alice, "alice".to_owned())));
    assert_eq!(oldest.acknowledged_by.unwrap().id, ann);
    let [webhook, told, given_up]: [DeliveryEntry; 3] = oldest.deliveries.try_into().unwrap();
    assert_eq!(webhook.message, AlertMessage::Raised);
    assert_eq!(
        (webhook.channel, webhook.attempts),
        (AlertChannel::Webhook, 2)
    );
    assert!(webhook.is_waiting && webhook.delivered_at.is_none());
    assert_eq!(webhook.problem.as_deref(), Some("it answered 500"));
    assert_eq!(told.recipient, "ops@example.com");
    assert_eq!(told.delivered_at, Some(Timestamp::from_micros(7)));
    assert!(!given_up.is_waiting && given_up.delivered_at.is_none());
    assert_eq!(waiting(test).await, 1);

    let again = acknowledge_alert(&test.house, context(ben), first).await;
    assert_refused(again, &Refusal::AlreadyAcknowledged);
    let unknown = acknowledge_alert(&test.house, context(ben), AlertId::new(99)).await;
    assert_refused(unknown, &Refusal::NotFound);
    let by = listed(test).await.remove(1).acknowledged_by.unwrap();
    assert_eq!(by.id, ann, "the second one changes nothing");
    let record = test.texts(
        "SELECT actor_id || ' ' || target_user_id || ' ' || subject AS value FROM audit_log
         WHERE action = 'alert_acknowledged'",
    );
    assert_eq!(record, [format!("{ann} {alice} alert {first}, large_win")]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_request_is_answered_as_the_first_one(#[case] test: &Fixture) {
    let ann = administrator(test, "ann").await;
    let (first, second) = (raise(test, "test"), raise(test, "test"));
    for _ in 0..2 {
        let done = acknowledge_alert(&test.house, keyed(ann, "once"), first).await;
        assert_eq!(done.unwrap().acknowledged_by.unwrap().id, ann);
    }
    let other = acknowledge_alert(&test.house, keyed(ann, "once"), second).await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    assert_eq!(waiting(test).await, 1);
    test.assert_clean().await;
}

/// Some of the requests have keys, others have none.
#[apply(both_databases)]
async fn of_two_administrators_on_two_servers_one_acknowledges(#[case] test: &Fixture) {
    let administrators = [
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    ];
    let houses = [test.house.clone(), test.another_house()];
    for turn in 0..10 {
        let alert = raise(test, "test");
        let outcomes = at_once(6, |number| {
            let house = houses[number % 2].clone();
            let by = administrators[number % 2];
            let context = if number < 4 {
                keyed(by, &format!("key-{turn}-{number}"))
            } else {
                context(by)
            };
            async move { acknowledge_alert(&house, context, alert).await }
        })
        .await;
        let (done, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!((done.len(), refused.len()), (1, 5));
        for outcome in refused {
            assert_refused(outcome, &Refusal::AlreadyAcknowledged);
        }
    }
    let acts = audit_actions(test).await;
    let acknowledged = acts.iter().filter(|act| *act == "alert_acknowledged");
    assert_eq!(acknowledged.count(), 10);
    assert_eq!(waiting(test).await, 0);
    test.assert_clean().await;
}

/// No more are counted than the badge needs to know.
#[apply(both_databases)]
async fn many_alerts_are_not_all_counted(#[case] test: &Fixture) {
    let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)";
    test.sql(&format!(
        "INSERT INTO alerts (kind, key, facts, is_condition, raised_at_micros)
         {numbers} SELECT 'test', 'test:' || i, '{{}}', 0, 1 FROM n"
    ))
    .unwrap();
    assert_eq!(waiting(test).await, 1_000);
}

/// Ann is user 1, Ben user 2. Ann has acknowledged alert 1, and nobody alert 2.
async fn acknowledged_house(test: &Fixture) {
    let ann = administrator(test, "ann").await;
    administrator(test, "ben").await;
    let alert = raise_about(test, "large_win", Some(ann));
    raise(test, "test");
    acknowledge_alert(&test.house, context(ann), alert)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[rstest]
#[case::passed_off_as_somebody_elses("UPDATE alerts SET acknowledged_by = 2 WHERE id = 1", 1)]
#[case::dated_back("UPDATE alerts SET acknowledged_at_micros = 1 WHERE id = 1", 1)]
#[case::taken_back(
    "UPDATE alerts SET acknowledged_by = NULL, acknowledged_at_micros = NULL WHERE id = 1",
    1
)]
#[case::about_somebody_else("UPDATE alerts SET user_id = 2 WHERE id = 1", 1)]
#[case::acknowledged_without_a_record(
    "UPDATE alerts SET acknowledged_by = 2, acknowledged_at_micros = 1 WHERE id = 2",
    2
)]
#[tokio::test]
async fn the_check_notices(#[case] tampering: &str, #[case] alert: i64) {
    let test = Fixture::on(Backend::Sqlite);
    acknowledged_house(&test).await;
    let triggers = disable_triggers(&test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
    assert_rows(
        &test.check(),
        &[format!("alert {alert}: whether it was acknowledged")],
    );
}

#[apply(both_databases)]
async fn an_acknowledgement_cannot_be_changed_and_may_be_forgotten_with_its_alert(
    #[case] test: &Fixture,
) {
    acknowledged_house(test).await;
    for change in [
        "acknowledged_by = 2",
        "acknowledged_at_micros = 1",
        "acknowledged_by = NULL, acknowledged_at_micros = NULL",
    ] {
        let refused = test.sql(&format!("UPDATE alerts SET {change} WHERE id = 1"));
        assert!(
            refused.unwrap_err().contains("acknowledged once"),
            "{change}"
        );
    }
    for half in ["acknowledged_by = 2", "acknowledged_at_micros = 1"] {
        let refused = test.sql(&format!("UPDATE alerts SET {half} WHERE id = 2"));
        refused.unwrap_err();
    }
    // As after a year.
    test.sql("DELETE FROM alerts WHERE id = 1").unwrap();
    test.assert_clean().await;
}
