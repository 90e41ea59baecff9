//! The payment of withdrawals through the provider.

use std::time::Duration;

use glasshouse_casino::PayoutRefusal;
use glasshouse_casino::administration::PayoutRecord;
use glasshouse_casino::money::payouts::quote_withdrawal;
use glasshouse_domain::{Currency, PayoutState};
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, context, decide_withdrawal};
use crate::support::approvals::balance;
use crate::support::cashier_fixture::dollars;
use crate::support::payouts::Paying;
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn an_approved_withdrawal_is_paid_and_confirmed(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = paying.approved("100").await;
    assert_eq!(paying.state(id).await, PayoutState::Claimed);
    test.assert_clean().await;
    let hold = |hold_payouts| {
        paying.fixture.sandbox.inject_fault(FaultInjection {
            hold_payouts,
            ..FaultInjection::default()
        });
    };
    hold(true);
    paying.steps(2).await;
    assert_eq!(paying.state(id).await, PayoutState::Sent);
    test.assert_clean().await;
    hold(false);
    paying.steps(2).await;
    let payout = paying.payout(id).await;
    assert_eq!(payout.state, PayoutState::Confirmed);
    // 99 dollars at 90,000 dollars a coin.
    assert_eq!(payout.coin_amount.as_deref(), Some("0.0011"));
    assert_eq!(payout.rate.as_deref(), Some("90000"));
    assert!(payout.network_fee.is_some());
    let [paid] = paying.paid(id).await.try_into().unwrap();
    assert_eq!(paid.amount.to_string(), "0.0011");
    assert!(
        payout
            .transaction_id
            .is_some_and(|id| id.starts_with("sandbox"))
    );
    assert_eq!(balance(test, paying.player), 90_000);
    // Nothing is left to do.
    let calls = paying.fixture.sandbox.calls();
    paying.steps(3).await;
    assert_eq!(paying.fixture.sandbox.calls(), calls);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn whatever_happens_to_a_call_the_withdrawal_is_paid_once(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let calls = [
        ("POST", "/payout"),
        ("POST", "/verify"),
        ("GET", "/payout"),
        ("POST", "/auth"),
        ("GET", "/estimate"),
    ];
    let answers = [
        Answer::Fault,
        Answer::TooManyRequests,
        Answer::DoneMoved,
        Answer::DoneRefused,
        Answer::DoneBusy,
        Answer::Lost,
    ];
    for (method, path) in calls {
        for answer in answers {
            // Lost answers cost a second each, and matter most where something is done.
            if answer == Answer::Lost && method == "GET" {
                continue;
            }
            let id = paying.approved("20").await;
            paying.fixture.sandbox.forget_tokens();
            let is_list = path == "/payout" && method == "GET";
            paying.fixture.sandbox.inject_fault(FaultInjection {
                answer: Some(answer),
                only: is_list.then(|| path.to_owned()),
                only_suffix: (!is_list).then(|| path.to_owned()),
                only_method: Some(method.to_owned()),
                count: Some(2),
                ..FaultInjection::default()
            });
            paying.steps(6).await;
            let context = format!("{method} {path} {answer:?}");
            assert_eq!(paying.state(id).await, PayoutState::Confirmed, "{context}");
            assert_eq!(paying.paid(id).await.len(), 1, "{context}");
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_failed_payment_is_returned_once_by_a_person(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    for (fail_payouts, reject_payouts) in [(1, 0), (0, 1)] {
        let before = balance(test, paying.player);
        let id = paying.approved("200").await;
        paying.fixture.sandbox.inject_fault(FaultInjection {
            fail_payouts,
            reject_payouts,
            ..FaultInjection::default()
        });
        let early = paying.record(0, id, PayoutRecord::Returned).await;
        assert_refused(early, &PayoutRefusal::State(PayoutState::Claimed).into());
        paying.steps(2).await;
        let payout = paying.payout(id).await;
        assert_eq!(payout.state, PayoutState::Failed);
        assert!(payout.problem.is_some() && payout.failed_by.is_none());
        assert_eq!(balance(test, paying.player), before - 20_000);
        test.assert_clean().await;
        paying.record(0, id, PayoutRecord::Returned).await.unwrap();
        let again = paying.record(1, id, PayoutRecord::Returned).await;
        assert_refused(again, &PayoutRefusal::State(PayoutState::Returned).into());
        assert_eq!(balance(test, paying.player), before);
        assert!(paying.paid(id).await.is_empty());
        paying.steps(2).await;
        test.assert_clean().await;
    }
}

#[apply(both_databases)]
async fn a_payment_can_be_stopped_until_the_provider_is_told_to_pay(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let failed = || PayoutRecord::Failed("the player has asked for it".to_owned());
    let sandbox = &paying.fixture.sandbox;
    // The provider has created it, and the answer is lost.
    let stopped = paying.approved("100").await;
    sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::DoneRefused),
        only_suffix: Some("/payout".to_owned()),
        only_method: Some("POST".to_owned()),
        ..FaultInjection::default()
    });
    paying.step().await;
    let payout = paying.payout(stopped).await;
    assert!(payout.requested_at.is_some() && payout.provider.is_none());
    assert!(payout.problem.is_some());
    paying.record(0, stopped, failed()).await.unwrap();
    paying.steps(3).await;
    assert_eq!(paying.state(stopped).await, PayoutState::Failed);
    assert!(paying.paid(stopped).await.is_empty());
    // The provider was told to pay it, and the answer is lost.
    let under_way = paying.approved("100").await;
    sandbox.inject_fault(FaultInjection {
        answer: Some(Answer::Fault),
        only_suffix: Some("/verify".to_owned()),
        ..FaultInjection::default()
    });
    paying.step().await;
    let by_hand = paying.record(0, under_way, PayoutRecord::Confirmed).await;
    assert_refused(by_hand, &PayoutRefusal::ByProvider.into());
    let hold = |hold_payouts| {
        sandbox.inject_fault(FaultInjection {
            hold_payouts,
            ..FaultInjection::default()
        });
    };
    hold(true);
    test.clock.advance(Duration::from_mins(1));
    paying.step().await;
    assert_eq!(paying.state(under_way).await, PayoutState::Sent);
    let refused = paying.record(0, under_way, failed()).await;
    assert_refused(refused, &PayoutRefusal::UnderWay.into());
    hold(false);
    paying.steps(3).await;
    assert_eq!(paying.state(under_way).await, PayoutState::Confirmed);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_review_blocks_the_approval(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let (deposit, _) = paying.fixture.deposit().await;
    let reviewed = deposit.player;
    test.set_balance(reviewed, 50_000).await.unwrap();
    let review = format!(
        "INSERT INTO reviews (payment_id, deposit_id, kind, details, opened_at_micros)
         VALUES ('7', {}, 'overpaid', 'too much', 1)",
        deposit.id
    );
    test.sql(&review).unwrap();
    let id = crate::support::payouts::request(&paying.cashier, reviewed, "30").await;
    test.clock.advance(std::time::Duration::from_hours(25));
    let by = || context(paying.cashiers[0]);
    let house = paying.cashier.house();
    let refused = decide_withdrawal(house, by(), id, APPROVAL).await;
    assert_refused(refused, &PayoutRefusal::OpenReview.into());
    test.sql("UPDATE reviews SET resolved_at_micros = 2, resolution = 'fine'")
        .unwrap();
    decide_withdrawal(house, by(), id, APPROVAL).await.unwrap();
}

#[apply(both_databases)]
async fn nobody_records_anything_about_their_own_withdrawal(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let own = paying.cashiers[1];
    test.set_balance(own, 10_000).await.unwrap();
    let id = crate::support::payouts::request(&paying.cashier, own, "30").await;
    let refused = paying.record(1, id, PayoutRecord::Confirmed).await;
    assert_refused(refused, &PayoutRefusal::OwnWithdrawal.into());
    let pending = paying.record(0, id, PayoutRecord::Confirmed).await;
    assert_refused(pending, &PayoutRefusal::NotApproved.into());
}

#[apply(both_databases)]
async fn the_price_of_a_coin_is_shared_by_all_who_ask(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let calls = paying.fixture.sandbox.calls();
    for cents in [1_980, 9_900, 123_456] {
        let quote = quote_withdrawal(&paying.cashier, dollars(cents), Currency::Btc).await;
        let quote = quote.unwrap().unwrap();
        assert!(quote.rate.to_string().starts_with("900"), "{quote:?}");
    }
    assert_eq!(paying.fixture.sandbox.calls() - calls, 1);
    test.clock.advance(std::time::Duration::from_secs(15));
    quote_withdrawal(&paying.cashier, dollars(1_980), Currency::Btc)
        .await
        .unwrap();
    assert_eq!(paying.fixture.sandbox.calls() - calls, 2);
}
