//! Inserts many users, rounds and payments directly into the tables.

use anyhow::{Context, ensure};

use super::{DAYS, FEW_ROUNDS, FIRST_PLAYER, FIRST_ROUND, MICROS_PER_DAY, Size};
use crate::house::{Backend, House};
use crate::postgres::Postgres;

/// The ID of the key of the players' seeds, which nobody has: these players do not play.
const KEY_ID: &str = "benchmark-key-id";
/// What an alert to a large win is about.
const LARGE_WIN: &str = r#"{"about":"large_win","round":1,"game":"dice","stake":"100.00","payout":"20000.00","profit":"19900.00"}"#;

/// Inserts everything with a few rounds, and totals of all days; the database is deleted afterwards.
pub(super) fn fill(house: &House, postgres: &Postgres, size: Size, now: i64) -> anyhow::Result<()> {
    ensure!(
        size.users < 9 * FIRST_PLAYER,
        "the seeds below end in seven digits"
    );
    execute(house, postgres, |numbered| statements(size, now, numbered))
}

/// Inserts the other rounds.
pub(super) fn add_rounds(
    house: &House,
    postgres: &Postgres,
    size: Size,
    now: i64,
) -> anyhow::Result<()> {
    execute(house, postgres, |numbered| {
        vec![more_rounds(size, now, numbered)]
    })
}

fn execute(
    house: &House,
    postgres: &Postgres,
    statements: impl Fn(Numbering) -> Vec<String>,
) -> anyhow::Result<()> {
    match &house.backend {
        Backend::Sqlite => {
            let connection = rusqlite::Connection::open(house.sqlite_path())?;
            // What a statement changes does not fit into the usual cache; it would be written again and again.
            connection
                .execute_batch("PRAGMA busy_timeout = 60000; PRAGMA cache_size = -4000000")?;
            for statement in statements(on_sqlite) {
                connection.execute_batch(&statement)?;
            }
        }
        Backend::Postgres(url) => {
            let (_, database) = url.rsplit_once('/').context("the URL has no database")?;
            for statement in statements(on_postgres) {
                postgres.sql(database, &statement)?;
            }
            // At once, and not by itself in the middle of the measurement.
            postgres.sql(database, "VACUUM ANALYZE")?;
        }
    }
    Ok(())
}

/// Completes a statement that reads the numbers `i` from 0 up to a count `FROM n`.
type Numbering = fn(&str, i64) -> String;

fn on_sqlite(statement: &str, count: i64) -> String {
    format!(
        "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})
         {statement}"
    )
}

fn on_postgres(statement: &str, count: i64) -> String {
    let series = format!("FROM generate_series(CAST(0 AS BIGINT), {count} - 1) AS n (i)");
    statement.replace("FROM n", &series)
}

/// All statements in order, with a few rounds.
fn statements(size: Size, now: i64, numbered: Numbering) -> Vec<String> {
    let of_each_user = players(now)
        .into_iter()
        .chain(payments(now))
        .chain(withdrawals(now));
    let mut statements: Vec<String> = of_each_user
        .map(|statement| numbered(&statement, size.users))
        .collect();
    // The player whose rounds are listed has as many in a house with few rounds as in one with many.
    let player = format!(
        "CASE WHEN i % 10 = 3 THEN {} ELSE {} END",
        FIRST_PLAYER + size.listed(),
        other_player(size)
    );
    statements.push(rounds(&player, FIRST_ROUND, FEW_ROUNDS, now, numbered));
    statements.extend(totals(now).map(|statement| numbered(&statement, DAYS)));
    statements
}

/// The rounds that the first ones lack.
fn more_rounds(size: Size, now: i64, numbered: Numbering) -> String {
    let count = i64::from(size.rounds) - FEW_ROUNDS;
    let first = FIRST_ROUND + FEW_ROUNDS;
    rounds(&other_player(size), first, count, now, numbered)
}

/// The totals of each day. The server has no writer with the number 9.
fn totals(now: i64) -> [String; 2] {
    let day = format!("{} - i", now / MICROS_PER_DAY);
    let games = ["dice", "crash", "stonks", "video_poker"]
        .map(|game| format!("SELECT '{game}' AS game"))
        .join(" UNION ALL ");
    [
        format!(
            "INSERT INTO house_totals (day, game, shard, rounds, wins, staked_cents, paid_cents,
                expected_cents, variance)
             SELECT {day}, g.game, 9, 700, 350, 350000, 346500, 1, 1 FROM n CROSS JOIN ({games}) g"
        ),
        format!(
            "INSERT INTO house_flows (day, shard, deposited_cents, held_cents, returned_cents,
                adjusted_cents, arrived_cents, arrived_fee_cents)
             SELECT {day}, 9, 1000, 500, 0, 0, 500, 5 FROM n"
        ),
    ]
}

