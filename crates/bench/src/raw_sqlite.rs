//! The baseline for SQLite: the statements of a bet executed with rusqlite, 64 bets per
//! transaction, and nothing else.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::ensure;
use rusqlite::{Connection, OptionalExtension, params};
use tempfile::TempDir;

use crate::load::count;

const PLAYERS: i64 = 1000;
const BETS_PER_TRANSACTION: i64 = 64;
/// The server's settings.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864;
";

/// A database without a server.
pub(crate) struct RawSqlite {
    connection: Connection,
    _folder: TempDir,
}

impl RawSqlite {
    /// Creates a migrated database with players.
    pub(crate) fn prepare(binary: &Path) -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        let path = folder.path().join("raw.db");
        let url = format!("sqlite://{}", path.display());
        let status = Command::new(binary)
            .args(["migrate", "--database-url", &url])
            .env("GLASSHOUSE_LOG", "warn")
            .status()?;
        ensure!(status.success(), "the migrations failed");
        let connection = Connection::open(&path)?;
        connection.execute_batch(SETTINGS)?;
        connection.execute_batch(&format!(
            "BEGIN;
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAYERS})
             INSERT INTO users SELECT i, 'raw-' || i, 'raw-' || i, 'none', 'player', NULL, 1 FROM n;
             INSERT INTO seed_pairs
                (id, player_id, server_seed_hash, key_id, salt, committed_at_micros)
                SELECT id, id, hex(randomblob(32)), 'benchmark-key-id', hex(randomblob(32)), 1
                FROM users;
             UPDATE seed_pairs SET client_seed = 'client', client_seed_by = 'house',
                client_seed_at_micros = 1, activated_at_micros = 1;
             INSERT INTO seed_pairs
                (player_id, server_seed_hash, key_id, salt, committed_at_micros)
                SELECT id, hex(randomblob(32)), 'benchmark-key-id', hex(randomblob(32)), 1
                FROM users;
             INSERT INTO accounts SELECT p.player_id, 100000000, 0, 0, p.id, n.id,
                p.server_seed_hash, p.key_id, p.salt, NULL, p.client_seed, 0
                FROM seed_pairs p JOIN seed_pairs n
                    ON n.player_id = p.player_id AND n.activated_at_micros IS NULL
                WHERE p.activated_at_micros IS NOT NULL;
             COMMIT;"
        ))?;
        Ok(Self {
            connection,
            _folder: folder,
        })
    }

    pub(crate) fn bets_per_second(&self, duration: Duration) -> anyhow::Result<f64> {
        let started = Instant::now();
        let mut bets = 0;
        while started.elapsed() < duration {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            let last: i64 = self
                .connection
                .prepare_cached("SELECT COALESCE(MAX(id), 0) FROM rounds")?
                .query_row([], |row| row.get(0))?;
            for number in 1..=BETS_PER_TRANSACTION {
                self.bet(last + number)?;
                bets += 1;
            }
            self.add_to_house_totals()?;
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(count(bets) / started.elapsed().as_secs_f64())
    }

    /// One bet of one cent; every second bet wins.
    fn bet(&self, id: i64) -> anyhow::Result<()> {
        let player = id % PLAYERS + 1;
        let key = format!("key-{id}-0123456789");
        let connection = &self.connection;
        let (balance, sequence, nonce): (i64, i64, i64) = connection
            .prepare_cached("SELECT * FROM accounts WHERE player_id = ?1")?
            .query_row([player], |row| Ok((row.get(1)?, row.get(3)?, row.get(11)?)))?;
        connection
            .prepare_cached("SELECT * FROM rounds WHERE player_id = ?1 AND idempotency_key = ?2")?
            .query_row(params![player, key], |_| Ok(()))
            .optional()?;
        let is_win = id % 2 == 0;
        let after = balance - 1 + i64::from(is_win);
        connection
            .prepare_cached(
                "UPDATE accounts SET balance_cents = ?2, unwagered_cents = 0, ledger_sequence = ?3,
                 next_nonce = ?4 WHERE player_id = ?1",
            )?
            .execute(params![
                player,
                after,
                sequence + 1 + i64::from(is_win),
                nonce + 1
            ])?;
        connection
            .prepare_cached(
                "INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result,
                    details, seed_pair_id, nonce, idempotency_key, balance_after_cents,
                    unwagered_after_cents, started_at_micros, ended_at_micros, rules_version)
                 VALUES (?1, ?2, 'dice', 'settled', 1, ?3, ?4,
                    '{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":50}', ?2, ?5, ?6, ?7,
                    0, ?8, ?8, 2)",
            )?
            .execute(params![
                id,
                player,
                i64::from(is_win),
                if is_win { "win" } else { "loss" },
                nonce,
                key,
                after,
                1_800_000_000_000_000 + id
            ])?;
        let mut entry = connection
            .prepare_cached("INSERT INTO ledger_entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        let reference = format!("round:{id}");
        entry.execute(params![
            player,
            sequence + 1,
            "stake",
            -1,
            balance - 1,
            reference,
            id
        ])?;
        if is_win {
            entry.execute(params![
                player,
                sequence + 2,
                "payout",
                1,
                after,
                reference,
                id
            ])?;
        }
        self.add_to_statistics(player, id, is_win)
    }

    fn add_to_statistics(&self, player: i64, id: i64, is_win: bool) -> anyhow::Result<()> {
        let biggest = is_win.then_some(id);
        self.connection
            .prepare_cached(
                "INSERT INTO player_statistics AS old VALUES (?1, 'dice', 1, ?2, 1, ?2, ?3, ?2, 0, 0, 0)
                 ON CONFLICT (player_id, game) DO UPDATE SET
                    rounds = old.rounds + excluded.rounds, wins = old.wins + excluded.wins,
                    staked_cents = old.staked_cents + excluded.staked_cents,
                    paid_cents = old.paid_cents + excluded.paid_cents,
                    biggest_win_round_id =
                        COALESCE(old.biggest_win_round_id, excluded.biggest_win_round_id),
                    biggest_win_cents = MAX(old.biggest_win_cents, excluded.biggest_win_cents)",
            )?
            .execute(params![player, i64::from(is_win), biggest])?;
        Ok(())
    }

    /// Adds a transaction's bets to the house totals: 64 bets of one cent, of which half win.
    fn add_to_house_totals(&self) -> anyhow::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO house_totals AS old VALUES (20000, 'dice', 0, 64, 32, 64, 32, 64, 32)
                 ON CONFLICT (day, game, shard) DO UPDATE SET
                    rounds = old.rounds + excluded.rounds, wins = old.wins + excluded.wins,
                    staked_cents = old.staked_cents + excluded.staked_cents,
                    paid_cents = old.paid_cents + excluded.paid_cents,
                    expected_cents = old.expected_cents + excluded.expected_cents,
                    variance = old.variance + excluded.variance",
            )?
            .execute([])?;
        Ok(())
    }
}
