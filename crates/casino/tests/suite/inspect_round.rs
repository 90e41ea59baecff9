//! The replay of a round for administrators.

use glasshouse_casino::books::{InspectedRound, ReplayFinding, inspect_round};
use glasshouse_casino::{Refusal, Round};
use glasshouse_domain::{Money, RoundId};
use glasshouse_games::dice::BetType;
use glasshouse_games::video_poker;
use rstest_reuse::apply;

use crate::support::games::{deal_poker_hand, draw_cards, place_dice_bet};
use crate::support::tampering::disable_triggers;
use crate::support::{Fixture, assert_refused, bet, both_databases};

async fn inspected(test: &Fixture, id: RoundId) -> InspectedRound {
    inspect_round(&test.house, id).await.unwrap()
}

#[apply(both_databases)]
async fn a_changed_round_differs_from_its_seeds(#[case] test: &Fixture) {
    let player = test.player("player", 1_000_000).await;
    let played = place_dice_bet(&test.house, player, bet(1_000, 50, BetType::Over), None).await;
    let Round {
        id,
        payout,
        details,
        ..
    } = played.unwrap().round;
    let found = inspected(test, id).await;
    assert_eq!(found.replay, ReplayFinding::Same);
    assert_eq!(found.username, "player");
    assert!(found.verifiable.is_some());
    assert_eq!(found.revealed_server_seed, None);
    let triggers = disable_triggers(test);
    for (change, repair, finding) in [
        (
            "payout_cents = payout_cents + 1".to_owned(),
            format!("payout_cents = {}", payout.cents()),
            ReplayFinding::Different(vec!["payout"]),
        ),
        (
            "result = CASE result WHEN 'win' THEN 'loss' ELSE 'win' END".to_owned(),
            "result = CASE result WHEN 'win' THEN 'loss' ELSE 'win' END".to_owned(),
            ReplayFinding::Different(vec!["result"]),
        ),
        (
            "multiplier_thousandths = 2000".to_owned(),
            "multiplier_thousandths = NULL".to_owned(),
            ReplayFinding::Different(vec!["multiplier"]),
        ),
        (
            "details = '{}'".to_owned(),
            format!("details = '{details}'"),
            ReplayFinding::Impossible,
        ),
    ] {
        test.sql(&format!("UPDATE rounds SET {change} WHERE id = {id}"))
            .unwrap();
        assert_eq!(inspected(test, id).await.replay, finding, "{change}");
        test.sql(&format!("UPDATE rounds SET {repair} WHERE id = {id}"))
            .unwrap();
    }
    assert_eq!(inspected(test, id).await.replay, ReplayFinding::Same);
    test.sql(&triggers).unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_round_in_play_is_not_replayed(#[case] test: &Fixture) {
    let player = test.player("player", 1_000_000).await;
    let hand = video_poker::Bet::new(Money::from_cents(500)).unwrap();
    let dealt = deal_poker_hand(&test.house, player, hand, None).await;
    let id = dealt.unwrap().round.id;
    let found = inspected(test, id).await;
    assert_eq!(found.replay, ReplayFinding::InPlay);
    assert!(found.verifiable.is_none());
    draw_cards(&test.house, player, None, None, None)
        .await
        .unwrap();
    assert_eq!(inspected(test, id).await.replay, ReplayFinding::Same);
    let unknown = inspect_round(&test.house, RoundId::new(i64::MAX)).await;
    assert_refused(unknown, &Refusal::NotFound);
    test.assert_clean().await;
}