/// Users, of whom one in five hundred is banned.
fn players(now: i64) -> [String; 6] {
    let player = format!("({FIRST_PLAYER} + i)");
    let users = format!(
        "INSERT INTO users (id, username, username_key, password_hash, role, ban_reason,
            created_at_micros)
         SELECT {player}, 'panel-' || i, 'panel-' || i, 'none', 'player',
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
         SELECT {player}, (i % 1000) * (i % 997) * (i % 89), 0, 0, {player}, {next_id}, {active},
            '{KEY_ID}', {active}, 'client', 0 FROM n"
    );
    let (active_pairs, next_pairs) = (commit(&player, &active), commit(&next_id, &next));
    [
        users,
        active_pairs,
        activate,
        next_pairs,
        accounts,
        daily_statements(now),
    ]
}

/// What each player has moved on ten days.
fn daily_statements(now: i64) -> String {
    let today = now / MICROS_PER_DAY;
    let days = (0..10)
        .map(|day| format!("SELECT {} AS day", today - 3 * day))
        .collect::<Vec<_>>()
        .join(" UNION ALL ");
    format!(
        "INSERT INTO daily_statements (player_id, day, entries, first_sequence, last_sequence,
            deposited_cents, withdrawn_cents, adjusted_cents, staked_cents, paid_cents)
         SELECT {FIRST_PLAYER} + i, d.day, 1, 1, 1, 1000, 500, 0, 5000, 4900
         FROM n CROSS JOIN ({days}) d"
    )
}

/// The player of a round: one after the other, with distant IDs, but not the one whose rounds are listed.
fn other_player(size: Size) -> String {
    // 7919 is prime.
    let (listed, users) = (size.listed(), size.users);
    format!("{FIRST_PLAYER} + ({listed} + 1 + (i * 7919) % ({users} - 1)) % {users}")
}

/// So many settled rounds of a player, which may depend on the number `i`, spread over the days.
fn rounds(player: &str, first: i64, count: i64, now: i64, numbered: Numbering) -> String {
    let step = DAYS * MICROS_PER_DAY / count;
    let ended_at = format!("{now} - ({count} - i) * {step}");
    let statement = format!(
        "INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result, details,
            seed_pair_id, nonce, balance_after_cents, unwagered_after_cents, started_at_micros,
            ended_at_micros, rules_version)
         SELECT {first} + i, {player},
            CASE WHEN i % 20 < 13 THEN 'dice' WHEN i % 20 < 16 THEN 'crash'
                WHEN i % 20 < 18 THEN 'stonks' ELSE 'video_poker' END,
            'settled', 100 + i % 900, CASE WHEN i % 2 = 0 THEN 2 * (100 + i % 900) ELSE 0 END,
            CASE WHEN i % 2 = 0 THEN 'win' ELSE 'loss' END,
            '{{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":1}}', {player}, {first} + i, 0, 0,
            {ended_at}, {ended_at}, 2 FROM n"
    );
    numbered(&statement, count)
}

/// A deposit with its payment and an administrative action for each player, and an alert for every
/// tenth. One deposit in a hundred is unpaid, one payment in a hundred is not final, and one in four
/// hundred needs manual review.
fn payments(now: i64) -> [String; 5] {
    let player = format!("({FIRST_PLAYER} + i)");
    let id = player.as_str();
    let hash = "f".repeat(64);
    let key = "f".repeat(16);
    [
        format!(
            "INSERT INTO deposits (id, player_id, order_id, currency, price_cents, status,
                external_status, credited_cents, invoice_id, created_at_micros, updated_at_micros,
                completed_at_micros)
             SELECT {id}, {player}, 'order-' || i, 'btc', 10000,
                CASE WHEN i % 100 < 2 THEN 'pending' ELSE 'completed' END, 'finished',
                CASE WHEN i % 100 < 2 THEN 0 ELSE 10000 END, 'invoice-' || i, {now}, {now},
                CASE WHEN i % 100 >= 2 THEN {now} END FROM n"
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
            "INSERT INTO reviews (id, payment_id, deposit_id, kind, amount_cents, details,
                opened_at_micros, resolved_at_micros, resolution)
             SELECT {id}, 'payment-' || i, {id}, 'overpaid', 500, 'too much', {now},
                CASE WHEN i % 400 <> 2 THEN {now} END,
                CASE WHEN i % 400 <> 2 THEN 'sent back' END FROM n WHERE i % 4 = 2"
        ),
        format!(
            "INSERT INTO audit_log (id, actor_id, action, target_user_id, created_at_micros, hash, key_id)
             SELECT {id}, {FIRST_PLAYER},
                CASE WHEN i % 50 = 0 THEN 'user_banned' ELSE 'withdrawal_approved' END, {player}, {now},
                '{hash}', '{key}' FROM n"
        ),
        format!(
            "INSERT INTO alerts (kind, key, user_id, facts, is_condition, raised_at_micros,
                acknowledged_at_micros, acknowledged_by)
             SELECT 'large_win', 'panel-' || i, {player},
                '{LARGE_WIN}', 0, {now} - i,
                CASE WHEN i % 1000 <> 0 THEN {now} END,
                CASE WHEN i % 1000 <> 0 THEN {FIRST_PLAYER} END FROM n WHERE i % 10 = 0"
        ),
    ]
}

