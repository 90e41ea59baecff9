//! Seeds: what decides the rounds, and when it is revealed.

pub(crate) mod rotate_seeds;
pub(crate) mod seeds;

pub use rotate_seeds::{FairnessState, RevealedSeeds, Rotation, fairness_state, rotate_seeds};
