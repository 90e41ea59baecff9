//! Points in time and days as the texts in receipts and entries, in UTC.

use std::fmt;
use std::str::FromStr;

const MICROS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// A point in time, in microseconds since 1970, written as `2026-11-21T19:48:55.361837Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime(i64);

/// A day, in days since 1970, written as `2026-11-21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcDay(i64);

/// The text is not a time or day in the expected form between the years 1970 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time in UTC of the expected form")]
pub struct TimeError;

impl UtcTime {
    /// Creates a time from microseconds since 1970.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }
}

impl UtcDay {
    /// Creates a day from days since 1970.
    #[must_use]
    pub const fn from_days(days: i64) -> Self {
        Self(days)
    }

    /// Days since 1970.
    #[must_use]
    pub const fn as_days(self) -> i64 {
        self.0
    }
}

impl fmt::Display for UtcTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_euclid(MICROS_PER_SECOND);
        let day = UtcDay(seconds.div_euclid(SECONDS_PER_DAY));
        let second = seconds.rem_euclid(SECONDS_PER_DAY);
        write!(
            formatter,
            "{day}T{:02}:{:02}:{:02}.{:06}Z",
            second / 3600,
            second / 60 % 60,
            second % 60,
            self.0.rem_euclid(MICROS_PER_SECOND),
        )
    }
}

impl FromStr for UtcTime {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let (day, clock) = text.split_once('T').ok_or(TimeError)?;
        let day: UtcDay = day.parse()?;
        let (clock, micros) = clock
            .strip_suffix('Z')
            .and_then(|clock| clock.split_once('.'))
            .ok_or(TimeError)?;
        let [hour, minute, second] = numbers(clock, ':')?;
        let seconds = day.0 * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
        let time = Self(seconds * MICROS_PER_SECOND + number(micros)?);
        // A clock that does not exist, such as 24:00:00, is written differently.
        same_text(time, text)
    }
}

impl fmt::Display for UtcDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // https://howardhinnant.github.io/date_algorithms.html#civil_from_days: years begin in March
        // and are grouped into eras of 400 years, which all have the same number of days.
        let days = self.0 + DAYS_BEFORE_1970;
        let era = days.div_euclid(DAYS_PER_ERA);
        let day_of_era = days.rem_euclid(DAYS_PER_ERA);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let (month, next_year) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        let year = year_of_era + era * 400 + next_year;
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for UtcDay {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let [year, month, day] = numbers(text, '-')?;
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return Err(TimeError);
        }
        // The inverse of `Display`.
        let (month, year) = if month > 2 {
            (month - 3, year)
        } else {
            (month + 9, year - 1)
        };
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * month + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        // A day that does not exist, such as 30 February, is written differently.
        same_text(
            Self(era * DAYS_PER_ERA + day_of_era - DAYS_BEFORE_1970),
            text,
        )
    }
}

/// From 1 March of the year 0.
const DAYS_BEFORE_1970: i64 = 719_468;
const DAYS_PER_ERA: i64 = 146_097;

fn same_text<T: fmt::Display>(value: T, text: &str) -> Result<T, TimeError> {
    if value.to_string() == text {
        Ok(value)
    } else {
        Err(TimeError)
    }
}

fn numbers(text: &str, separator: char) -> Result<[i64; 3], TimeError> {
    let mut parts = text.split(separator).map(number);
    let mut next = || parts.next().ok_or(TimeError)?;
    let numbers = [next()?, next()?, next()?];
    if parts.next().is_some() {
        return Err(TimeError);
    }
    Ok(numbers)
}

fn number(text: &str) -> Result<i64, TimeError> {
    // Longer numbers never occur and could overflow.
    if text.len() > 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(TimeError);
    }
    text.parse().map_err(|_| TimeError)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;

    /// The last microsecond of the year 9999.
    const LAST_MICROS: i64 = 253_402_300_799_999_999;

    #[test]
    fn known_times_are_written_as_expected() {
        let check = |micros, text: &str| {
            assert_eq!(UtcTime(micros).to_string(), text);
            assert_eq!(text.parse(), Ok(UtcTime(micros)));
        };
        check(0, "1970-01-01T00:00:00.000000Z");
        check(951_827_696_000_001, "2000-02-29T12:34:56.000001Z");
        check(1_795_290_535_361_837, "2026-11-21T19:48:55.361837Z");
        check(LAST_MICROS, "9999-12-31T23:59:59.999999Z");
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T19:48:55Z",
            "2026-11-21T19:48:55.36183Z",
            "2026-11-21T19:48:55.3618370Z",
            "2026-11-21T19:48:55.361837",
            "2026-11-21T19:48:55.361837z",
            "2026-11-21t19:48:55.361837Z",
            "2026-11-21 19:48:55.361837Z",
            "2026-11-21T24:00:00.000000Z",
            "2026-11-21T19:60:00.000000Z",
            "2026-11-21T19:48:60.000000Z",
            "2026-02-29T00:00:00.000000Z",
            "2026-13-01T00:00:00.000000Z",
            "2026-00-01T00:00:00.000000Z",
            "2026-01-00T00:00:00.000000Z",
            "1969-12-31T23:59:59.999999Z",
            "+2026-11-21T19:48:55.361837Z",
            "2026-11-21T+9:48:55.361837Z",
            "2026-11-21T19:48:55.361837+00:00",
        ] {
            assert_eq!(text.parse::<UtcTime>(), Err(TimeError), "{text}");
        }
        for text in ["2026-11-21-1", "2026-1-21", "26-11-21", "12026-11-21"] {
            assert_eq!(text.parse::<UtcDay>(), Err(TimeError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn times_agree_with_jiff(micros in 0..=LAST_MICROS) {
            let text = UtcTime(micros).to_string();
            let expected = Timestamp::from_microsecond(micros).unwrap();
            prop_assert_eq!(&text, &format!("{expected:.6}"));
            prop_assert_eq!(text.parse(), Ok(UtcTime(micros)));
        }
    }
}
