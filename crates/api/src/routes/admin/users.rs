//! Users: the list, bans and balances.

use actix_web::{HttpResponse, get, post, web};
use glasshouse_casino::administration::{
    Adjustment, BanState, adjust_balance, read_user, set_ban_state,
};
use glasshouse_casino::{Refusal, UserEntry, UserOrder, UserQuery};
use glasshouse_domain::{UserId, UserStatus};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::endpoints::Endpoints;
use crate::error::{ApiError, ErrorBody};
use crate::http::filters::parse_period;
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::pagination::parse_cursor;
use crate::http::pagination::parse_search as search;
use crate::http::responses::{AdministratorsOnly, Malformed, NotFound};
use crate::routes::admin::context::{AdminContext, Reader};
use crate::routes::admin::limit;
use crate::routes::admin::lists::{List, respond};
use crate::routes::admin::proposal_view::{Proposal, done_or_proposed};
use crate::session::{AdjustBalances, BanUsers};
use crate::state::Application;
use crate::wire::cell::Cell;
use crate::wire::money::AmountText;
use crate::wire::role::RoleName;
use crate::wire::time::iso;

/// A new balance for a user.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = BalanceOverride)]
pub(crate) struct NewBalance {
    /// The balance in US dollars with at most two decimals, at least 0.
    #[schema(example = "100.00")]
    balance: AmountText,
    /// The balance that the administrator saw: if it has changed since, the request is refused.
    #[schema(example = "70.00")]
    expected_balance: Option<AmountText>,
    /// Why the balance is changed. At most 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: Option<String>,
    /// Whether to propose the change to another administrator if it needs a second person; otherwise it is
    /// then refused.
    #[serde(default)]
    propose: bool,
}

/// The order of the list.
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

/// Whether a user is active or banned.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = UserStatus)]
pub(crate) enum Status {
    Active,
    Banned,
}

/// A user as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminUser {
    id: i64,
    username: String,
    is_admin: bool,
    role: RoleName,
    #[schema(example = "100.00")]
    balance: String,
    #[schema(example = "25.00")]
    available_to_withdraw: String,
    #[schema(format = "date-time")]
    created_at: String,
    status: Status,
    /// The ban reason.
    ban_reason: Option<String>,
    /// When the user closed the account; null while it is open.
    #[schema(format = "date-time")]
    closed_at: Option<String>,
    /// Why the user may not bet; null if betting is not blocked.
    betting_block_reason: Option<String>,
    /// Why the user may not withdraw; null if withdrawing is not blocked.
    withdrawing_block_reason: Option<String>,
}

impl From<UserEntry> for AdminUser {
    fn from(entry: UserEntry) -> Self {
        let UserEntry {
            user,
            wallet,
            restrictions,
        } = entry;
        let (status, ban_reason) = match user.status {
            UserStatus::Active => (Status::Active, None),
            UserStatus::Banned { reason } => (Status::Banned, Some(reason)),
        };
        Self {
            id: user.id.get(),
            username: user.username,
            is_admin: user.role.is_administrator(),
            role: RoleName(user.role),
            balance: wallet.balance().to_string(),
            available_to_withdraw: wallet.available_to_withdraw().to_string(),
            created_at: iso(user.created_at),
            status,
            ban_reason,
            closed_at: user.closed_at.map(iso),
            betting_block_reason: restrictions.betting,
            withdrawing_block_reason: restrictions.withdrawing,
        }
    }
}

/// Filters and orders the users and selects a page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UserParameters {
    /// Part of the username, or the ID; `#28` is the user with ID 28 only.
    search: Option<String>,
    /// Only active or only banned users.
    #[param(value_type = Option<Status>)]
    status: Option<Status>,
    /// Only users who registered from this time on, such as `2026-11-26T12:00:00Z`.
    #[param(format = "date-time")]
    from: Option<String>,
    /// Only users who registered before this time.
    #[param(format = "date-time")]
    to: Option<String>,
    /// The order; newest first by default.
    #[param(inline)]
    sort: Option<UserSort>,
    /// The page size, from 1 to 200; the default is 100.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}-[A-Za-z0-9_-]{0,32}$")]
    cursor: Option<String>,
}

impl TryFrom<UserParameters> for UserQuery {
    type Error = ApiError;

    fn try_from(parameters: UserParameters) -> Result<Self, ApiError> {
        let order = parameters.sort.map(UserOrder::from).unwrap_or_default();
        let after = parse_cursor(parameters.cursor, parse_user_cursor)?;
        if let Some((sort_key, _)) = &after
            && !is_sort_key_of(order, sort_key)
        {
            return Err(ApiError::CursorOfAnotherOrder);
        }
        Ok(Self {
            search: search(parameters.search)?,
            period: parse_period(parameters.from, parameters.to)?,
            is_banned: parameters
                .status
                .map(|status| matches!(status, Status::Banned)),
            order,
            after,
            limit: limit(parameters.limit)?,
        })
    }
}

