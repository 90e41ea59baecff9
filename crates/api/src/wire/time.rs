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

/// Parses a date such as `2026-11-22` into the number of days since the epoch.
pub(crate) fn parse_day(text: &str) -> Option<i64> {
    let is_separated = text.len() == 10 && text.get(4..5) == Some("-");
    let date: Date = text.parse().ok().filter(|_| is_separated)?;
    Some(i64::from(EPOCH.until(date).ok()?.get_days()))
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

    #[test]
    fn dates_are_parsed_into_the_days_that_they_are_formatted_from() {
        for day in [-719_528, -1, 0, 19_675, 19_782, 20_513, 2_932_896] {
            assert_eq!(parse_day(&iso_day(day)), Some(day), "{}", iso_day(day));
        }
        for text in [
            "",
            "2026",
            "2026-1-1",
            "2026-13-01",
            "2026-02-30",
            "20260101",
            "26-01-01",
            " 2026-01-01",
            "2026-01-01T00:00",
            "2026-W01-1",
            "2026-01-01Z",
            "+02026-01-1",
        ] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
