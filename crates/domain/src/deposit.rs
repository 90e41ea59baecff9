//! Deposits: what the house has asked for, and what became of it.

use crate::Money;

/// What has become of a deposit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DepositStatus {
    /// Written down; the provider is being asked for an invoice.
    Requested,
    /// The provider waits for it, or has received a part of it.
    Pending,
    /// All of it was credited.
    Completed,
    /// There is no invoice, as far as the provider's answer can be believed, or what was paid was
    /// lost or sent back. Money that comes all the same is still credited.
    Failed,
    /// Nothing arrived in time. Money that comes later is still credited.
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

    /// The status of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// How far a deposit is wagered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WageredDeposit {
    /// What of it was wagered.
    pub wagered: Money,
    /// What of it must still be.
    pub remaining: Money,
}

/// How far each deposit is wagered, of what was credited for it, newest first. Stakes count for
/// the oldest first, so what is left of the wagering requirement stands on the newest. Also what
/// is left for deposits older than those given.
#[must_use]
pub fn wagered_deposits(unwagered: Money, credited: &[Money]) -> (Vec<WageredDeposit>, Money) {
    let mut left = unwagered;
    let lines = credited
        .iter()
        .map(|amount| {
            let remaining = left.min(*amount).max(Money::ZERO);
            // Neither is more than what it is taken from.
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
    fn every_status_is_found_again() {
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
        fn the_lines_add_up(
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
