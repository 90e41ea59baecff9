//! The list of all players' rounds: each settled round appears once, with its player's name.

use std::collections::BTreeSet;
use std::time::Duration;

use glasshouse_casino::administration::list;
use glasshouse_casino::{AllRoundsQuery, AmountRange, Period, PlayedRound};
use glasshouse_domain::{Game, Money, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::{heads_up, video_poker};
use rstest_reuse::apply;

use crate::support::games::{HeadsUpPlay, deal_poker_hand, place_dice_bet, play_heads_up};
use crate::support::{Fixture, bet, both_databases};

const EVERYTHING: AllRoundsQuery = AllRoundsQuery {
    games: Vec::new(),
    player: None,
    id: None,
    period: Period::ALWAYS,
    stakes: AmountRange::ANY,
    after: None,
    limit: 100,
};

async fn all(test: &Fixture, query: AllRoundsQuery) -> Vec<PlayedRound> {
    let mut rounds = Vec::new();
    let mut after = query.after;
    loop {
        let page_query = AllRoundsQuery {
            after,
            ..query.clone()
        };
        let page = list(&test.house, page_query).await.unwrap();
        assert!(page.entries.len() <= query.limit);
        rounds.extend(page.entries);
        let Some(next) = page.next else { return rounds };
        assert_ne!(Some(next), after, "a page must advance the cursor");
        after = Some(next);
    }
}

/// Plays dice with one player and both poker games with another; each timestamp is shared by three
/// rounds.
async fn play(test: &Fixture) -> [UserId; 2] {
    let alice = test.player("Alice", 1_000_000).await;
    let bob = test.player("Bob", 1_000_000).await;
    for number in 0..40_u32 {
        if number % 3 == 0 {
            test.clock.advance(Duration::from_micros(1));
        }
        let chosen = bet(100, 50, BetType::Over);
        place_dice_bet(&test.house, alice, chosen, None)
            .await
            .unwrap();
        if number % 4 == 0 {
            let call = HeadsUpPlay {
                bet: heads_up::Bet::new(Money::from_cents(500)).unwrap(),
                action: heads_up::Action::Call,
                round: None,
                key: None,
            };
            play_heads_up(&test.house, bob, call).await.unwrap();
        }
    }
    let in_play = video_poker::Bet::new(Money::from_cents(500)).unwrap();
    deal_poker_hand(&test.house, bob, in_play, None)
        .await
        .unwrap();
    [alice, bob]
}

#[apply(both_databases)]
async fn every_round_is_listed_once_newest_first(#[case] test: &Fixture) {
    let [alice, bob] = play(test).await;
    let check = async |query: AllRoundsQuery, expected: usize| {
        let found = all(test, query.clone()).await;
        let ids: BTreeSet<_> = found.iter().map(|played| played.round.id).collect();
        assert_eq!((found.len(), ids.len()), (expected, expected), "{query:?}");
        let sort_key = |played: &PlayedRound| (played.round.ended_at, played.round.id);
        assert!(
            found
                .windows(2)
                .all(|pair| sort_key(&pair[0]) > sort_key(&pair[1]))
        );
        for PlayedRound { round, username } in found {
            assert_eq!(
                username,
                if round.player == alice {
                    "Alice"
                } else {
                    "Bob"
                }
            );
            assert!(query.player.is_none_or(|player| player == round.player));
            assert!(query.games.is_empty() || query.games.contains(&round.game));
            assert!(!round.is_open(), "a round in play is not listed");
        }
    };
    for limit in [1, 3, 7, 49, 50, 51, 200] {
        let query = || AllRoundsQuery {
            limit,
            ..EVERYTHING
        };
        let poker = || vec![Game::VideoPoker, Game::HeadsUp];
        check(query(), 50).await;
        check(
            AllRoundsQuery {
                games: vec![Game::Dice],
                ..query()
            },
            40,
        )
        .await;
        check(
            AllRoundsQuery {
                games: poker(),
                ..query()
            },
            10,
        )
        .await;
        check(
            AllRoundsQuery {
                games: vec![Game::Crash],
                ..query()
            },
            0,
        )
        .await;
        check(
            AllRoundsQuery {
                player: Some(bob),
                ..query()
            },
            10,
        )
        .await;
        check(
            AllRoundsQuery {
                player: Some(alice),
                games: poker(),
                ..query()
            },
            0,
        )
        .await;
        check(
            AllRoundsQuery {
                player: Some(UserId::new(999)),
                ..query()
            },
            0,
        )
        .await;
    }
    // A round is found by its ID, and not under another player.
    for expected in all(test, EVERYTHING).await {
        let (id, player) = (Some(expected.round.id), expected.round.player);
        let found = all(test, AllRoundsQuery { id, ..EVERYTHING }).await;
        assert_eq!((found.len(), found[0].round.id), (1, expected.round.id));
        let somebody_else = Some(if player == alice { bob } else { alice });
        check(
            AllRoundsQuery {
                id,
                player: somebody_else,
                ..EVERYTHING
            },
            0,
        )
        .await;
        check(
            AllRoundsQuery {
                id,
                games: vec![Game::Crash],
                ..EVERYTHING
            },
            0,
        )
        .await;
    }
    // A last page that is full has no next cursor.
    let query = AllRoundsQuery {
        limit: 50,
        ..EVERYTHING
    };
    assert_eq!(list(&test.house, query).await.unwrap().next, None);
}
