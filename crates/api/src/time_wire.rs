//! Times on the wire: ISO 8601 in UTC, to the microsecond.

use glasshouse_domain::Timestamp;

/// A moment as the wire writes it.
pub(crate) fn iso(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
        .unwrap_or_default()
}
