//! Players cancel withdrawals that are still pending, and get the amount back once.

use glasshouse_casino::administration::{Decision, read_user};
use glasshouse_casino::money::{WithdrawalRequest, cancel_withdrawal, request_withdrawal};
use glasshouse_casino::{CasinoError, House, Refusal, Withdrawal};
use glasshouse_domain::{UserId, Wallet, WithdrawalId, WithdrawalStatus};
use rstest::rstest;
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, administrator, context, decide_withdrawal};
use crate::support::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::tampering::{assert_rows, disable_triggers};
use crate::support::{Backend, Fixture, assert_refused, both_databases};
use crate::withdrawals::ADDRESS;

async fn withdraw(house: &House, player: UserId, amount: &str) -> WithdrawalId {
    let request = WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap();
    let requested = request_withdrawal(house, player, request, None).await;
    requested.unwrap().withdrawal.id
}

async fn wallet(house: &House, player: UserId) -> Wallet {
    read_user(house, player).await.unwrap().wallet
}

async fn reject(house: &House, admin: UserId, id: WithdrawalId) -> Result<Withdrawal, CasinoError> {
    let decision = Decision::Reject("not today".to_owned());
    let decided = decide_withdrawal(house, context(admin), id, decision).await;
    decided.map(|entry| entry.withdrawal)
}

