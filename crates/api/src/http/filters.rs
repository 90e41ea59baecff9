//! Query parameters that restrict a list to a period or to amounts.

use glasshouse_casino::{AmountRange, Period};
use glasshouse_domain::{Money, Timestamp};

use crate::error::ApiError;

/// The period from one instant to another, such as `2026-11-26T12:00:00Z`, without the second one.
pub(crate) fn parse_period(from: Option<String>, to: Option<String>) -> Result<Period, ApiError> {
    let period = Period {
        from: parse_instant("from", from)?,
        to: parse_instant("to", to)?,
    };
    match (period.from, period.to) {
        (Some(from), Some(to)) if from >= to => Err(malformed("from must be before to")),
        _ => Ok(period),
    }
}

/// The amounts from one to another, including both.
pub(crate) fn parse_amounts(
    minimum: Option<String>,
    maximum: Option<String>,
) -> Result<AmountRange, ApiError> {
    let range = AmountRange {
        minimum: parse_amount("minAmount", minimum)?,
        maximum: parse_amount("maxAmount", maximum)?,
    };
    match (range.minimum, range.maximum) {
        (Some(minimum), Some(maximum)) if minimum > maximum => {
            Err(malformed("minAmount must not be more than maxAmount"))
        }
        _ => Ok(range),
    }
}

/// Blank text means no filter.
fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

fn parse_instant(name: &str, text: Option<String>) -> Result<Option<Timestamp>, ApiError> {
    let invalid = || {
        malformed(&format!(
            "{name} must be a time such as 2026-11-26T12:00:00Z"
        ))
    };
    given(text)
        .map(|text| {
            let moment: jiff::Timestamp = text.parse().map_err(|_| invalid())?;
            Ok(Timestamp::from_micros(moment.as_microsecond()))
        })
        .transpose()
}

fn parse_amount(name: &str, text: Option<String>) -> Result<Option<Money>, ApiError> {
    let invalid = || malformed(&format!("{name} must be an amount such as 25.00"));
    given(text)
        .map(|text| Money::parse(&text).map_err(|_| invalid()))
        .transpose()
}

fn malformed(message: &str) -> ApiError {
    ApiError::Malformed(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: &str, to: &str) -> Result<Period, ApiError> {
        parse_period(Some(from.to_owned()), Some(to.to_owned()))
    }

    fn amounts(minimum: &str, maximum: &str) -> Result<AmountRange, ApiError> {
        parse_amounts(Some(minimum.to_owned()), Some(maximum.to_owned()))
    }

    #[test]
    fn a_period_is_two_instants() {
        assert_eq!(period("", "").unwrap(), Period::ALWAYS);
        assert_eq!(parse_period(None, None).unwrap(), Period::ALWAYS);
        let second = period("1970-01-01T00:00:01Z", "1970-01-01T01:00:02+01:00").unwrap();
        let at = |micros| Some(Timestamp::from_micros(micros));
        assert_eq!((second.from, second.to), (at(1_000_000), at(2_000_000)));
    }

    #[test]
    fn anything_else_is_malformed() {
        for text in [
            "yesterday",
            "2026-11-26",
            "1764158400",
            "2026-13-01T00:00:00Z",
            "-",
        ] {
            assert!(period(text, "").is_err(), "{text}");
            assert!(period("", text).is_err(), "{text}");
        }
        let noon = "2026-11-26T12:00:00Z";
        assert!(period(noon, noon).is_err());
        assert!(period(noon, "2026-11-26T11:00:00Z").is_err());
        for text in ["-1", "1.234", "a", "1e3", "99999999999999999999"] {
            assert!(amounts(text, "").is_err(), "{text}");
            assert!(amounts("", text).is_err(), "{text}");
        }
        assert!(amounts("5", "4.99").is_err());
    }

    #[test]
    fn a_range_can_be_one_amount() {
        let five = Some(Money::from_cents(500));
        let range = amounts("5", "5.00").unwrap();
        assert_eq!((range.minimum, range.maximum), (five, five));
        assert_eq!(amounts("", "").unwrap(), AmountRange::ANY);
    }
}
