//! The repeated workload of `plans.rs` besides dice and video poker: timed rounds, heads-up,
//! sessions, sign-in attempts, limits, deposits, and the queries of background tasks and
//! administrators.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use glasshouse_casino::accounts::{
    Client, SessionKeyHash, SignIn, admit_registration, admit_sign_in, end_other_sessions,
    end_session, find_session, note_failed_sign_in, note_sign_in, open_session, player,
    purge_attempts, read_security_events, read_sessions, record_activity, set_shows_name, sign_in,
    touch_session,
};
use glasshouse_casino::books::{FiguresPeriod, publish_returns, read_figures, read_house_report};
use glasshouse_casino::limits::{
    read_exclusions, read_limit_changes, read_limits, read_session_summary, set_limit,
};
use glasshouse_casino::money::deposits::{create_deposit, reconcile_due};
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::{CasinoError, House, Refusal, RequestOrigin};
use glasshouse_domain::{
    Currency, LimitKind, LimitPeriod, Money, RoundId, SecurityEventKind, TypedPassword, UserId,
};
use glasshouse_games::heads_up::{self, Action};
use glasshouse_games::video_poker::Holds;
use glasshouse_payments::InvoiceId;

use super::cashier_fixture::CashierFixture;
use super::games::{
    CashOutCall, HeadsUpPlay, cash_out, deal_heads_up, hold_cards, play_heads_up, sell,
    start_crash_round, start_stonks_round,
};
use super::limits::of;
use super::predetermined_rounds::{crash_bet, stonks_bet, times};
use super::{Fixture, assert_refused, key};

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

/// A session from the sign-in to the end.
pub(crate) async fn use_sessions(house: &House, id: UserId, name: &str) {
    let origin = RequestOrigin::default();
    let key = open_session(house, id, origin.clone()).await.unwrap();
    let session = SessionKeyHash::of(&key);
    let found = find_session(house, session.clone()).await.unwrap().unwrap();
    assert_eq!(found.user.username, name);
    player(house, found.user.clone()).await.unwrap();
    set_shows_name(house, found.user, true).await.unwrap();
    touch_session(house, session.clone()).await.unwrap();
    read_sessions(house, id).await.unwrap();
    end_other_sessions(house, id, &session, origin)
        .await
        .unwrap();
    read_security_events(house, id, None, 20).await.unwrap();
    end_session(house, id, session, None).await.unwrap();
}

/// Gives the player limits that are never reached. One on deposits makes every deposit add up the open
/// ones.
pub(crate) async fn set_limits(house: &House, id: UserId) {
    for (kind, value) in [
        (LimitKind::Deposit, 100_000_000),
        (LimitKind::Stake, 100_000_000),
        (LimitKind::SessionTime, 10_000),
    ] {
        let monthly = of(id, kind, LimitPeriod::Month);
        set_limit(house, monthly, Some(value)).await.unwrap();
    }
}

/// Sessions with activity and a failed sign-in, and what the player sees of limits and exclusions.
pub(crate) async fn use_limits(test: &Fixture, house: &House, id: UserId, name: &str) {
    for _ in 0..3 {
        let opened = open_session(house, id, RequestOrigin::default()).await;
        let session = SessionKeyHash::of(&opened.unwrap());
        for _ in 0..2 {
            test.clock.advance(Duration::from_mins(1));
            let active = record_activity(house, id, session.clone()).await;
            assert!(active.unwrap());
            let summary = read_session_summary(house, id, session.clone()).await;
            assert!(summary.unwrap().is_some());
            read_limits(house, id).await.unwrap();
            read_limit_changes(house, id, None, 20).await.unwrap();
            read_exclusions(house, id).await.unwrap();
        }
        fail_to_sign_in(house, id, name).await;
        end_session(house, id, session, None).await.unwrap();
    }
}

/// Enters a wrong password, and waits until this is recorded, which is done in the background.
async fn fail_to_sign_in(house: &House, id: UserId, name: &str) {
    let attempt = SignIn {
        username: name.to_owned(),
        password: TypedPassword::new("wrong-password".to_owned()),
        origin: RequestOrigin::default(),
    };
    let refused = sign_in(house, attempt, None).await.map(drop);
    assert_refused(refused, &Refusal::InvalidCredentials);
    let is_recorded = async || {
        let newest = read_security_events(house, id, None, 1).await.unwrap();
        newest.entries[0].kind == SecurityEventKind::SignInFailed
    };
    while !is_recorded().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Inserts the limits, exclusions, playing times and security events of many users, and what `owner`
/// would leave in a lifetime.
pub(crate) fn fill_limits(test: &Fixture, owner: UserId, rows: u32) {
    test.sql(&format!(
        "SET session_replication_role = replica;
         INSERT INTO player_limits (player_id, kind, period, value, since_micros)
            SELECT 100 + i, 'stake', 'day', 1, 1 FROM generate_series(1, {rows}) i;
         INSERT INTO exclusions (player_id, duration, since_micros, until_micros)
            SELECT 100 + i, 'day', 1, 2 FROM generate_series(1, {rows}) i;
         INSERT INTO limit_changes (player_id, kind, period, action, new_value, at_micros)
            SELECT {owner}, 'stake', 'day', 'set', 1, 1 FROM generate_series(1, {rows}) i;
         INSERT INTO daily_play_time (player_id, day, active_micros, counted_until_micros)
            SELECT 100 + i, 1, 1, 1 FROM generate_series(1, {rows}) i;
         INSERT INTO daily_play_time (player_id, day, active_micros, counted_until_micros)
            SELECT {owner}, i, 1, 1 FROM generate_series(1, 19000) i;
         INSERT INTO reality_checks (player_id, interval_minutes)
            SELECT 100 + i, 15 FROM generate_series(1, {rows}) i;
         INSERT INTO security_events (user_id, kind, is_new_device, created_at_micros)
            SELECT {owner}, 'sign_in_failed', 0, 1 FROM generate_series(1, {rows}) i;"
    ))
    .unwrap();
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
    read_figures(house, FiguresPeriod::Last(366)).await.unwrap();
    publish_returns(house).await.unwrap();
}
