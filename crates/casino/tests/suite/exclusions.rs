//! GLI-19 A.3.8: an excluded player starts no round and makes no deposit, but finishes rounds in play
//! and withdraws; an exclusion ends only by time.

use std::time::Duration;

use glasshouse_casino::accounts::{SignIn, player, sign_in};
use glasshouse_casino::limits::{exclude, read_exclusions, read_limits};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::play::timed::{end_rounds, open_rounds};
use glasshouse_casino::play::{RoundMove, make_move, start};
use glasshouse_casino::{Clock as _, LimitRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{Currency, ExclusionDuration, PERMANENT, TypedPassword};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::heads_up::Action;
use glasshouse_games::{crash, mines};
use glasshouse_payments::InvoiceId;
use rstest_reuse::apply;

use crate::support::administration::open_mines;
use crate::support::cashier_fixture::CashierFixture;
use crate::support::every_game::{assert_no_game_starts, mines_bet};
use crate::support::games::{
    CashOutCall, cash_out, deal_heads_up, deal_poker_hand, start_crash_round, start_stonks_round,
};
use crate::support::limits::{DAY, exclude_for, stake, stake_with_key};
use crate::support::poker::{dollars, draw, heads_up_bet, play};
use crate::support::predetermined_rounds::{
    crash_bet, crashes_in, next_stream, prepare, stonks_bet, times,
};
use crate::support::{Fixture, assert_refused, both_databases};

const MOMENT: Duration = Duration::from_micros(1);

#[apply(both_databases)]
async fn gli_19_a_3_8_rounds_of_every_game_are_finished_but_none_starts(#[case] test: &Fixture) {
    let player = test.player("excluded", 1_000_000).await;
    let house = &test.house;
    open_mines(test).await;
    let replayed = stake_with_key(house, player, (500, "before"))
        .await
        .unwrap();
    let terms = crash_bet(1_000, None);
    prepare::<crash::Round>(test, player, terms, crashes_in(5_000..10_000)).await;
    start_crash_round(house, player, terms, None).await.unwrap();
    start_stonks_round(house, player, stonks_bet(1_000, None), None)
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

    let exclusion = exclude_for(test, player, ExclusionDuration::Permanent).await;
    let refusal = Refusal::Limits(LimitRefusal::Excluded(exclusion.until));
    assert_refused(stake(house, player, 1).await, &refusal);
    let again = stake_with_key(house, player, (500, "before"))
        .await
        .unwrap();
    assert_eq!(again.round.id, replayed.round.id);

    test.clock.advance(Duration::from_secs(2));
    let paid = cash_out(house, player, times(110), CashOutCall::default())
        .await
        .unwrap();
    assert!(paid.round.payout.is_positive());
    draw(house, player).await.unwrap();
    let raised = play(house, player, Action::Raise, (None, None))
        .await
        .unwrap();
    assert_eq!(raised.round.stake.cents(), 7_500);
    let reveal = RoundMove::<mines::Round>::new(mines::Move::Reveal(safe));
    make_move(house, player, reveal).await.unwrap();
    let leave = RoundMove::<mines::Round>::new(mines::Move::CashOut);
    let paid = make_move(house, player, leave).await.unwrap();
    assert!(paid.round.payout.is_positive());
    // The round of stonks ends by itself.
    let timer = tokio::spawn(end_rounds(house.clone()));
    while !open_rounds(house, player).await.unwrap().is_empty() {
        test.clock.advance(Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    timer.abort();
    assert_no_game_starts(house, player, &refusal).await;
    assert_no_game_starts(&test.another_house(), player, &refusal).await;
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_a_3_8_no_deposit_but_withdrawals_and_sign_in(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let id = fixture.player;
    test.set_balance(id, 50_000).await.unwrap();
    let (deposit, invoice) = fixture.deposit().await;
    let exclusion = exclude_for(test, id, ExclusionDuration::Week).await;
    let outcome = fixture.deposit_of(10_000, Currency::Btc).await;
    assert_refused(
        outcome,
        &Refusal::Limits(LimitRefusal::Excluded(exclusion.until)),
    );
    // Money that arrives for the open invoice is credited.
    let before = fixture.balance().await;
    assert_eq!(
        InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap(),
        invoice
    );
    fixture.pay_in_full(&invoice).await;
    assert!(fixture.balance().await > before);
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    let request = WithdrawalRequest::parse("20", "btc", address).unwrap();
    request_withdrawal(&test.house, id, request, None)
        .await
        .unwrap();
    let signed_in = sign_in(
        &test.house,
        SignIn {
            username: "depositor".to_owned(),
            password: TypedPassword::new("tr4vel-lamp".to_owned()),
            origin: RequestOrigin::default(),
        },
        None,
    )
    .await
    .unwrap()
    .player;
    assert_eq!(signed_in.excluded_until, Some(exclusion.until));
    test.clock.set(exclusion.until);
    let after = player(&test.house, signed_in.user).await.unwrap();
    assert_eq!(after.excluded_until, None);
    fixture.deposit().await;
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_a_3_8_an_exclusion_ends_only_by_time(#[case] test: &Fixture) {
    let player = test.player("resting", 100_000).await;
    let first = exclude_for(test, player, ExclusionDuration::Day).await;
    assert_eq!(first.until, test.clock.now().saturating_add(DAY));
    test.clock.set(first.until.saturating_sub(MOMENT));
    let refusal = Refusal::Limits(LimitRefusal::Excluded(first.until));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    let limits = read_limits(&test.house, player).await.unwrap();
    assert_eq!(limits.exclusion, Some(first));
    test.clock.advance(MOMENT);
    stake(&test.house, player, 1).await.unwrap();
    let limits = read_limits(&test.house, player).await.unwrap();
    assert_eq!(limits.exclusion, None);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn gli_19_a_3_8_only_a_longer_exclusion_replaces_one(#[case] test: &Fixture) {
    let player = test.player("decided", 100_000).await;
    let month = exclude_for(test, player, ExclusionDuration::Month).await;
    for shorter in [
        ExclusionDuration::Day,
        ExclusionDuration::Week,
        ExclusionDuration::Month,
    ] {
        let outcome = exclude(&test.house, player, shorter).await;
        assert_refused(
            outcome,
            &Refusal::Limits(LimitRefusal::AlreadyExcluded(month.until)),
        );
    }
    let half = exclude_for(test, player, ExclusionDuration::SixMonths).await;
    let refusal = Refusal::Limits(LimitRefusal::Excluded(half.until));
    assert_refused(stake(&test.house, player, 1).await, &refusal);
    let forever = exclude_for(test, player, ExclusionDuration::Permanent).await;
    assert_eq!(forever.until, PERMANENT);
    let outcome = exclude(&test.house, player, ExclusionDuration::Permanent).await;
    assert_refused(
        outcome,
        &Refusal::Limits(LimitRefusal::AlreadyExcluded(PERMANENT)),
    );
    let history = read_exclusions(&test.house, player).await.unwrap();
    assert_eq!(history, [forever, half, month]);
    for change in [
        "UPDATE exclusions SET until_micros = 9e15",
        "DELETE FROM exclusions",
    ] {
        let refused = test.sql(change).unwrap_err();
        assert!(refused.contains("end only by time"), "{refused}");
    }
    let texts = [
        Refusal::Limits(LimitRefusal::Excluded(PERMANENT)).to_string(),
        Refusal::Limits(LimitRefusal::Excluded(month.until)).to_string(),
    ];
    assert_eq!(
        texts,
        [
            "You have excluded yourself from playing and depositing permanently",
            "You have excluded yourself from playing and depositing until 2023-12-14 22:14 UTC",
        ]
    );
    test.assert_clean().await;
}
