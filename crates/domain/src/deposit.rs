//! Deposits: their status and how far they are wagered.

use crate::Money;

/// The status of a deposit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DepositStatus {
    /// Recorded; the invoice is being requested from the provider.
    Requested,
    /// The provider is waiting for the payment, or has received part of it.
    Pending,
    /// The full amount was credited.
    Completed,
    /// According to the provider's answer there is no invoice, or the payment was lost or refunded.
    /// A payment that arrives anyway is still credited.
    Failed,
    /// No payment arrived in time. A payment that arrives later is still credited.
    Expired,
}

impl DepositStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [
        Self::Requested,
        Self::Pending,
        Self::Completed,
        Self::Failed,
        Self::Expired,
    ];

    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Pending => "pending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// The wagering progress of a deposit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WageredDeposit {
    /// The part of the credited amount that was wagered.
    pub wagered: Money,
    /// The part that must still be wagered.
    pub remaining: Money,
}

/// Splits the remaining wagering requirement among deposits. `credited` holds the credited amounts,
/// newest first. Stakes count for the oldest deposit first, so the remaining requirement falls on
/// the newest ones. Also returns the remainder that belongs to deposits older than those given.
#[must_use]
pub fn wagered_deposits(unwagered: Money, credited: &[Money]) -> (Vec<WageredDeposit>, Money) {
    let mut left = unwagered;
    let lines = credited
        .iter()
        .map(|amount| {
            let remaining = left.min(*amount).max(Money::ZERO);
            // Neither subtraction can overflow: both subtrahends are at most the minuend.
            left = left.checked_sub(remaining).unwrap_or(Money::ZERO);
            let wagered = amount.checked_sub(remaining).unwrap_or(Money::ZERO);
            WageredDeposit { wagered, remaining }
        })
        .collect();
    (lines, left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_status_is_parsed_from_its_name() {
        for status in DepositStatus::ALL {
            assert_eq!(DepositStatus::parse(status.as_str()), Some(status));
        }
        assert_eq!(DepositStatus::parse("finished"), None);
    }

    #[test]
    fn the_oldest_deposit_is_wagered_first() {
        let check = |unwagered, credited: &[i64], expected: &[(i64, i64)], older: i64| {
            let credited: Vec<_> = credited.iter().copied().map(Money::from_cents).collect();
            let (lines, left) = wagered_deposits(Money::from_cents(unwagered), &credited);
            let lines: Vec<_> = lines
                .iter()
                .map(|line| (line.wagered.cents(), line.remaining.cents()))
                .collect();
            assert_eq!(lines, expected);
            assert_eq!(left.cents(), older);
        };
        check(0, &[], &[], 0);
        check(0, &[500], &[(500, 0)], 0);
        check(300, &[500, 700], &[(200, 300), (700, 0)], 0);
        check(900, &[500, 700], &[(0, 500), (300, 400)], 0);
        check(1_300, &[500, 700], &[(0, 500), (0, 700)], 100);
    }

    proptest! {
        #[test]
        fn wagered_and_remaining_add_up_to_the_credited_amounts(
            unwagered in 0..100_000_i64,
            credited in prop::collection::vec(1..10_000_i64, 0..20),
        ) {
            let amounts: Vec<_> = credited.iter().copied().map(Money::from_cents).collect();
            let (lines, left) = wagered_deposits(Money::from_cents(unwagered), &amounts);
            let remaining: i64 = lines.iter().map(|line| line.remaining.cents()).sum();
            prop_assert_eq!(remaining + left.cents(), unwagered);
            for (line, amount) in lines.iter().zip(&credited) {
                prop_assert_eq!(line.wagered.cents() + line.remaining.cents(), *amount);
                prop_assert!(!line.wagered.is_negative() && !line.remaining.is_negative());
            }
        }
    }
}
