//! The second factor: the codes of an authenticator, and recovery codes for the day on which it is
//! lost.
//!
//! A code counts once: its time step is stored with the acceptance, and neither that step nor an earlier
//! one is accepted again, on any server. Everything here locks the user's row first.

pub(crate) mod authenticator;
pub(crate) mod check;
pub(crate) mod enrol;
pub(crate) mod recovery_codes;
pub(crate) mod remove;
pub(crate) mod throttle;

pub use authenticator::Enrolment;
pub use check::SecondFactorAttempt;
pub use enrol::{confirm_authenticator, enrol_authenticator};
pub use recovery_codes::replace_recovery_codes;
pub use remove::{read_second_factor, remove_authenticator};
