//! The house's totals by day and game, compared with the rounds they are computed from.

use std::time::Duration;

use glasshouse_casino::administration::list;
use glasshouse_casino::books::{HouseGame, HouseReport, read_house_report, read_summary};
use glasshouse_casino::{AllRoundsQuery, CasinoError, DatabaseError, House, Round};
use glasshouse_domain::{Game, Money, RoundResult, RulesVersion, Spread};
use glasshouse_games::dice::BetType;
use glasshouse_games::{heads_up, video_poker};
use glasshouse_persistence::Scope;
use glasshouse_persistence::rounds::{NewRound, Settlement};
use rstest_reuse::apply;

use crate::support::games::{
    HeadsUpPlay, cash_out, deal_heads_up, deal_poker_hand, draw_cards, place_dice_bet, play_dice,
    play_heads_up, start_crash_round,
};
use crate::support::predetermined_rounds::{crash_bet, times};
use crate::support::{Fixture, bet, both_databases};

const DAY: Duration = Duration::from_hours(24);
/// The fixture's clock starts at 22:13:20.
const UNTIL_MIDNIGHT: Duration = Duration::from_secs(6_400);
/// 2023-11-14.
const FIRST_DAY: i64 = 19_675;

async fn all_rounds(house: &House) -> Vec<Round> {
    let query = AllRoundsQuery {
        limit: 10_000,
        ..AllRoundsQuery::default()
    };
    let page = list(house, query).await.unwrap();
    page.entries
        .into_iter()
        .map(|played| played.round)
        .collect()
}

fn sum(rounds: &[&Round], amount: fn(&Round) -> Money) -> i64 {
    rounds.iter().map(|round| amount(round).cents()).sum()
}

/// Asserts that the report equals the sums of the single rounds, and that the books are clean.
async fn assert_totals_match_rounds_and_books(test: &Fixture) -> HouseReport {
    let report = assert_totals_match_rounds(test).await;
    test.assert_clean().await;
    report
}

async fn assert_totals_match_rounds(test: &Fixture) -> HouseReport {
    let rounds = all_rounds(&test.house).await;
    let report = read_house_report(&test.house, 366).await.unwrap();
    assert_eq!(report.days.len(), 366);
    assert!(
        report
            .days
            .windows(2)
            .all(|pair| pair[0].day + 1 == pair[1].day)
    );
    for day in &report.days {
        let of_day: Vec<&Round> = rounds
            .iter()
            .filter(|round| round.ended_at.unwrap().day() == day.day)
            .collect();
        assert_eq!(day.turnover.rounds, of_day.len() as u64, "day {}", day.day);
        assert_eq!(
            day.turnover.staked.cents(),
            sum(&of_day, |round| round.stake)
        );
        assert_eq!(
            day.turnover.paid.cents(),
            sum(&of_day, |round| round.payout)
        );
    }
    for HouseGame { game, turnover, .. } in &report.games {
        let of_game: Vec<&Round> = rounds.iter().filter(|round| round.game == *game).collect();
        assert_eq!(turnover.rounds, of_game.len() as u64, "{game:?}");
        assert_eq!(turnover.staked.cents(), sum(&of_game, |round| round.stake));
        assert_eq!(turnover.paid.cents(), sum(&of_game, |round| round.payout));
    }
    let summary = read_summary(&test.house).await.unwrap();
    let all: Vec<&Round> = rounds.iter().collect();
    let profit = sum(&all, |round| round.stake) - sum(&all, |round| round.payout);
    assert_eq!(summary.rounds, rounds.len() as u64);
    assert_eq!(
        summary.wins,
        rounds.iter().filter(|round| round.is_win()).count() as u64
    );
    assert_eq!(summary.profit.cents(), profit);
    report
}

fn rounds_by_day(report: &HouseReport) -> Vec<(i64, u64)> {
    let days = report.days.iter();
    days.filter(|day| day.turnover.rounds > 0)
        .map(|day| (day.day - FIRST_DAY, day.turnover.rounds))
        .collect()
}

/// Plays instant, timed and turn-based rounds; some are settled on a later day than they began.
async fn play_for_days(test: &Fixture) {
    let alice = test.player("alice", 10_000_000).await;
    let bob = test.player("bob", 10_000_000).await;
    play_dice(test, alice, 3).await;
    let hand = video_poker::Bet::new(Money::from_cents(500)).unwrap();
    deal_poker_hand(&test.house, alice, hand, None)
        .await
        .unwrap();
    let stake = heads_up::Bet::new(Money::from_cents(2_500)).unwrap();
    deal_heads_up(&test.house, bob, stake, None).await.unwrap();
    test.clock
        .advance(UNTIL_MIDNIGHT.saturating_sub(Duration::from_micros(1)));
    play_dice(test, bob, 1).await;
    test.clock.advance(Duration::from_micros(1));
    play_dice(test, bob, 2).await;
    draw_cards(&test.house, alice, None, None, None)
        .await
        .unwrap();
    test.clock.advance(DAY * 3);
    let raise = HeadsUpPlay {
        bet: stake,
        action: heads_up::Action::Raise,
        round: None,
        key: None,
    };
    play_heads_up(&test.house, bob, raise).await.unwrap();
    let terms = crash_bet(1_000, None);
    let started = start_crash_round(&test.house, bob, terms, None)
        .await
        .unwrap();
    // Either the round is still in play, or it crashed at once and the call is too late.
    let cash_out_call = crate::support::games::CashOutCall {
        round: Some(started.round.id),
        key: None,
    };
    let _ = cash_out(&test.house, bob, times(100), cash_out_call).await;
}

