//! What the check reads of the public log.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::RoundId;
use glasshouse_transparency::Hash;

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::public_log::books::LoggedTotals;
use crate::public_log::entries::split;
use crate::public_log::receipts::leaf_hashes;
use crate::public_log::waiting::BatchId;
use crate::schema::{log_batches_and_places, rounds};

/// A batch to be checked.
#[derive(Debug, Clone)]
pub struct BatchToCheck {
    /// The ID of the batch.
    pub id: i64,
    /// The signed note over its receipts; empty if it has none.
    pub note: String,
    /// The leaf hashes of its receipts.
    pub receipts: Vec<Hash>,
    /// The log that contains its entries, and the index of the first one there; `None` while it waits.
    pub place: Option<(i64, u64)>,
    entry_count: u64,
    entries: Vec<u8>,
}

impl BatchToCheck {
    /// The entries.
    ///
    /// # Errors
    /// If they are not as many as they should be.
    pub fn lines(&self) -> Result<Vec<&[u8]>, DatabaseError> {
        split(self.id, &self.entries, self.entry_count)
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = log_batches_and_places)]
struct BatchRow {
    id: i64,
    note: String,
    receipts: Vec<u8>,
    entries: Vec<u8>,
    entry_count: i64,
    log_id: Option<i64>,
    first_index: Option<i64>,
}

impl TryFrom<BatchRow> for BatchToCheck {
    type Error = DatabaseError;

    fn try_from(row: BatchRow) -> Result<Self, DatabaseError> {
        let index = row.first_index.map(|index| unsigned(index, "index"));
        Ok(Self {
            id: row.id,
            note: row.note,
            receipts: leaf_hashes(&row.receipts),
            place: row.log_id.zip(index.transpose()?),
            entry_count: unsigned(row.entry_count, "number of entries")?,
            entries: row.entries,
        })
    }
}

fn batches(rows: Vec<BatchRow>) -> Result<Vec<BatchToCheck>, DatabaseError> {
    rows.into_iter().map(BatchToCheck::try_from).collect()
}

/// Reads the next batches in ascending order of IDs.
///
/// # Errors
/// If the database fails.
pub fn batches_after(
    connection: &mut AnyConnection,
    after: i64,
    limit: i64,
) -> Result<Vec<BatchToCheck>, DatabaseError> {
    let rows = log_batches_and_places::table
        .filter(log_batches_and_places::id.gt(after))
        .order(log_batches_and_places::id)
        .limit(limit)
        .select(BatchRow::as_select())
        .load(connection)?;
    batches(rows)
}

/// Reads batches by their IDs, in no order.
///
/// # Errors
/// If the database fails.
pub fn batches_by_id(
    connection: &mut AnyConnection,
    ids: &[i64],
) -> Result<Vec<BatchToCheck>, DatabaseError> {
    let rows = log_batches_and_places::table
        .filter(log_batches_and_places::id.eq_any(ids))
        .select(BatchRow::as_select())
        .load(connection)?;
    batches(rows)
}

/// Reads the next batches of a log whose first entry has at least this index, in the order of the log.
///
/// # Errors
/// If the database fails.
pub fn batches_of_log(
    connection: &mut AnyConnection,
    log: i64,
    from: u64,
    limit: i64,
) -> Result<Vec<BatchToCheck>, DatabaseError> {
    let rows = log_batches_and_places::table
        .filter(log_batches_and_places::log_id.eq(log))
        .filter(log_batches_and_places::first_index.ge(signed(from, "index")?))
        .order(log_batches_and_places::first_index)
        .limit(limit)
        .select(BatchRow::as_select())
        .load(connection)?;
    batches(rows)
}

/// A batch whose number of entries is not that of the rounds that were settled in it.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct UnevenBatch {
    /// The ID of the batch.
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    /// The number of entries.
    #[diesel(sql_type = BigInt)]
    pub entries: i64,
    /// The number of settled rounds whose receipt is in the batch.
    #[diesel(sql_type = BigInt)]
    pub rounds: i64,
}

/// The batches with receipts that have more or fewer entries than rounds were settled in them.
///
/// # Errors
/// If the database fails.
pub fn uneven_batches(
    connection: &mut AnyConnection,
    limit: i64,
) -> Result<Vec<UnevenBatch>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT b.id, b.entry_count AS entries, COALESCE(r.rounds, 0) AS rounds
         FROM log_batches b LEFT JOIN (
            SELECT receipt_batch_id, COUNT(*) AS rounds FROM rounds
            WHERE state = 'settled' AND receipt_batch_id IS NOT NULL GROUP BY receipt_batch_id
         ) r ON r.receipt_batch_id = b.id
         WHERE b.note <> '' AND b.entry_count <> COALESCE(r.rounds, 0)
         ORDER BY b.id LIMIT $1",
    )
    .bind::<BigInt, _>(limit)
    .load(connection)?)
}

