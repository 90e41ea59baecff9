//! The switches of the house: what each of them stops, and what goes on.

use std::time::Duration;

use glasshouse_casino::accounts::register;
use glasshouse_casino::administration::{SwitchChange, set_switch, set_switch_as_operator};
use glasshouse_casino::money::deposits::create_deposit;
use glasshouse_casino::money::payouts::approve_automatically;
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::operating::house_settings;
use glasshouse_casino::play::timed::end_rounds;
use glasshouse_casino::{CasinoError, House, OperatingRefusal, Refusal};
use glasshouse_domain::{Currency, HouseSwitch, PayoutState, UserId};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, administrator, context, decide_withdrawal};
use crate::support::cashier_fixture::{CashierFixture, at_once};
use crate::support::games::{CashOutCall, cash_out, place_dice_bet, start_crash_round};
use crate::support::payouts::{ADDRESS, Paying};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::{Backend, Fixture, assert_refused, bet, both_databases, key, registration};

pub(crate) fn to(switch: HouseSwitch, is_on: bool) -> SwitchChange {
    SwitchChange {
        switch,
        is_on,
        reason: "we are moving".to_owned(),
    }
}

/// Stops what a switch stops.
pub(crate) fn stopping(switch: HouseSwitch) -> SwitchChange {
    to(switch, !switch.is_normally_on())
}

pub(crate) fn resuming(switch: HouseSwitch) -> SwitchChange {
    to(switch, switch.is_normally_on())
}

/// The refusal of an act for which there is a switch.
pub(crate) fn refusal_of(switch: HouseSwitch) -> OperatingRefusal {
    let reason = "we are moving".to_owned();
    match switch {
        HouseSwitch::Maintenance => OperatingRefusal::Maintenance(reason),
        HouseSwitch::Deposits => OperatingRefusal::DepositsPaused(reason),
        HouseSwitch::Withdrawals => OperatingRefusal::WithdrawalsPaused(reason),
        HouseSwitch::Registration => OperatingRefusal::RegistrationPaused(reason),
    }
}

/// What a player asks for, by the switch that stops it.
async fn try_act(
    fixture: &CashierFixture<'_>,
    house: &House,
    act: HouseSwitch,
    number: usize,
) -> Result<(), CasinoError> {
    let player = fixture.player;
    match act {
        HouseSwitch::Maintenance => {
            place_dice_bet(house, player, bet(100, 50, BetType::Over), None)
                .await
                .map(drop)
        }
        HouseSwitch::Deposits => {
            let request = fixture.deposit_request(2_000, Currency::Btc);
            create_deposit(&fixture.cashier, request).await.map(drop)
        }
        HouseSwitch::Withdrawals => {
            let request = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
            request_withdrawal(house, player, request, None)
                .await
                .map(drop)
        }
        HouseSwitch::Registration => register(house, registration(&format!("new-{number}")))
            .await
            .map(drop),
    }
}

