//! Passkeys: adding and removing them, and what they sign. The browser's part is the Web Authentication
//! standard; options and answers have its JSON forms.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, delete, post, web};
use glasshouse_casino::accounts::{
    PasskeyAddition, PasskeyAnswer, PasskeyPrompt, PublicKeyCredential,
    RegisterPublicKeyCredential, add_passkey, begin_passkey, begin_passkey_confirmation,
    begin_passkey_sign_in, remove_passkey, sign_in_with_passkey,
};
use glasshouse_casino::{Refusal, RequestOrigin};
use glasshouse_domain::PasskeyId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::network::network_of;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::account::{CurrentUser, open_session};
use crate::session::{ConfirmedToEnrol, SignedInToChoose, current_session};
use crate::state::Application;
use crate::wire::time::iso;

/// A passkey: a key pair whose private key stays on the user's device.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Passkey {
    #[schema(example = "17")]
    id: String,
    /// The user's name for it.
    #[schema(example = "Chrome on Linux")]
    name: String,
    #[schema(format = "date-time")]
    created_at: String,
    /// When it last signed something; null if it has not since it was added.
    #[schema(format = "date-time")]
    last_used_at: Option<String>,
}

impl From<&glasshouse_casino::Passkey> for Passkey {
    fn from(passkey: &glasshouse_casino::Passkey) -> Self {
        Self {
            id: passkey.id.to_string(),
            name: passkey.name.clone(),
            created_at: iso(passkey.created_at),
            last_used_at: passkey.last_used_at.map(iso),
        }
    }
}

/// What the browser asks the user's device for.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasskeyCeremony {
    /// The key of the ceremony, to be sent with the answer within five minutes.
    ceremony: String,
    /// `PublicKeyCredentialCreationOptionsJSON` for a new passkey, otherwise
    /// `PublicKeyCredentialRequestOptionsJSON`.
    #[schema(value_type = Object)]
    options: Value,
}

impl From<PasskeyPrompt> for PasskeyCeremony {
    fn from(PasskeyPrompt { ceremony, options }: PasskeyPrompt) -> Self {
        Self { ceremony, options }
    }
}

/// A passkey that the user's device has made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPasskey {
    /// The key of the ceremony.
    ceremony: String,
    /// The user's name for the passkey.
    #[schema(min_length = 1, max_length = 64, example = "Chrome on Linux")]
    name: String,
    /// The device's answer, as `RegistrationResponseJSON`.
    #[schema(value_type = Object)]
    credential: RegisterPublicKeyCredential,
}

/// What one of the user's passkeys has signed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasskeyAssertion {
    /// The key of the ceremony.
    ceremony: String,
    /// The device's answer, as `AuthenticationResponseJSON`.
    #[schema(value_type = Object)]
    credential: PublicKeyCredential,
}

impl PasskeyAssertion {
    pub(crate) fn into_answer(self, origin: RequestOrigin) -> PasskeyAnswer {
        PasskeyAnswer {
            ceremony: self.ceremony,
            credential: self.credential,
            origin,
        }
    }
}

/// What came with a passkey that was added.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddedPasskey {
    /// Ten recovery codes, if it is the user's first second factor; they are not shown again. Otherwise
    /// null, and earlier codes stay valid.
    #[schema(example = json!(["k7qp-2mxd-9fht-4wzr"]))]
    recovery_codes: Option<Vec<String>>,
}

