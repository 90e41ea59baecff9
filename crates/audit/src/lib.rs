//! Verification of a house from the outside: `glasshouse audit`, which replays the whole public log,
//! and `glasshouse witness`, which cosigns checkpoints.
//!
//! This crate knows the public formats, the rules of the games and HTTP. It must know nothing of the
//! casino: no database, no use cases, and nothing that is not served to everybody.

pub mod audit;
pub mod evidence;
pub mod log;
pub mod witness;

mod fault;
mod files;

pub use fault::Fault;
