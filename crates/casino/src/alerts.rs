//! Alerts: raised in the transaction of what they tell about or by the house's watch, and sent to the
//! operator's receivers (`docs/adr/0035-alerts-are-rows.md`).

pub(crate) mod deliver;
pub(crate) mod facts;
pub(crate) mod options;
pub(crate) mod raise;
pub(crate) mod texts;
pub(crate) mod trial;
pub(crate) mod watch;
pub(crate) mod webhook;

pub use deliver::{deliver_alerts, deliver_due_alerts, purge_alerts};
pub use facts::round_of_alert;
pub use options::{AlertOptions, AlertOptionsError, Thresholds, WebhookTarget};
pub use texts::alert_text;
pub use trial::{Trial, try_alerts};
pub use watch::{watch_house, watch_once};
pub use webhook::{SIGNATURE_HEADER, sign};
