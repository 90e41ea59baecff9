//! The kinds and states of proposals.

use std::time::Duration;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;
use crate::{Permission, Timestamp};

/// How long a proposal can be approved.
pub const PROPOSAL_LIFETIME: Duration = Duration::from_hours(72);

/// What a proposal proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ProposalKind {
    /// Adjust a balance.
    AdjustBalance,
    /// Credit a payment by hand.
    ConfirmPayment,
    /// Approve a withdrawal.
    ApproveWithdrawal,
    /// Change somebody's role.
    ChangeRole,
    /// Change the approval thresholds.
    ChangeThresholds,
}

/// The state of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ProposalState {
    /// It waits for a second person.
    Open,
    /// A second person has approved it, and it was carried out.
    Approved,
    /// A second person has refused it.
    Refused,
    /// Its proposer has withdrawn it.
    Withdrawn,
    /// Nobody has decided on it in time. Stored as open.
    Expired,
}

stored_names!(ProposalKind, ProposalState);

impl ProposalKind {
    /// What both persons need to be permitted.
    #[must_use]
    pub const fn permission(self) -> Permission {
        match self {
            Self::AdjustBalance => Permission::AdjustBalances,
            Self::ConfirmPayment => Permission::ConfirmPayments,
            Self::ApproveWithdrawal => Permission::DecideWithdrawals,
            Self::ChangeRole => Permission::ChangeRoles,
            Self::ChangeThresholds => Permission::ChangeThresholds,
        }
    }
}

impl ProposalState {
    /// The state at a time, from the stored one and the end of the proposal's life.
    #[must_use]
    pub fn at(self, at: Timestamp, expires_at: Timestamp) -> Self {
        if self == Self::Open && at >= expires_at {
            Self::Expired
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_proposal_expires() {
        let end = Timestamp::from_micros(10);
        let before = Timestamp::from_micros(9);
        assert_eq!(ProposalState::Open.at(before, end), ProposalState::Open);
        assert_eq!(ProposalState::Open.at(end, end), ProposalState::Expired);
        assert_eq!(ProposalState::Refused.at(end, end), ProposalState::Refused);
    }

    #[test]
    fn the_names_are_parsed() {
        for kind in ProposalKind::ALL {
            assert_eq!(ProposalKind::parse(kind.as_str()), Some(*kind));
        }
        for state in ProposalState::ALL {
            assert_eq!(ProposalState::parse(state.as_str()), Some(*state));
        }
    }
}
