//! Converts a database in which the server seeds in use were stored in plain text: each gets a salt
//! and a mask with which the key derives it, and each player a commitment to a next seed.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::Timestamp;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::house_clock::machine_now;
use crate::seeds::key::{SeedKeys, decode};

/// The number of accounts converted at once.
const ACCOUNTS_PER_PAGE: i64 = 1_000;

/// The accounts as they were before. Seeds in use are written in lower-case digits.
const ACCOUNTS: &str = "SELECT player_id, seed_pair_id, server_seed, server_seed_hash
    FROM accounts WHERE player_id > $1 ORDER BY player_id LIMIT $2";

#[derive(QueryableByName)]
struct PlainSeed {
    #[diesel(sql_type = BigInt)]
    player_id: i64,
    #[diesel(sql_type = BigInt)]
    seed_pair_id: i64,
    #[diesel(sql_type = Text)]
    server_seed: String,
    #[diesel(sql_type = Text)]
    server_seed_hash: String,
}

diesel::table! {
    seed_conversion (pair_id) {
        pair_id -> BigInt,
        player_id -> BigInt,
        key_id -> Text,
        salt -> Text,
        mask -> Text,
        next_salt -> Text,
        next_server_seed_hash -> Text,
        committed_at_micros -> BigInt,
    }
}

#[derive(Insertable)]
#[diesel(table_name = seed_conversion)]
struct Converted {
    pair_id: i64,
    player_id: i64,
    key_id: String,
    salt: String,
    mask: Option<String>,
    next_salt: String,
    next_server_seed_hash: String,
    committed_at_micros: i64,
}

/// Fills the table `seed_conversion` of migration 0019, from which the next migration converts the
/// tables. Returns the number of accounts.
pub(crate) fn fill_seed_conversion(
    connection: &mut AnyConnection,
    keys: &SeedKeys,
) -> Result<usize, DatabaseError> {
    let at = machine_now(connection)?;
    let mut accounts = 0;
    let mut last = i64::MIN;
    loop {
        let page: Vec<PlainSeed> = diesel::sql_query(ACCOUNTS)
            .bind::<BigInt, _>(last)
            .bind::<BigInt, _>(ACCOUNTS_PER_PAGE)
            .load(connection)?;
        let Some(newest) = page.last() else {
            return Ok(accounts);
        };
        last = newest.player_id;
        accounts += page.len();
        let converted = page
            .into_iter()
            .map(|account| convert(account, keys, at))
            .collect::<Result<Vec<_>, _>>()?;
        let insert = diesel::insert_into(seed_conversion::table);
        match connection {
            AnyConnection::Sqlite(sqlite) => insert.values(converted).execute(sqlite)?,
            AnyConnection::Postgres(postgres) => insert.values(converted).execute(postgres)?,
        };
    }
}

fn convert(account: PlainSeed, keys: &SeedKeys, at: Timestamp) -> Result<Converted, DatabaseError> {
    let seed = decode(&account.server_seed)?;
    if hex::encode(seed) != account.server_seed {
        let message = format!("player {}: the server seed is malformed", account.player_id);
        return Err(DatabaseError::corrupt(message));
    }
    let active = keys.commit_to(seed, account.server_seed_hash, random_salt()?);
    let next = keys.commit(random_salt()?);
    Ok(Converted {
        pair_id: account.seed_pair_id,
        player_id: account.player_id,
        key_id: active.key_id,
        salt: active.salt,
        mask: active.mask,
        next_salt: next.salt,
        next_server_seed_hash: next.hash,
        committed_at_micros: at.as_micros(),
    })
}

fn random_salt() -> Result<[u8; 32], DatabaseError> {
    let mut salt = [0; 32];
    SysRng.try_fill_bytes(&mut salt).map_err(|error| {
        DatabaseError::Unavailable(format!("the operating system's randomness: {error}"))
    })?;
    Ok(salt)
}

/// Makes a SQLite connection overwrite what it deletes, so that not even an interrupted conversion
/// leaves plain seeds behind in unused pages.
pub(crate) fn overwrite_deleted(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    match connection {
        AnyConnection::Sqlite(sqlite) => Ok(sqlite.batch_execute("PRAGMA secure_delete = ON")?),
        AnyConnection::Postgres(_) => Ok(()),
    }
}

/// Rewrites the converted tables after the commit, because their files still contain the rows with
/// the plain seeds. If that fails, the house can be opened nevertheless.
///
/// On PostgreSQL, `VACUUM (FULL)` would keep deleted rows that another session might still see, such
/// as one that collects statistics. A change of a column's type only writes the present ones; the
/// column must not be part of a trigger's condition.
pub(crate) fn erase_plain_seeds(connection: &mut AnyConnection) {
    let (statements, by_hand) = match connection {
        AnyConnection::Sqlite(_) => (
            ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"],
            "stop the server and run sqlite3 DATABASE 'VACUUM'",
        ),
        AnyConnection::Postgres(_) => (
            [
                "ALTER TABLE accounts ALTER COLUMN seed_mask TYPE TEXT USING seed_mask || ''",
                "ALTER TABLE seed_pairs ALTER COLUMN server_seed TYPE TEXT USING server_seed || ''",
            ],
            "run VACUUM (FULL) accounts, seed_pairs while nobody else uses the database",
        ),
    };
    for statement in statements {
        if let Err(error) = connection.batch_execute(statement) {
            tracing::warn!(
                %error,
                statement,
                "the database's files may still contain server seeds in plain text: {by_hand}"
            );
        }
    }
}
