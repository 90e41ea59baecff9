//! Accounts: registration, login, logout and the current user.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, get, post, put, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::accounts::{
    Authenticated, PlayerView, Registration, SecondFactorAttempt, SignIn, set_shows_name,
};
use glasshouse_casino::email::register_with_email;
use glasshouse_domain::{NewPassword, TypedPassword, Username};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::client_ip::ClientAddress;
use crate::http::device::remember;
use crate::http::json_body::Json;
use crate::http::login_attempts::{Attempt, admit_new_account};
use crate::http::mail_requests::{admit_mail_to, parse_email};
use crate::http::rate_limit::Limit;
use crate::http::request_origin::origin_of;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::session::{SignedIn, SignedInToChoose, begin, end};
use crate::state::Application;
use crate::wire::role::{PermissionName, RoleName};
use crate::wire::time::iso;

pub(crate) mod closure;
pub(crate) mod email;
pub(crate) mod export;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod second_factor;
pub(crate) mod security_events;
pub(crate) mod sessions;
pub(crate) mod step_up;

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// 3–32 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{3,32}$")]
    username: String,
    /// At least 6 characters, at most 1,024 bytes.
    #[schema(format = "password", min_length = 6, max_length = 1024)]
    password: String,
    /// An address to which a link is sent; it becomes the account's once the link is followed. Whether
    /// it belongs to another account makes no difference to the response.
    #[schema(format = "email", nullable = false)]
    email: Option<String>,
}

/// A username and a password and, for users who have one, the second factor.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Login {
    /// 3–32 letters, digits, `_` and `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{3,32}$")]
    username: String,
    /// At least 6 characters, at most 1,024 bytes.
    #[schema(format = "password", min_length = 6, max_length = 1024)]
    password: String,
    /// The six digits that the authenticator shows, or a recovery code.
    #[schema(example = "123456", nullable = false)]
    second_factor: Option<String>,
}

/// The signed-in user.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a field on the wire"
)]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CurrentUser {
    id: i64,
    username: String,
    /// The balance in US dollars.
    #[schema(example = "125.50")]
    balance: String,
    /// The amount that can be withdrawn, in US dollars: the balance less the remaining wagering
    /// requirement.
    #[schema(example = "25.50")]
    available_to_withdraw: String,
    /// Whether the user is an administrator.
    is_admin: bool,
    role: RoleName,
    /// What the user may do in the panel.
    permissions: Vec<PermissionName>,
    /// Whether other players see the username at this player's bets.
    shows_name: bool,
    /// Whether the password is a one-time password: until another one is chosen, every other call is
    /// refused with `password_change_required`.
    must_change_password: bool,
    /// Whether new rounds and deposits are refused with `terms_not_accepted` until the user accepts the
    /// Terms of Service in force.
    must_accept_terms: bool,
    /// Whether the operator has blocked new rounds and deposits for this player.
    is_betting_blocked: bool,
    /// Whether the operator has blocked withdrawals for this player.
    is_withdrawing_blocked: bool,
    /// Whether a second factor is set up.
    has_second_factor: bool,
    /// Whether a second factor must be set up: until then, every other call is refused with
    /// `second_factor_enrolment_required`.
    must_enrol_second_factor: bool,
    #[schema(format = "date-time")]
    created_at: String,
    /// When the player's exclusion ends; only present if the player is excluded. The year is 9998 if it
    /// never ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time", nullable = false)]
    excluded_until: Option<String>,
}

impl From<PlayerView> for CurrentUser {
    fn from(player: PlayerView) -> Self {
        let PlayerView {
            user,
            wallet,
            shows_name,
            excluded_until,
            must_accept_terms,
            is_betting_blocked,
            is_withdrawing_blocked,
        } = player;
        Self {
            id: user.id.get(),
            has_second_factor: user.has_second_factor,
            must_enrol_second_factor: user.must_enrol(),
            username: user.username,
            balance: wallet.balance().to_string(),
            available_to_withdraw: wallet.available_to_withdraw().to_string(),
            is_admin: user.role.is_administrator(),
            role: RoleName(user.role),
            permissions: user.role.permissions().map(PermissionName).collect(),
            shows_name,
            must_change_password: user.one_time_password_until.is_some(),
            must_accept_terms,
            is_betting_blocked,
            is_withdrawing_blocked,
            created_at: iso(user.created_at),
            excluded_until: excluded_until.map(iso),
        }
    }
}

