//! Times on the wire: ISO 8601 in UTC, with microseconds.

use glasshouse_domain::Timestamp;
use jiff::civil::Date;
use jiff::{Span, civil};

/// Formats a timestamp.
pub(crate) fn iso(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
        .unwrap_or_default()
}

const EPOCH: Date = civil::date(1970, 1, 1);

/// Formats a day, given as the number of days since the epoch, as a date.
pub(crate) fn iso_day(day: i64) -> String {
    Span::new()
        .try_days(day)
        .and_then(|days| EPOCH.checked_add(days))
        .map(|date| date.to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_formatted_as_dates() {
        let check = |day, expected| assert_eq!(iso_day(day), expected);
        check(0, "1970-01-01");
        check(19_675, "2023-11-14");
        check(20_513, "2026-03-01");
        check(19_782, "2024-02-29");
        check(i64::MAX, "");
    }
}
