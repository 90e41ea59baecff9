//! Users: the list, bans and balances.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{BanState, adjust_balance, read_user, set_ban_state};
use glasshouse_casino::{Refusal, UserEntry, UserOrder, UserQuery};
use glasshouse_domain::{Role, UserId, UserStatus};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::parse_cursor;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::csv::Cell;
use crate::routes::admin::limit;
use crate::routes::admin::lists::{List, answer};
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::money::AmountText;
use crate::wire::time::iso;

/// A balance to be set.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = BalanceOverride)]
pub(crate) struct NewBalance {
    /// Dollars with at most two decimals, at least 0.
    #[schema(example = "100.00")]
    balance: AmountText,
    /// The balance as the administrator saw it: if it is another by now, nothing is changed.
    #[schema(example = "70.00")]
    expected_balance: Option<AmountText>,
}

/// What a list of users is ordered by.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UserSort {
    Newest,
    Balance,
    Username,
}

impl From<UserSort> for UserOrder {
    fn from(sort: UserSort) -> Self {
        match sort {
            UserSort::Newest => Self::Newest,
            UserSort::Balance => Self::Balance,
            UserSort::Username => Self::Username,
        }
    }
}

/// Whether a user is welcome.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = UserStatus)]
pub(crate) enum Status {
    Active,
    Banned,
}

/// A user as administrators see one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminUser {
    pub(in crate::routes) id: i64,
    pub(in crate::routes) username: String,
    pub(in crate::routes) is_admin: bool,
    #[schema(example = "100.00")]
    pub(in crate::routes) balance: String,
    #[schema(example = "25.00")]
    pub(in crate::routes) available_to_withdraw: String,
    #[schema(format = "date-time")]
    pub(in crate::routes) created_at: String,
    pub(in crate::routes) status: Status,
    /// Why the user is banned.
    pub(in crate::routes) ban_reason: Option<String>,
}

impl From<UserEntry> for AdminUser {
    fn from(UserEntry { user, wallet }: UserEntry) -> Self {
        let (status, ban_reason) = match user.status {
            UserStatus::Active => (Status::Active, None),
            UserStatus::Banned { reason } => (Status::Banned, Some(reason)),
        };
        Self {
            id: user.id.get(),
            username: user.username,
            is_admin: user.role == Role::Administrator,
            balance: wallet.balance().to_string(),
            available_to_withdraw: wallet.available_to_withdraw().to_string(),
            created_at: iso(user.created_at),
            status,
            ban_reason,
        }
    }
}

/// Which users, in which order.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UserParameters {
    /// A part of the username, or the id; `#28` is the user 28 alone.
    search: Option<String>,
    /// Only active or only banned ones.
    #[param(value_type = Option<Status>)]
    status: Option<Status>,
    /// The order; the newest first unless told otherwise.
    #[param(inline)]
    sort: Option<UserSort>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}-[A-Za-z0-9_-]{0,32}$")]
    cursor: Option<String>,
}

impl TryFrom<UserParameters> for UserQuery {
    type Error = ApiError;

    fn try_from(wanted: UserParameters) -> Result<Self, ApiError> {
        let order = wanted.sort.map(UserOrder::from).unwrap_or_default();
        let after = parse_cursor(wanted.cursor, parse_place)?;
        if let Some((mark, _)) = &after
            && !is_mark_of(order, mark)
        {
            return Err(ApiError::CursorOfAnotherOrder);
        }
        Ok(Self {
            search: search(wanted.search)?,
            is_banned: wanted.status.map(|status| matches!(status, Status::Banned)),
            order,
            after,
            limit: limit(wanted.limit)?,
        })
    }
}

/// A place is written as the number of the last user and what the list is ordered by.
fn parse_place(text: &str) -> Option<(String, UserId)> {
    let (id, mark) = text.split_once('-')?;
    let is_plain = !mark.contains(char::is_control);
    Some((mark.to_owned(), id.parse().ok()?)).filter(|_| is_plain)
}

