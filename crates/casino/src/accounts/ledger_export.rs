//! A player's ledger for the player's own records.

use std::ops::RangeInclusive;

use glasshouse_domain::UserId;
use glasshouse_persistence::accounts::{LedgerEntry, LedgerRange};
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;

/// The entries of some days of a player's ledger, which are read in pages.
#[derive(Debug, Clone)]
pub struct LedgerExport {
    player: UserId,
    days: RangeInclusive<i64>,
    /// The entries that have not been read yet; `None` if there are none.
    range: Option<LedgerRange>,
}

impl LedgerExport {
    /// Finds the player's entries of these days, which are numbered since 1970-01-01, in UTC.
    ///
    /// # Errors
    /// On a fault.
    pub async fn find(
        house: &House,
        player: UserId,
        days: RangeInclusive<i64>,
    ) -> Result<Self, CasinoError> {
        let bounds = (*days.start(), *days.end());
        let range = house
            .database
            .read::<_, DatabaseError, _>(move |connection| {
                queries::ledger_range(connection, player, bounds)
            })
            .await?;
        Ok(Self {
            player,
            days,
            range,
        })
    }

    /// The number of entries of these days.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.range.map_or(0, |range| range.entries)
    }
}

/// Reads the next entries, oldest first; `None` after the last one. A page can be short or empty and
/// still not be the last.
///
/// # Errors
/// On a fault.
pub async fn read_ledger(
    house: &House,
    export: &mut LedgerExport,
    limit: usize,
) -> Result<Option<Vec<LedgerEntry>>, CasinoError> {
    let Some(range) = export.range else {
        return Ok(None);
    };
    let (player, bounds) = (export.player, (range.first_sequence, range.last_sequence));
    let mut entries: Vec<LedgerEntry> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::ledger_entries(connection, player, bounds, limit)
        })
        .await?;
    let next = entries.last().map(|entry| entry.sequence + 1);
    export.range = next
        .filter(|next| *next <= range.last_sequence)
        .map(|first_sequence| LedgerRange {
            first_sequence,
            ..range
        });
    entries.retain(|entry| export.days.contains(&entry.at.day()));
    Ok(Some(entries))
}
