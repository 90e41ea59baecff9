//! The bets of all players, as other players see them: complete, in order, without the names that are
//! hidden, and without anything of a round in play.

use std::collections::BTreeSet;
use std::time::Duration;

use glasshouse_casino::accounts::{set_shows_name, sign_in};
use glasshouse_casino::play::{
    BetListener, listen_to_bets, publish_bets, read_crash_points, read_high_wins, read_newest_bets,
};
use glasshouse_casino::{CasinoError, House, Page, PublicRound, RequestOrigin};
use glasshouse_domain::{Game, Money, RoundId, TypedPassword, UserId};
use glasshouse_games::crash;
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::support::games::{place_dice_bet, start_crash_round};
use crate::support::predetermined_rounds::{crash_bet, crashes_in, prepare};
use crate::support::{Fixture, bet, both_databases};

const DAY: Duration = Duration::from_hours(24);
const HIGH_CENTS: i64 = 500;

/// All pages of a list, of at most `limit` bets each.
async fn all_pages<C>(
    limit: usize,
    read: impl AsyncFn(Option<C>) -> Result<Page<PublicRound, C>, CasinoError>,
) -> Vec<PublicRound> {
    let (mut bets, mut after) = (Vec::new(), None);
    loop {
        let page = read(after).await.unwrap();
        assert!(page.entries.len() <= limit);
        bets.extend(page.entries);
        after = page.next;
        if after.is_none() {
            return bets;
        }
    }
}

/// All pages of the newest bets.
async fn newest(house: &House, games: &[Game], limit: usize) -> Vec<PublicRound> {
    let read = async |after| read_newest_bets(house, games.to_vec(), after, limit).await;
    all_pages(limit, read).await
}

/// All pages of the high wins.
async fn highest(house: &House, games: &[Game], limit: usize) -> Vec<PublicRound> {
    let read = async |after| read_high_wins(house, games.to_vec(), after, limit).await;
    all_pages(limit, read).await
}

fn ids(bets: &[PublicRound]) -> Vec<RoundId> {
    bets.iter().map(|bet| bet.round.id).collect()
}

fn names(bets: &[PublicRound]) -> BTreeSet<Option<&str>> {
    let names = bets.iter().map(|bet| bet.player_name.as_deref());
    names.collect()
}

/// Plays for ten dollars a round until `wins` rounds are won; each win is a high one.
async fn win(test: &Fixture, player: UserId, wins: usize) {
    let mut won = 0;
    while won < wins {
        let chosen = bet(1_000, 50, BetType::Over);
        let settled = place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
        won += usize::from(settled.round.is_win());
    }
}

async fn show_name(test: &Fixture, name: &str, shows_name: bool) {
    let attempt = glasshouse_casino::accounts::SignIn {
        username: name.to_owned(),
        password: TypedPassword::new("tr4vel-lamp".to_owned()),
        origin: RequestOrigin::default(),
    };
    let user = sign_in(&test.house, attempt, None)
        .await
        .unwrap()
        .player
        .user;
    let player = set_shows_name(&test.house, user, shows_name).await.unwrap();
    assert_eq!(player.shows_name, shows_name);
}

#[apply(both_databases)]
async fn every_settled_round_is_listed_once_newest_first(#[case] test: &Fixture) {
    let alice = test.player("alice", 1_000_000).await;
    let bob = test.player("bob", 1_000_000).await;
    for number in 0..21_u32 {
        // Each timestamp is shared by several rounds.
        if number % 3 == 0 {
            test.clock.advance(Duration::from_micros(1));
        }
        for player in [alice, bob] {
            let chosen = bet(100, 50, BetType::Over);
            place_dice_bet(&test.house, player, chosen, None)
                .await
                .unwrap();
        }
    }
    for limit in [1, 4, 41, 42, 43] {
        for games in [&[][..], &[Game::Dice], &[Game::Crash, Game::Dice]] {
            let bets = newest(&test.house, games, limit).await;
            let listed: BTreeSet<RoundId> = ids(&bets).into_iter().collect();
            assert_eq!((bets.len(), listed.len()), (42, 42), "limit {limit}");
            let is_newest_first = bets.windows(2).all(|pair| {
                (pair[0].round.ended_at, pair[0].round.id)
                    > (pair[1].round.ended_at, pair[1].round.id)
            });
            assert!(is_newest_first);
        }
    }
    assert!(newest(&test.house, &[Game::Crash], 20).await.is_empty());
}

#[apply(both_databases)]
async fn a_name_is_shown_and_hidden_at_earlier_rounds_as_well(#[case] test: &Fixture) {
    let alice = test.player("alice", 1_000_000).await;
    let bob = test.player("bob", 1_000_000).await;
    win(test, alice, 2).await;
    win(test, bob, 2).await;
    let all_names = async || {
        let mut bets = newest(&test.house, &[], 100).await;
        bets.extend(highest(&test.house, &[], 100).await);
        let names: BTreeSet<(UserId, Option<String>)> = bets
            .into_iter()
            .map(|bet| (bet.round.player, bet.player_name))
            .collect();
        names
    };
    let hidden = BTreeSet::from([(alice, None), (bob, None)]);
    assert_eq!(all_names().await, hidden, "hidden until it is shown");
    show_name(test, "alice", true).await;
    let shown = BTreeSet::from([(alice, Some("alice".to_owned())), (bob, None)]);
    assert_eq!(all_names().await, shown);
    show_name(test, "alice", false).await;
    assert_eq!(all_names().await, hidden);
}

