//! Responsible gambling: limits that players set themselves, exclusions, playing time and reality
//! checks.
//!
//! A bet is judged by the copy in its account's row ([`PlayRules`](glasshouse_domain::PlayRules)),
//! which every change here rewrites under the account's lock.

pub(crate) mod change;
pub(crate) mod deposits;
pub(crate) mod exclude;
pub(crate) mod overview;
pub(crate) mod playing_time;
pub(crate) mod reality_check;
pub(crate) mod rules;

pub use change::{
    RequestedLimit, confirm_limit_change, parse_limit_value, set_limit, withdraw_limit_change,
};
pub use exclude::{exclude, read_exclusions};
pub use overview::{LimitUsage, Limits, read_limit_changes, read_limits};
pub use playing_time::read_playing_time;
pub use reality_check::{
    REALITY_CHECK_MINUTES, SessionSummary, read_session_summary, set_reality_check,
};

pub use glasshouse_persistence::limits::PlayDay;
