//! What single users are restricted from.

use actix_web::{post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{RestrictionChange, restrict};
use glasshouse_domain::{Restriction, UserId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::NotFound;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::users::AdminUser;
use crate::session::BlockWithdrawing;
use crate::state::Application;

/// What can be blocked for a user.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Restriction)]
pub(crate) enum RestrictionName {
    Betting,
    Withdrawing,
}

/// A change of a user's restrictions.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RestrictionChange)]
pub(crate) struct NewRestriction {
    restriction: RestrictionName,
    /// Whether it is to be blocked.
    is_blocked: bool,
    /// The reason, which the user is not shown. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Blocks betting or withdrawing for a user, or lifts that. Blocked users can sign in and read, and rounds
/// in play can be finished. Whoever may not bet requests no deposits either. Betting needs the permission
/// `block_betting`.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("block_withdrawing"))),
    params(
        ("userId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminUser),
        (status = 400, description = "The request is malformed or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the role does not permit it, the session must be confirmed again, or it is the administrator's own account", body = ErrorBody),
        NotFound,
        (status = 409, description = "The key was used for a different request", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/restrictions")]
pub(crate) async fn set_restriction(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<BlockWithdrawing>,
    path: web::Path<String>,
    Json(change): Json<NewRestriction>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let user: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let change = RestrictionChange {
        restriction: match change.restriction {
            RestrictionName::Betting => Restriction::Betting,
            RestrictionName::Withdrawing => Restriction::Withdrawing,
        },
        is_blocked: change.is_blocked,
        reason: change.reason,
    };
    let entry = restrict(&application.house, context, user, change).await?;
    Ok(web::Json(entry.into()))
}
