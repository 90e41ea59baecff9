//! The border that money crosses: the provider's signatures, and the addresses that a withdrawal may
//! go to.
//!
//! This crate must not know players, balances, databases or HTTP routes.

pub mod address;
pub mod signature;
