//! Withdrawals: the minimum, the fee and the status.

use crate::Money;

/// The minimum withdrawal: 20 dollars.
pub const MINIMUM_WITHDRAWAL: Money = Money::from_cents(2_000);
/// The fee is the amount divided by this, that is 1 %.
const FEE_DIVISOR: i64 = 100;

/// The amounts of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalTerms {
    /// The amount debited from the balance.
    pub amount: Money,
    /// The house's fee: 1 % of the amount, rounded up to the cent.
    pub fee: Money,
    /// The amount that is sent: the amount minus the fee.
    pub net: Money,
}

/// Why an amount cannot be withdrawn, regardless of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawalTermsError {
    /// It is zero or negative.
    #[error("Please enter a valid withdrawal amount.")]
    NotPositive,
    /// It is less than [`MINIMUM_WITHDRAWAL`].
    #[error("The minimum withdrawal amount is $20.00.")]
    BelowMinimum,
}

impl WithdrawalTerms {
    /// Computes the terms for an amount.
    ///
    /// # Errors
    /// See [`WithdrawalTermsError`].
    pub fn of(amount: Money) -> Result<Self, WithdrawalTermsError> {
        if !amount.is_positive() {
            return Err(WithdrawalTermsError::NotPositive);
        }
        if amount < MINIMUM_WITHDRAWAL {
            return Err(WithdrawalTermsError::BelowMinimum);
        }
        let cents = amount.cents();
        // `div_ceil` of signed integers is not stable yet. Both operands are positive, and the
        // quotient is far from overflowing.
        let fee = cents / FEE_DIVISOR + i64::from(cents % FEE_DIVISOR != 0);
        Ok(Self {
            amount,
            fee: Money::from_cents(fee),
            net: Money::from_cents(cents - fee),
        })
    }
}

/// The status of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WithdrawalStatus {
    /// Requested; its amount is held.
    Pending,
    /// Approved: it is paid out.
    Approved,
    /// Rejected: its amount was returned.
    Rejected,
    /// Cancelled by the player while it was pending: its amount was returned.
    Cancelled,
}

impl WithdrawalStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Cancelled,
    ];

    /// The name in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fee_is_one_percent_rounded_up() {
        use WithdrawalTermsError::{BelowMinimum, NotPositive};
        let check = |amount, expected: Result<(i64, i64), WithdrawalTermsError>| {
            let terms = WithdrawalTerms::of(Money::from_cents(amount));
            let computed = terms.map(|terms| (terms.fee.cents(), terms.net.cents()));
            assert_eq!(computed, expected, "{amount}");
        };
        check(i64::MIN, Err(NotPositive));
        check(0, Err(NotPositive));
        check(1, Err(BelowMinimum));
        check(1_999, Err(BelowMinimum));
        check(2_000, Ok((20, 1_980)));
        check(2_001, Ok((21, 1_980)));
        check(2_099, Ok((21, 2_078)));
        check(2_100, Ok((21, 2_079)));
        check(2_101, Ok((22, 2_079)));
        check(
            i64::MAX,
            Ok((92_233_720_368_547_759, 9_131_138_316_486_228_048)),
        );
    }

    #[test]
    fn every_status_is_parsed_from_its_name() {
        for status in WithdrawalStatus::ALL {
            assert_eq!(WithdrawalStatus::parse(status.as_str()), Some(status));
        }
        assert_eq!(WithdrawalStatus::parse("paid"), None);
    }
}