/// The IDs of batches that wait for a place in the log although they have one or have no entries, or that do not wait
/// although they have entries and no place. On PostgreSQL there are none: a batch waits as long as it has no place.
///
/// # Errors
/// If the database fails.
pub fn wrongly_waiting_batches(
    connection: &mut AnyConnection,
    limit: i64,
) -> Result<Vec<i64>, DatabaseError> {
    let AnyConnection::Sqlite(sqlite) = connection else {
        return Ok(Vec::new());
    };
    let rows: Vec<BatchId> = diesel::sql_query(
        "SELECT id FROM log_batches
            LEFT JOIN log_places ON log_places.batch_id = id
            LEFT JOIN log_waiting ON log_waiting.batch_id = id
         WHERE (log_waiting.batch_id IS NOT NULL) <> (log_places.batch_id IS NULL AND entry_count > 0)
         ORDER BY id LIMIT ?",
    )
    .bind::<BigInt, _>(limit)
    .load(sqlite)?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// The number and the size of the tiles of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, QueryableByName)]
pub struct TileTotals {
    /// The level.
    #[diesel(sql_type = BigInt)]
    pub level: i64,
    /// The number of bytes of all hashes.
    #[diesel(sql_type = BigInt)]
    pub bytes: i64,
}

/// The sizes of all tiles of a log, by level.
///
/// # Errors
/// If the database fails.
pub fn tile_totals(
    connection: &mut AnyConnection,
    log: i64,
) -> Result<Vec<TileTotals>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT level, CAST(SUM(length(hashes)) AS BIGINT) AS bytes FROM log_tiles
         WHERE log_id = $1 GROUP BY level ORDER BY level",
    )
    .bind::<BigInt, _>(log)
    .load(connection)?)
}

/// The totals of the rounds that were settled before the first log began, as they were noted then.
///
/// # Errors
/// If the database fails.
pub fn opening_totals(connection: &mut AnyConnection) -> Result<Vec<LoggedTotals>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT game, rounds, staked_cents, paid_cents FROM log_opening_totals
         WHERE log_id = 1 AND rounds > 0 ORDER BY game",
    )
    .load(connection)?)
}

/// The totals of the settled rounds without a receipt, in the order of the games' names.
///
/// # Errors
/// If the database fails.
pub fn totals_without_receipts(
    connection: &mut AnyConnection,
) -> Result<Vec<LoggedTotals>, DatabaseError> {
    Ok(diesel::sql_query(
        "SELECT game, COUNT(*) AS rounds, CAST(SUM(stake_cents) AS BIGINT) AS staked_cents,
            CAST(SUM(payout_cents) AS BIGINT) AS paid_cents
         FROM rounds WHERE state = 'settled' AND receipt_batch_id IS NULL GROUP BY game ORDER BY game",
    )
    .load(connection)?)
}

/// The newest settled rounds of a game without a receipt.
///
/// # Errors
/// If the database fails.
pub fn rounds_without_receipts(
    connection: &mut AnyConnection,
    game: &str,
    limit: i64,
) -> Result<Vec<RoundId>, DatabaseError> {
    let ids: Vec<i64> = rounds::table
        .filter(rounds::state.eq("settled"))
        .filter(rounds::game.eq(game))
        .filter(rounds::receipt_batch_id.is_null())
        .order(rounds::id.desc())
        .limit(limit)
        .select(rounds::id)
        .load(connection)?;
    Ok(ids.into_iter().map(RoundId::new).collect())
}

/// A round that is only known by what is left of it.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct MissingRound {
    /// What refers to the round.
    #[diesel(sql_type = Text)]
    pub value: String,
}

/// The rounds that the ledger names and that do not exist, and the gaps in the nonces of seed pairs.
/// Reads all rounds, so it is for a database in which rounds are known to be missing.
///
/// # Errors
/// If the database fails.
pub fn missing_rounds(
    connection: &mut AnyConnection,
    limit: i64,
) -> Result<Vec<MissingRound>, DatabaseError> {
    // Somebody may have written any reference: PostgreSQL would refuse to make a number of it, and
    // SQLite would compare each text with each round.
    let is_of_round = match connection {
        AnyConnection::Sqlite(_) => "r.id = CAST(substr(e.reference, 7) AS INTEGER)",
        AnyConnection::Postgres(_) => "'round:' || r.id = e.reference",
    };
    Ok(diesel::sql_query(format!(
        "SELECT value FROM (
            SELECT REPLACE(e.reference, ':', ' ') || ' of player ' || CAST(e.player_id AS TEXT)
                || ' is in the ledger but does not exist' AS value
            FROM ledger_entries e LEFT JOIN rounds r ON {is_of_round}
            WHERE e.kind = 'stake' AND e.reference NOT LIKE '%/%' AND r.id IS NULL
            UNION ALL
            SELECT 'a round of player ' || CAST(player_id AS TEXT) || ' with seed pair '
                || CAST(seed_pair_id AS TEXT) || ' before nonce ' || CAST(nonce AS TEXT)
                || ' does not exist' AS value
            FROM (
                SELECT player_id, seed_pair_id, nonce,
                    nonce - COALESCE(LAG(nonce) OVER (PARTITION BY seed_pair_id ORDER BY nonce), -1)
                        AS step
                FROM rounds
            ) steps WHERE step <> 1
            UNION ALL
            SELECT 'the last round of player ' || CAST(a.player_id AS TEXT) || ' with seed pair '
                || CAST(a.seed_pair_id AS TEXT) || ' does not exist' AS value
            FROM accounts a LEFT JOIN rounds r
                ON r.seed_pair_id = a.seed_pair_id AND r.nonce = a.next_nonce - 1
            WHERE a.next_nonce > 0 AND r.id IS NULL
         ) missing LIMIT $1"
    ))
    .bind::<BigInt, _>(limit)
    .load(connection)?)
}
