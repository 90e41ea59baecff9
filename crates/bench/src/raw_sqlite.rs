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
/// The server's settings, except that its checkpoints are made beside the writer, whose cache has half the size.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 16000;
";

/// A database without a server.
pub(crate) struct RawSqlite {
    connection: Connection,
    /// Has the database, unless it is somebody else's.
    _folder: Option<TempDir>,
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
        Self::open(&path, Some(folder))
    }

    /// Adds players to a migrated database.
    fn open(path: &Path, folder: Option<TempDir>) -> anyhow::Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(SETTINGS)?;
        connection.execute_batch(&format!(
            "BEGIN;
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAYERS})
             INSERT INTO users (id, username, username_key, password_hash, role, created_at_micros)
                SELECT i, 'raw-' || i, 'raw-' || i, 'none', 'player', 1 FROM n;
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
             INSERT INTO accounts (player_id, balance_cents, unwagered_cents, ledger_sequence,
                    seed_pair_id, next_seed_pair_id, server_seed_hash, seed_key_id, seed_salt,
                    client_seed, next_nonce)
                SELECT p.player_id, 100000000, 0, 0, p.id, n.id, p.server_seed_hash, p.key_id,
                    p.salt, p.client_seed, 0
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
            self.transaction()?;
            bets += BETS_PER_TRANSACTION;
        }
        Ok(count(usize::try_from(bets)?) / started.elapsed().as_secs_f64())
    }

    /// 64 bets, as many as the server's largest batch.
    fn transaction(&self) -> anyhow::Result<()> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let last: i64 = self
            .connection
            .prepare_cached("SELECT COALESCE(MAX(id), 0) FROM rounds")?
            .query_row([], |row| row.get(0))?;
        for number in 1..=BETS_PER_TRANSACTION {
            self.bet(last + number)?;
        }
        self.add_receipts(last)?;
        self.add_to_house_totals()?;
        Ok(self.connection.execute_batch("COMMIT")?)
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
                    unwagered_after_cents, started_at_micros, ended_at_micros, rules_version,
                    receipt_batch_id, receipt_index)
                 VALUES (?1, ?2, 'dice', 'settled', 1, ?3, ?4,
                    '{\"targetNumber\":50,\"betType\":\"over\",\"diceResult\":50}', ?2, ?5, ?6, ?7,
                    0, ?8, ?8, 2, ?1, 0)",
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
        self.add_to_statistics(player, id, is_win)?;
        self.add_to_totals(player, sequence + 1, is_win)
    }

    /// Adds a bet to the player's totals of the hour and the day.
    fn add_to_totals(&self, player: i64, sequence: i64, is_win: bool) -> anyhow::Result<()> {
        let paid = i64::from(is_win);
        self.connection
            .prepare_cached(
                "INSERT INTO hourly_statistics AS old VALUES (?1, 480000, 'dice', 1, 1, ?2)
                 ON CONFLICT (player_id, hour, game) DO UPDATE SET
                    rounds = old.rounds + excluded.rounds,
                    staked_cents = old.staked_cents + excluded.staked_cents,
                    paid_cents = old.paid_cents + excluded.paid_cents",
            )?
            .execute([player, paid])?;
        self.connection
            .prepare_cached(
                "INSERT INTO daily_statements AS old VALUES (?1, 20000, ?2, ?3, ?4, 0, 0, 0, 1, ?5)
                 ON CONFLICT (player_id, day) DO UPDATE SET
                    entries = old.entries + excluded.entries,
                    last_sequence = MAX(old.last_sequence, excluded.last_sequence),
                    staked_cents = old.staked_cents + excluded.staked_cents,
                    paid_cents = old.paid_cents + excluded.paid_cents",
            )?
            .execute([player, 1 + paid, sequence, sequence + paid, paid])?;
        Ok(())
    }

    /// Adds a transaction's receipts, each a hash, and a note as long as a signed one.
    fn add_receipts(&self, id: i64) -> anyhow::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO log_batches (id, note, receipts, entries, entry_count)
                 VALUES (?1, hex(randomblob(130)), randomblob(32 * ?2), X'', 0)",
            )?
            .execute([id, BETS_PER_TRANSACTION])?;
        Ok(())
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

#[cfg(test)]
mod tests {
    use glasshouse_testing::{Backend, EmptyDatabase, open_database, texts};

    use super::*;

    /// The statements are not compiled against the schema, so a migration could break them unseen.
    #[test]
    fn the_statements_fit_the_schema() {
        let database = EmptyDatabase::migrated(Backend::Sqlite);
        drop(open_database(&database.url));
        let url = database.url.to_string();
        let path = url.strip_prefix("sqlite://").unwrap();
        let raw = RawSqlite::open(Path::new(path), None).unwrap();
        for _ in 0..2 {
            raw.transaction().unwrap();
        }
        for (table, rows) in [
            ("rounds", "128"),
            ("ledger_entries", "192"),
            ("log_batches", "2"),
        ] {
            let count = format!("SELECT CAST(COUNT(*) AS TEXT) AS value FROM {table}");
            assert_eq!(texts(&database.url, &count), [rows], "{table}");
        }
    }
}
