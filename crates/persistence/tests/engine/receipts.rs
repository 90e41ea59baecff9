//! All receipts of a commit share one signature, whatever happens to the other jobs of the batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glasshouse_domain::{Role, UserId};
use glasshouse_persistence::public_log::Receipt;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction, queries};
use glasshouse_testing::{Backend, log_signer, sql, texts};
use glasshouse_transparency::checkpoint::ReceiptsRoot;
use glasshouse_transparency::entry::decode_bundle;
use glasshouse_transparency::receipt::leaf_hash;
use glasshouse_transparency::receipt_tree::verify_path;
use rstest::rstest;

use crate::play::{dice, play_invalid_round, play_round};
use crate::support::{Failure, Fixture, JobResult, Queued, Refusal, hold_writer, queue};

/// Adds a receipt and an entry with this text, and plays a round.
fn state(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    text: &str,
) -> JobResult<(Receipt, Round)> {
    transaction.add_log_entry(text)?;
    let receipt = transaction.add_receipt(text.to_owned())?;
    let round = play_round(transaction, player, &dice(10), 0)?;
    Ok((receipt, round))
}

fn queue_statement(test: &Fixture, player: UserId, said: &'static str) -> Queued<(Receipt, Round)> {
    queue(&test.database, Scope::player(player), move |transaction| {
        state(transaction, player, said)
    })
}

/// Asserts that the receipt is the one with this index among so many, and returns its note.
#[track_caller]
fn assert_proven(receipt: &Receipt, text: &str, (index, size): (u64, u64)) -> String {
    let proven = receipt.proven().unwrap();
    let root = ReceiptsRoot::open(&proven.note, log_signer().keys().verifier_keys()).unwrap();
    assert_eq!(
        (receipt.text(), proven.index, root.size),
        (text, index, size)
    );
    verify_path(&proven.path, index, leaf_hash(text), &root).unwrap();
    proven.note
}

/// The entries of all batches, one list per batch that has receipts or entries.
fn batches(test: &Fixture) -> Vec<Vec<String>> {
    let hex = if test.is_postgres() {
        "encode(entries, 'hex')"
    } else {
        "hex(entries)"
    };
    let rows = texts(
        &test.url,
        &format!("SELECT entry_count || ' ' || {hex} AS value FROM log_batches ORDER BY id"),
    );
    let entries_of = |row: &String| {
        let (count, entries) = row.split_once(' ').unwrap();
        let bytes = hex::decode(entries).unwrap();
        let lines = decode_bundle(&bytes, count.parse().unwrap()).unwrap();
        lines
            .into_iter()
            .map(|line| String::from_utf8(line.to_vec()).unwrap())
            .collect()
    };
    rows.iter().map(entries_of).collect()
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn receipts_of_one_batch_share_one_signature(#[case] backend: Backend) {
    const TEXTS: [&str; 5] = ["a", "b", "c", "d", "e"];
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(5).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let jobs: Vec<_> = players
        .iter()
        .zip(TEXTS)
        .map(|(player, text)| queue_statement(&test, *player, text))
        .collect();
    gate.open().await;
    let mut notes = Vec::new();
    for (index, (job, text)) in (0..).zip(jobs.into_iter().zip(TEXTS)) {
        let (receipt, _) = job.result().await.unwrap();
        notes.push(assert_proven(&receipt, text, (index, 5)));
        let batch = receipt.position().batch;
        let again = test
            .database
            .read::<_, glasshouse_persistence::DatabaseError, _>(move |connection| {
                queries::receipt_batch(connection, batch)
            })
            .await
            .unwrap();
        let again = again
            .receipt(receipt.position().index, text.to_owned())
            .unwrap();
        assert_eq!(again.proven(), receipt.proven());
    }
    notes.dedup();
    assert_eq!(notes.len(), 1);
    assert_eq!(batches(&test), [TEXTS]);
    test.assert_one_transaction();
}

type Work = fn(&mut Transaction<'_, '_>, UserId) -> JobResult<()>;

const REFUSED: JobResult<()> = Err(Failure::Refused(Refusal::Deliberate));

/// Each of them adds a receipt and an entry and then fails, before or after its changes were written
/// behind a savepoint.
const FAILING: [Work; 5] = [
    |transaction, player| {
        state(transaction, player, "staged")?;
        REFUSED
    },
    |transaction, player| {
        state(transaction, player, "written")?;
        transaction.set_role(player, Role::Owner)?;
        REFUSED
    },
    |transaction, player| {
        state(transaction, player, "staged")?;
        panic!("deliberate panic");
    },
    |transaction, player| {
        transaction.add_stored_receipt(player, "stored".to_owned())?;
        state(transaction, player, "written")?;
        panic!("deliberate panic");
    },
    |transaction, player| {
        state(transaction, player, "written")?;
        // There is no such player: the database refuses the row.
        transaction.add_stored_receipt(UserId::new(99), "of nobody".to_owned())?;
        Ok(())
    },
];

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn failed_job_leaves_no_receipt_and_shifts_no_other(
    #[case] backend: Backend,
    #[values(0, 1, 2, 3, 4)] failing: usize,
) {
    let work = FAILING[failing];
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(3).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let before = queue_statement(&test, players[0], "before");
    let offender = players[1];
    let failing = queue(
        &test.database,
        Scope::player(offender),
        move |transaction| work(transaction, offender),
    );
    let after = queue_statement(&test, offender, "after");
    let last = queue_statement(&test, players[2], "last");
    gate.open().await;
    failing.result().await.unwrap_err();
    let jobs = [(before, "before"), (after, "after"), (last, "last")];
    for (index, (job, text)) in (0..).zip(jobs) {
        let (receipt, _) = job.result().await.unwrap();
        assert_proven(&receipt, text, (index, 3));
    }
    assert_eq!(batches(&test), [["before", "after", "last"]]);
    assert_eq!(test.number("SELECT COUNT(*) FROM receipts"), 0);
    test.assert_one_transaction();
    test.assert_consistent().await;
}

/// The violation is noticed when the batch is written, so each job is run again by itself, and signed
/// by itself.
#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_run_one_by_one_are_stated_once(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let players = test.create_players_of_one_writer(3).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let before = queue_statement(&test, players[0], "before");
    let offender = players[1];
    let violating = queue(
        &test.database,
        Scope::player(offender),
        move |transaction| {
            state(transaction, offender, "violating")?;
            play_invalid_round(transaction, offender)
        },
    );
    let after = queue_statement(&test, players[2], "after");
    gate.open().await;
    violating.result().await.unwrap_err();
    for (job, text) in [(before, "before"), (after, "after")] {
        let (receipt, _) = job.result().await.unwrap();
        assert_proven(&receipt, text, (0, 1));
    }
    assert_eq!(batches(&test), [["before"], ["after"]]);
}

