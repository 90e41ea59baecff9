//! The deposits and withdrawals that receipts name, as the ledger has them.

use std::collections::BTreeMap;

use glasshouse_persistence::books::{CreditOfDeposit, NamedWithdrawal};
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::receipt::{Payment, PaymentStatement, Statement};

/// Deposits and withdrawals.
pub(crate) struct NamedPayments {
    credits: Vec<CreditOfDeposit>,
    withdrawals: BTreeMap<i64, NamedWithdrawal>,
}

impl NamedPayments {
    pub(crate) fn read(
        snapshot: &mut Snapshot,
        statements: &[Statement],
    ) -> Result<Self, DatabaseError> {
        let (mut deposits, mut withdrawals) = (Vec::new(), Vec::new());
        for statement in statements {
            if let Statement::Payment(PaymentStatement { payment, .. }) = statement {
                match payment {
                    Payment::DepositCredited(id) => deposits.push(*id),
                    Payment::WithdrawalHeld(id)
                    | Payment::WithdrawalReturned(id)
                    | Payment::WithdrawalPaid(id) => withdrawals.push(*id),
                }
            }
        }
        let credits =
            snapshot.read(|connection| queries::credits_of_deposits(connection, &deposits))?;
        let withdrawals =
            snapshot.read(|connection| queries::withdrawals_by_id(connection, &withdrawals))?;
        Ok(Self {
            credits,
            withdrawals: withdrawals.into_iter().map(|one| (one.id, one)).collect(),
        })
    }

    /// The kind of a true statement; `None` if it is not true.
    pub(crate) fn kind(&self, player: i64, stated: &PaymentStatement) -> Option<&'static str> {
        let (id, kind) = match stated.payment {
            Payment::DepositCredited(id) => {
                let is_credit = |credit: &CreditOfDeposit| {
                    credit.deposit == id
                        && credit.player == player
                        && credit.amount_cents == stated.amount
                        && credit.balance_cents == stated.balance
                };
                return self.credits.iter().any(is_credit).then_some("deposit");
            }
            Payment::WithdrawalHeld(id) => (id, "withdrawal"),
            Payment::WithdrawalReturned(id) => (id, "withdrawal_returned"),
            Payment::WithdrawalPaid(id) => (id, "withdrawal_paid"),
        };
        let withdrawal = self.withdrawals.get(&id)?;
        let payout = withdrawal.payout.as_deref();
        let has_happened = match stated.payment {
            Payment::WithdrawalReturned(_) => {
                matches!(withdrawal.status.as_str(), "rejected" | "cancelled")
                    || payout == Some("returned")
            }
            Payment::WithdrawalPaid(_) => payout == Some("confirmed"),
            Payment::WithdrawalHeld(_) | Payment::DepositCredited(_) => true,
        };
        let is_true =
            has_happened && withdrawal.player == player && withdrawal.amount_cents == stated.amount;
        is_true.then_some(kind)
    }
}
