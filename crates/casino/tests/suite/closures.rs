//! Closing an account: nothing may be left to settle, exactly one of simultaneous requests wins, and an
//! exclusion and late payments outlive it.

use glasshouse_casino::accounts::{SignIn, open_proved_session, sign_in};
use glasshouse_casino::administration::set_role;
use glasshouse_casino::limits::read_limits;
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::privacy::{Closure, close_account, reopen_account};
use glasshouse_casino::{
    AccountRefusal, CasinoError, ClosureRefusal, House, Refusal, RequestOrigin,
};
use glasshouse_domain::{Currency, ExclusionDuration, Money, Role, TypedPassword, UserId};
use glasshouse_sandbox::Action;
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, administrator, audit_actions, context, decide_withdrawal, pay_by_hand,
};
use crate::support::cashier_fixture::{CashierFixture, at_once};
use crate::support::games::deal_poker_hand;
use crate::support::limits::{exclude_for, stake};
use crate::support::poker::{dollars, draw};
use crate::support::{Fixture, assert_refused, both_databases};

const PASSWORD: &str = "tr4vel-lamp";
const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

pub(crate) async fn close(
    house: &House,
    user: UserId,
    given_up: Option<i64>,
) -> Result<(), CasinoError> {
    let closure = Closure {
        user,
        given_up: given_up.map(Money::from_cents),
        origin: RequestOrigin::default(),
    };
    close_account(house, closure).await
}

fn attempt(name: &str, password: &str) -> SignIn {
    SignIn {
        username: name.to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: RequestOrigin::default(),
    }
}

fn withdrawal(amount: &str) -> WithdrawalRequest {
    WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap()
}

