//! Step-up authentication: what moves money or protects the account requires the second factor or, for
//! users without one, the password again after a few minutes.

use actix_session::{Session, SessionExt as _};
use actix_web::{HttpRequest, get, post, web};
use glasshouse_casino::accounts::{
    SecondFactorAttempt, SignIn, confirm_session, confirm_with_passkey, confirm_with_second_factor,
};
use glasshouse_casino::{AccountRefusal, CasinoError, User};
use glasshouse_domain::TypedPassword;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::login_attempts::Attempt;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::account::passkeys::PasskeyAssertion;
use crate::session::{SignedInToChoose, confirmation_of, current_session};
use crate::state::Application;
use crate::wire::time::iso;

/// The user's second factor, which a passkey is as well, or, for users without one, their password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StepUp {
    /// Only for users without a second factor.
    #[schema(format = "password", nullable = false)]
    password: Option<String>,
    /// The six digits that the authenticator shows, or a recovery code.
    #[schema(example = "123456", nullable = false)]
    second_factor: Option<String>,
    /// What one of the user's passkeys signed.
    #[schema(nullable = false)]
    passkey: Option<PasskeyAssertion>,
}

/// The state of the confirmation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StepUpState {
    /// Until when the confirmation is valid; null if it has expired.
    #[schema(format = "date-time")]
    valid_until: Option<String>,
}

/// The state of the session's confirmation.
pub(crate) fn state(application: &Application, session: &Session) -> StepUpState {
    let now = application.house.now();
    let until = confirmation_of(session).map(|confirmation| confirmation.until);
    StepUpState {
        valid_until: until.filter(|until| now < *until).map(iso),
    }
}

/// Checks what the session's user entered, and confirms the session for five minutes. Failures count as
/// failed sign-ins, and ten in a row end the session.
///
/// # Errors
/// If it is wrong or missing, if the client must retry later, or on a fault.
pub(crate) async fn confirm(
    application: &Application,
    request: &HttpRequest,
    address: ClientAddress,
    user: &User,
    body: StepUp,
) -> Result<StepUpState, ApiError> {
    let key = current_session(&request.get_session())?;
    let name = &user.username;
    let origin = origin_of(application, request, name);
    let outcome = match (body.passkey, body.second_factor, body.password) {
        (Some(passkey), _, _) => {
            let attempt = Attempt::in_session(application, key.as_str(), address, name).await?;
            let answer = passkey.into_answer(origin);
            let house = &application.house;
            let outcome = confirm_with_passkey(house, key, user.id, answer).await;
            attempt.record_outcome(outcome).await
        }
        (None, Some(text), _) => {
            let attempt = Attempt::in_session(application, key.as_str(), address, name).await?;
            let entered = SecondFactorAttempt {
                text,
                is_limited: false,
                origin,
            };
            let house = &application.house;
            let outcome = confirm_with_second_factor(house, key, user.id, entered).await;
            attempt.record_outcome(outcome).await
        }
        (None, None, Some(_)) if user.has_second_factor => {
            Err(CasinoError::from(AccountRefusal::SecondFactorRequired).into())
        }
        (None, None, Some(password)) => {
            let attempt = Attempt::in_session(application, key.as_str(), address, name).await?;
            let own = SignIn {
                username: name.clone(),
                password: TypedPassword::new(password),
                origin,
            };
            let outcome = confirm_session(&application.house, key, own).await;
            attempt.record_outcome(outcome).await
        }
        (None, None, None) => Err(ApiError::Malformed(
            "One of passkey, secondFactor and password is required".to_owned(),
        )),
    };
    Ok(StepUpState {
        valid_until: Some(iso(outcome?)),
    })
}

/// Whether the session was confirmed recently.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = StepUpState), PlayersOnly)
)]
#[get("/api/account/step-up")]
pub(crate) async fn own_step_up_state(
    application: web::Data<Application>,
    session: Session,
    _: SignedInToChoose,
) -> web::Json<StepUpState> {
    web::Json(state(&application, &session))
}

/// Confirms the session with the second factor or, for users without one, with the password. The
/// confirmation is valid for five minutes.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = StepUpState),
        Malformed,
        (status = 401, description = "Not signed in, or what was entered is wrong", body = ErrorBody),
        (status = 403, description = "The second factor is required, not the password", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/step-up")]
pub(crate) async fn own_step_up(
    application: web::Data<Application>,
    SignedInToChoose(user): SignedInToChoose,
    request: HttpRequest,
    address: ClientAddress,
    Json(body): Json<StepUp>,
) -> Result<web::Json<StepUpState>, ApiError> {
    let state = confirm(&application, &request, address, &user, body).await?;
    Ok(web::Json(state))
}
