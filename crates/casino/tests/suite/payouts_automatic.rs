//! Withdrawals that are approved without a person.

use std::time::Duration;

use glasshouse_casino::administration::list;
use glasshouse_casino::administration::set_thresholds;
use glasshouse_casino::money::payouts::approve_automatically;
use glasshouse_casino::{WithdrawalEntry, WithdrawalQuery};
use glasshouse_domain::{ApprovalThresholds, Currency, PayoutState, WithdrawalStatus};
use rstest_reuse::apply;

use crate::support::administration::audit_actions;
use crate::support::cashier_fixture::{at_once, dollars};
use crate::support::games::play_dice;
use crate::support::payouts::{Paying, request};
use crate::support::tampering::block_updates;
use crate::support::{Fixture, both_databases};

/// A player without a risk factor: deposits that were wagered, and an address that was used before.
async fn trusted(test: &Fixture) -> Paying<'_> {
    let paying = Paying::open(test).await;
    let deposit = paying.fixture.deposit_request(1_000, Currency::Btc);
    let request = glasshouse_casino::money::deposits::DepositRequest {
        player: paying.player,
        ..deposit
    };
    let deposit =
        glasshouse_casino::money::deposits::create_deposit(&paying.fixture.cashier, request)
            .await
            .unwrap();
    let invoice = glasshouse_payments::InvoiceId::parse(&deposit.invoice_id.unwrap()).unwrap();
    paying.fixture.pay_in_full(&invoice).await;
    play_dice(test, paying.player, 30).await;
    paying.approved("20").await;
    paying.steps(3).await;
    // Whom somebody has lately credited by hand is not paid automatically.
    test.clock.advance(Duration::from_hours(31 * 24));
    paying
}

async fn set_limit(test: &Fixture, automatic: i64, house_per_day: i64) {
    set_thresholds(&test.house, move |present| ApprovalThresholds {
        automatic_withdrawal: dollars(automatic),
        house_per_day: dollars(house_per_day),
        ..present
    })
    .await
    .unwrap();
}

async fn entry(test: &Fixture, id: glasshouse_domain::WithdrawalId) -> WithdrawalEntry {
    let query = WithdrawalQuery {
        search: Some(format!("#{id}")),
        limit: 200,
        ..WithdrawalQuery::default()
    };
    let page = list(&test.house, query).await.unwrap();
    let mut entries = page.entries.into_iter();
    entries.find(|entry| entry.withdrawal.id == id).unwrap()
}

#[apply(both_databases)]
async fn small_withdrawals_without_risk_are_approved_within_the_limits(#[case] test: &Fixture) {
    let paying = trusted(test).await;
    let pending = paying.request("30").await;
    assert_eq!(entry(test, pending).await.withdrawal.risk.factors(), []);
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 0);
    set_limit(test, 2_999, 100_000).await;
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 0);
    set_limit(test, 5_000, 100_000).await;
    // Where withdrawals are paid by hand, none is approved automatically.
    assert_eq!(
        approve_automatically(&paying.fixture.cashier)
            .await
            .unwrap(),
        0
    );
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 1);
    let approved = entry(test, pending).await;
    assert_eq!(approved.withdrawal.status, WithdrawalStatus::Approved);
    assert!(approved.decided_by.is_none());
    assert_eq!(approved.payout.unwrap().state, PayoutState::Claimed);
    assert_eq!(
        audit_actions(test).await[0],
        "withdrawal_approved_automatically"
    );
    test.assert_clean().await;
    // The limit holds for the sum of a day, not for each one.
    let second = request(&paying.cashier, paying.player, "20.01").await;
    let third = request(&paying.cashier, paying.player, "20").await;
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 1);
    assert_eq!(
        entry(test, third).await.withdrawal.status,
        WithdrawalStatus::Approved
    );
    test.clock.advance(Duration::from_hours(24));
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 1);
    assert_eq!(
        entry(test, second).await.withdrawal.status,
        WithdrawalStatus::Approved
    );
    paying.steps(3).await;
    for id in [pending, second, third] {
        assert_eq!(paying.paid(id).await.len(), 1);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn two_servers_stay_within_the_limits_together(#[case] test: &Fixture) {
    let paying = trusted(test).await;
    set_limit(test, 100_000, 10_000).await;
    for _ in 0..8 {
        request(&paying.cashier, paying.player, "20").await;
    }
    let servers = [paying.cashier.clone(), paying.fixture.paying_cashier()];
    let outcomes = at_once(8, |number| {
        let cashier = servers[number % 2].clone();
        async move { approve_automatically(&cashier).await.unwrap() }
    })
    .await;
    // 100 dollars a day for the house.
    assert_eq!(outcomes.into_iter().sum::<usize>(), 5);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_risk_factor_needs_a_person(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    set_limit(test, 100_000, 100_000).await;
    let risky = paying.request("20").await;
    assert!(entry(test, risky).await.withdrawal.risk.points() > 0);
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 0);
    assert_eq!(
        entry(test, risky).await.withdrawal.status,
        WithdrawalStatus::Pending
    );
}

#[apply(both_databases)]
async fn a_withdrawal_that_meets_a_fault_does_not_hold_up_the_others(#[case] test: &Fixture) {
    let paying = trusted(test).await;
    set_limit(test, 100_000, 100_000).await;
    let first = request(&paying.cashier, paying.player, "20").await;
    let second = request(&paying.cashier, paying.player, "20").await;
    block_updates(test, "withdrawals", &format!("NEW.id = {first}"));
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 1);
    let status = async |id| entry(test, id).await.withdrawal.status;
    assert_eq!(status(first).await, WithdrawalStatus::Pending);
    assert_eq!(status(second).await, WithdrawalStatus::Approved);
}
