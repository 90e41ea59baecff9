//! Exact fractions on the wire: JSON numbers with up to ten decimals, rounded towards zero.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// Ten raised to the number of decimals.
const SCALE: i128 = 10_000_000_000;

/// A fraction of two integers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    numerator: i128,
    denominator: u64,
}

impl Ratio {
    /// Creates a fraction; a denominator of zero yields zero.
    pub(crate) const fn new(numerator: i128, denominator: u64) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    fn text(self) -> String {
        let scaled = self
            .numerator
            .checked_mul(SCALE)
            .and_then(|product| product.checked_div(i128::from(self.denominator)))
            .unwrap_or(0);
        let sign = if scaled < 0 { "-" } else { "" };
        let (whole, decimals) = (scaled / SCALE, scaled % SCALE);
        let text = format!("{sign}{}.{:010}", whole.abs(), decimals.abs());
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.text())
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_written_as_decimals() {
        let check = |numerator, denominator, text: &str| {
            assert_eq!(Ratio::new(numerator, denominator).text(), text);
        };
        check(1, 3, "0.3333333333");
        check(-1, 3, "-0.3333333333");
        check(-7, 2, "-3.5");
        check(4, 2, "2");
        check(0, 5, "0");
        check(1, 0, "0");
    }
}
