//! Users, accounts, sessions and sign-in attempts.

pub(crate) mod account;
pub(crate) mod attempt_counters;
pub(crate) mod daily_statements;
pub(crate) mod ledger;
pub(crate) mod name_visibility;
pub(crate) mod play_rules;
pub(crate) mod security_events;
pub(crate) mod sessions;
pub(crate) mod terms_of_service;
pub(crate) mod users;

pub use account::{Account, ActiveSeedPair};
pub use attempt_counters::AttemptCounter;
pub use daily_statements::DailyStatement;
pub use ledger::{LedgerEntry, LedgerRange};
pub use security_events::{RequestOrigin, SecurityEvent};
pub use sessions::{OpenSession, SessionRow};
pub use terms_of_service::{TermsAcceptance, TermsVersion};
pub use users::{Credentials, NewUser, User};