#[apply(both_databases)]
async fn high_wins_are_those_of_seven_days_by_profit(#[case] test: &Fixture) {
    let player = test.player("player", 10_000_000).await;
    // Too old when the list is read: the clock starts at 22:13 of the first day.
    win(test, player, 2).await;
    let old = highest(&test.house, &[], 100).await;
    assert_eq!(old.len(), 2);
    test.clock.advance(DAY * 6);
    win(test, player, 3).await;
    assert_eq!(
        highest(&test.house, &[], 100).await.len(),
        5,
        "the seventh day"
    );
    test.clock.advance(DAY);
    for stake_cents in [100, 2_000, 5_000] {
        for _ in 0..12 {
            let chosen = bet(stake_cents, 50, BetType::Over);
            place_dice_bet(&test.house, player, chosen, None)
                .await
                .unwrap();
        }
    }
    let first_day = test.house.now().day() - 6;
    let mut expected: Vec<PublicRound> = newest(&test.house, &[], 100).await;
    expected.retain(|bet| {
        let is_high = bet.round.profit() >= Money::from_cents(HIGH_CENTS);
        is_high && bet.round.ended_at.unwrap().day() >= first_day
    });
    expected.sort_by_key(|bet| std::cmp::Reverse((bet.round.profit(), bet.round.id)));
    assert!(expected.len() >= 3);
    assert!(ids(&old).iter().all(|id| !ids(&expected).contains(id)));
    for limit in [1, 2, 100] {
        for games in [&[][..], &[Game::Dice]] {
            let listed = highest(&test.house, games, limit).await;
            assert_eq!(ids(&listed), ids(&expected), "limit {limit}");
        }
    }
    assert!(highest(&test.house, &[Game::Mines], 20).await.is_empty());
}

#[apply(both_databases)]
async fn a_round_in_play_is_in_no_list(#[case] test: &Fixture) {
    let player = test.player("player", 1_000_000).await;
    let terms = crash_bet(1_000, None);
    let round = prepare::<crash::Round>(test, player, terms, crashes_in(300..10_000)).await;
    let before = newest(&test.house, &[], 100).await.len();
    start_crash_round(&test.house, player, terms, None)
        .await
        .unwrap();
    assert_eq!(newest(&test.house, &[], 100).await.len(), before);
    assert!(highest(&test.house, &[Game::Crash], 20).await.is_empty());
    let points = read_crash_points(&test.house, 50).await.unwrap();
    assert!(points.rounds.is_empty());
    assert_eq!(points.mean(), None);

    test.clock.advance(Duration::from_mins(10));
    let ending = tokio::spawn(glasshouse_casino::play::timed::end_rounds(
        test.house.clone(),
    ));
    let points = loop {
        let points = read_crash_points(&test.house, 50).await.unwrap();
        if !points.rounds.is_empty() {
            break points;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    ending.abort();
    let crashed_at = round.crash_point().shown();
    assert_eq!(points.rounds.len(), 1);
    assert_eq!(points.rounds[0].crash_point, crashed_at);
    assert_eq!(points.mean().unwrap().hundredths(), crashed_at.hundredths());
    for reached in points.reached() {
        let expected = usize::from(crashed_at >= reached.multiplier);
        assert_eq!(reached.rounds, expected, "{reached:?}");
    }
}

/// Takes each bet from a listener at once, as the servers do: a listener that waits misses bets.
fn take_at_once(mut listener: BetListener) -> UnboundedReceiver<Vec<PublicRound>> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move { while sender.send(listener.next().await).is_ok() {} });
    receiver
}

/// Receives bets until there are `count`.
async fn receive(
    listener: &mut UnboundedReceiver<Vec<PublicRound>>,
    count: usize,
) -> Vec<PublicRound> {
    let mut received = Vec::new();
    let receive = async {
        while received.len() < count {
            let bets = listener.recv().await.expect("the listener goes on");
            assert!(bets.len() <= 10);
            received.extend(bets);
        }
    };
    tokio::time::timeout(Duration::from_secs(30), receive)
        .await
        .expect("the bets are listed");
    received
}

#[apply(both_databases)]
async fn listeners_receive_each_bet_once_from_any_server(#[case] test: &Fixture) {
    let other_server = test.another_house();
    let feeds = [&test.house, &other_server].map(|house| tokio::spawn(publish_bets(house.clone())));
    let alice = test.player("alice", 1_000_000).await;
    show_name(test, "alice", true).await;
    let mut here = take_at_once(listen_to_bets(&test.house, Vec::new()));
    let mut there = take_at_once(listen_to_bets(&other_server, vec![Game::Dice]));
    let of_crash = take_at_once(listen_to_bets(&other_server, vec![Game::Crash]));
    let mut played = Vec::new();
    for house in [&test.house, &test.house, &other_server] {
        let chosen = bet(100, 50, BetType::Over);
        let dice = place_dice_bet(house, alice, chosen, None).await.unwrap();
        played.push(dice.round.id);
    }
    for listener in [&mut here, &mut there] {
        let received = receive(listener, 3).await;
        let listed: BTreeSet<RoundId> = ids(&received).into_iter().collect();
        assert_eq!(listed, played.iter().copied().collect());
        assert_eq!(names(&received), BTreeSet::from([Some("alice")]));
    }
    show_name(test, "alice", false).await;
    let chosen = bet(100, 50, BetType::Over);
    let last = place_dice_bet(&test.house, alice, chosen, None)
        .await
        .unwrap();
    for listener in [&mut here, &mut there] {
        // The earlier bets are still recent, and not sent again.
        let received = receive(listener, 1).await;
        assert_eq!(ids(&received), [last.round.id]);
        assert_eq!(names(&received), BTreeSet::from([None]));
    }
    // What was sent to the others was not for this listener.
    assert!(of_crash.is_empty());
    for feed in feeds {
        feed.abort();
    }
}
