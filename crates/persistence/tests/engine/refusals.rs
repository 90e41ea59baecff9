//! A job that is refused or panics is rolled back completely and does not affect the rest of its
//! batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::{Game, Money, Role, UserId};
use glasshouse_persistence::seeds::SeedRotation;
use glasshouse_persistence::{DatabaseError, Scope, Transaction};
use glasshouse_testing::{Backend, seed_keys, sql};
use rstest::rstest;

use crate::play::{dice, play_invalid_round, play_round, settle_round, start_round};
use crate::support::{
    BALANCE, Failure, Fixture, Gate, JobResult, Refusal, hold_writer, new_user, queue, test_time,
};

type Work = fn(&mut Transaction<'_, '_>, UserId) -> JobResult<()>;

const REFUSED: JobResult<()> = Err(Failure::Refused(Refusal::Deliberate));

/// Refused while its changes are only staged in memory.
const REFUSED_STAGED: Work = |transaction, player| {
    play_round(transaction, player, &dice(100).with_key("key"), 500)?;
    start_round(transaction, player, &dice(100).on(Game::Mines))?;
    REFUSED
};

/// Refused after its changes were written behind a savepoint.
const REFUSED_WRITTEN: Work = |transaction, player| {
    play_round(transaction, player, &dice(100).with_key("key"), 500)?;
    start_round(transaction, player, &dice(100).on(Game::Mines))?;
    transaction.set_role(player, Role::Owner)?;
    settle_round(transaction, player, Game::Mines, 500, Some("key"))?;
    REFUSED
};

/// Panics while its changes are only staged in memory.
const PANICS_STAGED: Work = |transaction, player| {
    play_round(transaction, player, &dice(100).with_key("key"), 500)?;
    panic!("deliberate panic");
};

/// Panics after its changes were written behind a savepoint.
const PANICS_WRITTEN: Work = |transaction, player| {
    play_round(transaction, player, &dice(100).with_key("key"), 500)?;
    transaction.set_role(player, Role::Owner)?;
    panic!("deliberate panic");
};

/// Executes a statement that violates a constraint, with an empty client seed.
const VIOLATES_CONSTRAINT: Work = |transaction, player| {
    play_round(transaction, player, &dice(100).with_key("key"), 500)?;
    transaction.set_role(player, Role::Owner)?;
    let mut account = transaction.account(player)?;
    let pairs = transaction.unrevealed_pairs(&account)?;
    let rotation = SeedRotation {
        client_seed: "",
        next: &seed_keys().commit([7; 32]),
        at: test_time(),
    };
    transaction.rotate_seed_pair(&mut account, pairs, &rotation)?;
    Ok(())
};

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn failed_job_is_rolled_back_without_affecting_its_batch(
    #[case] backend: Backend,
    #[values(
        REFUSED_STAGED,
        REFUSED_WRITTEN,
        PANICS_STAGED,
        PANICS_WRITTEN,
        VIOLATES_CONSTRAINT
    )]
    work: Work,
) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let (failing_player, other) = (players[0], players[1]);
    let bet = |player: UserId| {
        queue(&test.database, Scope::player(player), move |transaction| {
            play_round(transaction, player, &dice(10).with_key("key"), 0)
        })
    };
    let gate = hold_writer(&test.database, failing_player).await;
    let before = bet(other);
    let failing = queue(
        &test.database,
        Scope::player(failing_player),
        move |transaction| work(transaction, failing_player),
    );
    let after = bet(failing_player);
    let open = queue(
        &test.database,
        Scope::player(failing_player),
        move |transaction| {
            transaction
                .open_round(failing_player, Game::Mines)
                .map_err(Failure::from)
        },
    );
    gate.open().await;
    before.result().await.unwrap();
    let failure = failing.result().await.unwrap_err();
    assert!(
        matches!(
            failure,
            Failure::Refused(Refusal::Deliberate)
                | Failure::Fault(DatabaseError::WorkerStopped | DatabaseError::Statement(_))
        ),
        "{failure:?}"
    );
    assert_eq!(after.result().await.unwrap().nonce, 0);
    assert!(open.result().await.unwrap().is_none());
    // The batch was not split and run again.
    test.assert_one_transaction();
    assert_eq!(test.rounds(), 2);
    assert_eq!(test.balance(failing_player), BALANCE - 10);
    assert_eq!(test.balance(other), BALANCE - 10);
    let changed_roles = "SELECT COUNT(*) FROM users WHERE role <> 'player'";
    assert_eq!(test.number(changed_roles), 0);
    let counted_rounds = "SELECT SUM(rounds) FROM house_totals";
    assert_eq!(test.number(counted_rounds), 2);
    test.assert_consistent().await;
}

