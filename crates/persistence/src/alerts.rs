//! Alerts: what was raised, what leads to it, and what the receivers are told.

pub(crate) mod deliveries;
pub(crate) mod large_wins;
pub(crate) mod records;
pub(crate) mod watch;

pub use deliveries::{NewAlertDelivery, WaitingDelivery};
pub use large_wins::LargeWin;
pub use records::{Alert, NewAlert};
pub use watch::AlertWatch;
