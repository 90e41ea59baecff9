//! The months of the Gregorian calendar in UTC. Days are numbered since 1970-01-01.
//!
//! Calendar libraries read the clock, which the domain does not.

/// From 1 March of the year 0.
const DAYS_BEFORE_1970: i64 = 719_468;
/// 400 years.
const DAYS_PER_ERA: i64 = 146_097;
/// Days this far from 1970, some 27,000 years, are in no month.
const FARTHEST_DAY: i64 = 10_000_000;

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Month {
    year: i64,
    /// From 0 to 11.
    month: i64,
}

impl Month {
    /// The month that contains a day, and the day of the month, from 1.
    pub(crate) fn containing(day: i64) -> Option<(Self, i64)> {
        if !(-FARTHEST_DAY..=FARTHEST_DAY).contains(&day) {
            return None;
        }
        // https://howardhinnant.github.io/date_algorithms.html#civil_from_days: years begin in March
        // and are grouped into eras of 400 years, which all have the same number of days.
        let days = day + DAYS_BEFORE_1970;
        let era = days.div_euclid(DAYS_PER_ERA);
        let day_of_era = days.rem_euclid(DAYS_PER_ERA);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let march = Self {
            year: year_of_era + era * 400,
            month: 2,
        };
        Some((march.later(month_from_march), day_of_month))
    }

    /// The month that follows after `months`.
    pub(crate) const fn later(self, months: i64) -> Self {
        let month = self.month + months;
        Self {
            year: self.year + month.div_euclid(12),
            month: month.rem_euclid(12),
        }
    }

    /// The first day of the month.
    pub(crate) const fn first_day(self) -> i64 {
        // The inverse of `containing`.
        let since_march = self.year * 12 + self.month - 2;
        let (year, month) = (since_march.div_euclid(12), since_march.rem_euclid(12));
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * month + 2) / 5;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_PER_ERA + day_of_era - DAYS_BEFORE_1970
    }

    /// The number of days that the month has.
    pub(crate) const fn days(self) -> i64 {
        self.later(1).first_day() - self.first_day()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use jiff::{Span, ToSpan as _};
    use proptest::prelude::*;

    use super::*;

    const EPOCH: Date = date(1970, 1, 1);

    proptest! {
        #[test]
        fn months_agree_with_jiff(day in -4_000_000..2_900_000_i64, months in 0..60_i64) {
            let date = EPOCH.checked_add(Span::new().days(day)).unwrap();
            let (month, day_of_month) = Month::containing(day).unwrap();
            prop_assert_eq!(day_of_month, i64::from(date.day()));
            prop_assert_eq!(month.year, i64::from(date.year()));
            prop_assert_eq!(month.month + 1, i64::from(date.month()));
            prop_assert_eq!(month.days(), i64::from(date.days_in_month()));
            let later = date.first_of_month().checked_add(months.months()).unwrap();
            let first = i64::from((later - EPOCH).get_days());
            prop_assert_eq!(month.later(months).first_day(), first);
        }
    }

    #[test]
    fn days_far_from_now_are_in_no_month() {
        for day in [i64::MIN, -FARTHEST_DAY - 1, FARTHEST_DAY + 1, i64::MAX] {
            assert_eq!(Month::containing(day), None);
        }
        assert!(Month::containing(FARTHEST_DAY).is_some());
    }
}
