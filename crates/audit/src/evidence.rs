//! `glasshouse audit --evidence`: evaluates what a player's browser has saved. Nothing in the file is
//! believed but what the house has signed, so that nobody can prove anything against an honest house.

mod answers;
mod checkpoints;
mod entries;
mod file;
mod finding;
mod named;
mod receipts;
mod report;
mod run;
mod seeds;

pub use run::evaluate;
