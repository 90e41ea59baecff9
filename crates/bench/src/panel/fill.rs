//! Inserts many users, rounds and payments directly into the tables.

use anyhow::{Context, ensure};

use super::{DAYS, FIRST_PLAYER, FIRST_ROUND, MICROS_PER_DAY, Size};
use crate::house::{Backend, House};
use crate::postgres::Postgres;

/// The ID of the key of the players' seeds, which nobody has: these players do not play.
const KEY_ID: &str = "benchmark-key-id";

/// Inserts everything and computes the totals as the server would; the database is deleted
/// afterwards.
pub(super) fn fill(house: &House, postgres: &Postgres, size: Size, now: i64) -> anyhow::Result<()> {
    ensure!(
        size.users < 9 * FIRST_PLAYER,
        "the seeds below end in seven digits"
    );
    // The server has no writer with the number 9.
    let totals = format!(
        "INSERT INTO house_totals SELECT ended_at_micros / {MICROS_PER_DAY}, game, 9,
            COUNT(*), SUM(CASE WHEN result = 'win' THEN 1 ELSE 0 END), SUM(stake_cents),
            SUM(payout_cents), 1, 1
         FROM rounds WHERE id >= {FIRST_ROUND} GROUP BY 1, 2;
         INSERT INTO house_flows SELECT DISTINCT day, 9, 1000, 500, 0, 0, 500, 5
         FROM house_totals WHERE shard = 9"
    );
    let mut statements = players(size, now);
    statements.push((rounds(size, now), size.rounds));
    statements.extend(payments(now).map(|statement| (statement, size.users)));
    match &house.backend {
        Backend::Sqlite => {
            let connection = rusqlite::Connection::open(house.sqlite_path())?;
            connection.execute_batch("PRAGMA busy_timeout = 60000")?;
            for (statement, count) in statements {
                connection.execute_batch(&format!(
                    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})
                     {statement}"
                ))?;
            }
            connection.execute_batch(&totals)?;
        }
        Backend::Postgres(url) => {
            let (_, database) = url.rsplit_once('/').context("the URL has no database")?;
            for (statement, count) in statements {
                let series = format!("generate_series(CAST(0 AS BIGINT), {count} - 1) AS n (i)");
                postgres.sql(
                    database,
                    &statement.replace("FROM n", &format!("FROM {series}")),
                )?;
            }
            postgres.sql(database, &totals)?;
            postgres.sql(database, "ANALYZE")?;
        }
    }
    Ok(())
}

/// Users, of whom one in five hundred is banned.
fn players(size: Size, now: i64) -> Vec<(String, i64)> {
    let player = format!("({FIRST_PLAYER} + i)");
    let users = format!(
        "INSERT INTO users SELECT {player}, 'panel-' || i, 'panel-' || i, 'none', 'player',
            CASE WHEN i % 500 = 0 THEN 'Chargeback' END, {now} - i FROM n"
    );
    let active = format!("'{}' || {player}", "a".repeat(57));
    let next = format!("'{}' || {player}", "b".repeat(57));
    let next_id = format!("(10 * {FIRST_PLAYER} + {player})");
    let commit = |id: &str, seed: &str| {
        format!(
            "INSERT INTO seed_pairs
                (id, player_id, server_seed_hash, key_id, salt, committed_at_micros)
             SELECT {id}, {player}, {seed}, '{KEY_ID}', {seed}, 1 FROM n"
        )
    };
    let activate = format!(
        "UPDATE seed_pairs SET client_seed = 'client', client_seed_by = 'house',
            client_seed_at_micros = 1, activated_at_micros = 1 FROM n WHERE id = {player}"
    );
    let accounts = format!(
        "INSERT INTO accounts (player_id, balance_cents, unwagered_cents, ledger_sequence,
            seed_pair_id, next_seed_pair_id, server_seed_hash, seed_key_id, seed_salt, client_seed,
            next_nonce)
         SELECT {player}, 100000 + (i * 7919) % 1000, 0, 0, {player}, {next_id}, {active},
            '{KEY_ID}', {active}, 'client', 0 FROM n"
    );
    let (active_pairs, next_pairs) = (commit(&player, &active), commit(&next_id, &next));
    [users, active_pairs, activate, next_pairs, accounts]
        .map(|statement| (statement, size.users))
        .to_vec()
}

