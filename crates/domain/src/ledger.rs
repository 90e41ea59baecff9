//! Ledger entries: kind, reference, amount and resulting balance.

use std::fmt;

use crate::{Money, RoundId, UserId, WithdrawalId};

/// The kind of a ledger entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A payment was credited.
    Deposit,
    /// A bet was placed.
    Stake,
    /// A bet was paid out.
    Payout,
    /// An amount is held for a withdrawal or was sent.
    Withdrawal,
    /// A withdrawal was rejected or cancelled and its amount returned.
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

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The cause of a ledger entry. Kind and reference are unique together, so that a cause moves money
/// of one kind only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerReference {
    /// A round: its initial stake and its payout.
    Round(RoundId),
    /// The additional stake that a move in the round required.
    RoundRaise(RoundId),
    /// A credit of a payment.
    PaymentCredit {
        /// The provider's payment ID.
        payment: String,
        /// The number of this credit among the payment's credits, starting at 1.
        number: u64,
    },
    /// A withdrawal: the amount held for it, or returned.
    Withdrawal(WithdrawalId),
    /// An administrator's adjustment.
    Adjustment {
        /// The player whose balance was set.
        player: UserId,
        /// The ID of the ledger entry itself, because two adjustments can have the same timestamp.
        entry: i64,
    },
}

/// The stored form. `glasshouse check` builds the same texts in SQL.
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

/// A change of an account's balance that is to be written to the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "every change of a balance must be written to the ledger"]
pub struct LedgerPosting {
    /// Its kind.
    pub kind: EntryKind,
    /// The change of the balance; negative for debits, never zero.
    pub amount: Money,
    /// The balance after the change.
    pub balance_after: Money,
}
