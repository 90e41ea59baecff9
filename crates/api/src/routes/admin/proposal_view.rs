//! Proposals as administrators see them, and the answers of calls that may only propose.

use actix_web::HttpResponse;
use glasshouse_casino::administration::{Outcome, find_proposal};
use glasshouse_casino::{ProposalEntry, User};
use glasshouse_domain::{
    PaymentReference, ProposalKind as Kind, ProposalState as State, ProposedAct, Role, Timestamp,
    UserId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::routes::admin::UserRef;
use crate::state::Application;
use crate::wire::approval_thresholds::ApprovalThresholds;
use crate::wire::role::RoleName;
use crate::wire::time::iso;

/// What is proposed.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProposalKind {
    AdjustBalance,
    ConfirmPayment,
    ApproveWithdrawal,
    ChangeRole,
    ChangeThresholds,
}

impl From<Kind> for ProposalKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::AdjustBalance => Self::AdjustBalance,
            Kind::ConfirmPayment => Self::ConfirmPayment,
            Kind::ApproveWithdrawal => Self::ApproveWithdrawal,
            Kind::ChangeRole => Self::ChangeRole,
            Kind::ChangeThresholds => Self::ChangeThresholds,
        }
    }
}

/// The state of a proposal.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProposalState {
    Open,
    Approved,
    Refused,
    Withdrawn,
    Expired,
}

impl From<State> for ProposalState {
    fn from(state: State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Approved => Self::Approved,
            State::Refused => Self::Refused,
            State::Withdrawn => Self::Withdrawn,
            State::Expired => Self::Expired,
        }
    }
}

impl From<ProposalState> for State {
    fn from(state: ProposalState) -> Self {
        match state {
            ProposalState::Open => Self::Open,
            ProposalState::Approved => Self::Approved,
            ProposalState::Refused => Self::Refused,
            ProposalState::Withdrawn => Self::Withdrawn,
            ProposalState::Expired => Self::Expired,
        }
    }
}

/// Something that one administrator proposes and another decides on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Proposal {
    id: i64,
    kind: ProposalKind,
    /// The user whom it concerns; null if it concerns the house.
    user: Option<UserRef>,
    /// The amount that it moves, in US dollars; negative if it is taken from a balance.
    #[schema(example = "900.00")]
    amount: Option<String>,
    /// What is proposed, in one line, as in the audit log.
    #[schema(example = "adjust the balance: from 10.00 to 910.00")]
    summary: String,
    /// Why it was proposed.
    reason: Option<String>,
    /// Why it needs a second person.
    #[schema(example = "Adjustments of more than $100.00 need a second person.")]
    cause: String,
    terms: ProposalTerms,
    proposed_by: UserRef,
    #[schema(format = "date-time")]
    proposed_at: String,
    /// Until when it can be approved.
    #[schema(format = "date-time")]
    expires_at: String,
    state: ProposalState,
    decided_by: Option<UserRef>,
    #[schema(format = "date-time")]
    decided_at: Option<String>,
    /// Why it was refused.
    decision_reason: Option<String>,
    /// Whether the administrator who asks may approve or refuse it now.
    can_decide: bool,
    /// Whether the administrator who asks has proposed it.
    is_own: bool,
}

/// What is proposed, in its parts. Those that do not apply are null.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposalTerms {
    /// The balance that the proposer saw. The player may have played on since: what is approved is the
    /// difference.
    #[schema(example = "10.00")]
    old_balance: Option<String>,
    /// The balance that the proposer wanted.
    #[schema(example = "910.00")]
    new_balance: Option<String>,
    /// The provider's ID of the payment or invoice.
    payment_id: Option<String>,
    /// The currency in which a payment was made.
    currency: Option<String>,
    withdrawal_id: Option<i64>,
    old_role: Option<RoleName>,
    new_role: Option<RoleName>,
    thresholds: Option<ApprovalThresholds>,
}

