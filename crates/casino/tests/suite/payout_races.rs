//! The payment of withdrawals by two servers at once, while administrators stop and return them.

use glasshouse_casino::administration::{PayoutRecord, record_payout};
use glasshouse_casino::money::payouts::pay_due;
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_domain::PayoutState;
use glasshouse_sandbox::{Answer, FaultInjection};
use rstest_reuse::apply;

use crate::support::administration::context;
use crate::support::approvals::balance;
use crate::support::cashier_fixture::at_once;
use crate::support::payouts::Paying;
use crate::support::{Fixture, both_databases};

/// Longer than a step is reserved, so that every server takes it as well.
const LEASE: std::time::Duration = std::time::Duration::from_secs(11);

#[apply(both_databases)]
async fn two_servers_pay_each_withdrawal_once(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let servers = [paying.cashier.clone(), paying.fixture.paying_cashier()];
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(paying.approved("20").await);
    }
    for turn in 0..6 {
        if turn % 2 == 0 {
            paying.fixture.sandbox.inject_fault(FaultInjection {
                answer: Some(Answer::DoneBusy),
                only: Some("/payout".to_owned()),
                only_method: Some("POST".to_owned()),
                count: Some(3),
                ..FaultInjection::default()
            });
        }
        at_once(4, |number| {
            let cashier = servers[number % 2].clone();
            test.clock.advance(LEASE);
            async move { pay_due(&cashier).await.unwrap() }
        })
        .await;
        paying.fixture.sandbox.rest().await.unwrap();
        test.clock.advance(std::time::Duration::from_mins(15));
    }
    paying.steps(3).await;
    for id in ids {
        assert_eq!(paying.state(id).await, PayoutState::Confirmed);
        assert_eq!(paying.paid(id).await.len(), 1);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_withdrawal_is_either_paid_or_returned(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let servers = [paying.cashier.clone(), paying.fixture.paying_cashier()];
    let mut outcomes = Vec::new();
    for _ in 0..6 {
        let before = balance(test, paying.player);
        let id = paying.approved("20").await;
        at_once(6, |number| {
            let cashier = servers[number % 2].clone();
            let by = context(paying.cashiers[number % 2]);
            async move {
                let record = match number {
                    0 | 1 => PayoutRecord::Failed("it is stopped".to_owned()),
                    2 | 3 => PayoutRecord::Returned,
                    _ => {
                        pay_due(&cashier).await.unwrap();
                        return;
                    }
                };
                match record_payout(cashier.house(), by, id, record).await {
                    Ok(_) | Err(CasinoError::Refused(Refusal::Payout(_))) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
        })
        .await;
        paying.fixture.sandbox.rest().await.unwrap();
        paying.steps(3).await;
        if paying.state(id).await == PayoutState::Failed {
            paying.record(1, id, PayoutRecord::Returned).await.unwrap();
        }
        let is_paid = paying.paid(id).await.len() == 1;
        let is_returned = balance(test, paying.player) == before;
        assert!(
            is_paid != is_returned,
            "paid {is_paid}, returned {is_returned}"
        );
        outcomes.push(is_paid);
    }
    test.assert_clean().await;
}
