//! The repeated workload of `plans.rs` besides dice and video poker: timed rounds, heads-up,
//! sign-in attempts, deposits, and the queries of background tasks and administrators.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use glasshouse_casino::accounts::{
    Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in, purge_attempts,
};
use glasshouse_casino::books::{publish_returns, read_house_report};
use glasshouse_casino::money::deposits::{create_deposit, reconcile_due};
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::{CasinoError, House, Refusal};
use glasshouse_domain::{Currency, Money, RoundId, UserId};
use glasshouse_games::heads_up::{self, Action};
use glasshouse_games::video_poker::Holds;
use glasshouse_payments::InvoiceId;

use super::cashier_fixture::CashierFixture;
use super::games::{
    CashOutCall, HeadsUpPlay, cash_out, deal_heads_up, hold_cards, play_heads_up, sell,
    start_crash_round, start_stonks_round,
};
use super::predetermined_rounds::{crash_bet, stonks_bet, times};
use super::{Fixture, key};

/// Accepts a round that was paid as well as one that was already over: which of them happens is
/// chance, but both read the same rows.
fn accept<T>(outcome: Result<T, CasinoError>) {
    match outcome {
        Ok(_)
        | Err(CasinoError::Refused(
            Refusal::LeftTooLate(_) | Refusal::RoundOver | Refusal::NothingPublished,
        )) => {}
        Err(error) => panic!("{error}"),
    }
}

fn cash_out_call(round: RoundId, name: &str) -> CashOutCall {
    CashOutCall {
        round: Some(round),
        key: Some(key(name)),
    }
}

/// Waits until none of the player's rounds is in play; the background task ends most of them.
async fn wait_until_over(test: &Fixture, house: &House, id: UserId) {
    for _ in 0..20_000 {
        if open_rounds(house, id).await.unwrap().is_empty() {
            return;
        }
        test.clock.advance(Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("a round did not end");
}

/// Timed rounds, some cashed out by the player and some ended by the background task, and hands of
/// heads-up.
pub(crate) async fn play_timed_rounds(test: &Fixture, house: &House, id: UserId, turn: &str) {
    for number in 0..3 {
        let name = |what: &str| format!("{turn}-{number}-{what}");
        let bet = crash_bet(100, Some(150));
        let started = start_crash_round(house, id, bet, Some(key(&name("crash")))).await;
        let round = started.unwrap().round.id;
        test.clock.advance(Duration::from_secs(1));
        accept(
            cash_out(
                house,
                id,
                times(107),
                cash_out_call(round, &name("cash-out")),
            )
            .await,
        );
        wait_until_over(test, house, id).await;

        let bet = stonks_bet(100, None);
        let started = start_stonks_round(house, id, bet, Some(key(&name("stonks")))).await;
        let round = started.unwrap().round.id;
        test.clock.advance(Duration::from_secs(2));
        accept(sell(house, id, cash_out_call(round, &name("sell"))).await);
        wait_until_over(test, house, id).await;

        let bet = heads_up::Bet::new(Money::from_cents(500)).unwrap();
        let dealt = deal_heads_up(house, id, bet, Some(key(&name("heads-up"))))
            .await
            .unwrap();
        let play = HeadsUpPlay {
            bet,
            action: Action::Call,
            round: Some(dealt.round.id),
            key: Some(key(&name("call"))),
        };
        play_heads_up(house, id, play).await.unwrap();
    }
}

/// Holds two cards of a dealt hand.
pub(crate) async fn hold_two_cards(house: &House, id: UserId, hand: RoundId) {
    let holds = Holds::of(&[0, 2]).unwrap();
    hold_cards(house, id, holds, Some(hand)).await.unwrap();
}

/// Failed and successful sign-in attempts from a separate address.
pub(crate) async fn attempt_sign_ins(house: &House, name: &str, number: u8) {
    let client = |device: Option<&str>| Client {
        network: IpAddr::V4(Ipv4Addr::new(10, 0, 0, number)),
        wide_network: None,
        device: device.map(str::to_owned),
    };
    for device in [None, Some("known")] {
        admit_sign_in(house, name, client(device)).await.unwrap();
        note_failed_sign_in(house, name, client(device))
            .await
            .unwrap();
        note_sign_in(house, name, client(device)).await.unwrap();
    }
    admit_registration(house, client(None)).await.unwrap();
    purge_attempts(house).await.unwrap();
}

/// Deposits that are paid: announced by callbacks, polled by the browser, credited and reconciled.
pub(crate) async fn make_deposits(fixture: &CashierFixture<'_>, id: UserId, turn: &str) {
    for number in 0..3 {
        let mut request = fixture.deposit_request(10_000, Currency::Btc);
        request.player = id;
        request.key = Some(key(&format!("{turn}-{number}")));
        let deposit = create_deposit(&fixture.cashier, request).await.unwrap();
        let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
        fixture.pay_percent(&invoice, 100).await;
        fixture.poll_as(id, &invoice).await;
        assert_eq!(fixture.find(&deposit).await.credited.cents(), 10_000);
    }
    reconcile_due(&fixture.cashier).await.unwrap();
}

/// The house's reports. The summary is left out because it counts all users.
pub(crate) async fn read_reports(house: &House) {
    read_house_report(house, 366).await.unwrap();
    publish_returns(house).await.unwrap();
}
