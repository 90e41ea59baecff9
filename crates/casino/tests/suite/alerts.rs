//! What is alerted to: once, however many servers watch, and until it is over.

use std::time::Duration;

use glasshouse_casino::accounts::{SignIn, sign_in};
use glasshouse_casino::alerts::{AlertOptions, Thresholds, purge_alerts, watch_once};
use glasshouse_casino::books::publish_returns;
use glasshouse_casino::money::{
    ProviderWatch, WithdrawalRequest, cancel_withdrawal, request_withdrawal,
};
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::{House, RequestOrigin};
use glasshouse_domain::{Money, TypedPassword, WithdrawalId};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::administration::administrator;
use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::{place_dice_bet, start_crash_round};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare};
use crate::support::{Fixture, bet, both_databases};
use crate::withdrawals::ADDRESS;

/// How often the house is looked at.
const PASS: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_hours(1);

/// Low thresholds, and no receivers.
fn options() -> AlertOptions {
    AlertOptions {
        thresholds: Thresholds {
            large_win: Money::from_cents(10_000),
            provider_failure: Duration::from_mins(10),
            queue_length: 1,
            queue_age: Duration::from_hours(48),
            refused_sign_ins: 5,
        },
        ..AlertOptions::default()
    }
}

/// Has two servers look at the house at the same time until there is nothing to do.
async fn watch(test: &Fixture, other: &House) -> usize {
    let options = options();
    let mut announced = 0;
    for _ in 0..3 {
        let (one, two) = tokio::join!(
            watch_once(&test.house, &options),
            watch_once(other, &options)
        );
        announced += one.unwrap() + two.unwrap();
    }
    announced
}

/// The keys of the alerts, oldest first, and which of them are resolved.
fn alerts(test: &Fixture) -> Vec<String> {
    test.texts(
        "SELECT key || CASE WHEN resolved_at_micros IS NULL THEN '' ELSE ' resolved' END AS value
         FROM alerts ORDER BY id",
    )
}

#[apply(both_databases)]
async fn each_large_win_is_alerted_to_once(#[case] test: &Fixture) {
    let alice = test.player("alice", 10_000_000).await;
    let other = test.another_house();
    let won = "SELECT 'large_win:' || id AS value FROM rounds WHERE state = 'settled'
        AND payout_cents - stake_cents >= 10000 ORDER BY id";
    // A round that ends at once.
    while test.texts(won).len() < 2 {
        // A win of 196 dollars, or of 98, which is not enough.
        for cents in [20_000, 10_000] {
            let bet = bet(cents, 50, BetType::Over);
            place_dice_bet(&test.house, alice, bet, None).await.unwrap();
        }
    }
    // One that was written as open and ended later, by whoever found it due.
    let terms = crash_bet(20_000, Some(200));
    prepare::<crash::Round>(test, alice, terms, crashes_in(300..100_000)).await;
    start_crash_round(&test.house, alice, terms, None)
        .await
        .unwrap();
    test.clock.advance(HOUR);
    open_rounds(&test.house, alice).await.unwrap();
    let expected = test.texts(won);
    assert!(expected.len() >= 3);
    assert_eq!(watch(test, &other).await, expected.len());
    assert_eq!(alerts(test), expected);
    let noted = test.texts("SELECT CAST(round_id AS TEXT) AS value FROM large_wins");
    assert!(noted.is_empty(), "{noted:?}");
    assert_eq!(watch(test, &other).await, 0);
    // The name is read when it is shown: it is not stored.
    let facts = test.texts("SELECT facts AS value FROM alerts");
    assert!(
        !facts.iter().any(|facts| facts.contains("alice")),
        "{facts:?}"
    );
    let users = test.texts("SELECT CAST(user_id AS TEXT) AS value FROM alerts");
    assert!(users.iter().all(|user| *user == alice.to_string()));
    test.assert_clean().await;
    test.clock.advance(Duration::from_hours(24 * 366));
    assert_eq!(purge_alerts(&test.house).await.unwrap(), expected.len());
    assert!(alerts(test).is_empty());
}

#[apply(both_databases)]
async fn smaller_wins_than_the_operator_asks_for_are_not_alerted_to(#[case] test: &Fixture) {
    let alice = test.player("alice", 10_000_000).await;
    while test.texts("SELECT 'x' AS value FROM large_wins").is_empty() {
        let bet = bet(20_000, 50, BetType::Over);
        place_dice_bet(&test.house, alice, bet, None).await.unwrap();
    }
    let defaults = AlertOptions::default();
    assert_eq!(watch_once(&test.house, &defaults).await.unwrap(), 0);
    assert!(test.texts("SELECT 'x' AS value FROM large_wins").is_empty());
    assert!(alerts(test).is_empty());
}

#[apply(both_databases)]
async fn a_long_queue_is_alerted_to_until_it_is_short(#[case] test: &Fixture) {
    let alice = test.player("alice", 100_000).await;
    let other = test.another_house();
    let request = async || {
        let request = WithdrawalRequest::parse("20.00", "btc", ADDRESS).unwrap();
        request_withdrawal(&test.house, alice, request, None)
            .await
            .unwrap();
    };
    let cancel = async || {
        let ids = test.texts(
            "SELECT CAST(MAX(id) AS TEXT) AS value FROM withdrawals WHERE status = 'pending'",
        );
        let id: WithdrawalId = ids[0].parse().unwrap();
        cancel_withdrawal(&test.house, alice, id).await.unwrap();
    };
    request().await;
    assert_eq!(watch(test, &other).await, 0);
    request().await;
    assert_eq!(watch(test, &other).await, 0, "not before the next pass");
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 1);
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 0);
    assert_eq!(alerts(test), ["queue:withdrawals"]);
    cancel().await;
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 1);
    assert_eq!(alerts(test), ["queue:withdrawals resolved"]);
    // What comes and goes is alerted to once an hour.
    request().await;
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 0);
    test.clock.advance(HOUR);
    assert_eq!(watch(test, &other).await, 1);
    assert_eq!(
        alerts(test),
        ["queue:withdrawals resolved", "queue:withdrawals"]
    );
    // An old withdrawal is too much alone.
    cancel().await;
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 1);
    test.clock.advance(48 * HOUR);
    assert_eq!(watch(test, &other).await, 1);
    assert_eq!(alerts(test).last().unwrap(), "queue:withdrawals");
}

