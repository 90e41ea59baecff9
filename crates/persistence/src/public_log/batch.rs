//! What one database commit adds to receipts and log: a row of `log_batches`.
//!
//! The receipts of a commit form one Merkle tree, whose root is signed once, in the transaction
//! itself. So nothing is committed without its receipts, and a receipt costs no signature.

use std::sync::{Arc, OnceLock};

use diesel::RunQueryDsl;
use diesel::sql_types::{BigInt, Binary, Text};
use glasshouse_transparency::Hash;
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::origin::{Origin, RECEIPTS_SUFFIX};
use glasshouse_transparency::receipt::{SignedReceipt, leaf_hash};
use glasshouse_transparency::receipt_tree::ReceiptTree;

use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;
use crate::public_log::entries::append;

/// Signs the receipts of each commit.
#[derive(Debug, Clone)]
pub struct LogSigner(Arc<SigningKeys>);

impl LogSigner {
    /// Signs with these keys.
    #[must_use]
    pub fn new(keys: SigningKeys) -> Self {
        Self(Arc::new(keys))
    }

    /// The keys.
    #[must_use]
    pub fn keys(&self) -> &SigningKeys {
        &self.0
    }
}

/// The signed receipts of one commit.
#[derive(Debug)]
pub(crate) struct SignedReceipts {
    /// The leaf hashes of the receipts, in order.
    leaves: Vec<Hash>,
    /// Their tree, built once for all responses of the commit.
    tree: ReceiptTree,
    /// The signed note over their number and Merkle root.
    note: String,
}

impl SignedReceipts {
    pub(crate) fn new(leaves: Vec<Hash>, note: String) -> Self {
        let tree = ReceiptTree::new(leaves.iter().copied());
        Self { leaves, tree, note }
    }

    /// Signs receipts; an empty note if there are none.
    fn sign(leaves: Vec<Hash>, keys: &SigningKeys) -> Result<Self, DatabaseError> {
        let mut receipts = Self::new(leaves, String::new());
        if let Some(root) = receipts.tree.root() {
            receipts.note = root
                .sign(keys)
                .map_err(|error| DatabaseError::Rejected(format!("receipts: {error}")))?;
        }
        Ok(receipts)
    }
}

/// Where a receipt is among those of all commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptPosition {
    /// The ID of the batch.
    pub batch: i64,
    /// The number of the receipt within the batch, from 0.
    pub index: i64,
}

/// A receipt. Its signature exists once the transaction has been committed.
#[derive(Debug, Clone)]
pub struct Receipt {
    text: Arc<str>,
    position: ReceiptPosition,
    signed: Arc<OnceLock<SignedReceipts>>,
}

impl Receipt {
    /// The text of the receipt.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the receipt is.
    #[must_use]
    pub const fn position(&self) -> ReceiptPosition {
        self.position
    }

    /// The receipt with its proof; `None` before the commit.
    #[must_use]
    pub fn proven(&self) -> Option<SignedReceipt> {
        let signed = self.signed.get()?;
        let index = u64::try_from(self.position.index).ok()?;
        Some(SignedReceipt {
            text: self.text.to_string(),
            index,
            path: signed.tree.path(index)?,
            note: signed.note.clone(),
        })
    }
}

/// The receipts of one commit, of which one is read again.
#[derive(Debug, Clone)]
pub struct ReceiptBatch {
    id: i64,
    origin: Origin,
    signed: Arc<OnceLock<SignedReceipts>>,
}

impl ReceiptBatch {
    /// The receipts of a commit that was read from the database.
    pub(crate) fn stored(id: i64, signed: SignedReceipts) -> Result<Self, DatabaseError> {
        let name = signed.note.lines().next().unwrap_or_default();
        let origin = name
            .strip_suffix(RECEIPTS_SUFFIX)
            .and_then(|origin| Origin::parse(origin).ok())
            .ok_or_else(|| DatabaseError::corrupt(format!("note of receipts {id}")))?;
        Ok(Self {
            id,
            origin,
            signed: Arc::new(OnceLock::from(signed)),
        })
    }