/// Whether it is a value of what a list in this order is ordered by.
fn is_mark_of(order: UserOrder, mark: &str) -> bool {
    match order {
        UserOrder::Newest => mark.is_empty(),
        UserOrder::Balance => mark.parse::<i64>().is_ok(),
        UserOrder::Username => !mark.is_empty(),
    }
}

/// A row of their CSV.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserRow {
    id: i64,
    username: Cell,
    is_admin: bool,
    balance: Cell,
    available_to_withdraw: Cell,
    created_at: Cell,
    status: Option<Status>,
    ban_reason: Option<Cell>,
}

impl From<AdminUser> for UserRow {
    fn from(entry: AdminUser) -> Self {
        Self {
            id: entry.id,
            username: entry.username.into(),
            is_admin: entry.is_admin,
            balance: entry.balance.into(),
            available_to_withdraw: entry.available_to_withdraw.into(),
            created_at: entry.created_at.into(),
            status: Some(entry.status),
            ban_reason: entry.ban_reason.map(Cell::from),
        }
    }
}

impl List for AdminUser {
    const NAME: &'static str = "users";
    type Parameters = UserParameters;
    type Query = UserQuery;
    type Row = UserRow;

    fn cursor((mark, id): (String, UserId)) -> String {
        format!("{id}-{mark}")
    }

    fn register(config: &mut ServiceConfig<'_>) {
        config.service(user_list);
    }
}

/// All users. Where there may be more, the header `Next-Cursor` says where to go on.
#[utoipa::path(
    tag = "administration",
    params(UserParameters),
    responses(
        (status = 200, body = Vec<AdminUser>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        Malformed,
        AdministratorsOnly,
        (status = 422, description = "The cursor is of a list in another order", body = ErrorBody),
    )
)]
#[get("/api/admin/users")]
pub(crate) async fn user_list(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<UserParameters>,
) -> Result<HttpResponse, ApiError> {
    answer::<AdminUser>(&application.house, parameters).await
}

/// One user.
#[utoipa::path(
    tag = "administration",
    params(("userId" = i64, Path)),
    responses(
        (status = 200, body = AdminUser),
        AdministratorsOnly,
        NotFound,
    )
)]
#[get("/api/admin/users/{userId}")]
pub(crate) async fn one_user(
    application: web::Data<Application>,
    _: Administrator,
    path: web::Path<String>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let id: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let entry = read_user(&application.house, id).await?;
    Ok(web::Json(entry.into()))
}

/// Whether a user is to be welcome.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UserStatusChange {
    status: Status,
    /// Why; for a ban. At most 500 characters.
    #[schema(max_length = 500)]
    ban_reason: Option<String>,
}

/// Bans a user, which ends all sessions at once, or welcomes the user again. Open rounds end by
/// their own rules.
#[utoipa::path(
    tag = "administration",
    params(
        ("userId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminUser),
        (status = 400, description = "No reason", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the password must be entered again, or the user is an administrator", body = ErrorBody),
        NotFound,
        (status = 409, description = "The key was used for another call", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/status")]
pub(crate) async fn set_status(
    application: web::Data<Application>,
    AdminContext(context): AdminContext,
    path: web::Path<String>,
    Json(change): Json<UserStatusChange>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let user: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let ban_state = match change.status {
        Status::Active => BanState::Active,
        Status::Banned => BanState::Banned(change.ban_reason.unwrap_or_default()),
    };
    let entry = set_ban_state(&application.house, context, user, ban_state).await?;
    Ok(web::Json(entry.into()))
}

/// Sets a user's balance, with a ledger entry and an audit record.
#[utoipa::path(
    tag = "administration",
    params(
        ("userId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminUser),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The balance is not the expected one, or the key was used for another call", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/balance")]
pub(crate) async fn set_balance(
    application: web::Data<Application>,
    AdminContext(context): AdminContext,
    path: web::Path<String>,
    Json(wish): Json<NewBalance>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let player: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let balance = wish.balance.parse()?;
    let expected = wish
        .expected_balance
        .map(|expected| expected.parse())
        .transpose()?;
    let view = adjust_balance(&application.house, context, player, (balance, expected)).await?;
    Ok(web::Json(view.into()))
}
