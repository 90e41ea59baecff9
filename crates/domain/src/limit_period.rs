//! The periods of a player's limits: calendar days, weeks and months in UTC.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Timestamp;
use crate::calendar::Month;
use crate::stored_names::stored_names;

/// The period that a limit applies to. Each begins at midnight in UTC.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum LimitPeriod {
    /// A calendar day.
    Day,
    /// A week from Monday to Sunday.
    Week,
    /// A calendar month.
    Month,
}

stored_names!(LimitPeriod);

impl LimitPeriod {
    /// The first day of the period that contains `day`. Days are numbered since 1970-01-01.
    #[must_use]
    pub fn first_day(self, day: i64) -> i64 {
        match self {
            Self::Day => day,
            // Day 0 was a Thursday, so day -3 was a Monday.
            Self::Week => day.saturating_sub(day.saturating_add(3).rem_euclid(7)),
            Self::Month => Month::containing(day).map_or(day, |(month, _)| month.first_day()),
        }
    }

    /// The first day of the period after the one that contains `day`.
    #[must_use]
    pub fn next_first_day(self, day: i64) -> i64 {
        match self {
            Self::Day => day.saturating_add(1),
            Self::Week => self.first_day(day).saturating_add(7),
            Self::Month => {
                Month::containing(day).map_or(i64::MAX, |(month, _)| month.later(1).first_day())
            }
        }
    }

    /// When the period that contains `day` ends and the next one begins.
    #[must_use]
    pub fn ends_at(self, day: i64) -> Timestamp {
        Timestamp::start_of_day(self.next_first_day(day))
    }

    /// The most minutes that the period can have.
    #[must_use]
    pub const fn maximum_minutes(self) -> i64 {
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 31,
        };
        days * 24 * 60
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use proptest::prelude::*;

    use super::*;

    fn day_of(date: Date) -> i64 {
        (date - Date::constant(1970, 1, 1)).get_days().into()
    }

    #[track_caller]
    fn check(period: LimitPeriod, day: Date, first: Date, next: Date) {
        let day = day_of(day);
        assert_eq!(period.first_day(day), day_of(first));
        assert_eq!(period.next_first_day(day), day_of(next));
    }

    #[test]
    fn a_day_is_its_own_period() {
        check(
            LimitPeriod::Day,
            date(2026, 12, 31),
            date(2026, 12, 31),
            date(2027, 1, 1),
        );
        check(
            LimitPeriod::Day,
            date(2024, 2, 28),
            date(2024, 2, 28),
            date(2024, 2, 29),
        );
    }

    #[test]
    fn a_week_begins_on_monday() {
        let week = LimitPeriod::Week;
        for day in 23..=29 {
            check(
                week,
                date(2026, 11, day),
                date(2026, 11, 23),
                date(2026, 11, 30),
            );
        }
        // Across the end of a year, and before 1970.
        check(week, date(2027, 1, 3), date(2026, 12, 28), date(2027, 1, 4));
        check(week, date(1970, 1, 1), date(1969, 12, 29), date(1970, 1, 5));
        check(
            week,
            date(1969, 12, 28),
            date(1969, 12, 22),
            date(1969, 12, 29),
        );
    }

    #[test]
    fn a_month_has_the_days_of_the_calendar() {
        let month = LimitPeriod::Month;
        check(
            month,
            date(2026, 12, 31),
            date(2026, 12, 1),
            date(2027, 1, 1),
        );
        check(month, date(2026, 2, 28), date(2026, 2, 1), date(2026, 3, 1));
        check(month, date(2024, 2, 29), date(2024, 2, 1), date(2024, 3, 1));
        check(month, date(2000, 2, 29), date(2000, 2, 1), date(2000, 3, 1));
        check(month, date(2100, 2, 28), date(2100, 2, 1), date(2100, 3, 1));
    }

    #[test]
    fn a_period_ends_at_midnight() {
        let last = Timestamp::from_micros(Timestamp::start_of_day(20_423).as_micros() - 1);
        assert_eq!(
            LimitPeriod::Day.ends_at(last.day()),
            Timestamp::start_of_day(20_423)
        );
    }

    #[test]
    fn days_that_no_calendar_knows_do_not_panic() {
        for period in LimitPeriod::ALL {
            for day in [i64::MIN, i64::MAX] {
                let _ = (period.first_day(day), period.next_first_day(day));
            }
        }
    }

    proptest! {
        #[test]
        fn every_day_is_in_exactly_one_period(day in -200_000..200_000_i64) {
            for period in LimitPeriod::ALL {
                let (first, next) = (period.first_day(day), period.next_first_day(day));
                prop_assert!(first <= day && day < next);
                prop_assert!((next - first) * 24 * 60 <= period.maximum_minutes());
                prop_assert_eq!(period.first_day(first), first);
                prop_assert_eq!(period.first_day(next), next);
                prop_assert_eq!(period.next_first_day(next - 1), next);
            }
        }
    }
}
