//! The Terms of Service: a new version asks every player again, before new rounds and deposits only.

use std::time::Duration;

use glasshouse_casino::accounts::{accept_terms, player, read_acceptances, read_terms, register};
use glasshouse_casino::administration::{publish_first_terms, publish_terms};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::play::{RoundMove, make_move, start};
use glasshouse_casino::{AccountRefusal, Clock as _, House, Refusal, User, watch_database};
use glasshouse_domain::{Currency, TermsText, UserId};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::heads_up::Action;
use glasshouse_games::mines;
use rstest_reuse::apply;
use tokio::task::JoinSet;

use crate::support::administration::open_mines;
use crate::support::cashier_fixture::CashierFixture;
use crate::support::every_game::{assert_no_game_starts, mines_bet};
use crate::support::games::{deal_heads_up, deal_poker_hand};
use crate::support::limits::{stake, stake_with_key};
use crate::support::poker::{dollars, draw, heads_up_bet, play};
use crate::support::predetermined_rounds::next_stream;
use crate::support::{Fixture, assert_refused, both_databases, registration};

const UNACCEPTED: Refusal = Refusal::Account(AccountRefusal::TermsNotAccepted);
const CHANGED: Refusal = Refusal::Account(AccountRefusal::TermsChanged);

async fn publish(house: &House, text: &str) -> i64 {
    publish_terms(house, TermsText::parse(text).unwrap())
        .await
        .unwrap()
}

async fn registered(house: &House, name: &str) -> User {
    register(house, registration(name)).await.unwrap().user
}

async fn must_accept(house: &House, user: &User) -> bool {
    let player = player(house, user.clone()).await.unwrap();
    player.must_accept_terms
}

async fn accepted(house: &House, user: UserId) -> Vec<i64> {
    let acceptances = read_acceptances(house, user).await.unwrap();
    acceptances
        .iter()
        .map(|accepted| accepted.version)
        .collect()
}

