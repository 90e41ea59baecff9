//! Two servers on one PostgreSQL database wait for each other's locks and never deadlock.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use glasshouse_domain::UserId;
use glasshouse_persistence::{DatabaseUrl, Scope};
use glasshouse_testing::Backend;

use crate::play::{dice, play_round};
use crate::support::{BALANCE, Fixture, Gate, JobResult, Queued, hold_writer, queue};

/// Opens a connection that locks a player's account until the connection is dropped.
fn lock_account(test: &Fixture, player: UserId) -> PgConnection {
    let DatabaseUrl::Postgres(url) = &test.url else {
        panic!("SQLite has no row locks");
    };
    let mut lock_holder = PgConnection::establish(url).unwrap();
    let lock = format!("BEGIN; SELECT 1 FROM accounts WHERE player_id = {player} FOR UPDATE");
    lock_holder.batch_execute(&lock).unwrap();
    lock_holder
}

fn queue_bet(test: &Fixture, player: UserId) -> Queued<i64> {
    queue_bet_on(&test.database, player)
}

fn queue_bet_on(database: &glasshouse_persistence::Database, player: UserId) -> Queued<i64> {
    queue(database, Scope::player(player), move |transaction| {
        let round = play_round(transaction, player, &dice(10), 0)?;
        Ok(round.balance_after.cents())
    })
}

async fn balances_after(jobs: Vec<Queued<i64>>) -> Vec<i64> {
    let mut balances = Vec::new();
    for job in jobs {
        balances.push(job.result().await.unwrap());
    }
    balances
}

#[tokio::test(flavor = "multi_thread")]
async fn account_locked_by_another_server_is_read_after_its_commit() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.open_second_server();
    let player = test.create_players(1).await[0];
    let gate = Gate::queue_with(&test.database, Scope::player(player), move |transaction| {
        play_round(transaction, player, &dice(100), 0).map(drop)
    });
    let gate = gate.reached().await;
    let mut waiting = queue_bet_on(&other, player);
    test.wait_for_blocked_connections(1).await;
    assert!(!waiting.is_finished());
    gate.open().await;
    assert_eq!(waiting.result().await.unwrap(), BALANCE - 110);
    assert_eq!(test.deadlocks(), 0);
    test.assert_consistent().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_account_only_delays_the_batch() {
    let test = Fixture::new(Backend::Postgres);
    let players = test.create_players_of_one_writer(2).await;
    let lock_holder = lock_account(&test, players[0]);
    let gate = hold_writer(&test.database, players[1]).await;
    let jobs = players
        .iter()
        .map(|player| queue_bet(&test, *player))
        .collect();
    gate.open().await;
    test.wait_for_blocked_connections(1).await;
    drop(lock_holder);
    assert_eq!(balances_after(jobs).await, [BALANCE - 10; 2]);
    test.assert_one_transaction();
    test.assert_consistent().await;
}

/// One server needs the first, second and third account, the other one the same three in reverse
/// order. The second account stays locked until both servers are waiting. If each server locked the
/// accounts in the order of its jobs, each would hold the account that the other one needs next.
#[tokio::test(flavor = "multi_thread")]
async fn all_servers_lock_accounts_in_the_same_order() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.open_second_server();
    let players = test.create_players_of_one_writer(5).await;
    let (contended, free) = players.split_at(3);
    let lock_holder = lock_account(&test, contended[1]);
    let gate = hold_writer(&test.database, free[0]).await;
    let other_gate = hold_writer(&other, free[1]).await;
    let ascending = contended
        .iter()
        .map(|player| queue_bet(&test, *player))
        .collect();
    let descending = contended
        .iter()
        .rev()
        .map(|player| queue_bet_on(&other, *player))
        .collect();
    gate.open().await;
    test.wait_for_blocked_connections(1).await;
    other_gate.open().await;
    test.wait_for_blocked_connections(2).await;
    drop(lock_holder);
    let mut balances = balances_after(ascending).await;
    balances.extend(balances_after(descending).await);
    assert_eq!(balances.iter().sum::<i64>(), 6 * BALANCE - 90);
    assert_eq!(test.deadlocks(), 0);
    test.assert_consistent().await;
}

/// Writers with the same number on different servers share a row of the house totals. A transaction
/// that has locked such a row must not wait for any other lock.
#[tokio::test(flavor = "multi_thread")]
async fn house_totals_are_locked_last() {
    let test = Fixture::new(Backend::Postgres);
    let other = test.open_second_server();
    let players = test.create_players_of_one_writer(4).await;
    let (user, player) = (players[0], players[1]);
    let other_gate = Gate::queue_with(&other, Scope::player(player), move |transaction| {
        transaction.lock_user(user)?;
        play_round(transaction, player, &dice(10), 0).map(drop)
    });
    let other_gate = other_gate.reached().await;
    let gate = hold_writer(&test.database, players[2]).await;
    let bet = queue_bet(&test, players[2]);
    let statement = queue(
        &test.database,
        Scope::player(players[3]),
        move |transaction| Ok(transaction.lock_user(user)?.is_some()),
    );
    gate.open().await;
    // By now the bet has been written, and the job after it is waiting for the user's lock.
    test.wait_for_blocked_connections(1).await;
    other_gate.open().await;
    assert_eq!(bet.result().await.unwrap(), BALANCE - 10);
    let is_found: JobResult<bool> = statement.result().await;
    assert!(is_found.unwrap());
    assert_eq!(test.deadlocks(), 0);
    test.assert_consistent().await;
}
