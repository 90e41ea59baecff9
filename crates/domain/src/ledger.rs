//! The ledger's language: what moved, how much, and what the balance was then.

use crate::Money;

/// Why money moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// Money came in from outside.
    Deposit,
    /// A bet was placed.
    Stake,
    /// A bet paid.
    Payout,
    /// Money is held for, or has gone out by, a withdrawal.
    Withdrawal,
    /// A withdrawal was rejected and its money came back.
    WithdrawalReturned,
    /// An administrator set the balance.
    Adjustment,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Deposit,
        Self::Stake,
        Self::Payout,
        Self::Withdrawal,
        Self::WithdrawalReturned,
        Self::Adjustment,
    ];

    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::Stake => "stake",
            Self::Payout => "payout",
            Self::Withdrawal => "withdrawal",
            Self::WithdrawalReturned => "withdrawal_returned",
            Self::Adjustment => "adjustment",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// One movement of money on an account: what becomes a ledger entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "money that moved belongs in the ledger"]
pub struct Movement {
    /// Why.
    pub kind: EntryKind,
    /// How much; negative where it left the balance. Never zero.
    pub amount: Money,
    /// The balance right after.
    pub balance_after: Money,
}
