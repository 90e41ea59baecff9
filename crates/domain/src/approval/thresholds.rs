//! Up to which amounts one administrator may move money alone.

use std::fmt;

use crate::{MAXIMUM_AMOUNT, Money};

/// Follows the amount in the text form.
const AUTOMATIC: &str = " for an automatic withdrawal";

/// Up to which amounts one administrator may move money alone. What exceeds one of them needs a second
/// person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalThresholds {
    /// For one adjustment of a balance, upwards or downwards.
    pub adjustment: Money,
    /// For one manual confirmation of a payment.
    pub confirmation: Money,
    /// For one approval of a withdrawal.
    pub withdrawal: Money,
    /// For everything that one person moves alone in a day of UTC.
    pub person_per_day: Money,
    /// For everything that all persons move alone in a day of UTC.
    pub house_per_day: Money,
    /// Up to this amount withdrawals without a risk factor are approved without a person, of all withdrawals
    /// of a player together in a day of UTC; zero if none is. All of them count towards
    /// [`Self::house_per_day`], apart from what persons move.
    pub automatic_withdrawal: Money,
}

/// A threshold is negative or more than any amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a threshold is at least 0.00 and at most 1000000000.00")]
pub struct ThresholdsError;

impl ApprovalThresholds {
    /// The thresholds of a new house.
    pub const INITIAL: Self = Self {
        adjustment: Money::from_cents(10_000),
        confirmation: Money::from_cents(50_000),
        withdrawal: Money::from_cents(100_000),
        person_per_day: Money::from_cents(200_000),
        house_per_day: Money::from_cents(1_000_000),
        automatic_withdrawal: Money::ZERO,
    };

    /// Makes sure that every threshold is an amount.
    ///
    /// # Errors
    /// If one is not.
    pub fn validated(self) -> Result<Self, ThresholdsError> {
        let is_amount = |amount: Money| !amount.is_negative() && amount <= MAXIMUM_AMOUNT;
        if self.values().into_iter().all(is_amount) {
            Ok(self)
        } else {
            Err(ThresholdsError)
        }
    }

    const fn values(&self) -> [Money; 6] {
        [
            self.adjustment,
            self.confirmation,
            self.withdrawal,
            self.person_per_day,
            self.house_per_day,
            self.automatic_withdrawal,
        ]
    }

    /// Parses the text form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(", ");
        let mut next = |suffix: &str| Money::parse(parts.next()?.strip_suffix(suffix)?).ok();
        let mut thresholds = Self {
            adjustment: next(" for an adjustment")?,
            confirmation: next(" for a confirmation")?,
            withdrawal: next(" for a withdrawal")?,
            person_per_day: next(" a day for a person")?,
            house_per_day: next(" a day for the house")?,
            automatic_withdrawal: Money::ZERO,
        };
        if let Some(automatic) = parts.next() {
            let amount = automatic.strip_suffix(AUTOMATIC)?;
            thresholds.automatic_withdrawal = Money::parse(amount).ok()?;
        }
        parts.next().is_none().then_some(thresholds)
    }
}

/// The form in the audit log and in proposals.
impl fmt::Display for ApprovalThresholds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} for an adjustment, {} for a confirmation, {} for a withdrawal, {} a day for a person, \
             {} a day for the house",
            self.adjustment,
            self.confirmation,
            self.withdrawal,
            self.person_per_day,
            self.house_per_day
        )?;
        // Earlier versions did not know it, and their records must keep their meaning.
        if self.automatic_withdrawal == Money::ZERO {
            return Ok(());
        }
        write!(formatter, ", {}{AUTOMATIC}", self.automatic_withdrawal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_parsed_from_their_text() {
        let text = "100.00 for an adjustment, 500.00 for a confirmation, 1000.00 for a withdrawal, \
                    2000.00 a day for a person, 10000.00 a day for the house";
        assert_eq!(ApprovalThresholds::INITIAL.to_string(), text);
        assert_eq!(
            ApprovalThresholds::parse(text),
            Some(ApprovalThresholds::INITIAL)
        );
        let automatic = ApprovalThresholds {
            automatic_withdrawal: Money::from_cents(5_000),
            ..ApprovalThresholds::INITIAL
        };
        let longer = format!("{text}, 50.00 for an automatic withdrawal");
        assert_eq!(automatic.to_string(), longer);
        assert_eq!(ApprovalThresholds::parse(&longer), Some(automatic));
        for wrong in [
            "",
            "100.00 for an adjustment",
            &format!("{text}, 1.00"),
            &format!("{longer}, 1.00"),
        ] {
            assert_eq!(ApprovalThresholds::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_threshold_is_an_amount() {
        let with = |cents| ApprovalThresholds {
            house_per_day: Money::from_cents(cents),
            ..ApprovalThresholds::INITIAL
        };
        assert!(with(0).validated().is_ok());
        assert!(with(MAXIMUM_AMOUNT.cents()).validated().is_ok());
        assert_eq!(with(-1).validated(), Err(ThresholdsError));
        assert_eq!(
            with(MAXIMUM_AMOUNT.cents() + 1).validated(),
            Err(ThresholdsError)
        );
    }
}
