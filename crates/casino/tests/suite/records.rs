//! A player's own records: profit over time, daily statements and exports, compared with the rounds and
//! the ledger that they are computed from.

use std::collections::BTreeMap;
use std::time::Duration;

use glasshouse_casino::accounts::{LedgerExport, read_ledger, read_statements};
use glasshouse_casino::play::{
    ProfitRange, RoundsExport, read_newest_bets, read_profit, read_rounds,
};
use glasshouse_casino::{DailyStatement, ExportedRound, House, LedgerEntry, Round};
use glasshouse_domain::{EntryKind, Game, Timestamp, UserId};
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::games::place_dice_bet;
use crate::support::seeds::rotate;
use crate::support::workload::play_timed_rounds;
use crate::support::{Fixture, bet, both_databases};

const HOUR: Duration = Duration::from_hours(1);
const ALL_RANGES: [ProfitRange; 5] = [
    ProfitRange::Day,
    ProfitRange::Week,
    ProfitRange::Month,
    ProfitRange::Year,
    ProfitRange::All,
];

/// All settled rounds of a player.
async fn rounds_of(house: &House, player: UserId) -> Vec<Round> {
    let page = read_newest_bets(house, Vec::new(), None, 100_000)
        .await
        .unwrap();
    let rounds = page.entries.into_iter().map(|bet| bet.round);
    rounds.filter(|round| round.player == player).collect()
}

async fn exported_rounds(
    house: &House,
    player: UserId,
    games: Vec<Game>,
    limit: usize,
) -> Vec<ExportedRound> {
    let today = house.now().day();
    let mut export = RoundsExport::find(house, player, games, 0..=today)
        .await
        .unwrap();
    let (count, mut rounds) = (export.count(), Vec::new());
    while let Some(page) = read_rounds(house, &mut export, limit).await.unwrap() {
        assert!(page.len() <= limit);
        rounds.extend(page);
    }
    assert_eq!(count, rounds.len() as u64);
    rounds
}

async fn exported_ledger(
    house: &House,
    player: UserId,
    days: std::ops::RangeInclusive<i64>,
    limit: usize,
) -> Vec<LedgerEntry> {
    let mut export = LedgerExport::find(house, player, days).await.unwrap();
    let (count, mut entries) = (export.count(), Vec::new());
    while let Some(page) = read_ledger(house, &mut export, limit).await.unwrap() {
        entries.extend(page);
    }
    assert_eq!(count, entries.len() as u64);
    entries
}

/// Profit, statements and exports of a player equal the sums of the rounds and of the ledger.
async fn assert_records_match(house: &House, player: UserId) {
    let rounds = rounds_of(house, player).await;
    for range in ALL_RANGES {
        for games in [vec![], vec![Game::Dice], vec![Game::Crash, Game::Stonks]] {
            let profit = read_profit(house, player, games.clone(), range)
                .await
                .unwrap();
            let is_daily = !matches!(range, ProfitRange::Day | ProfitRange::Week);
            let mut expected = BTreeMap::<i64, (u64, i64, i64)>::new();
            for round in &rounds {
                let ended_at = round.ended_at.unwrap();
                if ended_at < profit.from || !(games.is_empty() || games.contains(&round.game)) {
                    continue;
                }
                let hour = ended_at.hour();
                let sums = expected
                    .entry(if is_daily { hour / 24 * 24 } else { hour })
                    .or_default();
                sums.0 += 1;
                sums.1 += round.stake.cents();
                sums.2 += round.payout.cents();
            }
            let found: BTreeMap<_, _> = profit
                .buckets
                .iter()
                .map(|bucket| {
                    let sums = (bucket.rounds, bucket.staked.cents(), bucket.paid.cents());
                    (bucket.first_hour, sums)
                })
                .collect();
            assert_eq!(found.len(), profit.buckets.len());
            assert_eq!(found, expected, "{range:?} {games:?}");
        }
    }
    assert_statements_match_ledger(house, player).await;
    for limit in [3, 1_000] {
        for games in [vec![], vec![Game::Dice], vec![Game::Crash, Game::Dice]] {
            let exported = exported_rounds(house, player, games.clone(), limit).await;
            let mut expected: Vec<&Round> = rounds
                .iter()
                .filter(|round| games.is_empty() || games.contains(&round.game))
                .collect();
            expected.sort_by_key(|round| (round.ended_at, round.id));
            let ids: Vec<_> = exported.iter().map(|exported| exported.round.id).collect();
            let expected: Vec<_> = expected.iter().map(|round| round.id).collect();
            assert_eq!(ids, expected, "{games:?}");
        }
    }
}

