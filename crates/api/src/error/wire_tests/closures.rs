//! The refusals of closing an account and opening it again.

use glasshouse_casino::{AccountRefusal, ClosureRefusal};

use super::{DOLLARS, Refusal};

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    vec![
        ("accountClosed", AccountRefusal::Closed.into()),
        ("accountNotClosed", AccountRefusal::NotClosed.into()),
        ("accountPseudonymised", AccountRefusal::Pseudonymised.into()),
        ("closureRoundOpen", ClosureRefusal::RoundOpen.into()),
        (
            "closureWithdrawalPending",
            ClosureRefusal::WithdrawalPending.into(),
        ),
        (
            "closureInvoicePayable",
            ClosureRefusal::InvoicePayable.into(),
        ),
        (
            "closureBalanceLeft",
            ClosureRefusal::BalanceLeft(DOLLARS).into(),
        ),
        (
            "closureRemainderLeft",
            ClosureRefusal::RemainderLeft(DOLLARS).into(),
        ),
        (
            "closureRemainderChanged",
            ClosureRefusal::RemainderChanged(DOLLARS).into(),
        ),
        ("closureLastOwner", ClosureRefusal::LastOwner.into()),
    ]
}
