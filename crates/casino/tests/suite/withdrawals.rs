//! Withdrawals: validated in the form's order, and held at once and only once.

use glasshouse_casino::money::{
    WithdrawalRequest, WithdrawalRequested, read_withdrawals, request_withdrawal,
};
use glasshouse_casino::{CasinoError, IdempotencyKey, Refusal};
use glasshouse_domain::{Currency, UserId, WithdrawalId, WithdrawalStatus, WithdrawalTermsError};
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

pub(crate) const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

fn request(amount: &str) -> WithdrawalRequest {
    WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap()
}

async fn withdraw(
    test: &Fixture,
    player: UserId,
    amount: &str,
    key: Option<&str>,
) -> Result<WithdrawalRequested, CasinoError> {
    let key = key.map(|key| IdempotencyKey::parse(key).unwrap());
    request_withdrawal(&test.house, player, request(amount), key).await
}

#[test]
fn validation_reports_the_first_error_in_the_forms_order() {
    let check = |amount: &str, currency: &str, address: &str, expected: Refusal| {
        let outcome = WithdrawalRequest::parse(amount, currency, address);
        assert_eq!(outcome, Err(expected), "{amount} {currency} {address}");
    };
    for amount in [
        "", "abc", "1e3", "1,000", "20.005", "-50", "0x10", " 20", "NaN",
    ] {
        check(amount, "", "", Refusal::WithdrawalAmount);
    }
    let not_positive = Refusal::WithdrawalTerms(WithdrawalTermsError::NotPositive);
    assert_eq!(
        not_positive.to_string(),
        Refusal::WithdrawalAmount.to_string()
    );
    check("0", "", "", not_positive);
    let below = Refusal::WithdrawalTerms(WithdrawalTermsError::BelowMinimum);
    check("19.99", "", "", below);
    check("20", "", "", Refusal::WithdrawalCurrency);
    check("20", "gold", "", Refusal::WithdrawalCurrency);
    check("20", "btc", "", Refusal::AddressMissing);
    check("20", "btc", "  \t ", Refusal::AddressMissing);
    check(
        "20",
        "btc",
        "nowhere",
        Refusal::AddressInvalid(Currency::Btc),
    );
    check("20", "eth", ADDRESS, Refusal::AddressInvalid(Currency::Eth));
    assert!(WithdrawalRequest::parse("20", "btc", &format!(" {ADDRESS}\n")).is_ok());
}

#[apply(both_databases)]
async fn a_requested_amount_is_held_at_once(#[case] test: &Fixture) {
    let player = test.player("winner", 10_000).await;
    let refused = withdraw(test, player, "100.01", None).await;
    assert_refused(refused, &Refusal::WithdrawalAboveBalance);
    let requested = withdraw(test, player, "33.33", None).await.unwrap();
    let withdrawal = requested.withdrawal;
    assert_eq!(withdrawal.fee, dollars(34), "1 %, rounded up");
    assert_eq!(withdrawal.net(), dollars(3_299));
    assert_eq!(withdrawal.status, WithdrawalStatus::Pending);
    assert_eq!(requested.wallet.balance(), dollars(6_667));
    assert_eq!(
        test.texts("SELECT reference AS value FROM ledger_entries WHERE kind = 'withdrawal'"),
        [format!("withdrawal:{}", withdrawal.id)]
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn deposits_must_be_wagered_first(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    let refused = withdraw(test, fixture.player, "20", None).await;
    assert_refused(refused, &Refusal::NotWagered);
    // The balance is checked before the wagering requirement.
    let refused = withdraw(test, fixture.player, "100.01", None).await;
    assert_refused(refused, &Refusal::WithdrawalAboveBalance);
    test.set_balance(fixture.player, 12_500).await.unwrap();
    assert_refused(
        withdraw(test, fixture.player, "25.01", None).await,
        &Refusal::NotWagered,
    );
    withdraw(test, fixture.player, "25", None).await.unwrap();
    assert_refused(
        withdraw(test, fixture.player, "20", None).await,
        &Refusal::NotWagered,
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_withdrawals_never_exceed_the_balance(#[case] test: &Fixture) {
    let player = test.player("hasty", 20_000).await;
    // Two servers share the database.
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(50, |number| {
        let house = houses[number % 2].clone();
        async move { request_withdrawal(&house, player, request("20"), None).await }
    })
    .await;
    let held = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(held, 10);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(outcome, &Refusal::WithdrawalAboveBalance);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn one_idempotency_key_makes_one_withdrawal(#[case] test: &Fixture) {
    let player = test.player("repeater", 10_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(20, |number| {
        let house = houses[number % 2].clone();
        let key = IdempotencyKey::parse("same").unwrap();
        async move { request_withdrawal(&house, player, request("30"), Some(key)).await }
    })
    .await;
    let ids: std::collections::HashSet<WithdrawalId> = outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap().withdrawal.id)
        .collect();
    assert_eq!(ids.len(), 1);
    let refused = withdraw(test, player, "31", Some("same")).await;
    assert_refused(refused, &Refusal::IdempotencyConflict);
    let page = read_withdrawals(&test.house, player, None, 10)
        .await
        .unwrap();
    assert_eq!(page.entries.len(), 1);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_database_rejects_changes_of_withdrawals(#[case] test: &Fixture) {
    let player = test.player("asker", 10_000).await;
    withdraw(test, player, "30", None).await.unwrap();
    for statement in [
        "UPDATE withdrawals SET amount_cents = 1",
        "UPDATE withdrawals SET address = 'mine'",
        "UPDATE withdrawals SET status = 'approved'",
        "UPDATE withdrawals SET status = 'rejected', decided_by = 99, decided_at_micros = 1",
        "DELETE FROM withdrawals",
    ] {
        assert!(test.sql(statement).is_err(), "{statement}");
    }
    // The player cannot decide on their own withdrawal.
    let own = format!(
        "UPDATE withdrawals SET status = 'approved', decided_by = {player}, decided_at_micros = 1"
    );
    assert!(test.sql(&own).is_err());
    let other = test.player("decider", 0).await;
    let decide = |status: &str| {
        format!(
            "UPDATE withdrawals SET status = '{status}', decided_by = {other}, \
             decided_at_micros = 1"
        )
    };
    test.sql(&decide("approved")).unwrap();
    assert!(test.sql(&decide("pending")).is_err(), "decided once");
}
