//! Changing the password.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, post, web};
use glasshouse_casino::accounts::{PasswordChange, SignIn, change_password};
use glasshouse_casino::{Refusal, User};
use glasshouse_domain::{NewPassword, TypedPassword};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::login_attempts::Attempt;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, RateLimited};
use crate::session::{SignedInToChoose, continue_with, current_session, require_confirmation};
use crate::state::Application;

/// The current and the new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewPasswordRequest {
    #[schema(format = "password")]
    current_password: String,
    /// At least 6 characters, at most 1,024 bytes.
    #[schema(format = "password", min_length = 6, max_length = 1024)]
    new_password: String,
}

/// Changes the password. All other sessions end; this one continues under a new cookie. Users with a
/// second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        Malformed,
        (status = 401, description = "Not signed in, or the current password is wrong",
            body = ErrorBody),
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        (status = 422, description = "The new password is the current one, too short, or too easy \
            to guess", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/password")]
pub(crate) async fn password(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    SignedInToChoose(user): SignedInToChoose,
    address: ClientAddress,
    Json(body): Json<NewPasswordRequest>,
) -> Result<HttpResponse, ApiError> {
    if user.has_second_factor {
        require_confirmation(&application, &session)?;
    }
    let key = current_session(&session)?;
    let new = NewPassword::parse(body.new_password).map_err(Refusal::from)?;
    let attempt = Attempt::in_session(&application, key.as_str(), address, &user.username).await?;
    let change = PasswordChange {
        current: SignIn {
            username: user.username.clone(),
            password: TypedPassword::new(body.current_password),
            origin: origin_of(&application, &request, &user.username),
        },
        new,
    };
    let outcome = change_password(&application.house, &key, change).await;
    let new_key = attempt.record_outcome(outcome).await?;
    let user = User {
        one_time_password_until: None,
        ..user
    };
    continue_with(&session, user, new_key)?;
    Ok(HttpResponse::NoContent().finish())
}
