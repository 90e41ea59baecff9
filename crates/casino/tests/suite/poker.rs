//! Both poker games against real databases: what is dealt, held, drawn and paid, races and abuse.

use glasshouse_casino::fairness::rotate_seeds;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::play::{AnyRound, analyse_round, outcome_text, read_round, read_statistics};
use glasshouse_casino::{CasinoError, House, IdempotencyKey, Refusal};
use glasshouse_domain::{Money, RoundId, UserId};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::heads_up::{self, Action};
use glasshouse_games::video_poker::{self, Holds, PaidRank};
use rstest_reuse::apply;

use crate::play::{
    HeadsUpHand, HeadsUpPlay, PokerHand, deal_heads_up, deal_poker_hand, draw_cards, hold_cards,
    play_heads_up,
};
use crate::rounds::balance;
use crate::support::{Fixture, assert_refused, both_databases};

fn key(text: &str) -> Option<IdempotencyKey> {
    IdempotencyKey::parse(text).ok()
}

fn dollars(count: i64) -> video_poker::Bet {
    video_poker::Bet::new(Money::from_cents(count * 100)).unwrap()
}

fn heads_up_bet(count: i64) -> heads_up::Bet {
    heads_up::Bet::new(Money::from_cents(count * 100)).unwrap()
}

fn holds(positions: &[i64]) -> Holds {
    Holds::of(positions).unwrap()
}

async fn deal(house: &House, player: UserId) -> PokerHand {
    deal_poker_hand(house, player, dollars(5), None)
        .await
        .unwrap()
}

async fn draw(house: &House, player: UserId) -> Result<PokerHand, CasinoError> {
    draw_cards(house, player, None, None, None).await
}

async fn play(
    house: &House,
    player: UserId,
    action: Action,
    more: (Option<RoundId>, Option<IdempotencyKey>),
) -> Result<HeadsUpHand, CasinoError> {
    let bet = heads_up_bet(25);
    let (round, key) = more;
    play_heads_up(
        house,
        player,
        HeadsUpPlay {
            bet,
            action,
            round,
            key,
        },
    )
    .await
}

/// Whether a round can be analysed.
async fn analysed(house: &House, player: UserId, id: RoundId) -> Result<(), CasinoError> {
    analyse_round(house, player, id, |_| Some(())).await
}

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
        let kept = usize::try_from(number % 5).unwrap();
        assert_eq!(drawn.view.hand[kept], dealt.view.hand[kept]);
        let times = i64::from(drawn.view.rank.times(bet.is_maximum()));
        assert_eq!(drawn.round.payout.cents(), bet.stake().cents() * times);
        assert_eq!(drawn.round.is_win(), times > 0);
        expected += drawn.round.payout.cents();
        assert_eq!(balance(test, player).await, expected);
        finals.push((drawn.round.nonce, bet, held, drawn.view.hand));
    }
    // What was fixed at the deal comes out of the revealed seeds.
    let revealed = rotate_seeds(&test.house, player, None)
        .await
        .unwrap()
        .revealed;
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
async fn a_reload_finds_the_hand_with_its_holds(#[case] test: &Fixture) {
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
    let refused = rotate_seeds(&test.house, player, None).await.map(|_| ());
    assert_refused(refused, &Refusal::RoundOpen { id: dealt.round.id });
    assert_refused(
        read_round(&test.house, player, dealt.round.id)
            .await
            .map(|_| ()),
        &Refusal::NotFound,
    );
    assert_refused(
        analysed(&test.house, player, dealt.round.id).await,
        &Refusal::NotFound,
    );
    assert_refused(
        analysed(&test.house, player, hand.round.id).await,
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
async fn what_is_out_of_turn_is_refused_and_moves_nothing(#[case] test: &Fixture) {
    let player = test.player("cheat", 10_000).await;
    let neighbour = test.player("neighbour", 10_000).await;
    assert_refused(draw(&test.house, player).await, &Refusal::NoOpenRound);
    let none = hold_cards(&test.house, player, Holds::NONE, None).await;
    assert_refused(none, &Refusal::NoOpenRound);
    let dealt = deal(&test.house, player).await;
    let again = deal_poker_hand(&test.house, player, dollars(1), None).await;
    assert_refused(again, &Refusal::RoundOpen { id: dealt.round.id });
    let theirs = draw_cards(&test.house, neighbour, None, Some(dealt.round.id), None).await;
    assert_refused(theirs, &Refusal::NotFound);
    let theirs = hold_cards(&test.house, neighbour, Holds::NONE, Some(dealt.round.id)).await;
    assert_refused(theirs, &Refusal::NotFound);
    // A hand of the one game is none of the other.
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
async fn parallel_deals_and_draws_move_money_once(#[case] test: &Fixture) {
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
async fn the_same_call_again_is_answered_alike(#[case] test: &Fixture) {
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
    // The repeated draw is not the next hand's.
    let again = draw().await.unwrap();
    assert_eq!(
        (again.round.id, again.view.hand),
        (drawn.round.id, drawn.view.hand)
    );
    assert!(open_rounds(&test.house, player).await.unwrap().len() == 1);
    for (held, meant, key) in [
        (Some(holds(&[3])), None, key("draw")),
        (None, Some(next.round.id), key("draw")),
        (None, None, key("deal")),
    ] {
        let other = draw_cards(&test.house, player, held, meant, key).await;
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
    rotate_seeds(&test.house, player, None).await.unwrap();
    assert_eq!(
        call().await.unwrap().view.shown_down.unwrap().house,
        called.view.shown_down.unwrap().house
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn heads_up_stakes_shows_and_pays_by_its_table(#[case] test: &Fixture) {
    let player = test.player("opponent", 10_000_000).await;
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..60 {
        let action = Action::ALL[number % 3];
        let before = balance(test, player).await;
        let bet = heads_up_bet(25);
        if number % 2 == 0 {
            deal_heads_up(&test.house, player, bet, None).await.unwrap();
            assert_eq!(balance(test, player).await, before - 2_500);
        }
        // Where no hand is dealt, the call deals and plays at once.
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
        seen.insert(result.showdown.as_str());
    }
    assert!(
        seen.is_superset(&["fold", "loss", "win"].into()),
        "{seen:?}"
    );
    let statistics = read_statistics(&test.house, player).await.unwrap();
    assert_eq!(statistics.len(), 1);
    assert_eq!(
        (statistics[0].listed_as, statistics[0].rounds),
        ("poker", 60)
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_action_that_cannot_be_paid_leaves_the_hand_in_play(#[case] test: &Fixture) {
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
            let meant = Some(hand.round.id);
            tokio::spawn(async move { play(&house, player, Action::Fold, (meant, None)).await })
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
    // With nothing left for a hand of its own, a second one is not dealt by mistake either.
    test.set_balance(player, 0).await.unwrap();
    let none = play(&test.house, player, Action::Fold, (None, None)).await;
    assert_refused(none, &Refusal::InsufficientBalance);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_trainer_speaks_when_the_hand_is_over(#[case] test: &Fixture) {
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
    let theirs = analysed(&test.house, neighbour, hand.round.id).await;
    assert_refused(theirs, &Refusal::NotFound);
    let found = read_round(&test.house, player, drawn.round.id)
        .await
        .unwrap();
    assert!(found.round.as_round_of::<video_poker::Round>().is_some());
}
