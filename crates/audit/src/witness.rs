//! `glasshouse witness`: cosigns the checkpoints of logs that others run, and never those of a fork
//! (C2SP tlog-witness).

mod cosign;
mod key;
mod serve;
mod store;

pub use cosign::Witness;
pub use serve::{Options, Started, run};