#[apply(both_databases)]
async fn a_cancelled_withdrawal_returns_its_amount_once(#[case] test: &Fixture) {
    let house = &test.house;
    let admin = administrator(test, "keeper").await;
    let (alice, bob) = (
        test.player("alice", 10_000).await,
        test.player("bob", 0).await,
    );
    let id = withdraw(house, alice, "30.01").await;
    for (player, id) in [(bob, id), (alice, WithdrawalId::new(999))] {
        let refused = cancel_withdrawal(house, player, id).await;
        assert_refused(refused, &Refusal::NotFound);
    }
    assert_eq!(wallet(house, alice).await.balance(), dollars(6_999));
    for _ in 0..3 {
        let cancelled = cancel_withdrawal(house, alice, id).await.unwrap();
        assert_eq!(cancelled.withdrawal.status, WithdrawalStatus::Cancelled);
        assert_eq!(cancelled.withdrawal.decided_at, Some(house.now()));
        assert_eq!(cancelled.wallet.balance(), dollars(10_000));
        assert_eq!(cancelled.wallet.available_to_withdraw(), dollars(10_000));
    }
    assert_eq!(
        test.texts(
            "SELECT kind || ' ' || amount_cents AS value FROM ledger_entries
             WHERE reference LIKE 'withdrawal:%' ORDER BY sequence"
        ),
        ["withdrawal -3001", "withdrawal_returned 3001"]
    );
    let refused = Refusal::AlreadyDecided(WithdrawalStatus::Cancelled);
    assert_refused(reject(house, admin, id).await, &refused);
    let approved = decide_withdrawal(house, context(admin), id, APPROVAL).await;
    assert_refused(approved, &refused);

    for decision in [APPROVAL, Decision::Reject("no".to_owned())] {
        let id = withdraw(house, alice, "20").await;
        let entry = decide_withdrawal(house, context(admin), id, decision).await;
        let status = entry.unwrap().withdrawal.status;
        let late = cancel_withdrawal(house, alice, id).await;
        assert_refused(late, &Refusal::AlreadyDecided(status));
    }
    assert_eq!(wallet(house, alice).await.balance(), dollars(8_000));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_cancellation_leaves_the_wagering_requirement_as_a_rejection_does(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (house, player) = (&test.house, fixture.player);
    let admin = administrator(test, "keeper").await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    test.set_balance(player, 12_500).await.unwrap();
    let before = wallet(house, player).await;
    assert_ne!(before.available_to_withdraw(), before.balance());
    let rejected = withdraw(house, player, "20").await;
    reject(house, admin, rejected).await.unwrap();
    assert_eq!(wallet(house, player).await, before);
    let cancelled = withdraw(house, player, "20").await;
    cancel_withdrawal(house, player, cancelled).await.unwrap();
    assert_eq!(wallet(house, player).await, before);
    test.assert_clean().await;
}

/// What one of the concurrent calls tries.
async fn attempt(
    house: House,
    number: usize,
    (player, admin): (UserId, UserId),
    id: WithdrawalId,
) -> Result<Withdrawal, CasinoError> {
    match number % 3 {
        0 => cancel_withdrawal(&house, player, id)
            .await
            .map(|cancelled| cancelled.withdrawal),
        1 => reject(&house, admin, id).await,
        _ => decide_withdrawal(&house, context(admin), id, APPROVAL)
            .await
            .map(|entry| entry.withdrawal),
    }
}

#[apply(both_databases)]
async fn of_concurrent_cancellations_and_decisions_one_takes_effect(#[case] test: &Fixture) {
    let admin = administrator(test, "keeper").await;
    let player = test.player("asker", 20_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let mut expected = 20_000;
    for round in 0..8 {
        let id = withdraw(&test.house, player, "20").await;
        let outcomes = at_once(12, |number| {
            // Each round begins with another kind of call, on alternating servers.
            let number = number + round;
            let house = houses[number / 3 % 2].clone();
            attempt(house, number, (player, admin), id)
        })
        .await;
        let status = outcomes
            .iter()
            .find_map(|outcome| Some(outcome.as_ref().ok()?.status))
            .unwrap();
        for outcome in outcomes {
            match outcome {
                // A cancellation can be repeated.
                Ok(withdrawal) => assert_eq!(withdrawal.status, status),
                refused => assert_refused(refused, &Refusal::AlreadyDecided(status)),
            }
        }
        if status == WithdrawalStatus::Approved {
            expected -= 2_000;
        }
        assert_eq!(
            wallet(&test.house, player).await.balance(),
            dollars(expected)
        );
    }
    test.assert_clean().await;
}

/// A withdrawal that was cancelled and one that was approved after a delay, by administrator 1 for
/// player 2.
async fn cancel_and_approve(test: &Fixture) {
    let day = std::time::Duration::from_hours(24);
    let house = &test.house.clone().delaying_withdrawals_by(day);
    let admin = administrator(test, "keeper").await;
    let player = test.player("alice", 10_000).await;
    let cancelled = withdraw(house, player, "20").await;
    cancel_withdrawal(house, player, cancelled).await.unwrap();
    let approved = withdraw(house, player, "30").await;
    test.clock.advance(day);
    decide_withdrawal(house, context(admin), approved, APPROVAL)
        .await
        .unwrap();
    test.assert_clean().await;
}

const RETURNED: &str =
    "every withdrawal is held in the ledger of its player, and returned if it was not paid";

#[rstest]
#[case::a_cancellation_undone(
    "UPDATE withdrawals SET status = 'pending', decided_at_micros = NULL WHERE id = 1",
    &[RETURNED],
)]
#[case::an_approval_turned_into_a_cancellation(
    "UPDATE withdrawals SET status = 'cancelled', decided_by = NULL WHERE id = 2",
    &[RETURNED],
)]
#[tokio::test]
async fn changed_cancellations_are_found(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[case] tampering: &str,
    #[case] invariants: &[&str],
) {
    let test = &Fixture::on(backend);
    cancel_and_approve(test).await;
    let triggers = disable_triggers(test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
    let report = test.check();
    for invariant in invariants {
        let mut findings = report.invariants.iter();
        assert!(
            findings.any(|finding| finding.invariant == *invariant && finding.count > 0),
            "{invariant}"
        );
    }
}

#[rstest]
#[case::an_earlier_end(
    "UPDATE withdrawals SET payable_from_micros = payable_from_micros - 1 WHERE id = 2"
)]
#[case::no_delay(
    "UPDATE withdrawals SET payable_from_micros = NULL, delay_reasons = NULL WHERE id = 2"
)]
#[case::other_reasons("UPDATE withdrawals SET delay_reasons = 'password_changed' WHERE id = 2")]
#[case::cancelled("UPDATE withdrawals SET status = 'cancelled', decided_by = NULL WHERE id = 2")]
#[tokio::test]
async fn a_changed_delay_differs_from_the_audit_record_of_the_approval(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[case] tampering: &str,
) {
    let test = &Fixture::on(backend);
    cancel_and_approve(test).await;
    let triggers = disable_triggers(test);
    test.sql(tampering).unwrap();
    test.sql(&triggers).unwrap();
    assert_rows(&test.check(), &["withdrawal 2"]);
}