/// Parses a cursor, which consists of the last user's ID and sort key.
fn parse_user_cursor(text: &str) -> Option<(String, UserId)> {
    let (id, sort_key) = text.split_once('-')?;
    let is_plain = !sort_key.contains(char::is_control);
    Some((sort_key.to_owned(), id.parse().ok()?)).filter(|_| is_plain)
}

/// Whether the text can be a sort key of a list in this order.
fn is_sort_key_of(order: UserOrder, sort_key: &str) -> bool {
    match order {
        UserOrder::Newest => sort_key.is_empty(),
        UserOrder::Balance => sort_key.parse::<i64>().is_ok(),
        UserOrder::Username => !sort_key.is_empty(),
    }
}

/// A row of the CSV export.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserRow {
    id: i64,
    username: Cell,
    is_admin: bool,
    role: Cell,
    balance: Cell,
    available_to_withdraw: Cell,
    created_at: Cell,
    status: Option<Status>,
    ban_reason: Option<Cell>,
    closed_at: Option<Cell>,
    betting_block_reason: Option<Cell>,
    withdrawing_block_reason: Option<Cell>,
}

impl From<AdminUser> for UserRow {
    fn from(entry: AdminUser) -> Self {
        Self {
            id: entry.id,
            username: entry.username.into(),
            is_admin: entry.is_admin,
            role: entry.role.0.as_str().to_owned().into(),
            balance: entry.balance.into(),
            available_to_withdraw: entry.available_to_withdraw.into(),
            created_at: entry.created_at.into(),
            status: Some(entry.status),
            ban_reason: entry.ban_reason.map(Cell::from),
            closed_at: entry.closed_at.map(Cell::from),
            betting_block_reason: entry.betting_block_reason.map(Cell::from),
            withdrawing_block_reason: entry.withdrawing_block_reason.map(Cell::from),
        }
    }
}

impl List for AdminUser {
    const NAME: &'static str = "users";
    type Parameters = UserParameters;
    type Query = UserQuery;
    type Row = UserRow;

    fn cursor((sort_key, id): (String, UserId)) -> String {
        format!("{id}-{sort_key}")
    }

    fn person(&self) -> Option<i64> {
        Some(self.id)
    }

    fn register(endpoints: &mut Endpoints<'_>) {
        endpoints.service(user_list);
    }
}

/// All users. If there may be more, the `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "administration",
    params(UserParameters),
    responses(
        (status = 200, body = Vec<AdminUser>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        AdministratorsOnly,
        (status = 422, description = "The cursor belongs to a different sort order", body = ErrorBody),
    )
)]
#[get("/api/admin/users")]
pub(crate) async fn user_list(
    application: web::Data<Application>,
    reader: Reader,
    parameters: web::Query<UserParameters>,
) -> Result<HttpResponse, ApiError> {
    respond::<AdminUser>(&application.house, reader, parameters).await
}

/// A user.
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
    reader: Reader,
    path: web::Path<String>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let id: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let entry = read_user(&application.house, id).await?;
    reader
        .record(&application.house, AdminUser::NAME, Some(id))
        .await?;
    Ok(web::Json(entry.into()))
}

/// A change of a user's status.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UserStatusChange {
    status: Status,
    /// The reason for a ban. At most 500 characters.
    #[schema(max_length = 500)]
    ban_reason: Option<String>,
}

/// Bans a user, which ends all of the user's sessions at once, or lifts a ban. Open rounds end by
/// their own rules.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("ban_users"))),
    params(
        ("userId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminUser),
        (status = 400, description = "The request is malformed or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the password must be entered again, or the user is an administrator", body = ErrorBody),
        NotFound,
        (status = 409, description = "The key was used for a different request", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/status")]
pub(crate) async fn set_status(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<BanUsers>,
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

/// Sets a user's balance, with a ledger entry and an audit record. What exceeds a threshold needs a second
/// person.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("adjust_balances"))),
    params(
        ("userId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminUser),
        (status = 202, description = "It was proposed to a second person", body = Proposal),
        Malformed,
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not an administrator, the administrator's own account, a second person is needed, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The balance is not the expected one, there is no second person, the same is proposed already, or the key was used for a different request", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/balance")]
pub(crate) async fn set_balance(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<AdjustBalances>,
    path: web::Path<String>,
    Json(new_balance): Json<NewBalance>,
) -> Result<HttpResponse, ApiError> {
    let adjustment = Adjustment {
        player: path.parse().map_err(|_| Refusal::NotFound)?,
        balance: new_balance.balance.parse()?,
        expected: new_balance
            .expected_balance
            .map(|expected| expected.parse())
            .transpose()?,
        reason: new_balance.reason.unwrap_or_default(),
        may_propose: new_balance.propose,
    };
    let administrator = context.administrator;
    let outcome = adjust_balance(&application.house, context, adjustment).await?;
    done_or_proposed::<_, AdminUser>(&application, administrator, outcome).await
}
