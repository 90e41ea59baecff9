//! What the owners allow in a game besides its rules: the stake, what a round can win, and what all rounds in play can
//! win together.

use std::time::Duration;

use glasshouse_casino::administration::{AdminContext, set_game_limits};
use glasshouse_casino::operating::{games_for_administrators, maximum_stake};
use glasshouse_casino::play::timed::end_rounds;
use glasshouse_casino::{CasinoError, House, OperatingRefusal, Refusal};
use glasshouse_domain::{Game, GameLimits, Money};
use glasshouse_games::bet::BetError;
use glasshouse_games::dice::BetType;
use glasshouse_games::{crash, video_poker};
use rstest_reuse::apply;

use crate::support::administration::{administrator, context};
use crate::support::games::{
    CashOutCall, cash_out, deal_poker_hand, draw_cards, place_dice_bet, start_crash_round,
};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::{Backend, Fixture, assert_refused, bet, both_databases, key};

fn limits(stake: Option<i64>, profit: Option<i64>, exposure: Option<i64>) -> GameLimits {
    GameLimits {
        maximum_stake: stake.map(Money::from_cents),
        maximum_profit: profit.map(Money::from_cents),
        maximum_exposure: exposure.map(Money::from_cents),
    }
}

async fn set(
    house: &House,
    context: AdminContext,
    game: Game,
    limits: GameLimits,
) -> Result<(), CasinoError> {
    set_game_limits(house, context, game, (limits, "a small bankroll")).await
}

fn hand(cents: i64) -> video_poker::Bet {
    video_poker::Bet::new(Money::from_cents(cents)).unwrap()
}

async fn exposure(house: &House, game: Game) -> i64 {
    let games = games_for_administrators(house).await.unwrap();
    let found = games.iter().find(|(other, ..)| *other == game).unwrap();
    found.2.cents()
}

fn exposure_reached() -> Refusal {
    OperatingRefusal::ExposureReached.into()
}