impl From<&ProposedAct> for ProposalTerms {
    fn from(act: &ProposedAct) -> Self {
        let none = Self::default();
        match act {
            ProposedAct::AdjustBalance { from, to } => Self {
                old_balance: Some(from.to_string()),
                new_balance: Some(to.to_string()),
                ..none
            },
            ProposedAct::ConfirmPayment {
                payment: PaymentReference::Payment(id) | PaymentReference::Invoice(id),
                currency,
                ..
            } => Self {
                payment_id: Some(id.clone()),
                currency: Some(currency.clone()),
                ..none
            },
            ProposedAct::ApproveWithdrawal { id, .. } => Self {
                withdrawal_id: Some(id.get()),
                ..none
            },
            ProposedAct::ChangeRole { from, to } => Self {
                old_role: Some(RoleName(*from)),
                new_role: Some(RoleName(*to)),
                ..none
            },
            ProposedAct::ChangeThresholds(thresholds) => Self {
                thresholds: Some((*thresholds).into()),
                ..none
            },
        }
    }
}

/// The administrator who asks for a proposal, and when.
#[derive(Clone, Copy)]
pub(crate) struct Viewer {
    pub(crate) id: UserId,
    pub(crate) role: Role,
    pub(crate) at: Timestamp,
}

impl Viewer {
    /// An administrator at this time.
    pub(crate) const fn of(administrator: &User, at: Timestamp) -> Self {
        Self {
            id: administrator.id,
            role: administrator.role,
            at,
        }
    }

    /// Somebody of whom it does not matter what they may decide, because what they ask for is their own or
    /// was just decided.
    pub(crate) fn without_role(application: &Application, id: UserId) -> Self {
        Self {
            id,
            role: Role::Player,
            at: application.house.now(),
        }
    }

    fn can_decide(self, entry: &ProposalEntry, state: State) -> bool {
        let proposal = &entry.proposal;
        state == State::Open
            && self.id != proposal.proposed_by
            && Some(self.id) != proposal.user
            && self.role.may_approve(proposal.act.kind().permission())
    }
}

impl Proposal {
    pub(crate) fn new(entry: ProposalEntry, viewer: Viewer) -> Self {
        let state = entry
            .proposal
            .stored_state
            .at(viewer.at, entry.proposal.expires_at);
        let can_decide = viewer.can_decide(&entry, state);
        let proposal = entry.proposal;
        Self {
            id: proposal.id.get(),
            kind: proposal.act.kind().into(),
            user: entry.user.map(UserRef::from),
            amount: proposal.act.amount().map(|amount| amount.to_string()),
            summary: proposal.act.to_string(),
            reason: proposal.reason,
            cause: proposal.cause,
            terms: ProposalTerms::from(&proposal.act),
            is_own: viewer.id == proposal.proposed_by,
            proposed_by: entry.proposed_by.into(),
            proposed_at: iso(proposal.proposed_at),
            expires_at: iso(proposal.expires_at),
            state: state.into(),
            decided_by: entry.decided_by.map(UserRef::from),
            decided_at: proposal.decided_at.map(iso),
            decision_reason: proposal.decision_reason,
            can_decide,
        }
    }
}

/// Answers a request that was carried out (200), or proposed to a second person (202).
pub(crate) async fn done_or_proposed<T, V: Serialize + From<T>>(
    application: &Application,
    administrator: UserId,
    outcome: Outcome<T>,
) -> Result<HttpResponse, ApiError> {
    match outcome {
        Outcome::Done(done) => Ok(HttpResponse::Ok().json(V::from(done))),
        Outcome::Proposed(id) => {
            let entry = find_proposal(&application.house, id).await?;
            Ok(proposed(application, administrator, entry))
        }
    }
}

/// Answers a request that was proposed to a second person.
pub(crate) fn proposed(
    application: &Application,
    administrator: UserId,
    entry: ProposalEntry,
) -> HttpResponse {
    let viewer = Viewer::without_role(application, administrator);
    HttpResponse::Accepted().json(Proposal::new(entry, viewer))
}
