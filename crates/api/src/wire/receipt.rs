//! Writes signed receipts into responses.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use glasshouse_casino::public_log::Receipt;
use serde::Serialize;
use utoipa::ToSchema;

/// A statement of the house that it has signed together with all others of the same database
/// commit. How to verify it is described in `docs/transparency.md`.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptBody {
    /// The statement, a line per fact.
    text: String,
    /// The number of the receipt among those of its commit, from 0.
    index: u64,
    /// The hashes that lead from the receipt to the signed root (RFC 6962), in base64.
    path: Vec<String>,
    /// The signed note with the number of receipts and their Merkle root.
    note: String,
}

impl ReceiptBody {
    /// Converts a receipt of a committed change.
    pub(crate) fn of(receipt: Option<&Receipt>) -> Option<Self> {
        let proven = receipt?.proven()?;
        Some(Self {
            text: proven.text,
            index: proven.index,
            path: proven
                .path
                .iter()
                .map(|hash| BASE64_STANDARD.encode(hash.0))
                .collect(),
            note: proven.note,
        })
    }
}
