//! Seeds: what decides the rounds, who chooses it, and when it is revealed.

pub(crate) mod client_seed;
pub(crate) mod pairs;
pub(crate) mod rotate_seeds;
pub(crate) mod seeds;

pub use client_seed::set_client_seed;
pub use pairs::{FairnessState, fairness_state, former_seed_pairs};
pub use rotate_seeds::{RevealedSeeds, Rotation, RotationRequest, rotate_seeds};
