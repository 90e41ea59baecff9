//! Why an account cannot be closed.

use glasshouse_domain::Money;

use super::amount_text::dollars;
use super::code::{RefusalCode, RefusalKind};

/// What must be settled before an account can be closed. The texts are shown to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClosureRefusal {
    /// A round is in play.
    #[error("A round is still in play. Please finish it first.")]
    RoundOpen,
    /// A withdrawal waits for its decision.
    #[error(
        "A withdrawal is still being processed. You can close your account once it is decided."
    )]
    WithdrawalPending,
    /// An invoice can still be paid.
    #[error(
        "One of your deposits can still be paid. You can close your account once it is paid or has \
         expired."
    )]
    InvoicePayable,
    /// The balance is large enough to be withdrawn.
    #[error("Your balance is {}. Please withdraw it first.", dollars(*.0))]
    BalanceLeft(Money),
    /// The balance is too small to be withdrawn, and was not given up.
    #[error(
        "Your balance is {}, which is less than can be withdrawn. Please play it or give it up.",
        dollars(*.0)
    )]
    RemainderLeft(Money),
    /// The balance is not the one that was given up.
    #[error("Your balance is now {}. Please check it and try again.", dollars(*.0))]
    RemainderChanged(Money),
    /// Nobody would be left to whom the house belongs.
    #[error("You are the last owner. Make somebody else an owner first.")]
    LastOwner,
}

impl ClosureRefusal {
    pub(super) const KIND: RefusalKind = RefusalKind::Conflict;

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::RoundOpen => RefusalCode::RoundsUnfinished,
            Self::WithdrawalPending => RefusalCode::WithdrawalPending,
            Self::InvoicePayable => RefusalCode::InvoicePayable,
            Self::BalanceLeft(_) => RefusalCode::BalanceLeft,
            Self::RemainderLeft(_) => RefusalCode::RemainderLeft,
            Self::RemainderChanged(_) => RefusalCode::BalanceChanged,
            Self::LastOwner => RefusalCode::LastOwner,
        }
    }
}
