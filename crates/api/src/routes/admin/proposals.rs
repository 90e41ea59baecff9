//! Proposals: what one administrator proposes and another decides on.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{
    approve_proposal, proposals, refuse_proposal, withdraw_proposal,
};
use glasshouse_casino::{ProposalEntry, Refusal};
use glasshouse_domain::{ProposalId, UserId};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::page;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::proposal_view::{Proposal, ProposalState, Viewer};
use crate::routes::admin::{cursor, limit};
use crate::session::DecideProposals;
use crate::state::Application;

/// The name of the list in the audit log.
const NAME: &str = "proposals";

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
    reader: Reader,
    parameters: web::Query<ProposalParameters>,
) -> Result<HttpResponse, ApiError> {
    let parameters = parameters.into_inner();
    let state = parameters.state.unwrap_or(ProposalState::Open);
    let bounds = (cursor(parameters.cursor)?, limit(parameters.limit)?);
    let viewer = Viewer::of(reader.administrator(), application.house.now());
    let found = proposals(&application.house, state.into(), bounds).await?;
    let entries: Vec<Proposal> = found
        .entries
        .into_iter()
        .map(|entry| Proposal::new(entry, viewer))
        .collect();
    if !entries.is_empty() {
        reader.record(&application.house, NAME, None).await?;
    }
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
