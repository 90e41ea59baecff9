//! The rows of a player's CSV files.

use glasshouse_casino::accounts::{LedgerExport, read_ledger};
use glasshouse_casino::play::{RoundsExport, outcome_text, read_rounds};
use glasshouse_casino::{CasinoError, ExportedRound, Fault, House, LedgerEntry};
use serde::Serialize;

use crate::error::ApiError;
use crate::routes::bets::paid_multiplier;
use crate::routes::games::wire::GameType;
use crate::routes::history::entry::HistoryResults;
use crate::wire::cell::Cell;
use crate::wire::time::iso;

/// A settled round.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoundRow {
    id: i64,
    game: Cell,
    started_at: String,
    ended_at: String,
    stake: String,
    payout: String,
    profit: String,
    multiplier: String,
    outcome: Cell,
    result: Cell,
    client_seed: Cell,
    nonce: u64,
    server_seed_hash: Cell,
    server_seed: Cell,
    rules_version: u32,
}

impl TryFrom<ExportedRound> for RoundRow {
    type Error = CasinoError;

    fn try_from(exported: ExportedRound) -> Result<Self, CasinoError> {
        let round = exported.round;
        let result = serde_json::to_string(&HistoryResults::try_from(&round)?)
            .map_err(|error| Fault::Corrupt(error.to_string()))?;
        Ok(Self {
            id: round.id.get(),
            game: GameType::of(round.game).name().into(),
            started_at: iso(round.started_at),
            ended_at: iso(round.settled_at()),
            stake: round.stake.to_string(),
            payout: round.payout.to_string(),
            profit: round.profit().to_string(),
            multiplier: paid_multiplier(&round).unwrap_or_default(),
            outcome: outcome_text(&round).into(),
            result: result.into(),
            client_seed: exported.client_seed.into(),
            nonce: round.nonce,
            server_seed_hash: exported.server_seed_hash.into(),
            server_seed: exported.server_seed.unwrap_or_default().into(),
            rules_version: round.rules.number().into(),
        })
    }
}

/// A ledger entry.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerRow {
    /// The entry's number among the player's entries.
    id: i64,
    time: String,
    kind: Cell,
    amount: String,
    balance_after: String,
    reference: Cell,
}

impl From<LedgerEntry> for LedgerRow {
    fn from(entry: LedgerEntry) -> Self {
        Self {
            id: entry.sequence,
            time: iso(entry.at),
            kind: entry.kind.as_str().into(),
            amount: entry.amount.to_string(),
            balance_after: entry.balance_after.to_string(),
            reference: entry.reference.into(),
        }
    }
}

/// The next rounds of an export; `None` after the last.
pub(crate) async fn next_rounds(
    house: &House,
    export: &mut RoundsExport,
    limit: usize,
) -> Result<Option<Vec<RoundRow>>, ApiError> {
    let Some(rounds) = read_rounds(house, export, limit).await? else {
        return Ok(None);
    };
    let rows: Result<Vec<RoundRow>, CasinoError> =
        rounds.into_iter().map(RoundRow::try_from).collect();
    Ok(Some(rows?))
}

/// The next ledger entries of an export; `None` after the last.
pub(crate) async fn next_entries(
    house: &House,
    export: &mut LedgerExport,
    limit: usize,
) -> Result<Option<Vec<LedgerRow>>, ApiError> {
    let entries = read_ledger(house, export, limit).await?;
    Ok(entries.map(|entries| entries.into_iter().map(LedgerRow::from).collect()))
}
