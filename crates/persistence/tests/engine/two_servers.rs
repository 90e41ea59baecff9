//! Two servers on one PostgreSQL: they wait for each other, never in a circle.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use glasshouse_domain::UserId;
use glasshouse_persistence::{DatabaseUrl, Scope};
use glasshouse_testing::Backend;

use crate::play::{dice, play};
use crate::support::{BALANCE, Fixture, Gate, Outcome, Queued, hold, queue};

/// Somebody who holds a player's account, until it is dropped.
fn hold_account(test: &Fixture, player: UserId) -> PgConnection {
    let DatabaseUrl::Postgres(url) = &test.url else {
        panic!("SQLite has no locks of single rows");
    };
    let mut holder = PgConnection::establish(url).unwrap();
    let lock = format!("BEGIN; SELECT 1 FROM accounts WHERE player_id = {player} FOR UPDATE");
    holder.batch_execute(&lock).unwrap();
    holder
}

fn queue_bet(test: &Fixture, player: UserId) -> Queued<i64> {
    queue_bet_on(&test.database, player)
}

fn queue_bet_on(database: &glasshouse_persistence::Database, player: UserId) -> Queued<i64> {
    queue(database, Scope::player(player), move |transaction| {
        let round = play(transaction, player, &dice(10), 0)?;
        Ok(round.balance_after.cents())
    })
}

async fn answers(jobs: Vec<Queued<i64>>) -> Vec<i64> {
    let mut answers = Vec::new();
    for job in jobs {
        answers.push(job.answer().await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_another_server_holds_is_waited_for_and_read_afterwards() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.another_database();
    let player = test.players(1).await[0];
    let gate = Gate::queue_with(&test.database, Scope::player(player), move |transaction| {
        play(transaction, player, &dice(100), 0).map(drop)
    });
    let gate = gate.reached().await;
    let mut waiting = queue_bet_on(&other, player);
    test.wait_for_waiting_backends(1).await;
    assert!(!waiting.is_answered());
    gate.open().await;
    assert_eq!(waiting.answer().await.unwrap(), BALANCE - 110);
    assert_eq!(test.deadlocks(), 0);
    test.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_anybody_holds_delays_and_no_more() {
    let test = Fixture::new(Backend::Postgres);
    let players = test.players_of_one_writer(2).await;
    let holder = hold_account(&test, players[0]);
    let gate = hold(&test.database, players[1]).await;
    let jobs = players.iter().map(|player| queue_bet(&test, *player));
    let jobs = jobs.collect();
    gate.open().await;
    test.wait_for_waiting_backends(1).await;
    drop(holder);
    assert_eq!(answers(jobs).await, [BALANCE - 10; 2]);
    test.assert_one_transaction();
    test.assert_books().await;
}

/// One server wants the first, second and third account, the other one the same from the last on; the
/// second is held until both wait. If each took what it wants in its own order, both would hold what
/// the other one needs next.
#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_locked_in_one_order_by_all_servers() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.another_database();
    let players = test.players_of_one_writer(5).await;
    let (wanted, free) = players.split_at(3);
    let holder = hold_account(&test, wanted[1]);
    let gate = hold(&test.database, free[0]).await;
    let other_gate = hold(&other, free[1]).await;
    let upwards = wanted.iter().map(|player| queue_bet(&test, *player));
    let upwards = upwards.collect();
    let downwards = wanted.iter().rev();
    let downwards = downwards.map(|player| queue_bet_on(&other, *player));
    let downwards = downwards.collect();
    gate.open().await;
    test.wait_for_waiting_backends(1).await;
    other_gate.open().await;
    test.wait_for_waiting_backends(2).await;
    drop(holder);
    let mut balances = answers(upwards).await;
    balances.extend(answers(downwards).await);
    assert_eq!(balances.iter().sum::<i64>(), 6 * BALANCE - 90);
    assert_eq!(test.deadlocks(), 0);
    test.assert_books().await;
}

/// The rows of the house's totals are shared by the writers of one number on all servers: whoever holds
/// one must not wait for anything else.
#[tokio::test(flavor = "multi_thread")]
async fn the_totals_are_the_last_that_is_locked() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.another_database();
    let players = test.players_of_one_writer(4).await;
    let (user, player) = (players[0], players[1]);
    let other_gate = Gate::queue_with(&other, Scope::player(player), move |transaction| {
        transaction.lock_user(user)?;
        play(transaction, player, &dice(10), 0).map(drop)
    });
    let other_gate = other_gate.reached().await;
    let gate = hold(&test.database, players[2]).await;
    let bet = queue_bet(&test, players[2]);
    let statement = queue(
        &test.database,
        Scope::player(players[3]),
        move |transaction| Ok(transaction.lock_user(user)?.is_some()),
    );
    gate.open().await;
    // Here the bet has been written, and the job behind it waits for the user.
    test.wait_for_waiting_backends(1).await;
    other_gate.open().await;
    assert_eq!(bet.answer().await.unwrap(), BALANCE - 10);
    let found: Outcome<bool> = statement.answer().await;
    assert!(found.unwrap());
    assert_eq!(test.deadlocks(), 0);
    test.assert_books().await;
}
