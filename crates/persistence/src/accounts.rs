//! Users, accounts, sessions and sign-in attempts.

pub(crate) mod account;
pub(crate) mod attempt_counters;
pub(crate) mod sessions;
pub(crate) mod users;

pub use account::{Account, ActiveSeedPair};
pub use attempt_counters::AttemptCounter;
pub use sessions::SessionRow;
pub use users::{Credentials, NewUser, User};
