//! A player's history: every round appears once, and no other player's.

use std::collections::BTreeSet;
use std::time::Duration;

use glasshouse_casino::play::{HistoryRequest, read_history};
use glasshouse_casino::{HistoryCursor, Round};
use glasshouse_domain::{Game, UserId};
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::games::place_dice_bet;
use crate::support::{Fixture, bet, both_databases};

async fn all(test: &Fixture, player: UserId, request: &HistoryRequest) -> Vec<Round> {
    let mut rounds = Vec::new();
    let mut after: Option<HistoryCursor> = None;
    loop {
        let request = HistoryRequest {
            after,
            ..request.clone()
        };
        let limit = request.limit;
        let page = read_history(&test.house, player, request).await.unwrap();
        assert!(page.entries.len() <= limit);
        rounds.extend(page.entries);
        let Some(next) = page.next else { return rounds };
        assert_ne!(Some(next), after, "a page must advance the cursor");
        after = Some(next);
    }
}

const EVERYTHING: HistoryRequest = HistoryRequest {
    games: Vec::new(),
    after: None,
    limit: 100,
    search: None,
};

#[apply(both_databases)]
async fn every_round_is_listed_once_newest_first(#[case] test: &Fixture) {
    let id = test.player("player", 1_000_000).await;
    let other = test.player("other", 1_000_000).await;
    for number in 0..75_u32 {
        // Each timestamp is shared by three rounds.
        if number % 3 == 0 {
            test.clock.advance(Duration::from_micros(1));
        }
        place_dice_bet(&test.house, id, bet(100, 50, BetType::Over), None)
            .await
            .unwrap();
        place_dice_bet(&test.house, other, bet(200, 50, BetType::Over), None)
            .await
            .unwrap();
    }
    for limit in [1, 2, 3, 7, 74, 75, 76, 100] {
        for games in [Vec::new(), vec![Game::Dice]] {
            let rounds = all(
                test,
                id,
                &HistoryRequest {
                    games,
                    limit,
                    ..EVERYTHING
                },
            )
            .await;
            let ids: BTreeSet<_> = rounds.iter().map(|round| round.id).collect();
            assert_eq!((rounds.len(), ids.len()), (75, 75), "limit {limit}");
            assert!(rounds.iter().all(|round| round.player == id));
            let is_newest_first = rounds
                .windows(2)
                .all(|pair| (pair[0].ended_at, pair[0].id) > (pair[1].ended_at, pair[1].id));
            assert!(is_newest_first);
        }
    }
    let crash = HistoryRequest {
        games: vec![Game::Crash],
        ..EVERYTHING
    };
    assert!(all(test, id, &crash).await.is_empty());
}

#[apply(both_databases)]
async fn a_search_matches_the_displayed_texts(#[case] test: &Fixture) {
    let id = test.player("player", 1_000_000).await;
    for cents in [1_234, 500, 500] {
        place_dice_bet(&test.house, id, bet(cents, 50, BetType::Over), None)
            .await
            .unwrap();
    }
    let found = async |search: &str| {
        let request = HistoryRequest {
            search: Some(search.to_owned()),
            ..EVERYTHING
        };
        all(test, id, &request).await.len()
    };
    assert_eq!(found("dice").await, 3);
    assert_eq!(found("DICE 12.34").await, 1);
    assert_eq!(found("5.00").await, 2);
    assert_eq!(found("crash").await, 0);
    // The fixture's clock is set to November 2023.
    assert_eq!(found("2023-11").await, 3);
    assert_eq!(found("november dice").await, 3);
    assert_eq!(found("win").await + found("loss").await, 3);
}

#[apply(both_databases)]
async fn a_search_in_a_long_history_continues_from_its_cursor(#[case] test: &Fixture) {
    let id = test.player("player", 100_000_000).await;
    place_dice_bet(&test.house, id, bet(777, 50, BetType::Over), None)
        .await
        .unwrap();
    let tasks: Vec<_> = (0..5_100)
        .map(|_| {
            let house = test.house.clone();
            let chosen = bet(100, 50, BetType::Over);
            tokio::spawn(async move {
                // The queue is bounded: retry when it is full.
                while place_dice_bet(&house, id, chosen, None).await.is_err() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            })
        })
        .collect();
    test.clock.advance(Duration::from_secs(1));
    for task in tasks {
        task.await.unwrap();
    }
    let search = HistoryRequest {
        search: Some("7.77".to_owned()),
        ..EVERYTHING
    };
    let first = read_history(&test.house, id, search.clone()).await.unwrap();
    assert!(
        first.entries.is_empty() && first.next.is_some(),
        "one call reads a bounded number of rounds"
    );
    assert_eq!(all(test, id, &search).await.len(), 1);
}