#[apply(both_databases)]
async fn registering_accepts_the_version_in_force(#[case] test: &Fixture) {
    let house = &test.house;
    let early = registered(house, "early").await;
    assert!(!must_accept(house, &early).await);
    assert_refused(read_terms(house).await, &Refusal::NotFound);

    publish_first_terms(house).await.unwrap();
    // Every start tries it.
    publish_first_terms(&test.another_house()).await.unwrap();
    let first = read_terms(house).await.unwrap();
    assert_eq!(first.version, 1);
    assert!(first.text.contains("# Privacy Policy"));
    assert_eq!(
        TermsText::parse(&first.text).unwrap().into_string(),
        first.text
    );
    assert!(must_accept(house, &early).await);

    let late = registered(house, "late").await;
    assert!(!must_accept(house, &late).await);
    let acceptances = read_acceptances(house, late.id).await.unwrap();
    assert_eq!(acceptances.len(), 1);
    assert_eq!(acceptances[0].version, 1);
    assert_eq!(acceptances[0].accepted_at, test.clock.now());
    assert!(accepted(house, early.id).await.is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_new_version_asks_before_new_rounds_of_every_game(#[case] test: &Fixture) {
    let player = test.player("asked", 1_000_000).await;
    let house = &test.house;
    open_mines(test).await;
    let replayed = stake_with_key(house, player, (500, "before"))
        .await
        .unwrap();
    deal_poker_hand(house, player, dollars(5), None)
        .await
        .unwrap();
    deal_heads_up(house, player, heads_up_bet(25), None)
        .await
        .unwrap();
    let field = mines::Round::begin(mines_bet(), &mut next_stream(test, player).await);
    let safe = mines::Cell::all()
        .find(|cell| !field.mines().contains(cell))
        .unwrap();
    start::<mines::Round>(house, player, mines_bet(), None)
        .await
        .unwrap();

    assert_eq!(publish(house, "No cheating.").await, 1);
    assert_refused(stake(house, player, 1).await, &UNACCEPTED);
    // A repeated request is answered with its round: it was placed before.
    let again = stake_with_key(house, player, (500, "before"))
        .await
        .unwrap();
    assert_eq!(again.round.id, replayed.round.id);
    // Rounds in play are finished.
    draw(house, player).await.unwrap();
    play(house, player, Action::Raise, (None, None))
        .await
        .unwrap();
    let reveal = RoundMove::<mines::Round>::new(mines::Move::Reveal(safe));
    make_move(house, player, reveal).await.unwrap();
    let leave = RoundMove::<mines::Round>::new(mines::Move::CashOut);
    make_move(house, player, leave).await.unwrap();
    assert_no_game_starts(house, player, &UNACCEPTED).await;

    test.clock.advance(Duration::from_mins(1));
    accept_terms(house, player, 1).await.unwrap();
    stake(house, player, 1).await.unwrap();
    deal_poker_hand(house, player, dollars(5), None)
        .await
        .unwrap();
    assert_eq!(publish(house, "No cheating. No whining.").await, 2);
    assert_refused(stake(house, player, 1).await, &UNACCEPTED);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn deposits_wait_for_the_acceptance_but_withdrawals_do_not(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let id = fixture.player;
    test.set_balance(id, 50_000).await.unwrap();
    let (_, invoice) = fixture.deposit().await;
    publish(&test.house, "Be kind.").await;
    let outcome = fixture.deposit_of(10_000, Currency::Btc).await;
    assert_refused(outcome, &UNACCEPTED);
    // Money that arrives for the open invoice is credited.
    let before = fixture.balance().await;
    fixture.pay_in_full(&invoice).await;
    assert!(fixture.balance().await > before);
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    let request = WithdrawalRequest::parse("20", "btc", address).unwrap();
    request_withdrawal(&test.house, id, request, None)
        .await
        .unwrap();
    accept_terms(&test.house, id, 1).await.unwrap();
    fixture.deposit().await;
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn only_the_version_in_force_is_accepted_and_once(#[case] test: &Fixture) {
    let house = &test.house;
    let user = registered(house, "reader").await;
    for version in [i64::MIN, -1, 0, 1, i64::MAX] {
        assert_refused(accept_terms(house, user.id, version).await, &CHANGED);
    }
    publish(house, "One.").await;
    publish(house, "Two.").await;
    for version in [0, 1, 3] {
        assert_refused(accept_terms(house, user.id, version).await, &CHANGED);
    }
    assert!(accepted(house, user.id).await.is_empty());
    let at = test.clock.now();
    accept_terms(house, user.id, 2).await.unwrap();
    test.clock.advance(Duration::from_mins(1));
    accept_terms(house, user.id, 2).await.unwrap();
    let acceptances = read_acceptances(house, user.id).await.unwrap();
    assert_eq!(acceptances.len(), 1);
    assert_eq!(acceptances[0].accepted_at, at);
    publish(house, "Three.").await;
    accept_terms(house, user.id, 3).await.unwrap();
    assert_eq!(accepted(house, user.id).await, [3, 2]);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn another_server_learns_of_a_version_by_itself(#[case] test: &Fixture) {
    let player = test.player("elsewhere", 10_000).await;
    let other = test.another_house();
    stake(&other, player, 1).await.unwrap();
    publish(&test.house, "New rules.").await;
    let watch = tokio::spawn(watch_database(other.clone()));
    while stake(&other, player, 1).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    watch.abort();
    assert_refused(stake(&other, player, 1).await, &UNACCEPTED);
    // Acceptances hold everywhere at once.
    accept_terms(&other, player, 1).await.unwrap();
    stake(&test.house, player, 1).await.unwrap();
    stake(&other, player, 1).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn versions_that_are_published_at_once_follow_each_other(#[case] test: &Fixture) {
    let houses = [test.house.clone(), test.another_house()];
    let mut publishing = JoinSet::new();
    for number in 0..10 {
        let house = houses[number % 2].clone();
        publishing.spawn(async move { publish(&house, &format!("Text {number}")).await });
    }
    let mut versions = publishing.join_all().await;
    versions.sort_unstable();
    assert_eq!(versions, (1..=10).collect::<Vec<i64>>());
    assert_eq!(read_terms(&test.house).await.unwrap().version, 10);
    let logged = test.texts(
        "SELECT new_value AS value FROM audit_log WHERE action = 'terms_published' ORDER BY id",
    );
    let expected: Vec<String> = (1..=10).map(|version: i64| version.to_string()).collect();
    assert_eq!(logged, expected);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_bet_that_races_with_an_acceptance_is_judged_before_or_after_it(#[case] test: &Fixture) {
    let id = test.player("hasty", 100_000).await;
    let other = test.another_house();
    publish(&test.house, "Slowly.").await;
    accept_terms(&other, id, 1).await.unwrap();
    publish(&test.house, "More slowly.").await;
    let mut racing = JoinSet::new();
    for attempt in 0..20 {
        let house = [&test.house, &other][attempt % 2].clone();
        racing.spawn(async move {
            if attempt == 10 {
                accept_terms(&house, id, 2).await.unwrap();
            } else {
                drop(stake(&house, id, 1).await);
            }
        });
    }
    racing.join_all().await;
    assert_eq!(accepted(&test.house, id).await, [2, 1]);
    stake(&test.house, id, 1).await.unwrap();
    stake(&other, id, 1).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn what_was_published_and_accepted_never_changes(#[case] test: &Fixture) {
    publish(&test.house, "As it is.").await;
    let user = registered(&test.house, "bound").await;
    for statement in [
        "UPDATE terms_versions SET text = 'Else.'",
        "DELETE FROM terms_versions",
        "UPDATE terms_acceptances SET accepted_at_micros = 0",
        "DELETE FROM terms_acceptances",
    ] {
        assert!(test.sql(statement).is_err(), "{statement}");
    }
    let forged = format!(
        "UPDATE accounts SET terms_version = 9 WHERE player_id = {}",
        user.id
    );
    test.sql(&forged).unwrap();
    let report = test.check();
    assert!(
        !report.is_clean(),
        "an acceptance that nobody gave is found"
    );
}
