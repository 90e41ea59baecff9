//! Failing work does not affect other work of its batch, and a lost connection loses nothing.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use glasshouse_casino::fairness::fairness_state;
use glasshouse_casino::{DatabaseError, DatabaseUrl, IdempotencyKey};
use glasshouse_domain::{Role, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_persistence::seeds::SeedRotation;
use glasshouse_persistence::{Scope, Transaction};
use rstest_reuse::apply;

use crate::support::games::place_dice_bet;
use crate::support::{Backend, Fixture, bet, both_databases, house_keys, seed_keys};

type Work = fn(&mut Transaction<'_, '_>, UserId) -> Result<(), DatabaseError>;

/// Work that changes something and then fails.
const FAILING: [Work; 4] = [
    |transaction, id| {
        let mut account = transaction.account(id)?;
        account.seeds.next_nonce += 7;
        transaction.save_account(account);
        Err(DatabaseError::Overloaded)
    },
    |transaction, id| {
        let mut account = transaction.account(id)?;
        account.seeds.next_nonce += 7;
        transaction.save_account(account);
        // Flushed to the database behind a savepoint before it fails.
        transaction.set_role(id, Role::Owner)?;
        Err(DatabaseError::Overloaded)
    },
    |transaction, id| {
        transaction.set_role(id, Role::Owner)?;
        panic!("on purpose");
    },
    |transaction, id| {
        // A client seed must not be empty: the database refuses the row.
        let mut account = transaction.account(id)?;
        let pairs = transaction.unrevealed_pairs(&account)?;
        let rotation = SeedRotation {
            client_seed: "",
            next: &seed_keys().commit([7; 32]),
            at: glasshouse_domain::Timestamp::from_micros(1),
        };
        transaction
            .rotate_seed_pair(&mut account, pairs, &rotation)
            .map(drop)
    },
];

#[apply(both_databases)]
async fn failing_work_does_not_affect_its_batch(#[case] test: &Fixture) {
    let mut players = Vec::new();
    for number in 0..6 {
        players.push(test.player(&format!("player{number}"), 1_000_000).await);
    }
    let victim = test.player("victim", 1_000_000).await;
    let mut tasks = Vec::new();
    for round in 0..20 {
        for player in &players {
            let (house, player) = (test.house.clone(), *player);
            let chosen = bet(100, 50, BetType::Over);
            tasks.push(tokio::spawn(async move {
                place_dice_bet(&house, player, chosen, None).await.unwrap();
            }));
        }
        let database = test.database.clone();
        let work = FAILING[round % FAILING.len()];
        tasks.push(tokio::spawn(async move {
            let scope = Scope::player(victim);
            let outcome = database
                .write(scope, move |transaction| work(transaction, victim))
                .await;
            assert!(outcome.is_err());
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for player in players {
        assert_eq!(
            fairness_state(&test.house, player)
                .await
                .unwrap()
                .next_nonce,
            20
        );
    }
    assert_eq!(
        fairness_state(&test.house, victim)
            .await
            .unwrap()
            .next_nonce,
        0
    );
    let user = test
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            glasshouse_persistence::queries::user(connection, victim)
        })
        .await;
    assert_eq!(user.unwrap().unwrap().role, Role::Player);
    test.assert_clean().await;
}

/// Only PostgreSQL has connections that can be lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_neither_lose_nor_repeat_bets() {
    let test = Fixture::on(Backend::Postgres);
    let id = test.player("player", 1_000_000).await;
    let tasks: Vec<_> = (0..200)
        .map(|number| {
            let house = test.house.clone();
            let chosen = bet(100, 50, BetType::Over);
            tokio::spawn(async move {
                let key = IdempotencyKey::parse(&format!("bet-{number}")).unwrap();
                tokio::time::sleep(Duration::from_millis(number * 5)).await;
                for _ in 0..1_000 {
                    let placed = place_dice_bet(&house, id, chosen, Some(key.clone())).await;
                    if placed.is_ok() {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(25)).await;
                }
                panic!("bet {number} got no answer");
            })
        })
        .collect();
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        test.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .unwrap();
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(
        fairness_state(&test.house, id).await.unwrap().next_nonce,
        200
    );
    test.assert_clean().await;
}

/// Only PostgreSQL locks single rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_account_does_not_delay_other_players() {
    let test = Fixture::on(Backend::Postgres);
    let mut players = Vec::new();
    for number in 0..12 {
        players.push(test.player(&format!("player{number}"), 100).await);
    }
    // The players whose work goes through the same writer.
    let same = players
        .iter()
        .filter(|id| id.get() % 4 == players[0].get() % 4);
    let same: Vec<UserId> = same.copied().collect();
    assert!(same.len() >= 3);
    let DatabaseUrl::Postgres(url) = &test.url else {
        panic!("expected PostgreSQL");
    };
    let mut holder = PgConnection::establish(url).unwrap();
    let lock = format!(
        "BEGIN; SELECT 1 FROM accounts WHERE player_id = {} FOR UPDATE",
        same[0]
    );
    holder.batch_execute(&lock).unwrap();

    // The writer is kept busy until the work of all three is queued, so that it forms one batch.
    let (release, released) = std::sync::mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let busy = test
        .database
        .write::<_, DatabaseError, _>(Scope::player(same[1]), move |_| {
            let _ = released.lock().unwrap().recv();
            Ok(())
        });
    let play = |player: UserId| {
        test.database
            .write::<_, DatabaseError, _>(Scope::player(player), move |transaction| {
                let mut account = transaction.account(player)?;
                account.seeds.next_nonce += 1;
                transaction.save_account(account);
                Ok(())
            })
    };
    let let_go = async { release.send(()).unwrap() };
    let (_, held, one, other, ()) =
        tokio::join!(busy, play(same[0]), play(same[1]), play(same[2]), let_go);
    assert!(matches!(held, Err(DatabaseError::Contended(_))), "{held:?}");
    one.unwrap();
    other.unwrap();

    holder.batch_execute("ROLLBACK").unwrap();
    play(same[0]).await.unwrap();
}

#[test]
fn migrations_are_applied_once() {
    for test in [Fixture::on(Backend::Sqlite), Fixture::on(Backend::Postgres)] {
        let mut connection = test.url.connect().unwrap();
        assert_eq!(
            glasshouse_persistence::pending_migrations(&mut connection).unwrap(),
            0
        );
        let applied = glasshouse_persistence::migrate(&mut connection, &house_keys()).unwrap();
        assert_eq!(applied, 0);
    }
}