/// Settled rounds, spread over the days.
fn rounds(size: Size, now: i64) -> String {
    // 7919 is prime, so that consecutive rounds belong to players with distant IDs.
    let player = format!("({FIRST_PLAYER} + (i * 7919) % {})", size.users);
    let step = DAYS * MICROS_PER_DAY / size.rounds;
    let ended_at = format!("{now} - ({} - i) * {step}", size.rounds);
    format!(
        "INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result, details,
            seed_pair_id, nonce, balance_after_cents, unwagered_after_cents, started_at_micros,
            ended_at_micros, rules_version)
         SELECT {FIRST_ROUND} + i, {player},
            CASE WHEN i % 20 < 14 THEN 'dice' WHEN i % 20 < 17 THEN 'crash'
                WHEN i % 20 < 19 THEN 'stonks' ELSE 'video_poker' END,
            'settled', 100 + i % 900, CASE WHEN i % 2 = 0 THEN 2 * (100 + i % 900) ELSE 0 END,
            CASE WHEN i % 2 = 0 THEN 'win' ELSE 'loss' END,
            '{{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":1}}', {player}, i, 0, 0,
            {ended_at}, {ended_at}, 2 FROM n"
    )
}

/// A deposit with its payment, a withdrawal and an administrative action for each player. One
/// deposit in a hundred is unpaid, one payment in a hundred is not final, one in four hundred needs
/// manual review, and one withdrawal in fifty is pending.
fn payments(now: i64) -> [String; 5] {
    let player = format!("({FIRST_PLAYER} + i)");
    let id = player.as_str();
    let hash = "f".repeat(64);
    let key = "f".repeat(16);
    [
        format!(
            "INSERT INTO deposits SELECT {id}, {player}, 'order-' || i, 'btc', 10000,
                CASE WHEN i % 100 < 2 THEN 'pending' ELSE 'completed' END, 'finished',
                CASE WHEN i % 100 < 2 THEN 0 ELSE 10000 END, 'invoice-' || i, NULL, NULL, {now}, {now},
                CASE WHEN i % 100 >= 2 THEN {now} END, NULL FROM n"
        ),
        format!(
            "INSERT INTO payments (id, deposit_id, parent_id, standing, status, pay_currency, pay_amount,
                actually_paid, rate_amount, rate_currency, credited_cents, credits, details,
                first_seen_at_micros, updated_at_micros)
             SELECT 'payment-' || i, {id}, NULL, 'tracked',
                CASE WHEN i % 100 = 1 THEN 'confirming' ELSE 'finished' END, 'btc', '0.001', '0.001',
                '0.001', 'btc', CASE WHEN i % 100 = 1 THEN 0 ELSE 10000 END,
                CASE WHEN i % 100 = 1 THEN 0 ELSE 1 END, '{{}}', {now}, {now} + i FROM n
                WHERE i % 100 <> 0"
        ),
        format!(
            "INSERT INTO reviews SELECT {id}, 'payment-' || i, {id}, 'overpaid', 500, 'too much', {now},
                CASE WHEN i % 400 <> 2 THEN {now} END, NULL,
                CASE WHEN i % 400 <> 2 THEN 'sent back' END FROM n WHERE i % 4 = 2"
        ),
        format!(
            "INSERT INTO withdrawals SELECT {id}, {player}, 5000, 50, 'btc', 'address-' || i,
                CASE WHEN i % 50 = 0 THEN 'pending' ELSE 'approved' END, NULL,
                CASE WHEN i % 50 <> 0 THEN {FIRST_PLAYER} END, CASE WHEN i % 50 <> 0 THEN {now} END,
                NULL, {now}, NULL, NULL FROM n"
        ),
        format!(
            "INSERT INTO audit_log (id, actor_id, action, target_user_id, created_at_micros, hash, key_id)
             SELECT {id}, {FIRST_PLAYER},
                CASE WHEN i % 50 = 0 THEN 'user_banned' ELSE 'withdrawal_approved' END, {player}, {now},
                '{hash}', '{key}' FROM n"
        ),
    ]
}
