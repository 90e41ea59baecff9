//! Filters that several lists for administrators have in common.

use glasshouse_domain::{Money, Timestamp};

/// Selects the entries of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Period {
    /// Only entries from this time on.
    pub from: Option<Timestamp>,
    /// Only entries before this time.
    pub to: Option<Timestamp>,
}

impl Period {
    /// All entries.
    pub const ALWAYS: Self = Self {
        from: None,
        to: None,
    };

    /// The first and the last microsecond; `None` if all entries are selected.
    pub(crate) fn bounds(self) -> Option<(i64, i64)> {
        (self != Self::ALWAYS).then(|| {
            (
                self.from.map_or(i64::MIN, Timestamp::as_micros),
                self.to
                    .map_or(i64::MAX, |to| to.as_micros().saturating_sub(1)),
            )
        })
    }
}

/// Selects the entries of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AmountRange {
    /// Only entries of at least this amount.
    pub minimum: Option<Money>,
    /// Only entries of at most this amount.
    pub maximum: Option<Money>,
}

impl AmountRange {
    /// All entries.
    pub const ANY: Self = Self {
        minimum: None,
        maximum: None,
    };

    /// The smallest and the largest amount, in US cents; `None` if all entries are selected.
    pub(crate) fn bounds(self) -> Option<(i64, i64)> {
        (self != Self::ANY).then(|| {
            (
                self.minimum.map_or(i64::MIN, Money::cents),
                self.maximum.map_or(i64::MAX, Money::cents),
            )
        })
    }
}

/// Orders a boxed query newest first, restricts it to a period, and continues it after the entry with
/// the ID `$last`.
///
/// Without a period the entries are in the order of their IDs, as players have seen them. A period is a
/// range of the index on the time, so that an old one is not searched for from the newest entry on; the
/// IDs follow the times only nearly.
macro_rules! newest_first {
    ($connection:expr, $page:expr, $table:ident . $at:ident, $period:expr, $last:expr) => {{
        let last: Option<i64> = $last;
        match $period.bounds() {
            None => $page
                .filter($table::id.lt(last.unwrap_or(i64::MAX)))
                .order($table::id.desc()),
            Some((first, end)) => {
                let place = $crate::admin::filters::place_of!($connection, $table.$at, last);
                let (at, id) = place.unwrap_or((end, i64::MAX));
                $page
                    .filter($table::$at.ge(first))
                    .filter($table::$at.le(end.min(at)))
                    .filter($table::$at.lt(at).or($table::id.lt(id)))
                    .order(($table::$at.desc(), $table::id.desc()))
            }
        }
    }};
}

/// The same with the oldest first.
macro_rules! oldest_first {
    ($connection:expr, $page:expr, $table:ident . $at:ident, $period:expr, $last:expr) => {{
        let last: Option<i64> = $last;
        match $period.bounds() {
            None => $page
                .filter($table::id.gt(last.unwrap_or(0)))
                .order($table::id.asc()),
            Some((first, end)) => {
                let place = $crate::admin::filters::place_of!($connection, $table.$at, last);
                let (at, id) = place.unwrap_or((first, 0));
                $page
                    .filter($table::$at.ge(first.max(at)))
                    .filter($table::$at.le(end))
                    .filter($table::$at.gt(at).or($table::id.gt(id)))
                    .order(($table::$at.asc(), $table::id.asc()))
            }
        }
    }};
}

/// The time and the ID of the last entry of the previous page.
macro_rules! place_of {
    ($connection:expr, $table:ident . $at:ident, $last:expr) => {
        match $last {
            None => None,
            Some(last) => $table::table
                .find(last)
                .select(($table::$at, $table::id))
                .first::<(i64, i64)>($connection)
                .optional()?,
        }
    };
}

pub(crate) use {newest_first, oldest_first, place_of};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_before_its_end() {
        let at = |micros| Some(Timestamp::from_micros(micros));
        let bounds = |from, to| Period { from, to }.bounds();
        assert_eq!(bounds(None, None), None);
        assert_eq!(bounds(at(5), None), Some((5, i64::MAX)));
        assert_eq!(bounds(None, at(9)), Some((i64::MIN, 8)));
        assert_eq!(bounds(at(5), at(9)), Some((5, 8)));
    }

    #[test]
    fn a_range_includes_both_amounts() {
        let of = |cents| Some(Money::from_cents(cents));
        let bounds = |minimum, maximum| AmountRange { minimum, maximum }.bounds();
        assert_eq!(bounds(None, None), None);
        assert_eq!(bounds(of(5), None), Some((5, i64::MAX)));
        assert_eq!(bounds(None, of(5)), Some((i64::MIN, 5)));
    }
}
