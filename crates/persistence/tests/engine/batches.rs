//! Many jobs share a commit: no job returns before the commit, and each sees the changes of the
//! jobs before it.

use glasshouse_domain::Game;
use glasshouse_persistence::Scope;
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{Bet, dice, play_round, settle_round, start_round};
use crate::support::{BALANCE, Fixture, Gate, hold_writer, queue};

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn no_job_returns_before_the_shared_commit(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(5).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let mut bets: Vec<_> = players
        .iter()
        .map(|&player| {
            queue(&test.database, Scope::player(player), move |transaction| {
                play_round(transaction, player, &dice(100), 300)
            })
        })
        .collect();
    let last = Gate::queue(&test.database, Scope::player(players[0]));
    gate.open().await;
    let last = last.reached().await;
    // All bets have been executed by now, but not committed.
    assert!(bets.iter_mut().all(|bet| !bet.is_finished()));
    assert_eq!(test.rounds(), 0);
    assert_eq!(test.balance(players[1]), BALANCE);

    last.open().await;
    for bet in bets {
        bet.result().await.unwrap();
    }
    assert_eq!(test.rounds(), 5);
    test.assert_one_transaction();
    for player in players {
        assert_eq!(test.balance(player), BALANCE + 200);
    }
    test.assert_consistent().await;
}

/// Rows that the scopes name are loaded once for the whole batch, others when a job reads them. In
/// both cases the job must see staged changes.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn job_sees_changes_staged_by_earlier_jobs(
    #[case] backend: Backend,
    #[values(true, false)] is_named_in_scope: bool,
) {
    const BET: Bet = dice(100).on(Game::Mines).with_key("start");
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let scope = || {
        if is_named_in_scope {
            BET.scope(player)
                .with_settlement_key(Some("end".to_owned()))
        } else {
            Scope::player(player)
        }
    };
    let gate = hold_writer(&test.database, player).await;
    let first = queue(&test.database, scope(), move |transaction| {
        assert!(transaction.open_round(player, Game::Mines)?.is_none());
        start_round(transaction, player, &BET)
    });
    let second = queue(&test.database, scope(), move |transaction| {
        let account = transaction.account(player)?;
        assert_eq!(account.wallet.balance().cents(), BALANCE - 100);
        assert_eq!((account.seeds.next_nonce, account.next_entry()), (1, 3));
        assert!(
            transaction
                .round_by_key(player, "start")?
                .unwrap()
                .is_open()
        );
        assert!(
            transaction
                .round_by_settlement_key(player, "end")?
                .is_none()
        );
        settle_round(transaction, player, Game::Mines, 250, Some("end"))
    });
    let third = queue(&test.database, scope(), move |transaction| {
        let account = transaction.account(player)?;
        assert_eq!(account.wallet.balance().cents(), BALANCE + 150);
        assert_eq!((account.seeds.next_nonce, account.next_entry()), (1, 4));
        assert!(transaction.open_round(player, Game::Mines)?.is_none());
        let by_start = transaction.round_by_key(player, "start")?.unwrap();
        let by_end = transaction.round_by_settlement_key(player, "end")?.unwrap();
        assert!(!by_start.is_open());
        // A player can have only one open round per game, so this succeeds only after the first one
        // is settled.
        let next = start_round(transaction, player, &dice(50).on(Game::Mines))?;
        Ok((by_start.id, by_end.id, next.id))
    });
    gate.open().await;
    let started = first.result().await.unwrap();
    let settled = second.result().await.unwrap();
    let (by_start, by_end, next) = third.result().await.unwrap();
    assert!(started.is_open() && !settled.is_open());
    assert_eq!([started.id; 3], [settled.id, by_start, by_end]);
    assert_ne!(next, started.id);
    assert_eq!(
        test.number("SELECT COUNT(*) FROM rounds WHERE state = 'open'"),
        1
    );
    let totals = "SELECT rounds * 100000 + staked_cents * 100 + wins FROM ";
    for table in ["player_statistics", "house_totals"] {
        assert_eq!(
            test.number(&format!("{totals} {table}")),
            110_001,
            "{table}"
        );
    }
    test.assert_one_transaction();
    test.assert_consistent().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn statement_sees_changes_staged_before_it(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    let gate = hold_writer(&test.database, player).await;
    let first = queue(&test.database, Scope::player(player), move |transaction| {
        play_round(transaction, player, &dice(100), 0)
    });
    let second = queue(&test.database, Scope::player(player), move |transaction| {
        start_round(transaction, player, &dice(10).on(Game::Crash))?;
        // The job's own round is staged, and so is the earlier job's round.
        assert!(transaction.any_open_round(player)?.is_some());
        settle_round(transaction, player, Game::Crash, 0, None)?;
        assert!(transaction.any_open_round(player)?.is_none());
        let round = play_round(transaction, player, &dice(20), 0)?;
        Ok(transaction.round(player, round.id)?.unwrap())
    });
    let third = queue(&test.database, Scope::player(other), move |transaction| {
        play_round(transaction, other, &dice(30), 0)
    });
    gate.open().await;
    let stakes = [
        first.result().await.unwrap().stake.cents(),
        second.result().await.unwrap().stake.cents(),
        third.result().await.unwrap().stake.cents(),
    ];
    assert_eq!(stakes, [100, 20, 30]);
    assert_eq!(test.rounds(), 4);
    assert_eq!(test.balance(player), BALANCE - 130);
    test.assert_consistent().await;
}