async fn assert_statements_match_ledger(house: &House, player: UserId) {
    let today = house.now().day();
    let ledger = exported_ledger(house, player, 0..=today, 7).await;
    let mut balance = 0;
    for (number, entry) in (1..).zip(&ledger) {
        balance += entry.amount.cents();
        assert_eq!(
            (entry.sequence, entry.balance_after.cents()),
            (number, balance)
        );
    }
    let mut statements: Vec<DailyStatement> = Vec::new();
    let mut before = None;
    loop {
        let page = read_statements(house, player, before, 2).await.unwrap();
        statements.extend(page.entries);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    let days: Vec<i64> = statements.iter().map(|statement| statement.day).collect();
    assert!(
        days.is_sorted_by(|one, other| one > other),
        "newest first, each once"
    );
    let mut opening = 0;
    for statement in statements.iter().rev() {
        let of_day = exported_ledger(house, player, statement.day..=statement.day, 1_000).await;
        let expected: Vec<&LedgerEntry> = ledger
            .iter()
            .filter(|entry| entry.at.day() == statement.day)
            .collect();
        assert_eq!(of_day.iter().collect::<Vec<_>>(), expected);
        let sum = |kinds: &[EntryKind]| -> i64 {
            let of_kinds = of_day.iter().filter(|entry| kinds.contains(&entry.kind));
            of_kinds.map(|entry| entry.amount.cents()).sum()
        };
        assert_eq!(statement.entries, of_day.len() as u64);
        assert_eq!(statement.opening.cents(), opening);
        assert_eq!(statement.deposited.cents(), sum(&[EntryKind::Deposit]));
        let withdrawn = -sum(&[EntryKind::Withdrawal, EntryKind::WithdrawalReturned]);
        assert_eq!(statement.withdrawn.cents(), withdrawn);
        assert_eq!(statement.adjusted.cents(), sum(&[EntryKind::Adjustment]));
        assert_eq!(statement.staked.cents(), -sum(&[EntryKind::Stake]));
        assert_eq!(statement.paid.cents(), sum(&[EntryKind::Payout]));
        opening += sum(&EntryKind::ALL);
        assert_eq!(statement.closing.cents(), opening);
    }
    assert_eq!(opening, balance, "the last statement ends with the balance");
}

/// Several players bet at once, on one or two servers, while the time passes hours and days.
#[apply(both_databases)]
async fn records_equal_rounds_and_ledger_after_races(#[case] test: &Fixture) {
    let mut houses = vec![test.house.clone()];
    if test.is_postgres() {
        houses.push(test.another_house());
    }
    let mut players = Vec::new();
    for name in ["alice", "bob", "carol"] {
        players.push(test.player(name, 1_000_000).await);
    }
    for _ in 0..6 {
        let mut bets = Vec::new();
        for number in 0..60 {
            let house = houses[number % houses.len()].clone();
            let player = players[number % players.len()];
            bets.push(tokio::spawn(async move {
                let chosen = bet(100, 50, BetType::Over);
                place_dice_bet(&house, player, chosen, None).await.unwrap();
            }));
            if number % 10 == 0 {
                test.clock.advance(HOUR);
            }
        }
        for bet in bets {
            bet.await.unwrap();
        }
        for player in &players {
            test.set_balance(*player, 1_000_000).await.unwrap();
        }
    }
    play_timed_rounds_until_settled(test, players[0]).await;
    for player in players {
        assert_records_match(&test.house, player).await;
    }
    let nobody = test.player("nobody", 0).await;
    assert_records_match(&test.house, nobody).await;
    let profit = read_profit(&test.house, nobody, Vec::new(), ProfitRange::All)
        .await
        .unwrap();
    assert_eq!(profit.from, Timestamp::start_of_day(test.house.now().day()));
}

async fn play_timed_rounds_until_settled(test: &Fixture, player: UserId) {
    let ending = tokio::spawn(glasshouse_casino::play::timed::end_rounds(
        test.house.clone(),
    ));
    play_timed_rounds(test, &test.house, player, "records").await;
    ending.abort();
}

#[apply(both_databases)]
async fn exports_contain_server_seeds_only_after_they_are_revealed(#[case] test: &Fixture) {
    let player = test.player("player", 100_000).await;
    let play = async || {
        let chosen = bet(100, 50, BetType::Over);
        place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
    };
    play().await;
    let before = exported_rounds(&test.house, player, Vec::new(), 10).await;
    assert_eq!(before[0].server_seed, None);
    rotate(&test.house, player, "chosen").await.unwrap();
    play().await;
    let after = exported_rounds(&test.house, player, Vec::new(), 10).await;
    assert_eq!(after[0].server_seed_hash, before[0].server_seed_hash);
    assert_eq!(after[0].server_seed.as_ref().map(String::len), Some(64));
    assert_eq!(
        (after[1].server_seed.as_ref(), after[1].client_seed.as_str()),
        (None, "chosen")
    );
}

#[apply(both_databases)]
async fn the_check_finds_changed_records(#[case] test: &Fixture) {
    let player = test.player("player", 100_000).await;
    place_dice_bet(&test.house, player, bet(100, 50, BetType::Over), None)
        .await
        .unwrap();
    let violations = |invariant: &str| -> i64 {
        let report = test.check();
        let found = report
            .invariants
            .iter()
            .find(|found| found.invariant == invariant);
        found.expect("the invariant is checked").count
    };
    for (change, undo, invariant) in [
        (
            "UPDATE hourly_statistics SET paid_cents = paid_cents + 1",
            "UPDATE hourly_statistics SET paid_cents = paid_cents - 1",
            "statistics by hour are the totals of the settled rounds",
        ),
        (
            "UPDATE daily_statements SET adjusted_cents = adjusted_cents - 1",
            "UPDATE daily_statements SET adjusted_cents = adjusted_cents + 1",
            "daily statements are the totals of the ledger entries",
        ),
    ] {
        assert_eq!(violations(invariant), 0);
        test.sql(change).unwrap();
        assert_eq!(violations(invariant), 1);
        test.sql(undo).unwrap();
    }
}
