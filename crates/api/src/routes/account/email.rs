//! The e-mail address of the signed-in user, and the notices that are sent to it.

use actix_web::{HttpRequest, HttpResponse, get, post, put, web};
use glasshouse_casino::email::{
    EmailSettings, read_email, remove_email, request_email, set_notice,
};
use glasshouse_domain::NoticeTopic;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::mail_requests::{admit_mail_to, parse_email};
use crate::http::password_check::require_password;
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::{ConfirmedIfProtected, SignedIn};
use crate::state::Application;

/// The user's e-mail address and notices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Email {
    /// The verified address; null if there is none.
    #[schema(example = "alice@example.com")]
    address: Option<String>,
    /// The address to which a link was sent that has not been followed yet; null if there is none.
    pending_address: Option<String>,
    notices: Notices,
}

/// The notices that a user can do without. Those that protect the account are always sent.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Notices {
    /// Whether the user is told of sessions that were ended from another device.
    sessions: bool,
    /// Whether the user is told of withdrawals that were approved or rejected.
    withdrawals: bool,
}

impl From<EmailSettings> for Email {
    fn from(settings: EmailSettings) -> Self {
        let is_wanted = |topic: NoticeTopic| !settings.declined.contains(&topic);
        Self {
            address: settings.address.map(|address| address.as_str().to_owned()),
            pending_address: settings.pending.map(|address| address.as_str().to_owned()),
            notices: Notices {
                sessions: is_wanted(NoticeTopic::Sessions),
                withdrawals: is_wanted(NoticeTopic::Withdrawals),
            },
        }
    }
}

/// A new address, and the password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EmailChange {
    #[schema(format = "email")]
    email: String,
    #[schema(format = "password")]
    password: String,
}

/// The password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EmailRemoval {
    #[schema(format = "password")]
    password: String,
}

/// The user's e-mail address and notices.
#[utoipa::path(tag = "users", responses((status = 200, body = Email), PlayersOnly))]
#[get("/api/account/email")]
pub(crate) async fn email_settings(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
) -> Result<web::Json<Email>, ApiError> {
    let settings = read_email(&application.house, user.id).await?;
    Ok(web::Json(settings.into()))
}

/// Sends a link to an address. The address becomes the user's once the link is followed; until then an
/// earlier one stays. Whether it belongs to another account makes no difference to the response. Users
/// with a second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 202, body = Email),
        Malformed,
        (status = 401, description = "Not signed in, or the password is wrong", body = ErrorBody),
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        RateLimited,
    )
)]
#[put("/api/account/email")]
pub(crate) async fn change_email(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    address: ClientAddress,
    Json(change): Json<EmailChange>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::EmailSettings(user.id))?;
    let email = parse_email(&change.email)?;
    require_password(&application, &request, address, &user, change.password).await?;
    admit_mail_to(&application, address, Some(user.id), &email).await?;
    request_email(&application.house, user.id, email).await?;
    let settings = read_email(&application.house, user.id).await?;
    Ok(HttpResponse::Accepted().json(Email::from(settings)))
}

/// Removes the address, and the one whose link has not been followed yet. A last mail tells the address.
/// Users with a second factor must have confirmed the session with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = Email),
        Malformed,
        (status = 401, description = "Not signed in, or the password is wrong", body = ErrorBody),
        (status = 403, description = "The user has a second factor and must confirm the session first", body = ErrorBody),
        (status = 409, description = "There is no address", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/account/email/remove")]
pub(crate) async fn remove(
    application: web::Data<Application>,
    request: HttpRequest,
    ConfirmedIfProtected(user): ConfirmedIfProtected,
    address: ClientAddress,
    Json(removal): Json<EmailRemoval>,
) -> Result<web::Json<Email>, ApiError> {
    application.limits.check(Limit::EmailSettings(user.id))?;
    require_password(&application, &request, address, &user, removal.password).await?;
    let origin = origin_of(&application, &request, &user.username);
    remove_email(&application.house, user.id, origin).await?;
    let settings = read_email(&application.house, user.id).await?;
    Ok(web::Json(settings.into()))
}

/// Chooses the optional notices.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = Email), Malformed, PlayersOnly, RateLimited)
)]
#[put("/api/account/email/notices")]
pub(crate) async fn choose_notices(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(notices): Json<Notices>,
) -> Result<web::Json<Email>, ApiError> {
    application.limits.check(Limit::EmailSettings(user.id))?;
    let house = &application.house;
    set_notice(house, user.id, NoticeTopic::Sessions, notices.sessions).await?;
    set_notice(
        house,
        user.id,
        NoticeTopic::Withdrawals,
        notices.withdrawals,
    )
    .await?;
    Ok(web::Json(read_email(house, user.id).await?.into()))
}
