//! Creating and listing deposits, and their wagering requirement.

use std::time::Duration;

use glasshouse_casino::money::deposits::{
    DepositRequest, create_deposit, read_deposits, read_wagering,
};
use glasshouse_casino::{CasinoError, IdempotencyKey, Refusal};
use glasshouse_domain::Currency;
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::games::place_dice_bet;
use crate::support::{Fixture, assert_refused, bet, both_databases};

#[apply(both_databases)]
async fn one_idempotency_key_makes_one_deposit(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let request = DepositRequest {
        player: fixture.player,
        amount: dollars(5_000),
        currency: Currency::Eth,
        key: Some(IdempotencyKey::parse("double-click").unwrap()),
    };
    // Two servers share the database.
    let servers = [fixture.cashier.clone(), fixture.another_cashier()];
    let outcomes = at_once(20, |number| {
        let (cashier, request) = (servers[number % 2].clone(), request.clone());
        async move { create_deposit(&cashier, request).await }
    })
    .await;
    assert!(outcomes.iter().any(Result::is_ok));
    for outcome in outcomes {
        match outcome {
            Ok(deposit) => assert!(deposit.invoice_url.is_some()),
            Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::DepositInProgress),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(fixture.sandbox.invoices().len(), 1);
    let first = create_deposit(&fixture.cashier, request.clone())
        .await
        .unwrap();
    let again = create_deposit(&fixture.cashier, request.clone())
        .await
        .unwrap();
    assert_eq!(first.invoice_url, again.invoice_url);
    let other = DepositRequest {
        amount: dollars(5_001),
        ..request.clone()
    };
    assert_refused(
        create_deposit(&fixture.cashier, other).await,
        &Refusal::IdempotencyConflict,
    );
    let other = DepositRequest {
        currency: Currency::Btc,
        ..request
    };
    assert_refused(
        create_deposit(&fixture.cashier, other).await,
        &Refusal::IdempotencyConflict,
    );
    assert_eq!(fixture.sandbox.invoices().len(), 1);
}

#[apply(both_databases)]
async fn invalid_amounts_are_refused_without_a_record(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for cents in [0, -1] {
        let outcome = fixture.deposit_of(cents, Currency::Btc).await;
        assert_refused(outcome, &Refusal::DepositAmount);
    }
    assert!(
        test.texts("SELECT order_id AS value FROM deposits")
            .is_empty()
    );
}

#[apply(both_databases)]
async fn deposit_list_pages_are_complete(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let mut expected = Vec::new();
    for _ in 0..7 {
        let (deposit, invoice) = fixture.deposit().await;
        expected.insert(0, deposit.id);
        fixture.pay_percent(&invoice, 100).await;
    }
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let page = read_deposits(&test.house, fixture.player, before, 3)
            .await
            .unwrap();
        found.extend(page.entries.iter().map(|view| view.deposit.id));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(found, expected);
    let other = test.player("somebody", 0).await;
    assert!(
        read_deposits(&test.house, other, None, 3)
            .await
            .unwrap()
            .entries
            .is_empty()
    );
}

#[apply(both_databases)]
async fn deposits_are_wagered_oldest_first(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (first, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    test.clock.advance(Duration::from_mins(1));
    let (second, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 50).await;
    // An unpaid deposit is not listed.
    fixture.deposit().await;
    let half = fixture.find(&second).await.credited.cents();
    let check = async |unwagered: i64, expected: [(i64, i64); 2]| {
        let wagering = read_wagering(&test.house, fixture.player).await.unwrap();
        assert_eq!(wagering.wallet.unwagered(), dollars(unwagered));
        assert_eq!(wagering.older_remaining, dollars(0));
        let lines: Vec<_> = wagering
            .lines
            .iter()
            .map(|line| (line.wagered.wagered.cents(), line.wagered.remaining.cents()))
            .collect();
        assert_eq!(lines, expected);
        let ids: Vec<_> = wagering.lines.iter().map(|line| line.deposit.id).collect();
        assert_eq!(ids, [second.id, first.id], "newest first");
    };
    check(10_000 + half, [(0, half), (0, 10_000)]).await;
    let bet_cents = async |cents: i64| {
        place_dice_bet(
            &test.house,
            fixture.player,
            bet(cents, 1, BetType::Over),
            None,
        )
        .await
        .unwrap();
    };
    bet_cents(4_000).await;
    check(6_000 + half, [(0, half), (4_000, 6_000)]).await;
    // Enough for the next bets, which almost always win.
    test.set_balance(fixture.player, 50_000).await.unwrap();
    bet_cents(7_000).await;
    check(half - 1_000, [(1_000, half - 1_000), (10_000, 0)]).await;
    bet_cents(9_000).await;
    check(0, [(half, 0), (10_000, 0)]).await;
    test.assert_clean().await;
}
