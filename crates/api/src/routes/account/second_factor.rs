//! The second factor: an authenticator and the recovery codes. Passkeys are beside it.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use glasshouse_casino::accounts::{
    Enrolment, confirm_authenticator, enrol_authenticator, read_second_factor,
    remove_authenticator, replace_recovery_codes,
};
use glasshouse_casino::{SecondFactorStatus, User};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::login_attempts::Attempt;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::account::passkeys::{self, Passkey};
use crate::routes::account::step_up;
use crate::session::{ConfirmedToEnrol, SignedInToEnrol, current_session};
use crate::state::Application;
use crate::wire::time::iso;

/// Registers the endpoints of the second factor, of passkeys, and of the step-up with them.
pub(crate) fn register(endpoints: &mut Endpoints<'_>) {
    endpoints
        .service(step_up::own_step_up_state)
        .service(step_up::own_step_up)
        .service(second_factor)
        .service(new_authenticator)
        .service(confirmed_authenticator)
        .service(removed_authenticator)
        .service(new_recovery_codes)
        .service(passkeys::new_passkey)
        .service(passkeys::added_passkey)
        .service(passkeys::removed_passkey)
        .service(passkeys::passkey_confirmation)
        .service(passkeys::passkey_sign_in)
        .service(passkeys::signed_in_with_passkey);
}

/// What the user has as the second factor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecondFactor {
    /// Since when the user has the authenticator; null without one.
    #[schema(format = "date-time")]
    authenticator_since: Option<String>,
    /// The passkeys, oldest first.
    passkeys: Vec<Passkey>,
    /// How many recovery codes can still be used.
    recovery_codes_left: i64,
    /// Whether the last of it cannot be removed, because the user is an administrator.
    is_mandatory: bool,
}

impl SecondFactor {
    pub(crate) fn new(status: &SecondFactorStatus, user: &User) -> Self {
        Self {
            authenticator_since: status.authenticator_since.map(iso),
            passkeys: status.passkeys.iter().map(Passkey::from).collect(),
            recovery_codes_left: status.recovery_codes_left,
            is_mandatory: user.is_administrator(),
        }
    }
}

/// What to set an authenticator up with. It is not shown again.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuthenticatorSecret {
    /// The secret in base 32, for typing.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    secret: String,
    /// The same for a QR code.
    #[schema(
        example = "otpauth://totp/Glasshouse:alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Glasshouse"
    )]
    uri: String,
}

impl From<Enrolment> for AuthenticatorSecret {
    fn from(Enrolment { secret, uri }: Enrolment) -> Self {
        Self { secret, uri }
    }
}

/// The first code of an authenticator that is being set up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstCode {
    #[schema(example = "123456")]
    code: String,
}

/// New recovery codes. They are not shown again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodes {
    /// Ten codes, each of which replaces the second factor once.
    #[schema(example = json!(["k7qp-2mxd-9fht-4wzr"]))]
    recovery_codes: Vec<String>,
}

/// What the user has as the second factor.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = SecondFactor), PlayersOnly)
)]
#[get("/api/account/second-factor")]
pub(crate) async fn second_factor(
    application: web::Data<Application>,
    SignedInToEnrol(user): SignedInToEnrol,
) -> Result<web::Json<SecondFactor>, ApiError> {
    let status = read_second_factor(&application.house, user.id).await?;
    Ok(web::Json(SecondFactor::new(&status, &user)))
}

/// Begins to set an authenticator up, the first or another one. It counts once its first code was
/// entered.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = AuthenticatorSecret),
        PlayersOnly,
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/second-factor/authenticator")]
pub(crate) async fn new_authenticator(
    application: web::Data<Application>,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let enrolment = enrol_authenticator(&application.house, &user).await?;
    Ok(HttpResponse::Created().json(AuthenticatorSecret::from(enrolment)))
}

/// Makes the authenticator that is being set up the second factor, after its first code. An earlier
/// authenticator and earlier recovery codes are no longer valid, and all other sessions end.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = RecoveryCodes),
        Malformed,
        (status = 401, description = "Not signed in, or the code is wrong", body = ErrorBody),
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        (status = 409, description = "No authenticator is being set up", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/second-factor/authenticator/confirm")]
pub(crate) async fn confirmed_authenticator(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
    address: ClientAddress,
    Json(body): Json<FirstCode>,
) -> Result<web::Json<RecoveryCodes>, ApiError> {
    let key = current_session(&session)?;
    let name = &user.username;
    let attempt = Attempt::in_session(&application, key.as_str(), address, name).await?;
    let origin = origin_of(&application, &request, name);
    let house = &application.house;
    let outcome = confirm_authenticator(house, &key, &user, &body.code, origin).await;
    let recovery_codes = attempt.record_outcome(outcome).await?;
    Ok(web::Json(RecoveryCodes { recovery_codes }))
}

/// Removes the authenticator and, without a passkey, the recovery codes. Administrators need a passkey for
/// that.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 204),
        PlayersOnly,
        (status = 403, description = "The session must be confirmed first, or the user is an \
            administrator", body = ErrorBody),
        (status = 409, description = "There is none", body = ErrorBody),
        RateLimited,
    )
)]
#[delete("/api/account/second-factor/authenticator")]
pub(crate) async fn removed_authenticator(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let origin = origin_of(&application, &request, &user.username);
    remove_authenticator(&application.house, user.id, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Replaces the recovery codes. Earlier ones are no longer valid.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = RecoveryCodes),
        PlayersOnly,
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        (status = 409, description = "There is no second factor", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/second-factor/recovery-codes")]
pub(crate) async fn new_recovery_codes(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
) -> Result<web::Json<RecoveryCodes>, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let origin = origin_of(&application, &request, &user.username);
    let recovery_codes = replace_recovery_codes(&application.house, user.id, origin).await?;
    Ok(web::Json(RecoveryCodes { recovery_codes }))
}