#[apply(both_databases)]
async fn each_switch_stops_its_acts_and_maintenance_stops_all(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    test.set_balance(fixture.player, 1_000_000).await.unwrap();
    let (house, boss) = (&test.house, context(administrator(test, "boss").await));
    let mut number = 0;
    for switch in HouseSwitch::ALL {
        let change = stopping(*switch);
        set_switch(house, boss.clone(), change).await.unwrap();
        for act in HouseSwitch::ALL {
            number += 1;
            let outcome = try_act(&fixture, house, *act, number).await;
            if *act == *switch || *switch == HouseSwitch::Maintenance {
                assert_refused(outcome, &refusal_of(*switch).into());
            } else if !matches!(outcome, Err(CasinoError::Refused(Refusal::TooManyDeposits))) {
                outcome.unwrap();
            }
        }
        test.assert_clean().await;
        set_switch(house, boss.clone(), resuming(*switch))
            .await
            .unwrap();
        number += 1;
        try_act(&fixture, house, HouseSwitch::Registration, number)
            .await
            .unwrap();
    }
    place_dice_bet(house, fixture.player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn what_was_begun_before_is_finished(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let (house, player) = (&test.house, fixture.player);
    test.set_balance(player, 1_000_000).await.unwrap();
    let (_, invoice) = fixture.deposit().await;
    let balance = fixture.balance().await;
    let repeated = bet(100, 50, BetType::Over);
    let first = place_dice_bet(house, player, repeated, Some(key("again")))
        .await
        .unwrap();
    let bet_in_play = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, bet_in_play, crashes_in(200..10_000)).await;
    start_crash_round(house, player, bet_in_play, None)
        .await
        .unwrap();
    let withdrawal = || WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
    let held = request_withdrawal(house, player, withdrawal(), Some(key("held")))
        .await
        .unwrap();

    set_switch_as_operator(house, stopping(HouseSwitch::Maintenance))
        .await
        .unwrap();
    test.clock.advance(Duration::from_millis(500));
    cash_out(house, player, times(103), CashOutCall::default())
        .await
        .unwrap();
    // A call that is repeated gets its first result.
    let again = place_dice_bet(house, player, repeated, Some(key("again")))
        .await
        .unwrap();
    assert_eq!(again.round.id, first.round.id);
    let again = request_withdrawal(house, player, withdrawal(), Some(key("held")))
        .await
        .unwrap();
    assert_eq!(again.withdrawal.id, held.withdrawal.id);
    // What is paid arrives.
    let before = fixture.balance().await;
    fixture.pay_in_full(&invoice).await;
    assert!(fixture.balance().await > before, "{balance}");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn payments_of_withdrawals_wait_unless_they_were_requested(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let requested = paying.approved("100").await;
    paying.step().await;
    let state = paying.state(requested).await;
    let waiting = paying.approved("50").await;
    let change = stopping(HouseSwitch::Withdrawals);
    set_switch_as_operator(&test.house, change).await.unwrap();
    assert_eq!(approve_automatically(&paying.cashier).await.unwrap(), 0);
    paying.steps(3).await;
    assert_eq!(
        paying.state(requested).await,
        PayoutState::Confirmed,
        "{state:?}"
    );
    let payout = paying.payout(waiting).await;
    assert_eq!(payout.state, PayoutState::Claimed);
    assert_eq!(payout.problem.as_deref(), Some("withdrawals are paused"));
    assert_eq!(payout.failed_calls, 0);
    assert!(paying.paid(waiting).await.is_empty());
    test.assert_clean().await;

    set_switch_as_operator(&test.house, resuming(HouseSwitch::Withdrawals))
        .await
        .unwrap();
    paying.steps(3).await;
    assert_eq!(paying.state(waiting).await, PayoutState::Confirmed);
    assert_eq!(paying.paid(waiting).await.len(), 1);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn administrators_go_on_while_withdrawals_are_stopped(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let id = paying.request("50").await;
    let change = stopping(HouseSwitch::Maintenance);
    set_switch_as_operator(&test.house, change).await.unwrap();
    let by = context(paying.cashiers[0]);
    decide_withdrawal(paying.cashier.house(), by, id, APPROVAL)
        .await
        .unwrap();
    test.assert_clean().await;
}

async fn roll(house: &House, player: UserId) -> Result<(), CasinoError> {
    place_dice_bet(house, player, bet(100, 50, BetType::Over), None)
        .await
        .map(drop)
}

/// Another server, or another program on the same file, whose notification is lost: nobody listens.
#[apply(both_databases)]
async fn a_change_is_obeyed_within_two_seconds_without_a_notification(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = fixture.player;
    test.set_balance(player, 100_000).await.unwrap();
    let other = test.another_house();
    roll(&test.house, player).await.unwrap();
    let before = house_settings(&test.house).await.unwrap();
    let change = stopping(HouseSwitch::Maintenance);
    set_switch_as_operator(&other, change).await.unwrap();
    // What moves money in or out is judged by the table, at once.
    for act in [HouseSwitch::Deposits, HouseSwitch::Withdrawals] {
        let refused = try_act(&fixture, &test.house, act, 0).await;
        assert_refused(refused, &refusal_of(HouseSwitch::Maintenance).into());
    }
    assert_eq!(house_settings(&test.house).await.unwrap(), before);
    test.clock.advance(Duration::from_secs(1));
    assert_refused(
        roll(&test.house, player).await,
        &refusal_of(HouseSwitch::Maintenance).into(),
    );
    set_switch_as_operator(&other, resuming(HouseSwitch::Maintenance))
        .await
        .unwrap();
    test.clock.advance(Duration::from_secs(1));
    roll(&test.house, player).await.unwrap();
    test.assert_clean().await;
}

/// The clock stands still, so only the notification can tell.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notification_is_obeyed_at_once() {
    let test = &Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let chore = tokio::spawn(end_rounds(other.clone()));
    let player = test.player("player", 100_000).await;
    roll(&other, player).await.unwrap();
    let change = stopping(HouseSwitch::Maintenance);
    set_switch_as_operator(&test.house, change).await.unwrap();
    let maintenance = Refusal::from(refusal_of(HouseSwitch::Maintenance));
    for attempt in 0.. {
        if matches!(roll(&other, player).await, Err(CasinoError::Refused(r)) if r == maintenance) {
            break;
        }
        assert!(
            attempt < 2_000,
            "the other server did not receive the change"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    chore.abort();
    test.assert_clean().await;
}

/// A request is judged by what is committed when its transaction looks. Whichever comes first wins, and in
/// the end nothing new is accepted.
#[apply(both_databases)]
async fn a_switch_thrown_among_many_requests_lets_the_earlier_ones_through(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    test.set_balance(fixture.player, 1_000_000).await.unwrap();
    let (house, player) = (test.house.clone(), fixture.player);
    let other = test.another_house();
    let outcomes = at_once(16, |number| {
        let house = if number % 2 == 0 { &house } else { &other }.clone();
        async move {
            if number == 7 {
                let change = stopping(HouseSwitch::Withdrawals);
                return set_switch_as_operator(&house, change).await;
            }
            let request = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
            request_withdrawal(&house, player, request, None)
                .await
                .map(drop)
        }
    })
    .await;
    let accepted = outcomes.iter().filter(|outcome| outcome.is_ok()).count() - 1;
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(outcome, &refusal_of(HouseSwitch::Withdrawals).into());
    }
    assert_eq!(
        test.texts("SELECT CAST(COUNT(*) AS TEXT) AS value FROM withdrawals"),
        [accepted.to_string()]
    );
    let request = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
    assert_refused(
        request_withdrawal(&house, player, request, None).await,
        &refusal_of(HouseSwitch::Withdrawals).into(),
    );
    assert_eq!(
        fixture.balance().await,
        1_000_000 - 2_000 * i64::try_from(accepted).unwrap()
    );
    test.assert_clean().await;
}
