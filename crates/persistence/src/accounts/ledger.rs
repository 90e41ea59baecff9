//! A player's ledger, oldest entry first, in pages.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};
use glasshouse_domain::{EntryKind, Money, Timestamp, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::ledger_entries;

/// A stored ledger entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The entry's number among the player's entries, starting at 1.
    pub sequence: i64,
    /// The kind.
    pub kind: EntryKind,
    /// The change of the balance; negative for debits.
    pub amount: Money,
    /// The balance after the entry.
    pub balance_after: Money,
    /// The cause of the entry, such as `round:17`.
    pub reference: String,
    /// When the entry was made.
    pub at: Timestamp,
}

/// Where the entries of a range of days are in a player's ledger, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerRange {
    /// The number of the first entry.
    pub first_sequence: i64,
    /// The number of the last entry.
    pub last_sequence: i64,
    /// The number of entries of these days.
    pub entries: u64,
}

#[derive(QueryableByName)]
struct RangeRow {
    #[diesel(sql_type = Nullable<BigInt>)]
    first_sequence: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    last_sequence: Option<i64>,
    #[diesel(sql_type = BigInt)]
    entries: i64,
}

const RANGE: &str = "SELECT MIN(first_sequence) AS first_sequence,
        MAX(last_sequence) AS last_sequence,
        CAST(COALESCE(SUM(entries), 0) AS BIGINT) AS entries
    FROM daily_statements WHERE player_id = $1 AND day BETWEEN $2 AND $3";

/// Finds the entries of the days from `first_day` to `last_day`; `None` if there are none. Reads the
/// daily statements, which name the first and the last entry of each day.
///
/// # Errors
/// If the database fails.
pub fn ledger_range(
    connection: &mut AnyConnection,
    player: UserId,
    (first_day, last_day): (i64, i64),
) -> Result<Option<LedgerRange>, DatabaseError> {
    let row: RangeRow = diesel::sql_query(RANGE)
        .bind::<BigInt, _>(player.get())
        .bind::<BigInt, _>(first_day)
        .bind::<BigInt, _>(last_day)
        .get_result(connection)?;
    let entries = unsigned(row.entries, "count of entries")?;
    let bounds = row.first_sequence.zip(row.last_sequence);
    Ok(bounds.map(|(first_sequence, last_sequence)| LedgerRange {
        first_sequence,
        last_sequence,
        entries,
    }))
}

/// A row of [`ENTRY_COLUMNS`].
pub(crate) type EntryRow = (i64, String, i64, i64, String, i64);
type EntryColumns = (
    ledger_entries::sequence,
    ledger_entries::kind,
    ledger_entries::amount_cents,
    ledger_entries::balance_after_cents,
    ledger_entries::reference,
    ledger_entries::created_at_micros,
);
pub(crate) const ENTRY_COLUMNS: EntryColumns = (
    ledger_entries::sequence,
    ledger_entries::kind,
    ledger_entries::amount_cents,
    ledger_entries::balance_after_cents,
    ledger_entries::reference,
    ledger_entries::created_at_micros,
);

impl TryFrom<EntryRow> for LedgerEntry {
    type Error = DatabaseError;

    fn try_from(row: EntryRow) -> Result<Self, DatabaseError> {
        let (sequence, kind, amount, balance_after, reference, at) = row;
        let kind = EntryKind::parse(&kind).ok_or_else(|| {
            DatabaseError::corrupt(format!("unknown kind {kind} of a ledger entry"))
        })?;
        Ok(Self {
            sequence,
            kind,
            amount: Money::from_cents(amount),
            balance_after: Money::from_cents(balance_after),
            reference,
            at: Timestamp::from_micros(at),
        })
    }
}

/// The entries of these kinds with these references, each of which is there at most once.
///
/// # Errors
/// If the database fails.
pub(crate) fn entries_by_reference(
    connection: &mut AnyConnection,
    kinds: &[EntryKind],
    references: &[String],
) -> Result<Vec<LedgerEntry>, DatabaseError> {
    let kinds = kinds.iter().map(|kind| kind.as_str());
    let rows: Vec<EntryRow> = ledger_entries::table
        .filter(ledger_entries::kind.eq_any(kinds))
        .filter(ledger_entries::reference.eq_any(references))
        .select(ENTRY_COLUMNS)
        .load(connection)?;
    rows.into_iter().map(LedgerEntry::try_from).collect()
}

/// Reads at most `limit` entries with these sequence numbers, oldest first. Near midnight a range can
/// contain entries of the next day; the caller compares their times.
///
/// # Errors
/// If the database fails.
pub fn ledger_entries(
    connection: &mut AnyConnection,
    player: UserId,
    (first_sequence, last_sequence): (i64, i64),
    limit: usize,
) -> Result<Vec<LedgerEntry>, DatabaseError> {
    let rows: Vec<EntryRow> = ledger_entries::table
        .filter(ledger_entries::player_id.eq(player.get()))
        .filter(ledger_entries::sequence.between(first_sequence, last_sequence))
        .order((ledger_entries::player_id, ledger_entries::sequence))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(ENTRY_COLUMNS)
        .load(connection)?;
    rows.into_iter().map(LedgerEntry::try_from).collect()
}
