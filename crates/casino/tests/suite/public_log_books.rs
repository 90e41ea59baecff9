//! The log's entries of the books: they agree with the entries of rounds before them, also while other
//! servers write.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use glasshouse_casino::House;
use glasshouse_casino::public_log::advance_public_log;
use glasshouse_domain::UserId;
use glasshouse_games::dice::BetType;
use glasshouse_transparency::entry::{Books, Entry, GameTotals};
use rstest_reuse::apply;

use crate::support::games::{draw_cards, place_dice_bet, play_dice};
use crate::support::poker::deal;
use crate::support::predetermined_rounds::balance;
use crate::support::public_log::{ServedLog, advance, stored_checkpoint, waiting_batches};
use crate::support::{Backend, Fixture, bet, both_databases};

const DAY: Duration = Duration::from_hours(24);

/// All entries of the books, after each was compared with the entries before it.
fn verified_books(log: &ServedLog) -> Vec<Books> {
    let mut sums: BTreeMap<String, GameTotals> = BTreeMap::new();
    let mut found = Vec::new();
    for entry in log.entries() {
        match entry {
            Entry::Round(round) => {
                let sum = sums.entry(round.game.clone()).or_insert(GameTotals {
                    game: round.game,
                    rounds: 0,
                    stake: 0,
                    payout: 0,
                });
                sum.rounds += 1;
                sum.stake += round.stake;
                sum.payout += round.payout;
            }
            Entry::Books(books) => {
                let expected: Vec<GameTotals> = sums.values().cloned().collect();
                assert_eq!(books.games, expected, "{}", books.day);
                found.push(books);
            }
            _ => {}
        }
    }
    found
}

/// The day of the house's clock, as in an entry.
fn today(test: &Fixture) -> String {
    let now = jiff::Timestamp::from_microsecond(test.house.now().as_micros()).unwrap();
    now.strftime("%Y-%m-%d").to_string()
}

#[apply(both_databases)]
async fn each_day_ends_with_its_books(#[case] test: &Fixture) {
    let alice = test.player("alice", 1_000_000).await;
    let bob = test.player("bob", 500).await;
    let mut days = Vec::new();
    advance(test, &test.house).await;
    for count in [3, 0, 1] {
        play_dice(test, alice, count).await;
        deal(&test.house, alice).await;
        draw_cards(&test.house, alice, None, None, None)
            .await
            .unwrap();
        advance(test, &test.house).await;
        days.push(today(test));
        test.clock.advance(DAY);
        let log = ServedLog::advanced(test).await;
        let books = verified_books(&log);
        let last = books.last().unwrap();
        let balances = balance(test, alice).await + balance(test, bob).await;
        // Theirs, and that of whoever has set their balances.
        assert_eq!((last.balances, last.accounts), (balances, 3));
        assert!(matches!(log.entries().last(), Some(Entry::Books(_))));
        // Once a day, whichever server looks.
        advance(test, &test.another_house()).await;
        assert_eq!(stored_checkpoint(test), log.signed);
    }
    let log = ServedLog::advanced(test).await;
    let found: Vec<String> = verified_books(&log)
        .iter()
        .map(|books| books.day.to_string())
        .collect();
    assert_eq!(found, days);
    log.assert_whole();
    test.assert_clean().await;
}

/// Days on which no server ran have no books of their own: the next one counts everything.
#[apply(both_databases)]
async fn days_without_a_server_are_counted_by_the_next_books(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    play_dice(test, player, 2).await;
    advance(test, &test.house).await;
    let first = today(test);
    test.clock.advance(5 * DAY);
    play_dice(test, player, 1).await;
    let log = ServedLog::advanced(test).await;
    let books = verified_books(&log);
    let [only] = books.as_slice() else {
        panic!("{books:?}")
    };
    assert_eq!((only.day.to_string(), only.games[0].rounds), (first, 3));
    // The next day has its own again.
    test.clock.advance(DAY);
    assert_eq!(verified_books(&ServedLog::advanced(test).await).len(), 2);
}

/// Entries that do not all fit into one step: the books wait until the rest is in the log.
#[apply(both_databases)]
async fn books_wait_for_all_entries(#[case] test: &Fixture) {
    let player = test.player("alice", 1_000_000).await;
    advance(test, &test.house).await;
    test.clock.advance(DAY);
    play_dice(test, player, 1).await;
    // The same entry as if it were of so many commits: more than one step takes.
    let no_receipts = if test.is_postgres() {
        "''::bytea"
    } else {
        "x''"
    };
    test.sql(&format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
         INSERT INTO log_batches (id, note, receipts, entries, entry_count)
         SELECT b.id + 1000 + n, '', {no_receipts}, b.entries, b.entry_count
         FROM waiting_log_batches b CROSS JOIN numbers"
    ))
    .unwrap();
    advance(test, &test.house).await;
    assert_eq!(waiting_batches(test), 501);
    let log = ServedLog::read(&test.house).await;
    assert!(
        !log.entries()
            .iter()
            .any(|entry| matches!(entry, Entry::Books(_)))
    );
    let log = ServedLog::advanced(test).await;
    assert!(matches!(log.entries().last(), Some(Entry::Books(_))));
}

/// Plays without a pause until told to stop.
async fn play_until(house: House, player: UserId, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let chosen = bet(100, 50, BetType::Over);
        place_dice_bet(&house, player, chosen, None).await.unwrap();
    }
}

/// On PostgreSQL, rounds are settled on several writers of two servers while the books are made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn books_agree_with_the_entries_while_others_write() {
    let test = &Fixture::on(Backend::Postgres);
    let houses = [test.house.clone(), test.another_house()];
    let stop = Arc::new(AtomicBool::new(false));
    let mut playing = Vec::new();
    for number in 0..8 {
        let player = test.player(&format!("player{number}"), 10_000_000).await;
        let house = houses[number % 2].clone();
        playing.push(tokio::spawn(play_until(house, player, Arc::clone(&stop))));
    }
    advance(test, &test.house).await;
    let last_day = || test.texts("SELECT CAST(books_day AS TEXT) AS value FROM log_state");
    for turn in 0..20 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        test.clock.advance(DAY);
        let before = last_day();
        // A server that cannot lock the log in time tries again.
        while last_day() == before {
            advance_public_log(&houses[turn % 2]).await;
        }
    }
    stop.store(true, Ordering::Relaxed);
    for player in playing {
        player.await.unwrap();
    }
    let log = ServedLog::advanced(test).await;
    log.assert_whole();
    let books = verified_books(&log);
    assert_eq!(books.len(), 20);
    test.assert_clean().await;
}