/// Begins to add a passkey. The browser makes it on the user's device with the options.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = PasskeyCeremony),
        PlayersOnly,
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        (status = 409, description = "The user has 20 passkeys, or passkeys cannot be used at the address \
            of the house", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/second-factor/passkeys/ceremony")]
pub(crate) async fn new_passkey(
    application: web::Data<Application>,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let prompt = begin_passkey(&application.house, &user).await?;
    Ok(HttpResponse::Created().json(PasskeyCeremony::from(prompt)))
}

/// Adds the passkey that the user's device has made. If it is the first second factor, all other sessions
/// end.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = AddedPasskey),
        Malformed,
        (status = 401, description = "Not signed in, or the answer is wrong", body = ErrorBody),
        (status = 403, description = "The session must be confirmed first", body = ErrorBody),
        (status = 409, description = "The ceremony has expired", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/second-factor/passkeys")]
pub(crate) async fn added_passkey(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
    Json(body): Json<NewPasskey>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let key = current_session(&session)?;
    let addition = PasskeyAddition {
        ceremony: body.ceremony,
        name: body.name,
        credential: body.credential,
        origin: origin_of(&application, &request, &user.username),
    };
    let recovery_codes = add_passkey(&application.house, &key, user.id, addition).await?;
    Ok(HttpResponse::Created().json(AddedPasskey { recovery_codes }))
}

/// Removes a passkey and ends all other sessions. Without another second factor, the recovery codes are
/// removed as well; administrators need another one.
#[utoipa::path(
    tag = "users",
    params(("id" = String, Path)),
    responses(
        (status = 204),
        PlayersOnly,
        (status = 403, description = "The session must be confirmed first, or it is the last second \
            factor of an administrator", body = ErrorBody),
        (status = 404, description = "The user has no such passkey", body = ErrorBody),
        RateLimited,
    )
)]
#[delete("/api/account/second-factor/passkeys/{id}")]
pub(crate) async fn removed_passkey(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    ConfirmedToEnrol(user): ConfirmedToEnrol,
    path: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let key = current_session(&session)?;
    let id: PasskeyId = path.parse().map_err(|_| Refusal::NotFound)?;
    let origin = origin_of(&application, &request, &user.username);
    remove_passkey(&application.house, &key, user.id, id, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Begins to confirm the session with one of the user's passkeys.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = PasskeyCeremony),
        PlayersOnly,
        (status = 409, description = "The user has no passkey, or passkeys cannot be used at the address of \
            the house", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/step-up/ceremony")]
pub(crate) async fn passkey_confirmation(
    application: web::Data<Application>,
    SignedInToChoose(user): SignedInToChoose,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::SecondFactor(user.id))?;
    let prompt = begin_passkey_confirmation(&application.house, user.id).await?;
    Ok(HttpResponse::Created().json(PasskeyCeremony::from(prompt)))
}

/// Begins to sign in with a passkey. Which one, and so who it is, its owner chooses on the device.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = PasskeyCeremony),
        (status = 409, description = "Passkeys cannot be used at the address of the house", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/login/passkey/ceremony")]
pub(crate) async fn passkey_sign_in(
    application: web::Data<Application>,
    address: ClientAddress,
) -> Result<HttpResponse, ApiError> {
    application
        .limits
        .check(Limit::Login(network_of(address.0)))?;
    let prompt = begin_passkey_sign_in(&application.house).await?;
    Ok(HttpResponse::Created().json(PasskeyCeremony::from(prompt)))
}

/// Signs in with a passkey alone. A session that the request came with ends.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = CurrentUser),
        Malformed,
        (status = 401, description = "The passkey is unknown or its signature wrong", body = ErrorBody),
        (status = 403, description = "The account is banned or closed", body = ErrorBody),
        (status = 409, description = "The ceremony has expired", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/login/passkey")]
pub(crate) async fn signed_in_with_passkey(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    address: ClientAddress,
    Json(assertion): Json<PasskeyAssertion>,
) -> Result<HttpResponse, ApiError> {
    application
        .limits
        .check(Limit::Login(network_of(address.0)))?;
    // Who it is turns out with the answer; a refusal is recorded without knowing the device.
    let answer = assertion.into_answer(origin_of(&application, &request, ""));
    let authenticated = sign_in_with_passkey(&application.house, answer).await?;
    open_session(&application, &request, &session, authenticated).await
}
