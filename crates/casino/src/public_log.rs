//! Receipts and the public log: what makes the house verifiable (`docs/transparency.md`).

pub(crate) mod availability;
pub(crate) mod cosigned;
pub(crate) mod keeper;
pub(crate) mod last_overview;
pub(crate) mod names;
pub(crate) mod overview;
pub(crate) mod own_entries;
pub(crate) mod reading;
pub(crate) mod restart;
pub(crate) mod rules;
pub(crate) mod sequence;
pub(crate) mod waiting;
pub(crate) mod witness;
pub(crate) mod witness_call;
pub(crate) mod witnessing;

pub use keeper::{advance_public_log, keep_public_log};
pub use last_overview::{LatestEntry, Overview};
pub use names::{aside_suffix, new_log_name};
pub use overview::read_overview;
pub use reading::{
    RoundProof, read_bundle, read_checkpoint, read_consistency, read_receipts, read_round_proof,
    read_round_receipt, read_tile,
};
pub use restart::{NewLogReport, RestartError, end_to_follow, restart_public_log};
pub use rules::rules_text;
pub use witness::{Witness, WitnessError, WitnessStatus};
pub use witnessing::{ask_witnesses, read_witnesses};

// Types of the lower layers that the layers above need.
pub use glasshouse_persistence::public_log::{
    LogSigner, LogState, LogSummary, Receipt, StoredReceipt, log_summary,
};
pub use glasshouse_transparency::Hash;
pub use glasshouse_transparency::checkpoint::{Checkpoint, stated_end};
pub use glasshouse_transparency::keys::{SigningKeys, VerifierKeys, new_private_key};
pub use glasshouse_transparency::origin::Origin;
pub use glasshouse_transparency::tile::TilePath;