/// A withdrawal of each player. One in ten is pending; of those that are approved, one in a hundred
/// is still to be paid. Their times and amounts are not in the order of the rows.
fn withdrawals(now: i64) -> [String; 2] {
    let player = format!("({FIRST_PLAYER} + i)");
    let id = player.as_str();
    let requested = format!("{now} - 1000000 * ((i * 7919) % 1000000)");
    [
        format!(
            "INSERT INTO withdrawals (id, player_id, amount_cents, fee_cents, currency, address, status,
                decided_by, decided_at_micros, created_at_micros, risk_factors, risk_points)
             SELECT {id}, {player}, 1000 + (i * 7919) % 90000, 50, 'btc', 'address-' || i,
                CASE WHEN i % 10 = 0 THEN 'pending' ELSE 'approved' END,
                CASE WHEN i % 10 = 0 THEN NULL WHEN i = 1 THEN {FIRST_PLAYER} ELSE {FIRST_PLAYER} + 1 END,
                CASE WHEN i % 10 <> 0 THEN {now} END, {requested},
                CASE WHEN i % 20 = 0 THEN 'first_use' ELSE '' END,
                CASE WHEN i % 20 = 0 THEN 15 ELSE 0 END FROM n"
        ),
        format!(
            "INSERT INTO payouts (withdrawal_id, method, state, external_id, coin_amount, transaction_id,
                claimed_at_micros, sent_at_micros, confirmed_at_micros)
             SELECT {id}, 'manual', CASE WHEN i % 100 = 1 THEN 'claimed' ELSE 'confirmed' END,
                'panel-' || i, '0.001', CASE WHEN i % 100 <> 1 THEN 'transaction-' || i END, {now},
                CASE WHEN i % 100 <> 1 THEN {now} END, CASE WHEN i % 100 <> 1 THEN {now} END
             FROM n WHERE i % 10 <> 0"
        ),
    ]
}

#[cfg(test)]
mod tests {
    use glasshouse_testing::{Backend, EmptyDatabase, open_database, sql, texts};

    use super::*;

    const SIZE: Size = Size {
        rounds: 2000,
        users: 1000,
    };
    const NOW: i64 = 1_800_000_000_000_000;

    /// The statements are not compiled against the schema, so a migration could break them unseen.
    fn statements_fit(backend: Backend, numbered: Numbering) {
        let database = EmptyDatabase::migrated(backend);
        drop(open_database(&database.url));
        let first = statements(SIZE, NOW, numbered);
        for statement in first.into_iter().chain([more_rounds(SIZE, NOW, numbered)]) {
            sql(&database.url, &statement).unwrap();
        }
        let count = |of: &str| {
            texts(
                &database.url,
                &format!("SELECT CAST(COUNT(*) AS TEXT) AS value FROM {of}"),
            )
        };
        let listed = FIRST_PLAYER + SIZE.listed();
        let of_listed = format!("rounds WHERE player_id = {listed}");
        for (table, expected) in [
            (of_listed.as_str(), "100"),
            ("rounds WHERE game = 'video_poker'", "200"),
            ("house_totals", "1464"),
            ("accounts", "1000"),
            ("daily_statements", "10000"),
            ("rounds", "2000"),
            ("withdrawals WHERE status = 'pending'", "100"),
            ("payouts", "900"),
            ("alerts WHERE acknowledged_at_micros IS NULL", "1"),
        ] {
            assert_eq!(count(table), [expected], "{table}");
        }
    }

    #[test]
    fn the_statements_fit_the_schema_of_sqlite() {
        statements_fit(Backend::Sqlite, on_sqlite);
    }

    #[test]
    fn the_statements_fit_the_schema_of_postgres() {
        statements_fit(Backend::Postgres, on_postgres);
    }
}
