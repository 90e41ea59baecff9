//! Receipts as they are read again, and the table of those that do not follow from a round.

use diesel::prelude::*;
use glasshouse_domain::{ReceiptId, UserId};
use glasshouse_transparency::Hash;

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::batch::{Receipt, ReceiptBatch, SignedReceipts};
use crate::schema::{log_batches, receipts};

/// A receipt of a seed pair, a deposit or a withdrawal.
#[derive(Debug, Clone)]
pub struct StoredReceipt {
    /// The ID of the receipt.
    pub id: ReceiptId,
    /// The receipt.
    pub receipt: Receipt,
}

/// Reads the receipts of a commit.
///
/// # Errors
/// If the database fails, or the commit has none.
pub fn receipt_batch(
    connection: &mut AnyConnection,
    id: i64,
) -> Result<ReceiptBatch, DatabaseError> {
    let (note, hashes): (String, Vec<u8>) = log_batches::table
        .find(id)
        .select((log_batches::note, log_batches::receipts))
        .get_result(connection)?;
    let leaves = leaf_hashes(&hashes);
    ReceiptBatch::stored(id, SignedReceipts::new(leaves, note))
}

/// Splits stored hashes. The table only contains whole ones.
pub(crate) fn leaf_hashes(bytes: &[u8]) -> Vec<Hash> {
    bytes
        .as_chunks::<32>()
        .0
        .iter()
        .map(|hash| Hash(*hash))
        .collect()
}

/// A player's receipts of seed pairs, deposits and withdrawals, newest first, below an ID.
///
/// # Errors
/// If the database fails.
pub fn receipts_of(
    connection: &mut AnyConnection,
    player: UserId,
    before: Option<ReceiptId>,
    limit: usize,
) -> Result<Vec<StoredReceipt>, DatabaseError> {
    type Row = (i64, String, i64, i64, String, Vec<u8>);
    let rows: Vec<Row> = receipts::table
        .inner_join(log_batches::table)
        .filter(receipts::player_id.eq(player.get()))
        .filter(receipts::id.lt(before.map_or(i64::MAX, ReceiptId::get)))
        .order(receipts::id.desc())
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((
            receipts::id,
            receipts::text,
            receipts::batch_id,
            receipts::receipt_index,
            log_batches::note,
            log_batches::receipts,
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(id, text, batch, index, note, hashes)| {
            let leaves = leaf_hashes(&hashes);
            let batch = ReceiptBatch::stored(batch, SignedReceipts::new(leaves, note))?;
            let receipt = batch.receipt(index, text)?;
            Ok(StoredReceipt {
                id: ReceiptId::new(id),
                receipt,
            })
        })
        .collect()
}

impl Transaction<'_, '_> {
    /// The receipts of an earlier commit, or of this one.
    ///
    /// # Errors
    /// If the database fails, or the commit has none.
    pub fn receipt_batch(&mut self, id: i64) -> Result<ReceiptBatch, DatabaseError> {
        match self.own_receipts(id) {
            Some(own) => Ok(own),
            None => self.execute(|connection| receipt_batch(connection, id)),
        }
    }

    /// Adds a receipt that does not follow from a round, and stores its text.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_stored_receipt(
        &mut self,
        player: UserId,
        text: String,
    ) -> Result<Receipt, DatabaseError> {
        let receipt = self.add_receipt(text)?;
        let position = receipt.position();
        self.execute(|connection| {
            diesel::insert_into(receipts::table)
                .values((
                    receipts::player_id.eq(player.get()),
                    receipts::text.eq(receipt.text()),
                    receipts::batch_id.eq(position.batch),
                    receipts::receipt_index.eq(position.index),
                ))
                .execute(connection)?;
            Ok(())
        })?;
        Ok(receipt)
    }
}
