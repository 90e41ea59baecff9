//! Many jobs share a commit: nobody is answered before it, and each sees what those before it did.

use glasshouse_domain::Game;
use glasshouse_persistence::Scope;
use glasshouse_testing::Backend;
use rstest::rstest;

use crate::play::{Bet, begin, dice, end, play};
use crate::support::{BALANCE, Fixture, Gate, hold, queue};

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_answered_before_the_commit_that_all_share(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(5).await;
    let gate = hold(&test.database, players[0]).await;
    let mut bets: Vec<_> = players
        .iter()
        .map(|&player| {
            queue(&test.database, Scope::player(player), move |transaction| {
                play(transaction, player, &dice(100), 300)
            })
        })
        .collect();
    let last = Gate::queue(&test.database, Scope::player(players[0]));
    gate.open().await;
    let last = last.reached().await;
    // All bets have been run by now.
    assert!(bets.iter_mut().all(|bet| !bet.is_answered()));
    assert_eq!(test.rounds(), 0);
    assert_eq!(test.balance(players[1]), BALANCE);

    last.open().await;
    for bet in bets {
        bet.answer().await.unwrap();
    }
    assert_eq!(test.rounds(), 5);
    test.assert_one_transaction();
    for player in players {
        assert_eq!(test.balance(player), BALANCE + 200);
    }
    test.assert_books().await;
}

/// What the scopes name is looked up for the whole batch, the rest when a job asks for it: both must
/// show what is staged.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_job_sees_what_the_jobs_before_it_staged(
    #[case] backend: Backend,
    #[values(true, false)] is_named: bool,
) {
    const BET: Bet = dice(100).on(Game::Mines).with_key("start");
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let scope = || {
        if is_named {
            BET.scope(player)
                .with_settlement_key(Some("end".to_owned()))
        } else {
            Scope::player(player)
        }
    };
    let gate = hold(&test.database, player).await;
    let begun = queue(&test.database, scope(), move |transaction| {
        assert!(transaction.open_round(player, Game::Mines)?.is_none());
        begin(transaction, player, &BET)
    });
    let ended = queue(&test.database, scope(), move |transaction| {
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
        end(transaction, player, Game::Mines, 250, Some("end"))
    });
    let seen = queue(&test.database, scope(), move |transaction| {
        let account = transaction.account(player)?;
        assert_eq!(account.wallet.balance().cents(), BALANCE + 150);
        assert_eq!((account.seeds.next_nonce, account.next_entry()), (1, 4));
        assert!(transaction.open_round(player, Game::Mines)?.is_none());
        let by_start = transaction.round_by_key(player, "start")?.unwrap();
        let by_end = transaction.round_by_settlement_key(player, "end")?.unwrap();
        assert!(!by_start.is_open());
        // A player has one open round of a game: the next one begins where that one ended.
        let next = begin(transaction, player, &dice(50).on(Game::Mines))?;
        Ok((by_start.id, by_end.id, next.id))
    });
    gate.open().await;
    let begun = begun.answer().await.unwrap();
    let ended = ended.answer().await.unwrap();
    let (by_start, by_end, next) = seen.answer().await.unwrap();
    assert!(begun.is_open() && !ended.is_open());
    assert_eq!([begun.id; 3], [ended.id, by_start, by_end]);
    assert_ne!(next, begun.id);
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
    test.assert_books().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_sees_what_was_staged_before_it(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let (player, other) = (players[0], players[1]);
    let gate = hold(&test.database, player).await;
    let first = queue(&test.database, Scope::player(player), move |transaction| {
        play(transaction, player, &dice(100), 0)
    });
    let second = queue(&test.database, Scope::player(player), move |transaction| {
        begin(transaction, player, &dice(10).on(Game::Crash))?;
        // Its own round is staged, and that of the job before.
        assert!(transaction.any_open_round(player)?.is_some());
        end(transaction, player, Game::Crash, 0, None)?;
        assert!(transaction.any_open_round(player)?.is_none());
        let round = play(transaction, player, &dice(20), 0)?;
        Ok(transaction.round(player, round.id)?.unwrap())
    });
    let third = queue(&test.database, Scope::player(other), move |transaction| {
        play(transaction, other, &dice(30), 0)
    });
    gate.open().await;
    let stakes = [
        first.answer().await.unwrap().stake.cents(),
        second.answer().await.unwrap().stake.cents(),
        third.answer().await.unwrap().stake.cents(),
    ];
    assert_eq!(stakes, [100, 20, 30]);
    assert_eq!(test.rounds(), 4);
    assert_eq!(test.balance(player), BALANCE - 130);
    test.assert_books().await;
}