#[apply(both_databases)]
async fn an_account_closes_once_nothing_is_left_to_settle(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = administrator(test, "boss").await;
    let player = test.player("leaving", 5_000).await;
    let left = ClosureRefusal::BalanceLeft(Money::from_cents(5_000)).into();
    assert_refused(close(house, player, None).await, &left);
    assert_refused(close(house, player, Some(5_000)).await, &left);
    deal_poker_hand(house, player, dollars(5), None)
        .await
        .unwrap();
    assert_refused(
        close(house, player, None).await,
        &ClosureRefusal::RoundOpen.into(),
    );
    draw(house, player).await.unwrap();
    test.set_balance(player, 2_600).await.unwrap();
    let held = request_withdrawal(house, player, withdrawal("25.00"), None)
        .await
        .unwrap();
    let pending = ClosureRefusal::WithdrawalPending.into();
    assert_refused(close(house, player, Some(100)).await, &pending);
    decide_withdrawal(house, context(boss), held.withdrawal.id, APPROVAL)
        .await
        .unwrap();
    assert_refused(close(house, player, Some(100)).await, &pending);
    pay_by_hand(house, boss, held.withdrawal.id).await;
    let remainder = ClosureRefusal::RemainderLeft(Money::from_cents(100)).into();
    assert_refused(close(house, player, None).await, &remainder);
    let changed = ClosureRefusal::RemainderChanged(Money::from_cents(100)).into();
    assert_refused(close(house, player, Some(99)).await, &changed);
    test.assert_clean().await;

    let name = "leaving";
    let proof = sign_in(house, attempt(name, PASSWORD), None)
        .await
        .unwrap()
        .proof;
    let late = sign_in(house, attempt(name, PASSWORD), None)
        .await
        .unwrap()
        .proof;
    open_proved_session(house, proof, RequestOrigin::default())
        .await
        .unwrap();
    close(house, player, Some(100)).await.unwrap();
    let sessions = "SELECT key_hash AS value FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE u.username = 'leaving'";
    assert!(test.texts(sessions).is_empty());
    let entries = test.texts(&format!(
        "SELECT kind || ' ' || CAST(amount_cents AS TEXT) AS value FROM ledger_entries
         WHERE player_id = {player} ORDER BY sequence DESC LIMIT 1"
    ));
    assert_eq!(entries, ["adjustment -100"]);
    assert_eq!(audit_actions(test).await[0], "account_closed");
    // A password that was checked before opens no session afterwards.
    let closed = AccountRefusal::Closed.into();
    let opened = open_proved_session(house, late, RequestOrigin::default()).await;
    assert_refused(opened, &closed);
    assert_refused(close(house, player, None).await, &closed);
    assert_refused(sign_in(house, attempt(name, PASSWORD), None).await, &closed);
    let wrong = sign_in(house, attempt(name, "wrong-password"), None).await;
    assert_refused(wrong, &Refusal::InvalidCredentials);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_closed_account_neither_plays_nor_moves_money_and_can_be_reopened(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (house, player) = (&test.house, fixture.player);
    let exclusion = exclude_for(test, player, ExclusionDuration::SixMonths).await;
    close(house, player, None).await.unwrap();
    let closed = AccountRefusal::Closed.into();
    // Even with a balance, which an administrator can still set.
    test.set_balance(player, 10_000).await.unwrap();
    assert_refused(stake(house, player, 100).await, &closed);
    let requested = request_withdrawal(house, player, withdrawal("25.00"), None).await;
    assert_refused(requested, &closed);
    let request = fixture.deposit_request(5_000, Currency::Btc);
    assert_refused(create_deposit(&fixture.cashier, request).await, &closed);
    test.assert_clean().await;

    let name = test
        .texts(&format!(
            "SELECT username AS value FROM users WHERE id = {player}"
        ))
        .concat();
    assert_eq!(reopen_account(house, &name).await.unwrap(), player);
    assert_refused(
        reopen_account(house, &name).await,
        &AccountRefusal::NotClosed.into(),
    );
    sign_in(house, attempt(&name, PASSWORD), None)
        .await
        .unwrap();
    let limits = read_limits(house, player).await.unwrap();
    assert_eq!(limits.exclusion, Some(exclusion));
    assert!(stake(house, player, 100).await.is_err(), "still excluded");
    request_withdrawal(house, player, withdrawal("25.00"), None)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_invoice_that_can_be_paid_keeps_an_account_open_and_a_late_payment_is_credited(
    #[case] test: &Fixture,
) {
    let fixture = CashierFixture::open(test).await;
    let (house, player) = (&test.house, fixture.player);
    let (deposit, invoice) = fixture.deposit().await;
    let payable = ClosureRefusal::InvoicePayable.into();
    assert_refused(close(house, player, None).await, &payable);
    let payment = fixture.sandbox.open(&invoice, Currency::Btc).unwrap();
    fixture.act(&payment, &Action::Expire).await;
    fixture.poll(&invoice).await;
    close(house, player, None).await.unwrap();
    // Rule 10: what arrives after it expired is credited all the same.
    fixture.act(&payment, &Action::PayFull).await;
    let found = fixture.find(&deposit).await;
    assert!(found.credited.is_positive());
    assert_eq!(fixture.balance().await, found.credited.cents());
    assert_refused(
        stake(house, player, 100).await,
        &AccountRefusal::Closed.into(),
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_last_owner_stays(#[case] test: &Fixture) {
    let house = &test.house;
    let (one, other) = (
        administrator(test, "one").await,
        administrator(test, "other").await,
    );
    let servers = [house.clone(), test.another_house()];
    let outcomes = at_once(2, |number| {
        let house = servers[number].clone();
        let user = [one, other][number];
        async move { close(&house, user, None).await }
    })
    .await;
    let (closed, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(closed.len(), 1);
    for outcome in refused {
        assert_refused(outcome, &ClosureRefusal::LastOwner.into());
    }
    let gone = test
        .texts("SELECT username AS value FROM users WHERE closed_at_micros IS NOT NULL")
        .concat();
    let granted = set_role(house, &gone, Role::Support).await;
    assert_refused(granted, &AccountRefusal::Closed.into());
    // A former administrator comes back as a player.
    reopen_account(house, &gone).await.unwrap();
    test.assert_clean().await;
    set_role(house, &gone, Role::Owner).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn of_a_closure_and_whatever_is_requested_at_the_same_time_one_wins(#[case] test: &Fixture) {
    let servers = [test.house.clone(), test.another_house()];
    let fixture = CashierFixture::open(test).await;
    let cashiers = [fixture.cashier.clone(), fixture.another_cashier()];
    for round in 0..6 {
        let player = test.player(&format!("racing-{round}"), 1_000).await;
        let outcomes = at_once(8, |number| {
            let house = servers[number % 2].clone();
            let cashier = cashiers[number % 2].clone();
            let mut request = fixture.deposit_request(5_000, Currency::Btc);
            request.player = player;
            async move {
                match number {
                    0 | 1 => close(&house, player, Some(1_000)).await.map(|()| true),
                    2..5 => deal_poker_hand(&house, player, dollars(5), None)
                        .await
                        .map(|_| false),
                    _ => create_deposit(&cashier, request).await.map(|_| false),
                }
            }
        })
        .await;
        let closed = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Ok(true)));
        let closed = closed.count();
        let open = open_rounds(&test.house, player).await.unwrap().len();
        let requested = test
            .texts(&format!(
                "SELECT order_id AS value FROM deposits WHERE player_id = {player}"
            ))
            .len();
        if closed == 1 {
            assert_eq!((open, requested), (0, 0), "{outcomes:?}");
        } else {
            assert_eq!(closed, 0);
            assert!(open + requested > 0, "{outcomes:?}");
        }
    }
    test.assert_clean().await;
}
