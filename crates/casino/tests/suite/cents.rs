//! Fractions of a cent: the seeds round them up or down, and a round keeps its rules version.

use glasshouse_casino::play::read_round;
use glasshouse_casino::play::timed::open_rounds;
use glasshouse_domain::{RulesVersion, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::Stream;
use glasshouse_games::game_round::GameRound;
use glasshouse_games::payout::ExactPayout;
use glasshouse_games::{crash, dice, stonks};
use glasshouse_persistence::rounds::Round;
use rstest_reuse::apply;

use crate::support::games::{
    CashOutCall, cash_out, place_dice_bet, sell, start_crash_round, start_stonks_round,
};
use crate::support::predetermined_rounds::{balance, crash_bet, next_stream, stonks_bet, times};
use crate::support::seeds::use_known_seeds;
use crate::support::tampering::disable_triggers;
use crate::support::{Fixture, bet, both_databases, key};

/// A player with fixed seeds, so that every round is known in advance.
async fn player_with_fixed_seeds(test: &Fixture, name: &str) -> UserId {
    let player = test.player(name, 1_000_000).await;
    use_known_seeds(test, player, |_| "glasshouse".to_owned()).await;
    player
}

/// Plays dice until the random stream of the next round satisfies `is_match`.
async fn play_until(test: &Fixture, player: UserId, is_match: impl Fn(Stream) -> bool) {
    while !is_match(next_stream(test, player).await) {
        let filler = bet(100, 50, BetType::Over);
        place_dice_bet(&test.house, player, filler, None)
            .await
            .unwrap();
    }
}

/// Whether the seeds round the payout's fraction of a cent up; `None` if it has no fraction.
fn rounds_up(payout: ExactPayout, stream: &mut Stream) -> Option<bool> {
    let fair = payout.in_cents(RulesVersion::FairCents, || stream.cent_word());
    (!payout.is_whole()).then(|| fair > payout.rounded_down())
}

fn dice_rounds_up(bet: dice::Bet) -> impl Fn(Stream) -> Option<bool> {
    move |mut stream| rounds_up(bet.play(&mut stream).payout, &mut stream)
}

fn crash_rounds_up(bet: crash::Bet) -> impl Fn(Stream) -> Option<bool> {
    move |mut stream| {
        let ending = crash::Round::begin(bet, &mut stream).ending();
        ending
            .multiplier
            .and_then(|_| rounds_up(ending.payout, &mut stream))
    }
}

fn stonks_rounds_up(bet: stonks::Bet) -> impl Fn(Stream) -> Option<bool> {
    move |mut stream| {
        let ending = stonks::Round::begin(bet, &mut stream).ending();
        ending
            .multiplier
            .and_then(|_| rounds_up(ending.payout, &mut stream))
    }
}

async fn settled(test: &Fixture, player: UserId, round: &Round) -> Round {
    // Reading the open rounds settles those that are due.
    open_rounds(&test.house, player).await.unwrap();
    let found = read_round(&test.house, player, round.id).await.unwrap();
    found.round.round().clone()
}

#[apply(both_databases)]
async fn the_seeds_round_a_fraction_of_a_cent(#[case] test: &Fixture) {
    let player = player_with_fixed_seeds(test, "saver").await;
    // A stake of 1 cent on rolls up to 66 wins 1.5 cents.
    let chosen = bet(1, 66, BetType::Under);
    for (is_added, cents) in [(true, 2), (false, 1)] {
        play_until(test, player, |stream| {
            dice_rounds_up(chosen)(stream) == Some(is_added)
        })
        .await;
        let before = balance(test, player).await;
        let name = || Some(key(&format!("cent-{cents}")));
        let placed = place_dice_bet(&test.house, player, chosen, name())
            .await
            .unwrap();
        assert_eq!(
            (placed.round.payout.cents(), placed.round.rules),
            (cents, RulesVersion::FairCents)
        );
        assert_eq!(balance(test, player).await, before - 1 + cents);
        // The payout is stored, not computed again.
        let again = place_dice_bet(&test.another_house(), player, chosen, name())
            .await
            .unwrap();
        assert_eq!(
            (again.round.id, again.round.payout),
            (placed.round.id, placed.round.payout)
        );
        assert_eq!(balance(test, player).await, before - 1 + cents);
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_cash_out_is_rounded_by_the_seeds(#[case] test: &Fixture) {
    let player = player_with_fixed_seeds(test, "crasher").await;
    let automatic = crash_bet(101, Some(150));
    for (is_added, cents) in [(true, 152), (false, 151)] {
        play_until(test, player, |stream| {
            crash_rounds_up(automatic)(stream) == Some(is_added)
        })
        .await;
        let started = start_crash_round(&test.house, player, automatic, None)
            .await
            .unwrap();
        assert_eq!(started.round.rules, RulesVersion::FairCents);
        test.clock.advance(
            crash::Round::crashing_at(automatic, crash::CrashPoint::At(times(10_000)))
                .ending()
                .after
                .unwrap(),
        );
        assert_eq!(
            settled(test, player, &started.round).await.payout.cents(),
            cents
        );

        // The same for a manual cash-out, and for its retry.
        play_until(test, player, |stream| {
            crash_rounds_up(automatic)(stream) == Some(is_added)
        })
        .await;
        let started = start_crash_round(&test.house, player, crash_bet(101, None), None)
            .await
            .unwrap();
        test.clock.advance(std::time::Duration::from_millis(715));
        let cash_out_call = || CashOutCall {
            round: Some(started.round.id),
            key: Some(key(&format!("leave-{cents}"))),
        };
        for house in [&test.house, &test.another_house()] {
            let cashed_out = cash_out(house, player, times(150), cash_out_call())
                .await
                .unwrap();
            assert_eq!(
                (cashed_out.round.payout.cents(), cashed_out.round.multiplier),
                (cents, Some(times(150)))
            );
        }
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_sale_is_rounded_by_the_seeds_and_an_auto_sell_pays_at_least_its_amount(
    #[case] test: &Fixture,
) {
    let player = player_with_fixed_seeds(test, "trader").await;
    let terms = stonks_bet(3, Some(4));
    for is_added in [true, false] {
        play_until(test, player, |stream| {
            stonks_rounds_up(terms)(stream) == Some(is_added)
        })
        .await;
        let mut stream = next_stream(test, player).await;
        let ending = stonks::Round::begin(terms, &mut stream).ending();
        let started = start_stonks_round(&test.house, player, terms, None)
            .await
            .unwrap();
        test.clock.advance(ending.after.unwrap());
        let paid = settled(test, player, &started.round).await.payout;
        assert_eq!(
            paid.cents(),
            ending.payout.rounded_down().cents() + i64::from(is_added)
        );
        assert!(paid.cents() >= 4);

        let first_point = |mut stream: Stream| {
            let planned = stonks::Round::begin(stonks_bet(3, None), &mut stream);
            let sale = planned.leave(stonks::TICK).ok()?;
            rounds_up(sale.payout, &mut stream)
        };
        play_until(test, player, |stream| first_point(stream) == Some(is_added)).await;
        let mut stream = next_stream(test, player).await;
        let started = start_stonks_round(&test.house, player, stonks_bet(3, None), None)
            .await
            .unwrap();
        test.clock.advance(stonks::TICK);
        let cash_out_call = || CashOutCall {
            round: Some(started.round.id),
            key: Some(key(&format!("sell-{is_added}"))),
        };
        for house in [&test.house, &test.another_house()] {
            let sold = sell(house, player, cash_out_call()).await.unwrap();
            let thousandths = i64::from(sold.round.multiplier.unwrap().thousandths()) * 3;
            // The formula of the rules, written independently of the code.
            let is_rounded_up = u64::from(stream.cent_word()) * 1_000
                < u64::try_from(thousandths % 1_000).unwrap() << 32;
            assert_eq!(is_rounded_up, is_added);
            assert_eq!(
                sold.round.payout.cents(),
                thousandths / 1_000 + i64::from(is_rounded_up)
            );
        }
    }
    test.assert_clean().await;
}

/// Gives all rounds the first rules version, as the migration that introduced versions did, before
/// there were receipts.
fn set_first_rules_version(test: &Fixture) {
    let triggers = disable_triggers(test);
    let (empty, waiting) = if test.is_postgres() {
        ("''::bytea", "")
    } else {
        ("X''", "DELETE FROM log_waiting;")
    };
    test.sql(&format!(
        "UPDATE rounds SET rules_version = 1;
         UPDATE rounds SET receipt_batch_id = NULL, receipt_index = NULL WHERE state = 'settled';
         UPDATE log_batches SET entry_count = 0, entries = {empty};
         {waiting}
         DELETE FROM log_opening_totals;
         INSERT INTO log_opening_totals
         SELECT 1, game, COUNT(*), SUM(stake_cents), SUM(payout_cents) FROM rounds
         WHERE state = 'settled' GROUP BY game"
    ))
    .unwrap();
    test.sql(&triggers).unwrap();
}

fn versions(test: &Fixture) -> Vec<String> {
    test.texts("SELECT DISTINCT '' || rules_version AS value FROM rounds ORDER BY value")
}

#[apply(both_databases)]
async fn older_rounds_keep_their_rules_version(#[case] test: &Fixture) {
    let player = player_with_fixed_seeds(test, "veteran").await;
    let cent = bet(1, 66, BetType::Under);
    // Settled before the migration: rounded down, as under the old rules.
    play_until(test, player, |stream| {
        dice_rounds_up(cent)(stream) == Some(false)
    })
    .await;
    let old = place_dice_bet(&test.house, player, cent, None)
        .await
        .unwrap();
    // In play during the migration: under the new rules each would be paid one cent more.
    let crash_terms = crash_bet(101, Some(150));
    play_until(test, player, |stream| {
        crash_rounds_up(crash_terms)(stream) == Some(true)
    })
    .await;
    let crash = start_crash_round(&test.house, player, crash_terms, None)
        .await
        .unwrap();
    let stonks_terms = stonks_bet(3, Some(4));
    play_until(test, player, |stream| {
        stonks_rounds_up(stonks_terms)(stream) == Some(true)
    })
    .await;
    let mut stream = next_stream(test, player).await;
    let stonks_ending = stonks::Round::begin(stonks_terms, &mut stream).ending();
    let stonks = start_stonks_round(&test.house, player, stonks_terms, None)
        .await
        .unwrap();

    set_first_rules_version(test);
    assert_eq!(versions(test), ["1"]);
    test.assert_clean().await;
    assert_eq!(
        settled(test, player, &old.round).await.rules,
        RulesVersion::RoundedDown
    );
    test.clock.advance(std::time::Duration::from_mins(3));
    let crashed = settled(test, player, &crash.round).await;
    assert_eq!(
        (crashed.rules, crashed.payout.cents()),
        (RulesVersion::RoundedDown, 151)
    );
    let sold = settled(test, player, &stonks.round).await;
    assert_eq!(
        (sold.rules, sold.payout),
        (
            RulesVersion::RoundedDown,
            stonks_ending.payout.rounded_down()
        )
    );
    test.assert_clean().await;

    // New rounds follow the new rules.
    play_until(test, player, |stream| {
        dice_rounds_up(cent)(stream) == Some(true)
    })
    .await;
    let new = place_dice_bet(&test.house, player, cent, None)
        .await
        .unwrap();
    assert_eq!(
        (new.round.rules, new.round.payout.cents()),
        (RulesVersion::FairCents, 2)
    );
    assert_eq!(versions(test), ["1", "2"]);
    test.assert_clean().await;
    for change in ["rules_version = 1", "rules_version = 3"] {
        assert!(
            test.sql(&format!("UPDATE rounds SET {change}")).is_err(),
            "{change}"
        );
    }

    // The check uses the round's version: under the old rules that cent is one too many.
    set_first_rules_version(test);
    let report = test.check();
    let broken: Vec<_> = report
        .invariants
        .iter()
        .filter(|invariant| invariant.count > 0)
        .collect();
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_eq!(
        (broken[0].invariant, broken[0].count),
        (
            "every round replays identically from its seeds and nonce",
            1
        )
    );
}