#[apply(both_databases)]
async fn totals_count_rounds_on_the_day_they_end(#[case] test: &Fixture) {
    let empty = assert_totals_match_rounds_and_books(test).await;
    assert!(rounds_by_day(&empty).is_empty());
    assert!(empty.games.iter().all(|game| game.measured.is_none()));
    play_for_days(test).await;
    let report = assert_totals_match_rounds_and_books(test).await;
    let [(0, 4), (1, 3), (4, rounds)] = *rounds_by_day(&report) else {
        panic!("{:?}", rounds_by_day(&report));
    };
    assert!((1..=2).contains(&rounds));
    let names: Vec<&str> = report
        .games
        .iter()
        .map(|game| game.exact_rtp_percent)
        .collect();
    assert_eq!(
        names[..5],
        ["99.00", "99.00", "99.00", "97.29843375", "98.94"]
    );
    // The whole stake of the raised hand counts on the day it was settled.
    let heads_up = report
        .games
        .iter()
        .find(|game| game.game == Game::HeadsUp)
        .unwrap();
    assert_eq!(
        (heads_up.turnover.rounds, heads_up.turnover.staked.cents()),
        (1, 7_500)
    );
    let last = read_house_report(&test.house, 1).await.unwrap();
    assert_eq!((last.days.len(), last.days[0].day), (1, FIRST_DAY + 4));
    let dice = last
        .games
        .iter()
        .find(|game| game.game == Game::Dice)
        .unwrap();
    assert_eq!(
        dice.turnover.rounds, 0,
        "the report covers only the days it was asked for"
    );
    assert_eq!(
        read_house_report(&test.house, 4).await.unwrap().days[0]
            .turnover
            .rounds,
        3
    );
}

#[apply(both_databases)]
async fn totals_are_exact_with_two_servers(#[case] test: &Fixture) {
    let houses = [test.house.clone(), test.another_house()];
    let mut players = Vec::new();
    for number in 0..12 {
        players.push(test.player(&format!("player{number}"), 1_000_000).await);
    }
    test.clock
        .advance(UNTIL_MIDNIGHT.saturating_sub(Duration::from_micros(150)));
    let tasks: Vec<_> = (0..600)
        .map(|number| {
            let house = houses[number % 2].clone();
            let player = players[(number / 2) % players.len()];
            let (clock, key) = (test.clock.clone(), format!("poker-{number}"));
            tokio::spawn(async move {
                clock.advance(Duration::from_micros(1));
                if number % 5 == 0 {
                    let hand = heads_up::Bet::new(Money::from_cents(500)).unwrap();
                    let call = HeadsUpPlay {
                        bet: hand,
                        action: heads_up::Action::Call,
                        round: None,
                        key: glasshouse_casino::IdempotencyKey::parse(&key).ok(),
                    };
                    play_heads_up(&house, player, call).await.map(drop)
                } else {
                    let chosen = bet(100 + i64::try_from(number).unwrap(), 50, BetType::Under);
                    place_dice_bet(&house, player, chosen, None).await.map(drop)
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let report = assert_totals_match_rounds_and_books(test).await;
    let by_day = rounds_by_day(&report);
    assert_eq!(by_day.iter().map(|(_, rounds)| rounds).sum::<u64>(), 600);
    assert_eq!(by_day.len(), 2, "the rounds span midnight: {by_day:?}");
    let shards = test.texts("SELECT DISTINCT 'shard ' || shard AS value FROM house_totals");
    assert_eq!(shards.len(), if test.is_postgres() { 4 } else { 1 });
}

#[apply(both_databases)]
async fn failed_work_adds_nothing_to_the_totals(#[case] test: &Fixture) {
    let player = test.player("victim", 1_000_000).await;
    for is_committed in [false, true, false] {
        let at = test.house.now();
        let written: Result<(), CasinoError> = test
            .database
            .write(Scope::player(player), move |transaction| {
                let mut account = transaction.account(player)?;
                let new = |id, nonce| NewRound {
                    exposure: None,
                    id,
                    game: Game::Dice,
                    rules: RulesVersion::CURRENT,
                    stake: Money::from_cents(100),
                    details: "{}".to_owned(),
                    nonce,
                    idempotency_key: None,
                    at,
                    due_at: None,
                    is_announced: false,
                    receipt: None,
                };
                let lost = Settlement {
                    receipt: None,
                    stake: Money::from_cents(100),
                    payout: Money::ZERO,
                    spread: Spread::default(),
                    result: RoundResult::Loss,
                    multiplier: None,
                    details: "{}".to_owned(),
                    key: None,
                    at,
                };
                let first = transaction.next_round_id()?;
                transaction.add_settled_round(
                    &account,
                    new(first, account.seeds.next_nonce),
                    &lost,
                );
                // Flushes the first round behind a savepoint; the second stays staged.
                transaction.any_open_round(player)?;
                let second = transaction.next_round_id()?;
                transaction.add_settled_round(
                    &account,
                    new(second, account.seeds.next_nonce + 1),
                    &lost,
                );
                account.seeds.next_nonce += 2;
                transaction.save_account(account);
                if is_committed {
                    Ok(())
                } else {
                    Err(DatabaseError::Overloaded.into())
                }
            })
            .await;
        assert_eq!(written.is_ok(), is_committed);
    }
    let summary = read_summary(&test.house).await.unwrap();
    assert_eq!((summary.rounds, summary.profit.cents()), (2, 200));
    assert_eq!(all_rounds(&test.house).await.len(), 2);
}
