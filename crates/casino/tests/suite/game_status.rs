//! Opening, pausing and announcing games while they are played.

use glasshouse_games::crash;
use std::time::Duration;

use glasshouse_casino::administration::{AdminContext, set_game_status};
use glasshouse_casino::operating::game_statuses;
use glasshouse_casino::play::timed::end_rounds;
use glasshouse_casino::{CasinoError, House, Refusal};
use glasshouse_domain::{Game, GameStatus, Money, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::{heads_up, video_poker};
use rstest_reuse::apply;

use crate::support::administration::{administrator, context};
use crate::support::games::{
    CashOutCall, HeadsUpPlay, cash_out, deal_poker_hand, draw_cards, place_dice_bet, play_heads_up,
    start_crash_round,
};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare, times};
use crate::support::{Backend, Fixture, assert_refused, bet, both_databases};

async fn set(
    house: &House,
    context: AdminContext,
    game: Game,
    status: GameStatus,
) -> Result<(), CasinoError> {
    set_game_status(house, context, game, (status, "maintenance")).await
}

fn hand(cents: i64) -> video_poker::Bet {
    video_poker::Bet::new(Money::from_cents(cents)).unwrap()
}

async fn fold(house: &House, player: UserId) -> Result<(), CasinoError> {
    let call = HeadsUpPlay {
        bet: heads_up::Bet::new(Money::from_cents(500)).unwrap(),
        action: heads_up::Action::Fold,
        round: None,
        key: None,
    };
    play_heads_up(house, player, call).await.map(|_| ())
}

#[apply(both_databases)]
async fn a_paused_game_accepts_no_new_rounds_and_finishes_those_in_play(#[case] test: &Fixture) {
    let (player, house) = (test.player("player", 1_000_000).await, &test.house);
    let boss = context(administrator(test, "boss").await);
    let key = || glasshouse_casino::IdempotencyKey::parse("before").ok();
    let placed = place_dice_bet(house, player, bet(100, 50, BetType::Over), key())
        .await
        .unwrap();
    prepare::<crash::Round>(
        test,
        player,
        crash_bet(1_000, None),
        crashes_in(200..10_000),
    )
    .await;
    start_crash_round(house, player, crash_bet(1_000, None), None)
        .await
        .unwrap();
    deal_poker_hand(house, player, hand(500), None)
        .await
        .unwrap();

    for game in [Game::Dice, Game::Crash, Game::VideoPoker, Game::HeadsUp] {
        set(house, boss.clone(), game, GameStatus::Paused)
            .await
            .unwrap();
    }
    let refused = place_dice_bet(house, player, bet(100, 50, BetType::Over), None).await;
    assert_refused(refused, &Refusal::GamePaused);
    assert_refused(fold(house, player).await, &Refusal::GamePaused);
    // A retry of an earlier call still returns its result.
    let again = place_dice_bet(house, player, bet(100, 50, BetType::Over), key())
        .await
        .unwrap();
    assert_eq!(again.round.id, placed.round.id);
    // Rounds in play can be finished.
    test.clock.advance(Duration::from_millis(500));
    cash_out(house, player, times(103), CashOutCall::default())
        .await
        .unwrap();
    draw_cards(house, player, None, None, None).await.unwrap();
    assert_refused(
        start_crash_round(house, player, crash_bet(1_000, None), None).await,
        &Refusal::GamePaused,
    );
    assert_refused(
        deal_poker_hand(house, player, hand(500), None).await,
        &Refusal::GamePaused,
    );

    set(house, boss.clone(), Game::Crash, GameStatus::Announced)
        .await
        .unwrap();
    assert_refused(
        start_crash_round(house, player, crash_bet(1_000, None), None).await,
        &Refusal::GameAnnounced,
    );
    set(house, boss, Game::Dice, GameStatus::Open)
        .await
        .unwrap();
    place_dice_bet(house, player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_change_of_status_is_recorded_once_and_needs_a_reason(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = administrator(test, "boss").await;
    let blank_reason = set_game_status(
        house,
        context(boss),
        Game::Dice,
        (GameStatus::Paused, " \n"),
    )
    .await;
    assert_refused(blank_reason, &Refusal::StatusReasonRequired);
    let repeated = AdminContext {
        key: glasshouse_casino::IdempotencyKey::parse("once").ok(),
        ..context(boss)
    };
    for _ in 0..2 {
        set(house, repeated.clone(), Game::Dice, GameStatus::Paused)
            .await
            .unwrap();
    }
    let other = set(house, repeated, Game::Crash, GameStatus::Paused).await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    // Setting the same status records nothing.
    set(house, context(boss), Game::Dice, GameStatus::Paused)
        .await
        .unwrap();
    let records = test.texts(
        "SELECT subject || ': ' || old_value || ' to ' || new_value AS value
         FROM audit_log WHERE action = 'game_status' ORDER BY id",
    );
    assert_eq!(records, ["dice (maintenance): open to paused"]);
    test.assert_clean().await;
    // The check finds a status that was changed without a record.
    test.sql("UPDATE games SET status = 'open' WHERE name = 'dice'")
        .unwrap();
    let report = test.check();
    let broken: Vec<_> = report
        .invariants
        .iter()
        .filter(|finding| finding.count > 0)
        .collect();
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_eq!(
        broken[0].invariant,
        "every game's status and limits are what the audit log says"
    );
}

#[apply(both_databases)]
async fn every_game_has_a_status_and_the_first_five_are_open(#[case] test: &Fixture) {
    let statuses = game_statuses(&test.house).await.unwrap();
    assert!(statuses.keys().eq(Game::ALL));
    for (index, game) in Game::ALL.iter().enumerate() {
        let expected = if index < 5 {
            GameStatus::Open
        } else {
            GameStatus::Announced
        };
        assert_eq!(statuses[game], expected, "{game:?}");
    }
}

/// Only PostgreSQL supports several servers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_changes_reach_other_servers() {
    let test = &Fixture::on(Backend::Postgres);
    let other = test.another_house();
    let chore = tokio::spawn(end_rounds(other.clone()));
    let player = test.player("player", 100_000).await;
    let boss = context(administrator(test, "boss").await);
    let roll = || place_dice_bet(&other, player, bet(100, 50, BetType::Over), None);
    roll().await.unwrap();
    set(&test.house, boss, Game::Dice, GameStatus::Paused)
        .await
        .unwrap();
    for attempt in 0.. {
        if let Err(CasinoError::Refused(Refusal::GamePaused)) = roll().await {
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
