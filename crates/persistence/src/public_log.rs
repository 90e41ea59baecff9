//! Signed receipts, the public log's batches, and the log itself.

pub(crate) mod batch;
pub(crate) mod books;
pub(crate) mod cosignatures;
pub(crate) mod entries;
pub(crate) mod receipts;
pub(crate) mod restart;
pub(crate) mod state;
pub(crate) mod summary;
pub(crate) mod tiles;
pub(crate) mod waiting;

pub use batch::{LogSigner, Receipt, ReceiptBatch, ReceiptPosition};
pub use books::{Balances, LoggedTotals};
pub use cosignatures::Cosignature;
pub use receipts::StoredReceipt;
pub use restart::NewLog;
pub use state::LogState;
pub use summary::{LogSummary, log_summary};
pub use tiles::{EntryPlace, PlacedBatch};
pub use waiting::WaitingBatch;
