//! What administrators may do alone: thresholds, today's totals, and whether there is a second person.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{
    ApprovalOverview as Overview, approval_overview, propose_thresholds,
};
use glasshouse_domain::{ApprovalThresholds as Thresholds, MovedToday, PayoutMethod, Permission};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::AdministratorsOnly;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::proposal_view::{Proposal, proposed};
use crate::session::{Administrator, ChangeThresholds};
use crate::state::Application;
use crate::wire::approval_thresholds::ApprovalThresholds;
use crate::wire::money::AmountText;
use crate::wire::payout::PayoutMethodName;
use crate::wire::time::iso;

/// What was moved today, in US dollars, by persons who acted alone.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalToday {
    /// By the administrator who asks.
    #[schema(example = "150.00")]
    mine: String,
    /// By everybody.
    #[schema(example = "400.00")]
    house: String,
}

impl From<MovedToday> for ApprovalToday {
    fn from(today: MovedToday) -> Self {
        Self {
            mine: today.by_person.to_string(),
            house: today.by_house.to_string(),
        }
    }
}

/// For what somebody else could be the second person.
#[expect(
    clippy::struct_excessive_bools,
    reason = "one answer for each kind of act"
)]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecondPersons {
    adjust_balances: bool,
    confirm_payments: bool,
    decide_withdrawals: bool,
    change_roles: bool,
    change_thresholds: bool,
}

/// What administrators may do alone.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalOverview {
    thresholds: ApprovalThresholds,
    /// When the thresholds were set; null for those of a new house.
    #[schema(format = "date-time")]
    set_at: Option<String>,
    today: ApprovalToday,
    /// The number of proposals that wait for a decision.
    open_proposals: i64,
    second_person: SecondPersons,
    /// Who pays withdrawals that are approved now.
    payout_method: PayoutMethodName,
}

impl ApprovalOverview {
    fn new(overview: &Overview, payout_method: PayoutMethod) -> Self {
        let has = |permission| overview.has_second_person(permission);
        Self {
            thresholds: overview.thresholds.thresholds.into(),
            set_at: overview.thresholds.set_at.map(iso),
            today: overview.today.into(),
            open_proposals: overview.open_proposals,
            second_person: SecondPersons {
                adjust_balances: has(Permission::AdjustBalances),
                confirm_payments: has(Permission::ConfirmPayments),
                decide_withdrawals: has(Permission::DecideWithdrawals),
                change_roles: has(Permission::ChangeRoles),
                change_thresholds: has(Permission::ChangeThresholds),
            },
            payout_method: payout_method.into(),
        }
    }
}

/// What administrators may do alone, what they have done today, and whether there is a second person.
#[utoipa::path(
    tag = "administration",
    responses((status = 200, body = ApprovalOverview), AdministratorsOnly)
)]
#[get("/api/admin/approval")]
pub(crate) async fn approval_state(
    application: web::Data<Application>,
    administrator: Administrator,
) -> Result<web::Json<ApprovalOverview>, ApiError> {
    let found = approval_overview(&application.house, administrator.user.id).await?;
    let method = application.house.payout_method();
    Ok(web::Json(ApprovalOverview::new(&found, method)))
}

/// New thresholds, in US dollars.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewApprovalThresholds {
    #[schema(example = "100.00")]
    adjustment: AmountText,
    #[schema(example = "500.00")]
    confirmation: AmountText,
    #[schema(example = "1000.00")]
    withdrawal: AmountText,
    #[schema(example = "2000.00")]
    person_per_day: AmountText,
    #[schema(example = "10000.00")]
    house_per_day: AmountText,
    #[schema(example = "0.00")]
    automatic_withdrawal: AmountText,
    /// At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Proposes new thresholds to another owner.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("change_thresholds"))),
    params(Idempotency),
    responses(
        (status = 202, body = Proposal),
        (status = 400, description = "A threshold is not an amount, or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an owner, or the password must be entered again", body = ErrorBody),
        (status = 409, description = "There is no other owner, the same is proposed already, or the key was used for a different request", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/approval/thresholds")]
pub(crate) async fn change_thresholds(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ChangeThresholds>,
    Json(body): Json<NewApprovalThresholds>,
) -> Result<HttpResponse, ApiError> {
    let thresholds = Thresholds {
        adjustment: body.adjustment.parse()?,
        confirmation: body.confirmation.parse()?,
        withdrawal: body.withdrawal.parse()?,
        person_per_day: body.person_per_day.parse()?,
        house_per_day: body.house_per_day.parse()?,
        automatic_withdrawal: body.automatic_withdrawal.parse()?,
    };
    let administrator = context.administrator;
    let entry = propose_thresholds(&application.house, context, thresholds, &body.reason).await?;
    Ok(proposed(&application, administrator, entry))
}
