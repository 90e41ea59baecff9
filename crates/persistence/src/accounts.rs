//! Users, accounts, sessions, second factors and sign-in attempts.

pub(crate) mod account;
pub(crate) mod attempt_counters;
pub(crate) mod closures;
pub(crate) mod daily_statements;
pub(crate) mod factor_keys;
pub(crate) mod ledger;
pub(crate) mod name_visibility;
pub(crate) mod passkey_ceremonies;
pub(crate) mod passkeys;
pub(crate) mod play_rules;
pub(crate) mod pseudonymisation;
pub(crate) mod restrictions;
pub(crate) mod second_factors;
pub(crate) mod security_events;
pub(crate) mod session_rows;
pub(crate) mod sessions;
pub(crate) mod terms_of_service;
pub(crate) mod users;

pub use account::{Account, ActiveSeedPair};
pub use attempt_counters::AttemptCounter;
pub use closures::OpenBusiness;
pub use daily_statements::DailyStatement;
pub use factor_keys::{FactorKeys, SealedSecret};
pub use ledger::{LedgerEntry, LedgerRange};
pub use passkey_ceremonies::PasskeyCeremony;
pub use passkeys::{NewPasskey, Passkey};
pub use pseudonymisation::ClosedAccount;
pub use second_factors::{Authenticator, SecondFactorStatus};
pub use security_events::{RequestOrigin, SecurityEvent};
pub use session_rows::SessionRow;
pub use sessions::OpenSession;
pub use terms_of_service::{TermsAcceptance, TermsVersion};
pub use users::{Credentials, NewUser, User};
