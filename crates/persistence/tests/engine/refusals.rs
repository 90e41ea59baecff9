//! Work that is refused, or panics, leaves nothing behind, and the rest of its batch as it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::{Game, Money, Role, UserId};
use glasshouse_persistence::{DatabaseError, Scope, Transaction};
use glasshouse_testing::{Backend, sql};
use rstest::rstest;

use crate::play::{begin, dice, end, play, play_what_cannot_be_stored};
use crate::support::{
    BALANCE, Failure, Fixture, Gate, Outcome, Refusal, hold, moment, new_user, queue,
};

type Work = fn(&mut Transaction<'_, '_>, UserId) -> Outcome<()>;

const REFUSED: Outcome<()> = Err(Failure::Refused(Refusal::OnPurpose));

/// It changed nothing in the database yet.
const STAGED: Work = |transaction, player| {
    play(transaction, player, &dice(100).with_key("key"), 500)?;
    begin(transaction, player, &dice(100).on(Game::Mines))?;
    REFUSED
};

/// It was written, behind a savepoint.
const WRITTEN: Work = |transaction, player| {
    play(transaction, player, &dice(100).with_key("key"), 500)?;
    begin(transaction, player, &dice(100).on(Game::Mines))?;
    transaction.set_role(player, Role::Administrator)?;
    end(transaction, player, Game::Mines, 500, Some("key"))?;
    REFUSED
};

const PANICS_STAGED: Work = |transaction, player| {
    play(transaction, player, &dice(100).with_key("key"), 500)?;
    panic!("on purpose");
};

const PANICS_WRITTEN: Work = |transaction, player| {
    play(transaction, player, &dice(100).with_key("key"), 500)?;
    transaction.set_role(player, Role::Administrator)?;
    panic!("on purpose");
};

/// A statement of its own breaks a constraint: a client seed is not empty.
const BREAKS: Work = |transaction, player| {
    play(transaction, player, &dice(100).with_key("key"), 500)?;
    transaction.set_role(player, Role::Administrator)?;
    let mut account = transaction.account(player)?;
    let seeds = ("a".repeat(64), "b".repeat(64));
    transaction.rotate_seed_pair(&mut account, &seeds.0, &seeds.1, "", moment())?;
    Ok(())
};

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn what_fails_leaves_nothing_and_disturbs_nobody(
    #[case] backend: Backend,
    #[values(STAGED, WRITTEN, PANICS_STAGED, PANICS_WRITTEN, BREAKS)] work: Work,
) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let (victim, other) = (players[0], players[1]);
    let bet = |player: UserId| {
        queue(&test.database, Scope::player(player), move |transaction| {
            play(transaction, player, &dice(10).with_key("key"), 0)
        })
    };
    let gate = hold(&test.database, victim).await;
    let before = bet(other);
    let failing = queue(&test.database, Scope::player(victim), move |transaction| {
        work(transaction, victim)
    });
    let after = bet(victim);
    let open = queue(&test.database, Scope::player(victim), move |transaction| {
        transaction
            .open_round(victim, Game::Mines)
            .map_err(Failure::from)
    });
    gate.open().await;
    before.answer().await.unwrap();
    let failed = failing.answer().await.unwrap_err();
    assert!(
        matches!(
            failed,
            Failure::Refused(Refusal::OnPurpose)
                | Failure::Fault(DatabaseError::WorkerStopped | DatabaseError::Statement(_))
        ),
        "{failed:?}"
    );
    assert_eq!(after.answer().await.unwrap().nonce, 0);
    assert!(open.answer().await.unwrap().is_none());
    // The batch was not run again in pieces.
    test.assert_one_transaction();
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(victim), BALANCE - 10);
    assert_eq!(test.balance(other), BALANCE - 10);
    let changed = "SELECT COUNT(*) FROM users WHERE role <> 'player'";
    assert_eq!(test.number(changed), 0);
    let counted = "SELECT SUM(rounds) FROM house_totals";
    assert_eq!(test.number(counted), 2);
    test.assert_books().await;
}

