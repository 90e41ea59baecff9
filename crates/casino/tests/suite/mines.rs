//! Mines: announced until it is opened, then played, with retries and races.

use glasshouse_casino::play::timed::open_rounds;
use glasshouse_casino::play::{
    RoundMove, RoundView, make_move, outcome_text, read_history, read_round, read_statistics, start,
};
use glasshouse_casino::{CasinoError, House, IdempotencyKey, Refusal};
use glasshouse_domain::{Game, Money, RoundId, UserId};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::mines::{Bet, Cell, Move, Round};
use rstest_reuse::apply;

use crate::support::administration::open_mines;
use crate::support::games::ALL_HISTORY;
use crate::support::predetermined_rounds::{balance, next_stream};
use crate::support::{Fixture, assert_refused, both_databases};

type MinesRound = RoundView<Round>;

fn bet(cents: i64, mines: i64) -> Bet {
    Bet::new(Money::from_cents(cents), mines).unwrap()
}

fn key(text: &str) -> Option<IdempotencyKey> {
    IdempotencyKey::parse(text).ok()
}

/// The safe cells and the mines of the player's next round.
async fn next_field(test: &Fixture, player: UserId, terms: Bet) -> (Vec<Cell>, Vec<Cell>) {
    let round = Round::begin(terms, &mut next_stream(test, player).await);
    Cell::all().partition(|cell| !round.mines().contains(cell))
}

async fn play(
    house: &House,
    player: UserId,
    play: Move,
    (round, key): (RoundId, Option<IdempotencyKey>),
) -> Result<MinesRound, CasinoError> {
    let call = RoundMove::new(play).in_round(Some(round)).with_key(key);
    make_move(house, player, call).await
}

#[apply(both_databases)]
async fn a_round_is_started_resumed_and_cashed_out(#[case] test: &Fixture) {
    let player = test.player("miner", 100_000).await;
    let terms = bet(1_000, 3);
    let announced = start::<Round>(&test.house, player, terms, None).await;
    assert_refused(announced, &Refusal::GameAnnounced);
    open_mines(test).await;
    let (safe, _) = next_field(test, player, terms).await;
    let started = start::<Round>(&test.house, player, terms, key("start"))
        .await
        .unwrap();
    let id = started.round.id;
    assert_refused(
        start::<Round>(&test.house, player, terms, None).await,
        &Refusal::RoundOpen { id },
    );
    let early = play(&test.house, player, Move::CashOut, (id, None)).await;
    assert_refused(
        early,
        &Refusal::TooEarly("Reveal a cell before you cash out"),
    );
    for cell in &safe[..3] {
        let shown = play(&test.house, player, Move::Reveal(*cell), (id, None))
            .await
            .unwrap();
        assert!(shown.round.is_open() && shown.view.mines.is_none());
    }
    // Revealing the cell again on another server changes nothing.
    let again = play(
        &test.another_house(),
        player,
        Move::Reveal(safe[1]),
        (id, None),
    )
    .await
    .unwrap();
    assert_eq!((again.view.revealed.len(), again.view.safe), (3, 3));
    let open = open_rounds(&test.another_house(), player).await.unwrap();
    let resumed: MinesRound = open[0].as_round_of().unwrap();
    assert_eq!(resumed.view.revealed, safe[..3]);
    assert_eq!(balance(test, player).await, 99_000);

    let paid = play(&test.house, player, Move::CashOut, (id, key("cash")))
        .await
        .unwrap();
    let (low, high) = (terms.payout(3).rounded_down(), terms.payout(3).rounded_up());
    assert!((low..=high).contains(&paid.round.payout));
    assert_eq!(paid.round.multiplier, Some(terms.multiplier(3)));
    assert_eq!(
        balance(test, player).await,
        99_000 + paid.round.payout.cents()
    );
    let repeated = play(&test.house, player, Move::CashOut, (id, key("cash")))
        .await
        .unwrap();
    assert_eq!(repeated.round.payout, paid.round.payout);
    assert_refused(
        play(&test.house, player, Move::CashOut, (id, None)).await,
        &Refusal::RoundOver,
    );
    let other = play(
        &test.house,
        player,
        Move::Reveal(safe[0]),
        (id, key("cash")),
    )
    .await;
    assert_refused(other, &Refusal::IdempotencyConflict);

    assert_eq!(outcome_text(&paid.round), "win (1.47x)");
    let history = read_history(&test.house, player, ALL_HISTORY)
        .await
        .unwrap()
        .entries;
    assert_eq!((history[0].id, history[0].game), (id, Game::Mines));
    let statistics = read_statistics(&test.house, player).await.unwrap();
    assert_eq!(
        (statistics[0].listed_name, statistics[0].wins),
        ("mines", 1)
    );
    assert!(
        read_round(&test.house, player, id)
            .await
            .unwrap()
            .round
            .as_round_of::<Round>()
            .is_some()
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_mine_ends_the_round_and_a_retry_returns_the_same_result(#[case] test: &Fixture) {
    open_mines(test).await;
    let player = test.player("unlucky", 100_000).await;
    let terms = bet(500, 5);
    let (safe, mines) = next_field(test, player, terms).await;
    let id = start::<Round>(&test.house, player, terms, None)
        .await
        .unwrap()
        .round
        .id;
    play(&test.house, player, Move::Reveal(safe[0]), (id, None))
        .await
        .unwrap();
    let reveal = || {
        play(
            &test.house,
            player,
            Move::Reveal(mines[2]),
            (id, key("hit")),
        )
    };
    for _ in 0..2 {
        let lost = reveal().await.unwrap();
        assert_eq!(
            (lost.view.hit, lost.round.payout),
            (Some(mines[2]), Money::ZERO)
        );
        let mut shown = lost.view.mines.unwrap();
        shown.sort_unstable();
        assert_eq!(shown, mines);
    }
    assert_eq!(balance(test, player).await, 99_500);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_reveals_and_cash_outs_take_effect_once(#[case] test: &Fixture) {
    open_mines(test).await;
    let player = test.player("racer", 100_000).await;
    let neighbour = test.player("neighbour", 100_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let terms = bet(1_000, 3);
    for _ in 0..3 {
        let before = balance(test, player).await;
        let (safe, _) = next_field(test, player, terms).await;
        let id = start::<Round>(&test.house, player, terms, None)
            .await
            .unwrap()
            .round
            .id;
        let theirs = play(&test.house, neighbour, Move::Reveal(safe[0]), (id, None)).await;
        assert_refused(theirs, &Refusal::NotFound);
        let reveals: Vec<_> = (0..20)
            .map(|number| {
                let (house, cell) = (houses[number % 2].clone(), safe[number % 4]);
                tokio::spawn(
                    async move { play(&house, player, Move::Reveal(cell), (id, None)).await },
                )
            })
            .collect();
        for reveal in reveals {
            reveal.await.unwrap().unwrap();
        }
        let cash_outs: Vec<_> = (0..20)
            .map(|number| {
                let house = houses[number % 2].clone();
                tokio::spawn(async move { play(&house, player, Move::CashOut, (id, None)).await })
            })
            .collect();
        let mut paid = Vec::new();
        for cash_out in cash_outs {
            match cash_out.await.unwrap() {
                Ok(round) => paid.push(round.round.payout.cents()),
                Err(CasinoError::Refused(refusal)) => assert_eq!(refusal, Refusal::RoundOver),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(paid.len(), 1);
        assert!(paid[0] >= terms.payout(4).rounded_down().cents());
        assert_eq!(balance(test, player).await, before - 1_000 + paid[0]);
    }
    test.assert_clean().await;
}