    /// The name in which the receipts are signed.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The receipt with this text.
    ///
    /// # Errors
    /// If another text was signed there.
    pub fn receipt(&self, index: i64, text: String) -> Result<Receipt, DatabaseError> {
        if let Some(signed) = self.signed.get() {
            let leaf = usize::try_from(index)
                .ok()
                .and_then(|at| signed.leaves.get(at));
            if leaf != Some(&leaf_hash(&text)) {
                let message = format!("receipt {index} of commit {} is of another text", self.id);
                return Err(DatabaseError::corrupt(message));
            }
        }
        Ok(Receipt {
            text: text.into(),
            position: ReceiptPosition {
                batch: self.id,
                index,
            },
            signed: Arc::clone(&self.signed),
        })
    }
}

/// The receipts and public entries of a job or batch that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct StagedLog {
    receipts: Vec<Hash>,
    /// The entries, each preceded by its length.
    entries: Vec<u8>,
    entry_count: i64,
}

impl StagedLog {
    pub(crate) const fn is_empty(&self) -> bool {
        self.receipts.is_empty() && self.entry_count == 0
    }

    pub(crate) fn add_entry(&mut self, line: &str) -> Result<(), DatabaseError> {
        append(&mut self.entries, line.as_bytes())
            .map_err(|error| DatabaseError::corrupt(format!("log entry: {error}")))?;
        self.entry_count += 1;
        Ok(())
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.receipts.extend(other.receipts);
        self.entries.extend(other.entries);
        self.entry_count += other.entry_count;
    }
}

/// The batch's part in receipts and log.
#[derive(Debug, Default)]
pub(crate) struct BatchLog {
    id: Option<i64>,
    staged: StagedLog,
    /// Set right before the commit, for all receipts of the batch.
    signed: Arc<OnceLock<SignedReceipts>>,
}

impl BatchLog {
    pub(crate) const fn id(&self) -> Option<i64> {
        self.id
    }

    pub(crate) const fn set_id(&mut self, id: i64) {
        self.id = Some(id);
    }

    /// The receipts of this batch, if it has the given ID.
    pub(crate) fn receipts(&self, id: i64, origin: Origin) -> Option<ReceiptBatch> {
        (self.id == Some(id)).then(|| ReceiptBatch {
            id,
            origin,
            signed: Arc::clone(&self.signed),
        })
    }

    /// Adds a receipt to those of a job.
    pub(crate) fn add_receipt(&self, job: &mut StagedLog, id: i64, text: String) -> Receipt {
        let index = self.staged.receipts.len() + job.receipts.len();
        job.receipts.push(leaf_hash(&text));
        Receipt {
            text: text.into(),
            position: ReceiptPosition {
                batch: id,
                index: i64::try_from(index).unwrap_or(i64::MAX),
            },
            signed: Arc::clone(&self.signed),
        }
    }

    pub(crate) fn absorb(&mut self, job: StagedLog) {
        self.staged.absorb(job);
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.staged.is_empty()
    }

    /// Signs the receipts and writes the batch's row with the given ID.
    pub(crate) fn write(
        self,
        connection: &mut AnyConnection,
        id: i64,
        signer: &LogSigner,
    ) -> Result<(), DatabaseError> {
        let StagedLog {
            receipts,
            entries,
            entry_count,
        } = self.staged;
        let receipts = SignedReceipts::sign(receipts, signer.keys())?;
        let hashes: Vec<u8> = receipts.leaves.iter().flat_map(|hash| hash.0).collect();
        let stored = (receipts.note.as_str(), hashes.as_slice());
        insert_batch(connection, id, stored, (&entries, entry_count))?;
        // The slot is new with each attempt of the batch, so it is empty.
        drop(self.signed.set(receipts));
        Ok(())
    }
}

/// Writes the row of a commit: the signed note over its receipts, their leaf hashes, and its entries with their number.
pub(crate) fn insert_batch(
    connection: &mut AnyConnection,
    id: i64,
    (note, receipts): (&str, &[u8]),
    (entries, entry_count): (&[u8], i64),
) -> Result<(), DatabaseError> {
    let statement = cached_sql!(
        "INSERT INTO log_batches (id, note, receipts, entries, entry_count)
         VALUES (?, ?, ?, ?, ?)",
    )
    .bind::<BigInt, _>(id)
    .bind::<Text, _>(note)
    .bind::<Binary, _>(receipts)
    .bind::<Binary, _>(entries)
    .bind::<BigInt, _>(entry_count);
    match connection {
        AnyConnection::Sqlite(sqlite) => statement.execute(sqlite)?,
        AnyConnection::Postgres(postgres) => statement.execute(postgres)?,
    };
    Ok(())
}
