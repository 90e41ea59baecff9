//! Calls of both poker games that are retried, concurrent, out of turn or unaffordable.

use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::{CasinoError, Refusal};
use glasshouse_games::heads_up::Action;
use glasshouse_games::video_poker::Holds;
use rstest_reuse::apply;

use crate::support::poker::{deal, dollars, draw, heads_up_bet, holds, key, play};

use crate::support::games::{deal_heads_up, deal_poker_hand, draw_cards, hold_cards};
use crate::support::predetermined_rounds::balance;
use crate::support::seeds::rotate;
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn moves_out_of_turn_are_refused_and_change_nothing(#[case] test: &Fixture) {
    let player = test.player("cheat", 10_000).await;
    let neighbour = test.player("neighbour", 10_000).await;
    assert_refused(draw(&test.house, player).await, &Refusal::NoOpenRound);
    let no_hand = hold_cards(&test.house, player, Holds::NONE, None).await;
    assert_refused(no_hand, &Refusal::NoOpenRound);
    let dealt = deal(&test.house, player).await;
    let again = deal_poker_hand(&test.house, player, dollars(1), None).await;
    assert_refused(again, &Refusal::RoundOpen { id: dealt.round.id });
    let theirs = draw_cards(&test.house, neighbour, None, Some(dealt.round.id), None).await;
    assert_refused(theirs, &Refusal::NotFound);
    let theirs = hold_cards(&test.house, neighbour, Holds::NONE, Some(dealt.round.id)).await;
    assert_refused(theirs, &Refusal::NotFound);
    // A hand of one game is not found by the other.
    let other = play(
        &test.house,
        player,
        Action::Fold,
        (Some(dealt.round.id), None),
    )
    .await;
    assert_refused(other, &Refusal::NotFound);
    assert_eq!(balance(test, player).await, 9_500);
    let drawn = draw(&test.house, player).await.unwrap();
    let late = hold_cards(&test.house, player, Holds::NONE, Some(drawn.round.id)).await;
    assert_refused(late, &Refusal::RoundOver);
    assert_refused(draw(&test.house, player).await, &Refusal::NoOpenRound);
    let poor = test.player("poor", 499).await;
    let refused = deal_poker_hand(&test.house, poor, dollars(5), None).await;
    assert_refused(refused, &Refusal::InsufficientBalance);
    let refused = deal_heads_up(&test.house, poor, heads_up_bet(5), None).await;
    assert_refused(refused, &Refusal::InsufficientBalance);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_deals_and_draws_move_money_once(#[case] test: &Fixture) {
    let player = test.player("racer", 100_000).await;
    let houses = [test.house.clone(), test.another_house()];
    for _ in 0..3 {
        let before = balance(test, player).await;
        let calls: Vec<_> = (0..30)
            .map(|number| {
                let house = houses[number % 2].clone();
                tokio::spawn(
                    async move { deal_poker_hand(&house, player, dollars(10), None).await },
                )
            })
            .collect();
        let mut dealt = 0;
        for call in calls {
            match call.await.unwrap() {
                Ok(_) => dealt += 1,
                Err(CasinoError::Refused(Refusal::RoundOpen { .. })) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!((dealt, balance(test, player).await), (1, before - 1_000));
        let draws: Vec<_> = (0..30)
            .map(|number| {
                let house = houses[number % 2].clone();
                let held = holds(&[i64::try_from(number % 5).unwrap()]);
                tokio::spawn(
                    async move { draw_cards(&house, player, Some(held), None, None).await },
                )
            })
            .collect();
        let mut paid = Vec::new();
        for draw in draws {
            match draw.await.unwrap() {
                Ok(hand) => paid.push(hand.round.payout.cents()),
                Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::NoOpenRound),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(paid.len(), 1);
        assert_eq!(balance(test, player).await, before - 1_000 + paid[0]);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn retries_return_the_first_result(#[case] test: &Fixture) {
    let player = test.player("repeater", 100_000).await;
    let deal = |bet| deal_poker_hand(&test.house, player, bet, key("deal"));
    let dealt = deal(dollars(5)).await.unwrap();
    assert_eq!(deal(dollars(5)).await.unwrap().round.id, dealt.round.id);
    assert_refused(deal(dollars(6)).await, &Refusal::IdempotencyConflict);
    let draw = || draw_cards(&test.house, player, Some(holds(&[2])), None, key("draw"));
    let drawn = draw().await.unwrap();
    let after = balance(test, player).await;
    let next = deal_poker_hand(&test.house, player, dollars(1), None)
        .await
        .unwrap();
    // A retried draw does not apply to the next hand.
    let again = draw().await.unwrap();
    assert_eq!(
        (again.round.id, again.view.hand),
        (drawn.round.id, drawn.view.hand)
    );
    assert!(open_rounds(&test.house, player).await.unwrap().len() == 1);
    for (held, round, key) in [
        (Some(holds(&[3])), None, key("draw")),
        (None, Some(next.round.id), key("draw")),
        (None, None, key("deal")),
    ] {
        let other = draw_cards(&test.house, player, held, round, key).await;
        assert_refused(other, &Refusal::IdempotencyConflict);
    }
    assert_eq!(balance(test, player).await, after - 100);
    draw_cards(&test.house, player, None, Some(next.round.id), None)
        .await
        .unwrap();

    let deal = |bet| deal_heads_up(&test.house, player, bet, key("deal-2"));
    let hand = deal(heads_up_bet(25)).await.unwrap();
    assert_eq!(
        deal(heads_up_bet(25)).await.unwrap().round.id,
        hand.round.id
    );
    assert_refused(deal(heads_up_bet(30)).await, &Refusal::IdempotencyConflict);
    let call = || play(&test.house, player, Action::Call, (None, key("play")));
    let called = call().await.unwrap();
    let after = balance(test, player).await;
    assert_eq!(call().await.unwrap().round.id, called.round.id);
    let raise = play(&test.house, player, Action::Raise, (None, key("play"))).await;
    assert_refused(raise, &Refusal::IdempotencyConflict);
    let fold = play(&test.house, player, Action::Fold, (None, key("deal-2"))).await;
    assert_refused(fold, &Refusal::IdempotencyConflict);
    assert_eq!(balance(test, player).await, after);
    rotate(&test.house, player, "other").await.unwrap();
    assert_eq!(
        call().await.unwrap().view.shown_down.unwrap().house,
        called.view.shown_down.unwrap().house
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_unaffordable_raise_leaves_the_hand_in_play(#[case] test: &Fixture) {
    let player = test.player("short", 5_000).await;
    let hand = deal_heads_up(&test.house, player, heads_up_bet(25), None)
        .await
        .unwrap();
    let raise = play(&test.house, player, Action::Raise, (None, None)).await;
    assert_refused(raise, &Refusal::InsufficientBalance);
    assert_eq!(balance(test, player).await, 2_500);
    let folds: Vec<_> = (0..20)
        .map(|_| {
            let house = test.house.clone();
            let round = Some(hand.round.id);
            tokio::spawn(async move { play(&house, player, Action::Fold, (round, None)).await })
        })
        .collect();
    let mut folded = 0;
    for fold in folds {
        match fold.await.unwrap() {
            Ok(_) => folded += 1,
            Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::RoundOver),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((folded, balance(test, player).await), (1, 2_500));
    // An action after the hand's end would deal a new hand; without money it is refused.
    test.set_balance(player, 0).await.unwrap();
    let unaffordable = play(&test.house, player, Action::Fold, (None, None)).await;
    assert_refused(unaffordable, &Refusal::InsufficientBalance);
    test.assert_clean().await;
}
