//! Proposals: what one administrator proposes and another decides on.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{
    Outcome, approve_proposal, find_proposal, proposals, refuse_proposal, withdraw_proposal,
};
use glasshouse_casino::{ProposalEntry, Refusal};
use glasshouse_domain::{
    PaymentReference, Permission, ProposalId, ProposalKind as Kind, ProposalState as State,
    ProposedAct, Role, Timestamp, UserId,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::page;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::approval::ApprovalThresholds;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::{UserRef, cursor, limit};
use crate::session::{Administrator, DecideProposals};
use crate::state::Application;
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
    id: UserId,
    role: Role,
    at: Timestamp,
}

impl Viewer {
    /// Somebody of whom it does not matter what they may decide, because what they ask for is their own or
    /// was just decided.
    fn without_role(application: &Application, id: UserId) -> Self {
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
            && self.role.may(Permission::DecideProposals)
            && self.role.may(proposal.act.kind().permission())
    }
}

impl Proposal {
    fn new(entry: ProposalEntry, viewer: Viewer) -> Self {
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

/// Selects proposals.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProposalParameters {
    /// Only proposals in this state; those that wait for a decision by default.
    #[param(inline)]
    state: Option<ProposalState>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

/// Proposals, newest first. If there may be more, the `Next-Cursor` header contains the cursor of the next
/// page.
#[utoipa::path(
    tag = "administration",
    params(ProposalParameters),
    responses(
        (status = 200, body = Vec<Proposal>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
    )
)]
#[get("/api/admin/proposals")]
pub(crate) async fn proposal_list(
    application: web::Data<Application>,
    administrator: Administrator,
    parameters: web::Query<ProposalParameters>,
) -> Result<HttpResponse, ApiError> {
    let parameters = parameters.into_inner();
    let state = parameters.state.unwrap_or(ProposalState::Open);
    let bounds = (cursor(parameters.cursor)?, limit(parameters.limit)?);
    let viewer = Viewer {
        id: administrator.user.id,
        role: administrator.user.role,
        at: application.house.now(),
    };
    let found = proposals(&application.house, state.into(), bounds).await?;
    let entries: Vec<Proposal> = found
        .entries
        .into_iter()
        .map(|entry| Proposal::new(entry, viewer))
        .collect();
    Ok(page(
        &entries,
        found.next.map(|id: ProposalId| id.to_string()),
    ))
}

fn decided(
    application: &Application,
    administrator: UserId,
    entry: ProposalEntry,
) -> web::Json<Proposal> {
    let viewer = Viewer::without_role(application, administrator);
    web::Json(Proposal::new(entry, viewer))
}

/// Approves what somebody else has proposed, and does it at once. If it is refused by the rules of the act
/// itself, such as a withdrawal that was cancelled meanwhile, the proposal stays open.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("decide_proposals"))),
    params(("proposalId" = i64, Path), Idempotency),
    responses(
        (status = 200, body = Proposal),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not permitted, one's own proposal or account, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The proposal was decided before or has expired, or the act is not possible any more", body = ErrorBody),
        (status = 422, description = "The act breaks a rule", body = ErrorBody),
    )
)]
#[post("/api/admin/proposals/{proposalId}/approve")]
pub(crate) async fn approve(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<DecideProposals>,
    path: web::Path<String>,
) -> Result<web::Json<Proposal>, ApiError> {
    let id: ProposalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let administrator = context.administrator;
    let entry = approve_proposal(&application.cashier, context, id).await?;
    Ok(decided(&application, administrator, entry))
}

/// Why a proposal is refused.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProposalRefusal {
    /// At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Refuses what somebody else has proposed.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("decide_proposals"))),
    params(("proposalId" = i64, Path), Idempotency),
    responses(
        (status = 200, body = Proposal),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not permitted, one's own proposal or account, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The proposal was decided before or has expired", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/proposals/{proposalId}/refuse")]
pub(crate) async fn refuse(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<DecideProposals>,
    path: web::Path<String>,
    Json(body): Json<ProposalRefusal>,
) -> Result<web::Json<Proposal>, ApiError> {
    let id: ProposalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let administrator = context.administrator;
    let entry = refuse_proposal(&application.house, context, id, &body.reason).await?;
    Ok(decided(&application, administrator, entry))
}

/// Withdraws one's own proposal.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("decide_proposals"))),
    params(("proposalId" = i64, Path), Idempotency),
    responses(
        (status = 200, body = Proposal),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not permitted, somebody else's proposal, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The proposal was decided before or has expired", body = ErrorBody),
    )
)]
#[post("/api/admin/proposals/{proposalId}/withdraw")]
pub(crate) async fn withdraw(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<DecideProposals>,
    path: web::Path<String>,
) -> Result<web::Json<Proposal>, ApiError> {
    let id: ProposalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let administrator = context.administrator;
    let entry = withdraw_proposal(&application.house, context, id).await?;
    Ok(decided(&application, administrator, entry))
}