/// A key that is looked up behind a savepoint finds the job's own round, which then is no more.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_was_taken_back_answers_no_key(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.players(1).await[0];
    let gate = hold(&test.database, player).await;
    let taken_back = queue(&test.database, Scope::player(player), move |transaction| {
        play(transaction, player, &dice(100).with_key("start"), 0)?;
        begin(transaction, player, &dice(100).on(Game::Mines))?;
        transaction.user(player)?;
        end(transaction, player, Game::Mines, 0, Some("end"))?;
        transaction.user(player)?;
        assert!(transaction.round_by_key(player, "start")?.is_some());
        assert!(
            transaction
                .round_by_settlement_key(player, "end")?
                .is_some()
        );
        REFUSED
    });
    let again = queue(&test.database, Scope::player(player), move |transaction| {
        assert!(
            transaction
                .round_by_settlement_key(player, "end")?
                .is_none()
        );
        play(transaction, player, &dice(70).with_key("start"), 0)
    });
    gate.open().await;
    taken_back.answer().await.unwrap_err();
    assert_eq!(again.answer().await.unwrap().stake.cents(), 70);
    assert_eq!(test.rounds(), 1);
    test.assert_books().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_was_taken_back_is_not_found(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let (tell, told) = std::sync::mpsc::channel();
    let gate = Gate::queue(&test.database, Scope::nobody()).reached().await;
    let taken_back = queue(&test.database, Scope::nobody(), move |transaction| {
        let user = transaction.add_user(&new_user("taken-back"))?.unwrap();
        transaction.account(user.id)?;
        tell.send(user.id).unwrap();
        REFUSED
    });
    let asked = queue(&test.database, Scope::nobody(), move |transaction| {
        Ok(transaction.account(told.recv().unwrap())?)
    });
    gate.open().await;
    taken_back.answer().await.unwrap_err();
    let asked = asked.answer().await;
    assert!(
        matches!(asked, Err(Failure::Fault(DatabaseError::Corrupt(_)))),
        "{asked:?}"
    );
}

/// A lock that was not given up is not waited for until the test is ended from outside.
const CHANGE: &str = "SET lock_timeout = '5s'; UPDATE accounts SET unwagered_cents = 7";

/// PostgreSQL only: taking a job back gives up the locks that it took behind its savepoint.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_whose_lock_was_given_up_is_read_again() {
    let test = Fixture::new(Backend::Postgres);
    let player = test.players(1).await[0];
    let gate = Gate::queue(&test.database, Scope::nobody()).reached().await;
    let taken_back = queue(&test.database, Scope::nobody(), move |transaction| {
        transaction.user(player)?;
        transaction.account(player)?;
        REFUSED
    });
    let url = test.url.clone();
    let asked = queue(&test.database, Scope::nobody(), move |transaction| {
        // Another server is quicker.
        sql(&url, CHANGE).unwrap();
        Ok(transaction.account(player)?)
    });
    gate.open().await;
    taken_back.answer().await.unwrap_err();
    let account = asked.answer().await.unwrap();
    assert_eq!(account.wallet.unwagered(), Money::from_cents(7));
}

/// The answer to work is that of its last run, of which a panic leaves none.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn work_that_panics_when_it_is_run_again_is_not_answered_as_done(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.players_of_one_writer(2).await;
    let (player, guilty) = (players[0], players[1]);
    let runs = Arc::new(AtomicUsize::new(0));
    let gate = hold(&test.database, player).await;
    let counted = Arc::clone(&runs);
    let panicking = queue(&test.database, Scope::player(player), move |transaction| {
        let round = play(transaction, player, &dice(100), 0)?;
        assert_eq!(counted.fetch_add(1, Ordering::SeqCst), 0, "on purpose");
        Ok(round)
    });
    // It breaks the batch, so that each job is run again by itself.
    let breaking = queue(&test.database, Scope::player(guilty), move |transaction| {
        play_what_cannot_be_stored(transaction, guilty)
    });
    gate.open().await;
    breaking.answer().await.unwrap_err();
    let answer = panicking.answer().await;
    assert!(
        matches!(answer, Err(Failure::Fault(DatabaseError::WorkerStopped))),
        "{answer:?}"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(test.rounds(), 0);
}
