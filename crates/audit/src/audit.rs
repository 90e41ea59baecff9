//! `glasshouse audit`: verifies the whole public log of a house, without believing anything but its
//! key.

mod contradiction;
mod cosigned;
mod entries;
mod failure;
mod report;
mod returns;
mod run;
mod segment;
mod served;
mod state;
mod statistics;
mod tally;
mod tree;
mod trust;
mod words;

pub use contradiction::{Contradiction, EntryProblem};
pub use entries::{CheckedEntries, check_bundle};
pub use failure::Failure;
pub use run::{Options, Outcome, run};
pub(crate) use run::{now, runtime};
pub use segment::{Target, Walk};
pub(crate) use state::State;
pub use tally::Tally;
pub(crate) use trust::{
    KeySource, SignedCheckpoint, TrustedKeys, check_continuation, served_checkpoint, trusted_keys,
};