/// Registers a player, who thereby accepts the Terms of Service in force, and signs them in.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 201, body = CurrentUser),
        Malformed,
        (status = 409, description = "The username is taken", body = ErrorBody),
        (status = 422, description = "The password breaks a rule for passwords", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/register")]
pub(crate) async fn register(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    address: ClientAddress,
    Json(account): Json<NewAccount>,
) -> Result<HttpResponse, ApiError> {
    admit_new_account(&application, address).await?;
    let registration = Registration {
        username: Username::parse(&account.username).map_err(Refusal::from)?,
        password: NewPassword::parse(account.password).map_err(Refusal::from)?,
    };
    let email = account.email.as_deref().map(parse_email).transpose()?;
    if let Some(email) = &email {
        admit_mail_to(&application, address, None, email).await?;
    }
    let player = register_with_email(&application.house, registration, email).await?;
    let device = remember(&application, &request, &player.user.username)?;
    let origin = origin_of(&application, &request, &player.user.username);
    begin(
        &application.house,
        &session,
        player.user.clone(),
        None,
        origin,
    )
    .await?;
    Ok(HttpResponse::Created()
        .cookie(device)
        .json(CurrentUser::from(player)))
}

/// Signs in. A session that the request came with ends. Users with a second factor are refused with
/// `second_factor_required` once the password is right; the call is then repeated with it.
#[utoipa::path(
    tag = "users",
    responses(
        (status = 200, body = CurrentUser),
        (status = 401, description = "Unknown username, wrong password or wrong second factor", body = ErrorBody),
        (status = 403, description = "The account is banned or closed, or the second factor is missing", body = ErrorBody),
        RateLimited,
    )
)]
#[post("/api/login")]
pub(crate) async fn login(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
    address: ClientAddress,
    Json(login): Json<Login>,
) -> Result<HttpResponse, ApiError> {
    let Login {
        username,
        password,
        second_factor,
    } = login;
    let attempt = Attempt::of_visitor(&application, &request, address, &username).await?;
    let credentials = SignIn {
        username: username.clone(),
        password: TypedPassword::new(password),
        origin: origin_of(&application, &request, &username),
    };
    let second_factor = second_factor.map(|text| SecondFactorAttempt {
        text,
        is_limited: attempt.is_limited_with_others(),
        origin: credentials.origin.clone(),
    });
    let house = &application.house;
    let outcome = glasshouse_casino::accounts::sign_in(house, credentials, second_factor).await;
    let authenticated = attempt.record_outcome(outcome).await?;
    open_session(&application, &request, &session, authenticated).await
}

/// Opens a session for a user who has signed in, and remembers the device.
///
/// # Errors
/// If what the user has proved was overtaken in the meantime, or on a fault.
pub(crate) async fn open_session(
    application: &Application,
    request: &HttpRequest,
    session: &Session,
    Authenticated { player, proof }: Authenticated,
) -> Result<HttpResponse, ApiError> {
    let device = remember(application, request, &player.user.username)?;
    let origin = origin_of(application, request, &player.user.username);
    let user = player.user.clone();
    begin(&application.house, session, user, Some(proof), origin).await?;
    Ok(HttpResponse::Ok()
        .cookie(device)
        .json(CurrentUser::from(player)))
}

/// Signs out; does nothing if nobody is signed in.
#[utoipa::path(tag = "users", responses((status = 204)))]
#[post("/api/logout")]
pub(crate) async fn logout(
    application: web::Data<Application>,
    request: HttpRequest,
    session: Session,
) -> Result<HttpResponse, ApiError> {
    let origin = |username: &str| origin_of(&application, &request, username);
    end(&application.house, &session, origin).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The signed-in user.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = CurrentUser), PlayersOnly)
)]
#[get("/api/user")]
pub(crate) async fn current_user(
    application: web::Data<Application>,
    SignedInToChoose(user): SignedInToChoose,
) -> Result<web::Json<CurrentUser>, ApiError> {
    let player = glasshouse_casino::accounts::player(&application.house, user).await?;
    Ok(web::Json(player.into()))
}

/// Whether to show the username at the player's bets.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NameVisibility {
    shows_name: bool,
}

/// Shows the username to other players in the lists of all bets, or hides it; for earlier bets as
/// well. It is hidden until the player shows it.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = CurrentUser), PlayersOnly, RateLimited)
)]
#[put("/api/user/name-visibility")]
pub(crate) async fn name_visibility(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    Json(visibility): Json<NameVisibility>,
) -> Result<web::Json<CurrentUser>, ApiError> {
    application.limits.check(Limit::NameVisibility(user.id))?;
    let shows_name = visibility.shows_name;
    let player = set_shows_name(&application.house, user, shows_name).await?;
    Ok(web::Json(player.into()))
}
