//! Payments that the provider was told to make and does not make: they are stopped, and fail only when it is certain that
//! nothing was paid.

use std::time::Duration;

use glasshouse_casino::PayoutRefusal;
use glasshouse_casino::administration::{PayoutRecord, record_payout};
use glasshouse_casino::money::payouts::pay_due;
use glasshouse_domain::PayoutState;
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::administration::{audit_actions, keyed};
use crate::support::approvals::balance;
use crate::support::payouts::{Paying, answer_verifications, told_in_vain};
use crate::support::{Fixture, assert_refused, both_databases};

/// The secret of another authenticator.
const WRONG_SECRET: &str = "NB2W45DFOIZAGEZDGNBVMNZYHEYA2YLO";

fn stop() -> PayoutRecord {
    PayoutRecord::Failed("the provider does not answer".to_owned())
}

#[apply(both_databases)]
async fn a_stopped_payment_fails_once_nothing_can_be_under_way(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = told_in_vain(&paying, "400").await;
    paying.record(0, id, stop()).await.unwrap();
    let payout = paying.payout(id).await;
    assert_eq!(payout.state, PayoutState::Claimed);
    assert!(!payout.can_be_stopped());
    assert_eq!(audit_actions(test).await[0], "payout_stopped");
    test.assert_clean().await;
    let again = paying.record(1, id, stop()).await;
    assert_refused(again, &PayoutRefusal::UnderWay.into());
    // The provider would accept a verification again, and is not asked for one.
    for _ in 0..2 {
        paying.step().await;
        test.clock.advance(Duration::from_mins(4));
        assert_eq!(paying.state(id).await, PayoutState::Claimed);
    }
    let early = paying.record(1, id, PayoutRecord::Returned).await;
    assert_refused(early, &PayoutRefusal::State(PayoutState::Claimed).into());
    test.clock.advance(Duration::from_mins(2));
    paying.step().await;
    let payout = paying.payout(id).await;
    assert_eq!(payout.state, PayoutState::Failed);
    let reason = "stopped: the provider does not answer";
    assert_eq!(payout.problem.as_deref(), Some(reason));
    assert_eq!(payout.failed_by, None);
    assert!(
        paying
            .fixture
            .sandbox
            .payouts()
            .iter()
            .all(|payout| !payout.verified)
    );
    let before = balance(test, paying.player);
    paying.record(1, id, PayoutRecord::Returned).await.unwrap();
    assert_eq!(balance(test, paying.player), before + 40_000);
    paying.steps(3).await;
    assert!(paying.paid(id).await.is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_payment_that_was_made_after_all_is_confirmed_although_it_was_stopped(
    #[case] test: &Fixture,
) {
    let paying = Paying::open(test).await;
    let id = paying.approved("100").await;
    answer_verifications(&paying, Answer::Lost, 1);
    paying.step().await;
    paying.record(0, id, stop()).await.unwrap();
    paying.steps(3).await;
    assert_eq!(paying.state(id).await, PayoutState::Confirmed);
    assert_eq!(paying.paid(id).await.len(), 1);
    let refused = paying.record(1, id, PayoutRecord::Returned).await;
    assert_refused(
        refused,
        &PayoutRefusal::State(PayoutState::Confirmed).into(),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_stop_changes_nothing(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = told_in_vain(&paying, "100").await;
    let by = keyed(paying.cashiers[0], "once");
    for _ in 0..2 {
        record_payout(paying.cashier.house(), by.clone(), id, stop())
            .await
            .unwrap();
        paying.steps(2).await;
    }
    assert_eq!(paying.state(id).await, PayoutState::Failed);
    let stops = audit_actions(test).await;
    let stops = stops.iter().filter(|action| *action == "payout_stopped");
    assert_eq!(stops.count(), 1);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_wrong_secret_does_not_use_up_the_attempts(#[case] test: &Fixture) {
    let mut paying = Paying::open(test).await;
    let right = paying.cashier.clone();
    paying.cashier = paying
        .fixture
        .cashier_with_payout_secret(Some(WRONG_SECRET));
    let id = paying.approved("100").await;
    paying.steps(9).await;
    let payout = paying.payout(id).await;
    assert_eq!(
        (payout.state, payout.refused_codes),
        (PayoutState::Claimed, 5)
    );
    assert!(payout.problem.unwrap().contains("refuses the codes"));
    // The attempts that are left are not used up by the right secret either; a person has to look at it.
    paying.cashier = right;
    paying.steps(2).await;
    assert_eq!(paying.state(id).await, PayoutState::Claimed);
    paying.record(0, id, stop()).await.unwrap();
    paying.steps(2).await;
    assert_eq!(paying.state(id).await, PayoutState::Failed);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn payments_are_followed_without_the_secret(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let sent = paying.approved("100").await;
    let hold = |hold_payouts| {
        paying.fixture.sandbox.inject_fault(FaultInjection {
            hold_payouts,
            ..FaultInjection::default()
        });
    };
    hold(true);
    paying.step().await;
    assert_eq!(paying.state(sent).await, PayoutState::Sent);
    let waiting = paying.approved("100").await;
    hold(false);
    let follower = paying.fixture.cashier_with_payout_secret(None);
    for _ in 0..3 {
        pay_due(&follower).await.unwrap();
        paying.fixture.sandbox.rest().await.unwrap();
        test.clock.advance(Duration::from_mins(15));
    }
    assert_eq!(paying.state(sent).await, PayoutState::Confirmed);
    let waiting = paying.payout(waiting).await;
    assert_eq!(
        (waiting.state, waiting.requested_at),
        (PayoutState::Claimed, None)
    );
    assert!(waiting.problem.unwrap().contains("not configured"));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_database_refuses_steps_of_the_wrong_person(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = told_in_vain(&paying, "100").await;
    paying.record(0, id, stop()).await.unwrap();
    let by = paying.cashiers[1];
    for change in [
        "stopped_at_micros = NULL".to_owned(),
        "stop_reason = 'another'".to_owned(),
        format!("stopped_by = {by}"),
        format!(
            "state = 'failed', failed_at_micros = 1, problem = 'x', failed_by = {by}, next_step_at_micros = NULL"
        ),
        format!("state = 'sent', sent_at_micros = 1, sent_by = {by}"),
        "refused_codes = -1".to_owned(),
    ] {
        let statement = format!("UPDATE payouts SET {change}");
        assert!(test.sql(&statement).is_err(), "{statement}");
    }
}
