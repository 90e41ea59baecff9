//! The refusals of dual control.

use glasshouse_casino::ApprovalRefusal;
use glasshouse_domain::{MoneyActKind, ProposalState, SecondPersonCause, ThresholdsError};

use super::{DOLLARS, Refusal};

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    let second_person = |cause| ApprovalRefusal::SecondPersonRequired(cause).into();
    let of_kind = |kind| second_person(SecondPersonCause::Amount(kind, DOLLARS));
    vec![
        ("secondPersonAdjustment", of_kind(MoneyActKind::Adjustment)),
        (
            "secondPersonConfirmation",
            of_kind(MoneyActKind::Confirmation),
        ),
        ("secondPersonWithdrawal", of_kind(MoneyActKind::Withdrawal)),
        (
            "secondPersonAbovePayment",
            second_person(SecondPersonCause::AbovePayment),
        ),
        (
            "secondPersonOwnCredits",
            second_person(SecondPersonCause::OwnCredits(DOLLARS)),
        ),
        (
            "secondPersonPersonPerDay",
            second_person(SecondPersonCause::PersonPerDay(DOLLARS)),
        ),
        (
            "secondPersonHousePerDay",
            second_person(SecondPersonCause::HousePerDay(DOLLARS)),
        ),
        ("secondPersonRole", second_person(SecondPersonCause::Role)),
        (
            "secondPersonThresholds",
            second_person(SecondPersonCause::Thresholds),
        ),
        ("noSecondPerson", ApprovalRefusal::NoSecondPerson.into()),
        ("ownAccount", ApprovalRefusal::OwnAccount.into()),
        ("ownProposal", ApprovalRefusal::OwnProposal.into()),
        ("othersProposal", ApprovalRefusal::OthersProposal.into()),
        ("notPermitted", ApprovalRefusal::NotPermitted.into()),
        (
            "proposerNotPermitted",
            ApprovalRefusal::ProposerNotPermitted.into(),
        ),
        ("alreadyProposed", ApprovalRefusal::AlreadyProposed.into()),
        (
            "proposalDecided",
            ApprovalRefusal::Decided(ProposalState::Withdrawn).into(),
        ),
        ("proposalExpired", ApprovalRefusal::Expired.into()),
        ("roleUnchanged", ApprovalRefusal::RoleUnchanged.into()),
        ("roleChanged", ApprovalRefusal::RoleChanged.into()),
        (
            "thresholdsOutOfRange",
            ApprovalRefusal::from(ThresholdsError).into(),
        ),
        (
            "approvalReasonRequired",
            ApprovalRefusal::ReasonRequired.into(),
        ),
    ]
}