#[apply(both_databases)]
async fn a_bet_is_within_stake_and_profit_to_the_cent(#[case] test: &Fixture) {
    let (player, house) = (test.player("player", 1_000_000).await, &test.house);
    let boss = context(administrator(test, "boss").await);
    let roll =
        |cents, target| place_dice_bet(house, player, bet(cents, target, BetType::Over), None);
    let once = || {
        place_dice_bet(
            house,
            player,
            bet(50_001, 50, BetType::Over),
            Some(key("once")),
        )
    };
    let first = once().await.unwrap();
    // A bet of 490.00 over 50 wins 480.20.
    set(
        house,
        boss.clone(),
        Game::Dice,
        limits(Some(50_000), Some(48_020), None),
    )
    .await
    .unwrap();
    assert_eq!(
        maximum_stake(house, Game::Dice).await.unwrap(),
        Money::from_cents(50_000)
    );
    assert_refused(
        roll(50_001, 2).await,
        &Refusal::Bet(BetError::StakeAboveMaximum(Money::from_cents(50_000))),
    );
    roll(50_000, 2).await.unwrap();
    roll(49_000, 50).await.unwrap();
    assert_refused(
        roll(49_001, 50).await,
        &OperatingRefusal::ProfitAboveMaximum(Money::from_cents(48_020)).into(),
    );
    // A repeated call returns its first result.
    assert_eq!(once().await.unwrap().round.id, first.round.id);
    set(house, boss, Game::Dice, GameLimits::default())
        .await
        .unwrap();
    roll(100_000, 50).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn rounds_in_play_count_until_they_end(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = context(administrator(test, "boss").await);
    let mut players = Vec::new();
    for name in ["one", "two", "three"] {
        let player = test.player(name, 1_000_000).await;
        prepare::<crash::Round>(
            test,
            player,
            crash_bet(1_000, None),
            crashes_in(300..10_000),
        )
        .await;
        players.push(player);
    }
    let start =
        |index: usize, auto| start_crash_round(house, players[index], crash_bet(1_000, auto), None);
    // Up to 100 times 10.00 without an automatic cash-out: 990.00.
    start(0, None).await.unwrap();
    assert_eq!(exposure(house, Game::Crash).await, 99_000);
    set(
        house,
        boss.clone(),
        Game::Crash,
        limits(None, None, Some(100_000)),
    )
    .await
    .unwrap();
    // 2.00 times 10.00 wins 10.00.
    start(1, Some(200)).await.unwrap();
    assert_eq!(exposure(house, Game::Crash).await, 100_000);
    assert_refused(start(2, Some(101)).await, &exposure_reached());
    // Other games have their own.
    deal_poker_hand(house, players[0], hand(100), None)
        .await
        .unwrap();
    // What has ended makes room, also by a cash-out; nobody is kept from it.
    test.clock.advance(Duration::from_millis(500));
    cash_out(house, players[0], times(103), CashOutCall::default())
        .await
        .unwrap();
    assert_eq!(exposure(house, Game::Crash).await, 1_000);
    start(2, Some(200)).await.unwrap();
    assert_eq!(exposure(house, Game::Crash).await, 2_000);
    draw_cards(house, players[0], None, None, None)
        .await
        .unwrap();
    assert_eq!(exposure(house, Game::VideoPoker).await, 0);
    // A lower limit ends nothing.
    set(house, boss, Game::Crash, limits(None, None, Some(1)))
        .await
        .unwrap();
    test.clock.advance(Duration::from_millis(500));
    cash_out(house, players[2], times(103), CashOutCall::default())
        .await
        .unwrap();
    assert_refused(start(0, Some(200)).await, &exposure_reached());
    test.assert_clean().await;
}

/// A round that ends when it starts is never in play, but must not be judged by how it ends.
#[apply(both_databases)]
async fn a_round_is_judged_before_its_outcome_is_known(#[case] test: &Fixture) {
    let (player, house) = (test.player("player", 1_000_000).await, &test.house);
    let boss = context(administrator(test, "boss").await);
    let instant = |round: &crash::Round| round.crash_point() == crash::CrashPoint::Instant;
    prepare::<crash::Round>(test, player, crash_bet(1_000, Some(200)), instant).await;
    set(
        house,
        boss.clone(),
        Game::Crash,
        limits(None, None, Some(999)),
    )
    .await
    .unwrap();
    let start = || start_crash_round(house, player, crash_bet(1_000, Some(200)), None);
    assert_refused(start().await, &exposure_reached());
    set(house, boss, Game::Crash, limits(None, None, Some(1_000)))
        .await
        .unwrap();
    start().await.unwrap();
    assert_eq!(exposure(house, Game::Crash).await, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_change_is_recorded_once_and_checked(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = administrator(test, "boss").await;
    let blank = set_game_limits(
        house,
        context(boss),
        Game::Dice,
        (limits(Some(50_000), None, None), " \n"),
    )
    .await;
    assert_refused(blank, &Refusal::StatusReasonRequired);
    for (game, wrong, refusal) in [
        (
            Game::Crash,
            limits(Some(99), None, None),
            OperatingRefusal::MaximumStakeOutOfRange(
                Money::from_cents(100),
                Money::from_cents(100_000),
            ),
        ),
        (
            Game::VideoPoker,
            limits(Some(1_001), None, None),
            OperatingRefusal::MaximumStakeOutOfRange(
                Money::from_cents(100),
                Money::from_cents(1_000),
            ),
        ),
        (
            Game::Crash,
            limits(None, Some(0), None),
            OperatingRefusal::LimitNotPositive,
        ),
        (
            Game::Crash,
            limits(None, None, Some(-1)),
            OperatingRefusal::LimitNotPositive,
        ),
        (
            Game::Dice,
            limits(None, None, Some(1)),
            OperatingRefusal::NoRoundsInPlay,
        ),
    ] {
        assert_refused(
            set(house, context(boss), game, wrong).await,
            &refusal.into(),
        );
    }
    let repeated = AdminContext {
        key: Some(key("once")),
        ..context(boss)
    };
    let wanted = limits(Some(50_000), None, Some(5_000_000));
    for _ in 0..2 {
        set(house, repeated.clone(), Game::Crash, wanted)
            .await
            .unwrap();
    }
    let other = set(house, repeated, Game::Stonks, wanted).await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    // The same limits again record nothing.
    set(house, context(boss), Game::Crash, wanted)
        .await
        .unwrap();
    let records = test.texts(
        "SELECT subject || ': ' || old_value || ' to ' || new_value AS value
         FROM audit_log WHERE action = 'game_limits' ORDER BY id",
    );
    assert_eq!(
        records,
        [
            "crash (a small bankroll): stake none, profit none, exposure none to \
          stake 500.00, profit none, exposure 50000.00"
        ]
    );
    test.assert_clean().await;
    for (tampering, invariant) in [
        (
            "UPDATE games SET maximum_exposure_cents = NULL WHERE name = 'crash'",
            "every game's status and limits are what the audit log says",
        ),
        (
            "UPDATE games SET maximum_exposure_cents = 5000000 WHERE name = 'crash';
             INSERT INTO exposures (game, shard, exposure_cents) VALUES ('crash', 9, -1)",
            "each game's exposure is what its rounds in play can win",
        ),
    ] {
        test.sql(tampering).unwrap();
        let report = test.check();
        let broken: Vec<_> = report
            .invariants
            .iter()
            .filter(|finding| finding.count > 0)
            .map(|finding| finding.invariant)
            .collect();
        assert_eq!(broken, [invariant]);
    }
}

/// Only PostgreSQL supports several servers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_hold_on_other_servers() {
    let test = &Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let chore = tokio::spawn(end_rounds(other.clone()));
    let boss = context(administrator(test, "boss").await);
    let mut players = Vec::new();
    for number in 0..12 {
        players.push(test.player(&format!("player{number}"), 10_000).await);
    }
    // A hand of 5.00 can win 1,245.00: the limit allows three.
    let wanted = limits(None, None, Some(3 * 124_500 + 124_499));
    set(&test.house, boss, Game::VideoPoker, wanted)
        .await
        .unwrap();
    for attempt in 0.. {
        let games = glasshouse_casino::operating::house_settings(&other).await;
        if games.unwrap().games[&Game::VideoPoker].limits == wanted {
            break;
        }
        assert!(
            attempt < 2_000,
            "the other server did not receive the change"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let hands = players.iter().enumerate().map(|(index, player)| {
        let house = if index % 2 == 0 { &test.house } else { &other };
        let (house, player) = (house.clone(), *player);
        tokio::spawn(async move { deal_poker_hand(&house, player, hand(500), None).await })
    });
    let hands: Vec<_> = hands.collect();
    let mut dealt = 0;
    for hand in hands {
        match hand.await.unwrap() {
            Ok(_) => dealt += 1,
            refused => assert_refused(refused, &exposure_reached()),
        }
    }
    assert_eq!(dealt, 3);
    assert_eq!(exposure(&test.house, Game::VideoPoker).await, 3 * 124_500);
    chore.abort();
    test.assert_clean().await;
}
