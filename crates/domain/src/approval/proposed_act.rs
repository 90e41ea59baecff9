//! What is proposed, in full.

use std::fmt;

use crate::approval::{ApprovalThresholds, ProposalKind};
use crate::{Money, Role, WithdrawalId};

/// A payment or an invoice, by the provider's ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentReference {
    /// A payment.
    Payment(String),
    /// An invoice.
    Invoice(String),
}

/// What is proposed. Whom it concerns is stored separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposedAct {
    /// Change a balance by the difference of the two amounts. The player may play on meanwhile.
    AdjustBalance {
        /// The balance that the proposer saw.
        from: Money,
        /// The balance that the proposer wanted.
        to: Money,
    },
    /// Credit a payment by hand.
    ConfirmPayment {
        /// The payment.
        payment: PaymentReference,
        /// The amount to be credited.
        amount: Money,
        /// The currency in which it was paid, for the record.
        currency: String,
    },
    /// Approve a withdrawal.
    ApproveWithdrawal {
        /// The withdrawal.
        id: WithdrawalId,
        /// The amount held for it.
        amount: Money,
    },
    /// Change somebody's role.
    ChangeRole {
        /// The present role.
        from: Role,
        /// The new role.
        to: Role,
    },
    /// Change the approval thresholds.
    ChangeThresholds(ApprovalThresholds),
}

impl ProposedAct {
    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> ProposalKind {
        match self {
            Self::AdjustBalance { .. } => ProposalKind::AdjustBalance,
            Self::ConfirmPayment { .. } => ProposalKind::ConfirmPayment,
            Self::ApproveWithdrawal { .. } => ProposalKind::ApproveWithdrawal,
            Self::ChangeRole { .. } => ProposalKind::ChangeRole,
            Self::ChangeThresholds(_) => ProposalKind::ChangeThresholds,
        }
    }

    /// The amount that it moves; negative if it is taken from a balance.
    #[must_use]
    pub fn amount(&self) -> Option<Money> {
        match self {
            Self::AdjustBalance { from, to } => to.checked_sub(*from),
            Self::ConfirmPayment { amount, .. } | Self::ApproveWithdrawal { amount, .. } => {
                Some(*amount)
            }
            Self::ChangeRole { .. } | Self::ChangeThresholds(_) => None,
        }
    }

    /// The form in the audit log: with the reason of the proposal or of the refusal.
    #[must_use]
    pub fn recorded(&self, reason: Option<&str>) -> String {
        match reason {
            Some(reason) => format!("{self} ({reason})"),
            None => self.to_string(),
        }
    }

    /// What the text form of every confirmation of this payment begins with, and of no other act.
    #[must_use]
    pub fn confirmation_of(payment: &PaymentReference) -> String {
        format!("confirm a payment: {payment}, ")
    }

    /// What the text form of every approval of this withdrawal begins with, and of no other act.
    #[must_use]
    pub fn approval_of(withdrawal: WithdrawalId) -> String {
        format!("approve a withdrawal: {withdrawal} of ")
    }

    /// Parses the text form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once(": ")?;
        match first {
            "adjust the balance" => {
                let (from, to) = rest.strip_prefix("from ")?.split_once(" to ")?;
                Some(Self::AdjustBalance {
                    from: Money::parse(from).ok()?,
                    to: Money::parse(to).ok()?,
                })
            }
            "confirm a payment" => parse_confirmation(rest),
            "approve a withdrawal" => {
                let (id, amount) = rest.split_once(" of ")?;
                Some(Self::ApproveWithdrawal {
                    id: id.parse().ok()?,
                    amount: Money::parse(amount).ok()?,
                })
            }
            "change the role" => {
                let (from, to) = rest.strip_prefix("from ")?.split_once(" to ")?;
                Some(Self::ChangeRole {
                    from: Role::parse(from)?,
                    to: Role::parse(to)?,
                })
            }
            "change the approval thresholds" => {
                ApprovalThresholds::parse(rest).map(Self::ChangeThresholds)
            }
            _ => None,
        }
    }
}

fn parse_confirmation(rest: &str) -> Option<ProposedAct> {
    let (payment, rest) = rest.split_once(", ")?;
    let payment = match payment.split_once(' ')? {
        ("payment", id) => PaymentReference::Payment(id.to_owned()),
        ("invoice", id) => PaymentReference::Invoice(id.to_owned()),
        _ => return None,
    };
    let (amount, currency) = rest.split_once(" paid in ")?;
    Some(ProposedAct::ConfirmPayment {
        payment,
        amount: Money::parse(amount).ok()?,
        currency: currency.to_owned(),
    })
}

impl fmt::Display for PaymentReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payment(id) => write!(formatter, "payment {id}"),
            Self::Invoice(id) => write!(formatter, "invoice {id}"),
        }
    }
}

/// The stored form, which is also in the audit log.
impl fmt::Display for ProposedAct {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AdjustBalance { from, to } => {
                write!(formatter, "adjust the balance: from {from} to {to}")
            }
            Self::ConfirmPayment {
                payment,
                amount,
                currency,
            } => {
                let beginning = Self::confirmation_of(payment);
                write!(formatter, "{beginning}{amount} paid in {currency}")
            }
            Self::ApproveWithdrawal { id, amount } => {
                write!(formatter, "{}{amount}", Self::approval_of(*id))
            }
            Self::ChangeRole { from, to } => write!(
                formatter,
                "change the role: from {} to {}",
                from.as_str(),
                to.as_str()
            ),
            Self::ChangeThresholds(thresholds) => {
                write!(formatter, "change the approval thresholds: {thresholds}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_is_parsed_from_its_text() {
        for (act, text) in [
            (
                ProposedAct::AdjustBalance {
                    from: Money::from_cents(1_000),
                    to: Money::from_cents(91_050),
                },
                "adjust the balance: from 10.00 to 910.50",
            ),
            (
                ProposedAct::ConfirmPayment {
                    payment: PaymentReference::Payment("51".to_owned()),
                    amount: Money::from_cents(70_000),
                    currency: "USDT".to_owned(),
                },
                "confirm a payment: payment 51, 700.00 paid in USDT",
            ),
            (
                ProposedAct::ConfirmPayment {
                    payment: PaymentReference::Invoice("i-52".to_owned()),
                    amount: Money::from_cents(1),
                    currency: "BTC".to_owned(),
                },
                "confirm a payment: invoice i-52, 0.01 paid in BTC",
            ),
            (
                ProposedAct::ApproveWithdrawal {
                    id: WithdrawalId::new(7),
                    amount: Money::from_cents(500_000),
                },
                "approve a withdrawal: 7 of 5000.00",
            ),
            (
                ProposedAct::ChangeRole {
                    from: Role::Player,
                    to: Role::Finance,
                },
                "change the role: from player to finance",
            ),
            (
                ProposedAct::ChangeThresholds(ApprovalThresholds::INITIAL),
                "change the approval thresholds: 100.00 for an adjustment, 500.00 for a confirmation, \
                 1000.00 for a withdrawal, 2000.00 a day for a person, 10000.00 a day for the house",
            ),
        ] {
            assert_eq!(act.to_string(), text);
            assert_eq!(ProposedAct::parse(text), Some(act));
        }
        for wrong in [
            "",
            "adjust the balance",
            "change the role: from player to king",
        ] {
            assert_eq!(ProposedAct::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_adjustment_moves_the_difference() {
        let act = ProposedAct::AdjustBalance {
            from: Money::from_cents(1_000),
            to: Money::from_cents(400),
        };
        assert_eq!(act.amount(), Some(Money::from_cents(-600)));
    }
}
