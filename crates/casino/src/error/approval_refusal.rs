//! Why something needs a second person, or cannot be proposed or approved.

use glasshouse_domain::{MoneyActKind, ProposalState, SecondPersonCause, ThresholdsError};

use super::amount_text::dollars;
use super::code::{RefusalCode, RefusalKind};

/// The refusals of dual control. The texts are shown to administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalRefusal {
    /// One person may not do it alone.
    #[error("{}", cause_text(*.0))]
    SecondPersonRequired(SecondPersonCause),
    /// Nobody else may do it, so nobody could approve it.
    #[error("Nobody else could approve this. A second person needs a role that permits it.")]
    NoSecondPerson,
    /// It concerns the administrator's own account.
    #[error("This concerns your own account. Somebody else has to do it.")]
    OwnAccount,
    /// Somebody decides on their own proposal.
    #[error("You have proposed this yourself. Somebody else has to decide on it.")]
    OwnProposal,
    /// Somebody withdraws what somebody else has proposed.
    #[error("Only the person who proposed this can withdraw it.")]
    OthersProposal,
    /// The role does not permit what is proposed.
    #[error("Your role does not permit what is proposed here.")]
    NotPermitted,
    /// The proposer may no longer do it.
    #[error("The person who proposed this is no longer permitted to do it.")]
    ProposerNotPermitted,
    /// The same is proposed already.
    #[error("This is proposed already and waits for a decision.")]
    AlreadyProposed,
    /// The proposal was decided before.
    #[error("This proposal is already {}.", .0.as_str())]
    Decided(ProposalState),
    /// The proposal can no longer be approved.
    #[error("This proposal has expired. Please propose it again.")]
    Expired,
    /// The user has the role already.
    #[error("The user already has this role.")]
    RoleUnchanged,
    /// The user's role has changed since the proposal.
    #[error("The user's role has changed since this was proposed.")]
    RoleChanged,
    /// A threshold is not an amount.
    #[error(transparent)]
    Thresholds(#[from] ThresholdsError),
    /// A reason is missing.
    #[error("A reason is required")]
    ReasonRequired,
}

/// Why an act needs a second person, as both persons read it.
pub(crate) fn cause_text(cause: SecondPersonCause) -> String {
    match cause {
        SecondPersonCause::Amount(kind, threshold) => {
            let acts = match kind {
                MoneyActKind::Adjustment => "Adjustments",
                MoneyActKind::Confirmation => "Manual confirmations",
                MoneyActKind::Withdrawal => "Withdrawals",
            };
            format!(
                "{acts} of more than {} need a second person.",
                dollars(threshold)
            )
        }
        SecondPersonCause::AbovePayment => {
            "Crediting more than the payment can be worth needs a second person.".to_owned()
        }
        SecondPersonCause::OwnCredits(threshold) => format!(
            "Whoever has added more than {} to an account by hand in the last 30 days needs a second \
             person to approve its withdrawals.",
            dollars(threshold)
        ),
        SecondPersonCause::PersonPerDay(threshold) => format!(
            "What one person moves alone in a day beyond {} needs a second person.",
            dollars(threshold)
        ),
        SecondPersonCause::HousePerDay(threshold) => format!(
            "What is moved by single persons in a day beyond {} in total needs a second person.",
            dollars(threshold)
        ),
        SecondPersonCause::Role => "Giving somebody more permissions needs two people.".to_owned(),
        SecondPersonCause::Thresholds => {
            "Changing the approval thresholds needs two people.".to_owned()
        }
    }
}

impl ApprovalRefusal {
    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::SecondPersonRequired(_)
            | Self::OwnAccount
            | Self::OwnProposal
            | Self::OthersProposal
            | Self::NotPermitted => RefusalKind::Forbidden,
            Self::NoSecondPerson
            | Self::ProposerNotPermitted
            | Self::AlreadyProposed
            | Self::Decided(_)
            | Self::Expired
            | Self::RoleUnchanged
            | Self::RoleChanged => RefusalKind::Conflict,
            Self::Thresholds(_) => RefusalKind::Invalid,
            Self::ReasonRequired => RefusalKind::Unprocessable,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::SecondPersonRequired(_) => RefusalCode::SecondPersonRequired,
            Self::NoSecondPerson => RefusalCode::NoSecondPerson,
            Self::OwnAccount => RefusalCode::OwnAccount,
            Self::OwnProposal => RefusalCode::OwnProposal,
            Self::OthersProposal => RefusalCode::OthersProposal,
            Self::NotPermitted => RefusalCode::NotPermitted,
            Self::ProposerNotPermitted => RefusalCode::ProposerNotPermitted,
            Self::AlreadyProposed => RefusalCode::AlreadyProposed,
            Self::Decided(_) => RefusalCode::ProposalDecided,
            Self::Expired => RefusalCode::ProposalExpired,
            Self::RoleUnchanged => RefusalCode::RoleUnchanged,
            Self::RoleChanged => RefusalCode::RoleChanged,
            Self::Thresholds(_) => RefusalCode::InvalidAmount,
            Self::ReasonRequired => RefusalCode::ReasonRequired,
        }
    }
}
