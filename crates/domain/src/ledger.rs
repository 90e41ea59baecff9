//! The ledger's language: what moved, how much, and what the balance was then.

use std::fmt;

use crate::{Money, RoundId, UserId, WithdrawalId};

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

/// What moved the money. One thing moves money of a kind once: kind and reference are unique together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerReference {
    /// A round: its first stake, and its payout.
    Round(RoundId),
    /// What a move in the round staked in addition.
    RoundRaise(RoundId),
    /// A credit of a payment.
    PaymentCredit {
        /// The provider's id of the payment.
        payment: String,
        /// Which of its credits, from 1 on.
        number: u64,
    },
    /// A withdrawal: what is held for it, or was given back.
    Withdrawal(WithdrawalId),
    /// An administrator's adjustment.
    Adjustment {
        /// Whose balance.
        player: UserId,
        /// The number of the ledger entry itself: two adjustments can fall into one moment.
        entry: i64,
    },
}

/// As it is stored. `glasshouse check` puts the same texts together in SQL.
impl fmt::Display for LedgerReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round(id) => write!(formatter, "round:{id}"),
            Self::RoundRaise(id) => write!(formatter, "round:{id}/raise"),
            Self::PaymentCredit { payment, number } => {
                write!(formatter, "payment:{payment}/{number}")
            }
            Self::Withdrawal(id) => write!(formatter, "withdrawal:{id}"),
            Self::Adjustment { player, entry } => write!(formatter, "adjustment:{player}:{entry}"),
        }
    }
}

/// One movement of money on an account: what becomes a ledger entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "money that moved belongs in the ledger"]
pub struct LedgerPosting {
    /// Why.
    pub kind: EntryKind,
    /// How much; negative where it left the balance. Never zero.
    pub amount: Money,
    /// The balance right after.
    pub balance_after: Money,
}