/// PostgreSQL only: SQLite has no connection that could be lost.
#[tokio::test(flavor = "multi_thread")]
async fn batch_that_is_retried_is_stated_once() {
    const TERMINATE_WRITER: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'";
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players_of_one_writer(2).await;
    let gate = hold_writer(&test.database, players[0]).await;
    let first = queue_statement(&test, players[0], "first");
    let (url, player) = (test.url.clone(), players[1]);
    let runs = Arc::new(AtomicUsize::new(0));
    let interrupted = queue(&test.database, Scope::player(player), move |transaction| {
        let stated = state(transaction, player, "interrupted")?;
        // This statement flushes the round, so it is written but not committed.
        transaction.user(player)?;
        if runs.fetch_add(1, Ordering::SeqCst) == 0 {
            sql(&url, TERMINATE_WRITER).unwrap();
        }
        Ok(stated)
    });
    gate.open().await;
    for (index, (job, text)) in (0..).zip([(first, "first"), (interrupted, "interrupted")]) {
        let (receipt, _) = job.result().await.unwrap();
        assert_proven(&receipt, text, (index, 2));
    }
    assert_eq!(batches(&test), [["first", "interrupted"]]);
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn batch_without_statements_adds_no_row(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let silent = queue(&test.database, Scope::player(player), move |transaction| {
        play_round(transaction, player, &dice(10), 0)
    });
    silent.result().await.unwrap();
    let refused = queue(&test.database, Scope::player(player), move |transaction| {
        FAILING[0](transaction, player)
    });
    refused.result().await.unwrap_err();
    assert!(batches(&test).is_empty());
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn receipt_is_unproven_until_its_commit(#[case] backend: Backend) {
    let test = Fixture::new(backend);
    let player = test.create_players(1).await[0];
    let gate = hold_writer(&test.database, player).await;
    let first = queue_statement(&test, player, "first");
    // A later job of the batch reads the receipt of an earlier one, as a repeated request does.
    let again = queue(&test.database, Scope::player(player), move |transaction| {
        let (own, _) = state(transaction, player, "second")?;
        let batch = transaction.receipt_batch(own.position().batch)?;
        let receipt = batch.receipt(0, "first".to_owned())?;
        assert!(own.proven().is_none() && receipt.proven().is_none());
        Ok(receipt)
    });
    gate.open().await;
    let (receipt, _) = first.result().await.unwrap();
    assert_eq!(again.result().await.unwrap().proven(), receipt.proven());
    assert_proven(&receipt, "first", (0, 2));
}
