//! Hands of both poker games: what is dealt, held, drawn, paid and analysed.

use glasshouse_casino::Refusal;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::play::{AnyRound, analyse_round, outcome_text, read_round, read_statistics};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::heads_up::Action;
use glasshouse_games::video_poker::{self, PaidRank};
use rstest_reuse::apply;

use crate::support::poker::{deal, dollars, draw, heads_up_bet, holds, play, try_analysis};

use crate::support::games::{
    HeadsUpHand, PokerHand, deal_heads_up, deal_poker_hand, draw_cards, hold_cards,
};
use crate::support::predetermined_rounds::balance;
use crate::support::seeds::rotate;
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_hand_is_dealt_held_drawn_and_paid(#[case] test: &Fixture) {
    let player = test.player("gambler", 1_000_000).await;
    let mut expected = 1_000_000;
    let mut finals = Vec::new();
    for number in 0..12_i64 {
        let bet = dollars(number % 10 + 1);
        let dealt = deal_poker_hand(&test.house, player, bet, None)
            .await
            .unwrap();
        expected -= bet.stake().cents();
        assert_eq!(balance(test, player).await, expected);
        assert_eq!(dealt.view.hand, dealt.view.dealt);
        let held = holds(&[number % 5]);
        hold_cards(&test.house, player, held, None).await.unwrap();
        let drawn = draw(&test.another_house(), player).await.unwrap();
        assert_eq!((drawn.round.id, drawn.view.holds), (dealt.round.id, held));
        let held_position = usize::try_from(number % 5).unwrap();
        assert_eq!(
            drawn.view.hand[held_position],
            dealt.view.hand[held_position]
        );
        let times = i64::from(drawn.view.rank.times(bet.is_maximum()));
        assert_eq!(drawn.round.payout.cents(), bet.stake().cents() * times);
        assert_eq!(drawn.round.is_win(), times > 0);
        expected += drawn.round.payout.cents();
        assert_eq!(balance(test, player).await, expected);
        finals.push((drawn.round.nonce, bet, held, drawn.view.hand));
    }
    // The revealed seeds reproduce the hands.
    let revealed = rotate(&test.house, player, "other").await.unwrap().revealed;
    let seed = ServerSeed::from_text(revealed.server_seed).unwrap();
    let client_seed = ClientSeed::parse(&revealed.client_seed).unwrap();
    for (nonce, bet, held, hand) in finals {
        let mut stream = Stream::new(&seed, &client_seed, nonce);
        let again = video_poker::Deal::new(&mut stream).finish(&bet, held);
        assert_eq!(again.hand, hand);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn open_hands_are_restored_with_their_holds(#[case] test: &Fixture) {
    let player = test.player("reloader", 10_000).await;
    let dealt = deal(&test.house, player).await;
    hold_cards(&test.house, player, holds(&[0, 4]), Some(dealt.round.id))
        .await
        .unwrap();
    hold_cards(&test.house, player, holds(&[1, 4]), None)
        .await
        .unwrap();
    let hand = deal_heads_up(&test.house, player, heads_up_bet(5), None)
        .await
        .unwrap();
    let open = open_rounds(&test.another_house(), player).await.unwrap();
    assert_eq!(open.len(), 2);
    let poker: PokerHand = open.iter().find_map(AnyRound::as_round_of).unwrap();
    let heads_up: HeadsUpHand = open.iter().find_map(AnyRound::as_round_of).unwrap();
    assert_eq!(
        (poker.view.hand, poker.view.holds),
        (dealt.view.hand, holds(&[1, 4]))
    );
    assert_eq!(heads_up.view.player_cards, hand.view.player_cards);
    assert_eq!(
        (
            heads_up.view.board.len(),
            heads_up.view.shown_down.is_none()
        ),
        (3, true)
    );
    let refused = rotate(&test.house, player, "other").await.map(|_| ());
    assert_refused(refused, &Refusal::RoundOpen { id: dealt.round.id });
    assert_refused(
        read_round(&test.house, player, dealt.round.id)
            .await
            .map(|_| ()),
        &Refusal::NotFound,
    );
    assert_refused(
        try_analysis(&test.house, player, dealt.round.id).await,
        &Refusal::NotFound,
    );
    assert_refused(
        try_analysis(&test.house, player, hand.round.id).await,
        &Refusal::NotFound,
    );
    draw(&test.house, player).await.unwrap();
    play(&test.house, player, Action::Fold, (None, None))
        .await
        .unwrap();
    assert!(open_rounds(&test.house, player).await.unwrap().is_empty());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn heads_up_pays_by_its_pay_table(#[case] test: &Fixture) {
    let player = test.player("opponent", 10_000_000).await;
    let mut outcomes = std::collections::BTreeSet::new();
    for number in 0..60 {
        let action = Action::ALL[number % 3];
        let before = balance(test, player).await;
        let bet = heads_up_bet(25);
        if number % 2 == 0 {
            deal_heads_up(&test.house, player, bet, None).await.unwrap();
            assert_eq!(balance(test, player).await, before - 2_500);
        }
        // Without a dealt hand, the call deals and plays at once.
        let hand = play(&test.house, player, action, (None, None))
            .await
            .unwrap();
        let result = hand.view.shown_down.unwrap().result;
        let staked = 2_500 * (1 + action.added_bets());
        assert_eq!(hand.round.stake.cents(), staked);
        assert_eq!(hand.view.board.len(), 5);
        let payout = bet.payout(action, result.showdown, result.house_qualifies);
        assert_eq!(hand.round.payout, payout);
        assert_eq!(
            balance(test, player).await,
            before - staked + payout.cents()
        );
        assert_eq!(
            outcome_text(&hand.round),
            format!("{} (heads-up)", result.showdown.as_str())
        );
        outcomes.insert(result.showdown.as_str());
    }
    assert!(
        outcomes.is_superset(&["fold", "loss", "win"].into()),
        "{outcomes:?}"
    );
    let statistics = read_statistics(&test.house, player).await.unwrap();
    assert_eq!(statistics.len(), 1);
    assert_eq!(
        (statistics[0].listed_name, statistics[0].rounds),
        ("poker", 60)
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_hand_is_analysed_only_after_it_is_over(#[case] test: &Fixture) {
    let player = test.player("student", 100_000).await;
    deal(&test.house, player).await;
    let drawn = draw_cards(&test.house, player, Some(holds(&[0, 1])), None, None)
        .await
        .unwrap();
    let analysis = analyse_round(&test.house, player, drawn.round.id, |round| {
        let PokerHand { view, .. } = round.as_round_of()?;
        Some((view.hold_values(), view.holds))
    });
    let (values, chosen) = analysis.await.unwrap();
    assert_eq!((values.len(), chosen), (32, holds(&[0, 1])));
    assert_eq!(
        values.iter().map(|value| value.draws).sum::<u64>(),
        2_598_960
    );
    let all = values
        .iter()
        .find(|value| value.holds.positions().len() == 5)
        .unwrap();
    let dealt = PaidRank::of(drawn.view.dealt.iter().copied().collect());
    assert_eq!(all.paid_times, u64::from(dealt.times(false)));
    assert!(values.windows(2).all(|pair| {
        u128::from(pair[0].paid_times) * u128::from(pair[1].draws)
            >= u128::from(pair[1].paid_times) * u128::from(pair[0].draws)
    }));
    let hand = play(&test.house, player, Action::Call, (None, None))
        .await
        .unwrap();
    let analysis = analyse_round(&test.house, player, hand.round.id, |round| {
        let HeadsUpHand { view, .. } = round.as_round_of()?;
        Some((view.equity(), view.action))
    });
    let (equity, chosen) = analysis.await.unwrap();
    assert_eq!((equity.total, chosen), (1_070_190, Some(Action::Call)));
    let neighbour = test.player("peeper", 100).await;
    let theirs = try_analysis(&test.house, neighbour, hand.round.id).await;
    assert_refused(theirs, &Refusal::NotFound);
    let found = read_round(&test.house, player, drawn.round.id)
        .await
        .unwrap();
    assert!(found.round.as_round_of::<video_poker::Round>().is_some());
}
