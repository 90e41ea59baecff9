//! Deposits of all players.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::administration::list_deposits;
use glasshouse_casino::{DepositEntry, DepositQuery};
use glasshouse_domain::DepositStatus as Stage;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::pagination::page;
use crate::http::pagination::parse_search as search;
use crate::routes::admin::{NamedUser, cursor, limit};
use crate::routes::wallet::deposits::DepositState;
use crate::session::Administrator;
use crate::state::Application;
use crate::wire::time::iso;

/// A deposit as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminDeposit {
    pub(in crate::routes) id: i64,
    pub(in crate::routes) user_id: i64,
    pub(in crate::routes) user: NamedUser,
    #[schema(example = "100.00")]
    pub(in crate::routes) amount: String,
    #[schema(example = "50.00")]
    pub(in crate::routes) credited_amount: String,
    #[schema(example = "usdtsol")]
    pub(in crate::routes) currency: &'static str,
    pub(in crate::routes) order_id: String,
    pub(in crate::routes) invoice_id: Option<String>,
    pub(in crate::routes) status: DepositState,
    pub(in crate::routes) external_status: Option<String>,
    pub(in crate::routes) is_under_review: bool,
    #[schema(format = "date-time")]
    pub(in crate::routes) created_at: String,
}

impl From<DepositEntry> for AdminDeposit {
    fn from(entry: DepositEntry) -> Self {
        Self {
            id: entry.id.get(),
            user_id: entry.player.get(),
            user: NamedUser {
                id: entry.player.get(),
                username: entry.username,
            },
            amount: entry.price.to_string(),
            credited_amount: entry.credited.to_string(),
            currency: entry.currency.code(),
            order_id: entry.order_id,
            invoice_id: entry.invoice_id,
            status: entry.status.into(),
            external_status: entry.external_status,
            is_under_review: entry.is_under_review,
            created_at: iso(entry.created_at),
        }
    }
}

/// Which deposits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DepositParameters {
    /// Only those in this state.
    #[param(inline)]
    status: Option<DepositState>,
    /// A part of the username, the order id or the invoice id, or an id.
    search: Option<String>,
    /// From 1 to 200; 100 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl DepositParameters {
    pub(in crate::routes) fn parse(self) -> Result<DepositQuery, ApiError> {
        let statuses = self.status.map(|status| match status {
            DepositState::Pending => [Stage::Pending, Stage::Requested],
            DepositState::Completed => [Stage::Completed; 2],
            DepositState::Failed => [Stage::Failed; 2],
            DepositState::Expired => [Stage::Expired; 2],
        });
        Ok(DepositQuery {
            statuses,
            search: search(self.search)?,
            before: cursor(self.cursor)?,
            limit: limit(self.limit)?,
        })
    }
}

/// All deposits, newest first. Where there may be more, the header `Next-Cursor` says where to go
/// on.
#[utoipa::path(
    tag = "administration",
    params(DepositParameters),
    responses(
        (status = 200, body = Vec<AdminDeposit>,
            headers(("Next-Cursor" = Option<String>, description = "where to go on"))),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
    )
)]
#[get("/api/admin/deposits")]
pub(crate) async fn all_deposits(
    application: web::Data<Application>,
    _: Administrator,
    parameters: web::Query<DepositParameters>,
) -> Result<HttpResponse, ApiError> {
    let query = parameters.into_inner().parse()?;
    let found = list_deposits(&application.house, query).await?;
    let deposits: Vec<_> = found.entries.into_iter().map(AdminDeposit::from).collect();
    Ok(page(&deposits, found.next))
}
