//! Signed receipts, the public log's batches, and the log itself.

pub(crate) mod batch;
pub(crate) mod books;
pub(crate) mod cosignatures;
pub(crate) mod entries;
pub(crate) mod receipts;
pub(crate) mod state;
pub(crate) mod tiles;

pub use batch::{LogSigner, Receipt, ReceiptBatch, ReceiptPosition};
pub use books::{Balances, LoggedTotals};
pub use cosignatures::Cosignature;
pub use receipts::StoredReceipt;
pub use state::{LogState, WaitingBatch};
pub use tiles::PlacedBatch;
