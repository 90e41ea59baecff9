//! Paths that other programs are told.

/// The path that the payment provider sends its callbacks to.
pub const CALLBACK_PATH: &str = "/api/payments/ipn";

/// The page of the front end that a payer returns to from the provider.
pub const RETURN_PATH: &str = "/dashboard?tab=account";
