//! Changing a user's role.

use actix_web::{HttpResponse, post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{RoleChange, change_role};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::NotFound;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::proposal_view::{Proposal, done_or_proposed};
use crate::routes::admin::users::AdminUser;
use crate::session::ChangeRoles;
use crate::state::Application;
use crate::wire::role::RoleName;

/// A new role for a user.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRole {
    role: RoleName,
    /// At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Changes a user's role: at once if the new one permits nothing more, otherwise it is proposed to another
/// owner.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("change_roles"))),
    params(("userId" = i64, Path), Idempotency),
    responses(
        (status = 200, body = AdminUser),
        (status = 202, description = "It was proposed to a second person", body = Proposal),
        (status = 400, description = "The request is malformed or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an owner, the owner's own account, the account is closed, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The user has the role already or is the last owner, there is no other owner, the same is proposed already, or the key was used for a different request", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/role")]
pub(crate) async fn set_role(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<ChangeRoles>,
    path: web::Path<String>,
    Json(body): Json<NewRole>,
) -> Result<HttpResponse, ApiError> {
    let change = RoleChange {
        user: path.parse().map_err(|_| Refusal::NotFound)?,
        role: body.role.0,
        reason: body.reason,
    };
    let administrator = context.administrator;
    let outcome = change_role(&application.house, context, change).await?;
    done_or_proposed::<_, AdminUser>(&application, administrator, outcome).await
}
