//! What administrators can do, one file for each group of calls.

pub(crate) mod games;
pub(crate) mod house;

use actix_web::{HttpRequest, post, web};
use glasshouse_casino::{AdministratorView, BalanceOverride, Refusal, override_balance};
use glasshouse_domain::{Role, UserId, UserStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::idempotency_key;
use crate::address::ClientAddress;
use crate::application::Application;
use crate::error::{ApiError, ErrorBody};
use crate::json::Json;
use crate::money_wire::AmountText;
use crate::session::Administrator;
use crate::time_wire::iso;

/// The most entries of an administrator's list in one answer.
const MAXIMUM_LIMIT: usize = 200;
/// How many there are unless told otherwise.
const USUAL_LIMIT: usize = 100;

fn parse_limit(limit: Option<usize>) -> Result<usize, ApiError> {
    limit
        .or(Some(USUAL_LIMIT))
        .filter(|limit| (1..=MAXIMUM_LIMIT).contains(limit))
        .ok_or_else(|| ApiError::Malformed(format!("limit must be from 1 to {MAXIMUM_LIMIT}")))
}

/// A balance to be set.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BalanceOverride)]
pub(crate) struct NewBalance {
    /// Dollars with at most two decimals, at least 0.
    #[schema(value_type = String, example = "100.00")]
    balance: AmountText,
}

/// Whether a user is welcome.
#[derive(Serialize, ToSchema)]
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
    id: i64,
    username: String,
    is_admin: bool,
    #[schema(example = "100.00")]
    balance: String,
    #[schema(format = "date-time")]
    created_at: String,
    status: Status,
}

impl From<AdministratorView> for AdminUser {
    fn from(AdministratorView { user, wallet }: AdministratorView) -> Self {
        Self {
            id: user.id.get(),
            username: user.username,
            is_admin: user.role == Role::Administrator,
            balance: wallet.balance().to_string(),
            created_at: iso(user.created_at),
            status: match user.status {
                UserStatus::Active => Status::Active,
                UserStatus::Banned { .. } => Status::Banned,
            },
        }
    }
}

/// Sets a user's balance, with a ledger entry and an audit record.
#[utoipa::path(
    tag = "administration",
    params(
        ("userId" = i64, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1–64 letters, digits, _ and -")
    ),
    responses(
        (status = 200, body = AdminUser),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "The key was used for another call", body = ErrorBody),
    )
)]
#[post("/api/admin/users/{userId}/balance")]
pub(crate) async fn set_balance(
    application: web::Data<Application>,
    request: HttpRequest,
    Administrator(administrator): Administrator,
    address: ClientAddress,
    path: web::Path<String>,
    Json(wish): Json<NewBalance>,
) -> Result<web::Json<AdminUser>, ApiError> {
    let player: UserId = path.parse().map_err(|_| Refusal::NotFound)?;
    let command = BalanceOverride {
        administrator: administrator.id,
        player,
        balance: wish.balance.parse()?,
        address: Some(address.0.to_string()),
        key: idempotency_key(&request)?,
    };
    let view = override_balance(&application.house, command).await?;
    Ok(web::Json(view.into()))
}