/// The job looks its keys up behind a savepoint and finds its own round, which is then rolled back.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn rolled_back_round_is_not_found_by_its_keys(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let gate = hold_writer(&test.database, player).await;
    let rolled_back = queue(&test.database, Scope::player(player), move |transaction| {
        play_round(transaction, player, &dice(100).with_key("start"), 0)?;
        start_round(transaction, player, &dice(100).on(Game::Mines))?;
        transaction.user(player)?;
        settle_round(transaction, player, Game::Mines, 0, Some("end"))?;
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
        play_round(transaction, player, &dice(70).with_key("start"), 0)
    });
    gate.open().await;
    rolled_back.result().await.unwrap_err();
    assert_eq!(again.result().await.unwrap().stake.cents(), 70);
    assert_eq!(test.rounds(), 1);
    test.assert_consistent().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn rolled_back_account_is_not_found(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let (id_sender, id_receiver) = std::sync::mpsc::channel();
    let gate = Gate::queue(&test.database, Scope::nobody()).reached().await;
    let rolled_back = queue(&test.database, Scope::nobody(), move |transaction| {
        let user = transaction.add_user(&new_user("rolled-back"))?.unwrap();
        transaction.account(user.id)?;
        id_sender.send(user.id).unwrap();
        REFUSED
    });
    let reader = queue(&test.database, Scope::nobody(), move |transaction| {
        Ok(transaction.account(id_receiver.recv().unwrap())?)
    });
    gate.open().await;
    rolled_back.result().await.unwrap_err();
    let result = reader.result().await;
    assert!(
        matches!(result, Err(Failure::Fault(DatabaseError::Corrupt(_)))),
        "{result:?}"
    );
}

/// Changes all accounts. The timeout makes the test fail instead of hang if a lock is still held.
const CHANGE_ACCOUNTS: &str = "SET lock_timeout = '5s'; UPDATE accounts SET unwagered_cents = 7";

/// PostgreSQL only: rolling a job back releases the locks that it took behind its savepoint.
#[tokio::test(flavor = "multi_thread")]
async fn account_is_read_again_after_its_lock_is_released() {
    let test = Fixture::new(Backend::Postgres);
    let player = test.create_players(1).await[0];
    let gate = Gate::queue(&test.database, Scope::nobody()).reached().await;
    let rolled_back = queue(&test.database, Scope::nobody(), move |transaction| {
        transaction.user(player)?;
        transaction.account(player)?;
        REFUSED
    });
    let url = test.url.clone();
    let reader = queue(&test.database, Scope::nobody(), move |transaction| {
        // Another server changes the account first.
        sql(&url, CHANGE_ACCOUNTS).unwrap();
        Ok(transaction.account(player)?)
    });
    gate.open().await;
    rolled_back.result().await.unwrap_err();
    let account = reader.result().await.unwrap();
    assert_eq!(account.wallet.unwagered(), Money::from_cents(7));
}

/// A job's result is that of its last run. If that run panics, the result of an earlier run must
/// not be returned.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn job_that_panics_on_its_second_run_is_not_reported_as_done(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(2).await;
    let (player, offender) = (players[0], players[1]);
    let runs = Arc::new(AtomicUsize::new(0));
    let gate = hold_writer(&test.database, player).await;
    let run_counter = Arc::clone(&runs);
    let panicking = queue(&test.database, Scope::player(player), move |transaction| {
        let round = play_round(transaction, player, &dice(100), 0)?;
        assert_eq!(
            run_counter.fetch_add(1, Ordering::SeqCst),
            0,
            "deliberate panic"
        );
        Ok(round)
    });
    // This job makes the batch fail, so each job is run again by itself.
    let violating = queue(
        &test.database,
        Scope::player(offender),
        move |transaction| play_invalid_round(transaction, offender),
    );
    gate.open().await;
    violating.result().await.unwrap_err();
    let result = panicking.result().await;
    assert!(
        matches!(result, Err(Failure::Fault(DatabaseError::WorkerStopped))),
        "{result:?}"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(test.rounds(), 0);
}
