//! Exclusions: a player's own decision not to play and not to deposit for some time. It ends only by
//! time.

use std::time::Duration;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Timestamp;
use crate::calendar::Month;
use crate::stored_names::stored_names;

/// The end of an exclusion that never ends: the last moment of the year 9998, so that it can be
/// written as a date in every time zone.
pub const PERMANENT: Timestamp = Timestamp::from_micros(253_370_764_799_999_999);

/// The kind of an exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ExclusionKind {
    /// A short break.
    CoolOff,
    /// A long or permanent exclusion.
    SelfExclusion,
}

/// How long an exclusion lasts, by the calendar in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ExclusionDuration {
    /// 24 hours.
    Day,
    /// Seven days.
    Week,
    /// To the same day of the next month, or that month's last day.
    Month,
    /// Six months.
    SixMonths,
    /// A year.
    Year,
    /// Five years.
    FiveYears,
    /// For ever.
    Permanent,
}

stored_names!(ExclusionKind, ExclusionDuration);

impl ExclusionDuration {
    /// The kind of the exclusions that last so long.
    #[must_use]
    pub const fn kind(self) -> ExclusionKind {
        match self {
            Self::Day | Self::Week | Self::Month => ExclusionKind::CoolOff,
            Self::SixMonths | Self::Year | Self::FiveYears | Self::Permanent => {
                ExclusionKind::SelfExclusion
            }
        }
    }

    /// When an exclusion that begins at `at` ends.
    #[must_use]
    pub fn end(self, at: Timestamp) -> Timestamp {
        match self {
            Self::Day => days_later(at, 1),
            Self::Week => days_later(at, 7),
            Self::Month => months_later(at, 1),
            Self::SixMonths => months_later(at, 6),
            Self::Year => months_later(at, 12),
            Self::FiveYears => months_later(at, 60),
            Self::Permanent => PERMANENT,
        }
    }
}

/// The same time of day some days later.
fn days_later(at: Timestamp, days: u64) -> Timestamp {
    let end = at.saturating_add(Duration::from_hours(24 * days));
    end.min(PERMANENT)
}

/// The same time of day some months later, or on that month's last day. A time that the calendar does
/// not know is not shortened: the exclusion never ends.
fn months_later(at: Timestamp, months: i64) -> Timestamp {
    let end = Month::containing(at.day()).map(|(month, day_of_month)| {
        let month = month.later(months);
        let day = month.first_day() + day_of_month.min(month.days()) - 1;
        let time_of_day = at.saturating_since(Timestamp::start_of_day(at.day()));
        Timestamp::start_of_day(day).saturating_add(time_of_day)
    });
    end.map_or(PERMANENT, |end| end.min(PERMANENT))
}

/// An exclusion of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exclusion {
    /// How long it lasts.
    pub duration: ExclusionDuration,
    /// When the player asked for it.
    pub since: Timestamp,
    /// When it ends; [`PERMANENT`] if never.
    pub until: Timestamp,
}

impl Exclusion {
    /// An exclusion that begins at `at`.
    #[must_use]
    pub fn starting(duration: ExclusionDuration, at: Timestamp) -> Self {
        Self {
            duration,
            since: at,
            until: duration.end(at),
        }
    }

    /// Whether it never ends.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.until == PERMANENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        let moment: jiff::Timestamp = text.parse().unwrap();
        Timestamp::from_micros(moment.as_microsecond())
    }

    /// GLI-19 A.3.8: the exclusion lasts as long as the player asked for.
    #[test]
    fn exclusions_last_as_long_as_the_calendar_says() {
        use ExclusionDuration as Duration;
        let check = |duration: Duration, from: &str, until: &str| {
            assert_eq!(
                duration.end(at(from)),
                at(until),
                "{duration:?} from {from}"
            );
        };
        let from = "2026-11-23T23:59:59.999999Z";
        check(Duration::Day, from, "2026-11-24T23:59:59.999999Z");
        check(Duration::Week, from, "2026-11-30T23:59:59.999999Z");
        check(Duration::Month, from, "2026-12-23T23:59:59.999999Z");
        check(Duration::SixMonths, from, "2027-05-23T23:59:59.999999Z");
        check(Duration::Year, from, "2027-11-23T23:59:59.999999Z");
        check(Duration::FiveYears, from, "2031-11-23T23:59:59.999999Z");
        check(Duration::Permanent, from, "9998-12-31T23:59:59.999999Z");
        check(
            Duration::Month,
            "2024-01-31T08:00:00Z",
            "2024-02-29T08:00:00Z",
        );
        check(
            Duration::Year,
            "2024-02-29T08:00:00Z",
            "2025-02-28T08:00:00Z",
        );
        check(
            Duration::FiveYears,
            "9997-01-01T00:00:00Z",
            "9998-12-31T23:59:59.999999Z",
        );
    }

    #[test]
    fn names_and_kinds() {
        let kinds: Vec<_> = ExclusionDuration::ALL
            .iter()
            .map(|duration| (duration.as_str(), duration.kind().as_str()))
            .collect();
        let expected = [
            ("day", "cool_off"),
            ("week", "cool_off"),
            ("month", "cool_off"),
            ("six_months", "self_exclusion"),
            ("year", "self_exclusion"),
            ("five_years", "self_exclusion"),
            ("permanent", "self_exclusion"),
        ];
        assert_eq!(kinds, expected);
        assert!(
            Exclusion::starting(ExclusionDuration::Permanent, at("2026-11-23T00:00:00Z"))
                .is_permanent()
        );
    }
}