#[apply(both_databases)]
async fn an_improbable_rtp_is_alerted_to_once_a_day(#[case] test: &Fixture) {
    let other = test.another_house();
    // 1,000 rounds of a dollar at even money that all won: 30 standard deviations.
    let today = test.house.now().day();
    test.sql(&format!(
        "INSERT INTO house_totals
         VALUES ({today}, 'dice', 0, 1000, 1000, 100000, 198000, 99000, 9801000)"
    ))
    .unwrap();
    let publish = async || {
        let (one, two) = tokio::join!(publish_returns(&test.house), publish_returns(&other));
        one.unwrap();
        two.unwrap();
    };
    publish().await;
    publish().await;
    assert_eq!(alerts(test), ["rtp:dice:2023-11-14"]);
    assert_eq!(watch(test, &other).await, 1);
    test.clock.advance(24 * HOUR);
    publish().await;
    assert_eq!(alerts(test), ["rtp:dice:2023-11-14", "rtp:dice:2023-11-15"]);
    assert_eq!(watch(test, &other).await, 1);
}

/// Tries a wrong password.
async fn mistype(house: &House, username: &str) {
    let attempt = SignIn {
        username: username.to_owned(),
        password: TypedPassword::new("wrong-wrong-wrong".to_owned()),
        origin: RequestOrigin::default(),
    };
    sign_in(house, attempt, None).await.unwrap_err();
}

/// Waits until this many refused attempts are recorded, which happens in the background.
async fn until_refused(test: &Fixture, count: usize) {
    let recorded = "SELECT kind AS value FROM security_events WHERE kind = 'sign_in_failed'";
    while test.texts(recorded).len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[apply(both_databases)]
async fn refused_sign_ins_are_alerted_to(#[case] test: &Fixture) {
    let boss = administrator(test, "boss").await;
    test.player("alice", 0).await;
    let other = test.another_house();
    mistype(&test.house, "alice").await;
    for _ in 0..2 {
        mistype(&test.house, "boss").await;
    }
    until_refused(test, 3).await;
    assert_eq!(watch(test, &other).await, 0, "{:?}", alerts(test));
    mistype(&other, "boss").await;
    until_refused(test, 4).await;
    let since = test.house.now().as_micros();
    let administrators = format!("failed_sign_ins:{boss}:{since}:3");
    assert_eq!(alerts(test), [administrators.as_str()]);
    assert_eq!(watch(test, &other).await, 1);
    // The fifth refusal in fifteen minutes, to whatever account.
    mistype(&test.house, "alice").await;
    until_refused(test, 5).await;
    test.clock.advance(PASS);
    assert_eq!(watch(test, &other).await, 1);
    assert_eq!(
        alerts(test),
        [administrators.as_str(), "failed_sign_ins:all"]
    );
    test.clock.advance(Duration::from_mins(15));
    assert_eq!(watch(test, &other).await, 1);
    assert_eq!(
        alerts(test),
        [administrators.as_str(), "failed_sign_ins:all resolved"]
    );
}

#[apply(both_databases)]
async fn a_new_review_is_alerted_to(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    let payment = fixture.pay_percent(&invoice, 200).await;
    assert_eq!(fixture.reviews(), ["overpaid"]);
    let opened = test.texts("SELECT CAST(opened_at_micros AS TEXT) AS value FROM reviews");
    let expected = [format!("review:{payment}:overpaid:{}", opened[0])];
    assert_eq!(alerts(test), expected);
    let other = test.another_house();
    assert_eq!(watch(test, &other).await, 1);
    // The review that is open is not opened again.
    fixture.reconcile_after(HOUR).await;
    assert_eq!(alerts(test), expected);
    assert_eq!(watch(test, &other).await, 0);
}

#[apply(both_databases)]
async fn a_provider_that_does_not_answer_is_alerted_to(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let second = fixture.another_cashier();
    let other = second.house();
    let mut watches = [ProviderWatch::default(), ProviderWatch::default()];
    let mut look = async || {
        let [one, two] = &mut watches;
        let after = options().thresholds.provider_failure;
        let (one, two) = tokio::join!(one.look(&fixture.cashier, after), two.look(&second, after));
        one.unwrap();
        two.unwrap();
    };
    look().await;
    test.clock.advance(HOUR);
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        count: Some(1_000),
        ..FaultInjection::default()
    });
    look().await;
    test.clock.advance(Duration::from_secs(599));
    look().await;
    assert!(alerts(test).is_empty());
    test.clock.advance(Duration::from_secs(1));
    look().await;
    look().await;
    assert_eq!(alerts(test), ["provider_failure"]);
    assert_eq!(watch(test, other).await, 1);
    fixture.sandbox.inject_fault(FaultInjection::default());
    look().await;
    assert_eq!(alerts(test), ["provider_failure resolved"]);
    assert_eq!(watch(test, other).await, 1);
    // A single failure is no outage.
    fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        count: Some(2),
        ..FaultInjection::default()
    });
    look().await;
    test.clock.advance(HOUR);
    look().await;
    assert_eq!(alerts(test), ["provider_failure resolved"]);
}
