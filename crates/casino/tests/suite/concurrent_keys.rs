//! An administrator's idempotency key in concurrent calls to two servers.

use glasshouse_casino::administration::{AdminContext, adjust_balance, resolve_review};
use glasshouse_casino::{IdempotencyKey, Refusal};
use glasshouse_domain::UserId;
use rstest_reuse::apply;

use crate::support::administration::adjustment;
use crate::support::cashier_fixture::{CashierFixture, at_once, dollars, open_review};
use crate::support::{Fixture, assert_refused, both_databases};

async fn administrator(test: &Fixture) -> UserId {
    crate::support::administration::administrator(test, "hasty").await
}

fn context(administrator: UserId, key: &str) -> AdminContext {
    AdminContext {
        administrator,
        address: None,
        key: Some(IdempotencyKey::parse(key).unwrap()),
    }
}

#[apply(both_databases)]
async fn concurrent_calls_with_one_key_for_several_players_succeed_for_one(#[case] test: &Fixture) {
    let admin = administrator(test).await;
    let houses = [test.house.clone(), test.another_house()];
    for turn in 0..10 {
        let mut players = Vec::new();
        for number in 0..6 {
            players.push(test.player(&format!("player-{turn}-{number}"), 0).await);
        }
        let outcomes = at_once(6, |number| {
            let (house, player) = (houses[number % 2].clone(), players[number]);
            let context = context(admin, &format!("key-{turn}"));
            async move { adjust_balance(&house, context, adjustment(player, dollars(500))).await }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        for outcome in outcomes.into_iter().filter(Result::is_err) {
            assert_refused(outcome, &Refusal::IdempotencyConflict);
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_calls_with_one_key_for_a_review_return_the_same_result(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let admin = administrator(test).await;
    let houses = [test.house.clone(), test.another_house()];
    for turn in 0..5 {
        let (_, invoice) = fixture.deposit().await;
        fixture.pay_percent(&invoice, 300).await;
        let review = open_review(&test.house).await.id;
        let outcomes = at_once(6, |number| {
            let house = houses[number % 2].clone();
            let context = context(admin, &format!("key-{turn}"));
            async move { resolve_review(&house, context, review, "sent back").await }
        })
        .await;
        for outcome in outcomes {
            assert_eq!(outcome.unwrap().resolution.as_deref(), Some("sent back"));
        }
    }
    test.assert_clean().await;
}
