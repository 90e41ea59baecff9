//! A player's daily statements.

use actix_web::{HttpResponse, get, web};
use glasshouse_casino::DailyStatement as Statement;
use glasshouse_casino::accounts::read_statements;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::http::pagination::{MAXIMUM_PAGE, page, parse_cursor, parse_limit};
use crate::http::responses::{Malformed, PlayersOnly};
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::{iso_day, parse_day};

const DEFAULT_PAGE: usize = 20;

/// Selects a page of statements.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatementParameters {
    /// The page size, from 1 to 100; the default is 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// The `Next-Cursor` header of the previous page: the date of its last statement.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    cursor: Option<String>,
}

/// What changed a player's balance on a day: `opening + deposits - withdrawals + adjustments - staked +
/// paid = closing`.
#[derive(Serialize, ToSchema)]
pub(crate) struct DailyStatement {
    /// The day in UTC.
    #[schema(format = "date", example = "2026-11-22")]
    date: String,
    /// The balance at the start of the day.
    #[schema(example = "100.00")]
    opening: String,
    #[schema(example = "50.00")]
    deposits: String,
    /// What was withdrawn less what was returned; negative if more was returned.
    #[schema(example = "20.00")]
    withdrawals: String,
    /// Changes by an administrator; negative if they lowered the balance.
    #[schema(example = "0.00")]
    adjustments: String,
    #[schema(example = "30.00")]
    staked: String,
    #[schema(example = "29.70")]
    paid: String,
    /// The balance at the end of the day.
    #[schema(example = "129.70")]
    closing: String,
    /// The number of ledger entries.
    entries: u64,
}

impl From<&Statement> for DailyStatement {
    fn from(statement: &Statement) -> Self {
        Self {
            date: iso_day(statement.day),
            opening: statement.opening.to_string(),
            deposits: statement.deposited.to_string(),
            withdrawals: statement.withdrawn.to_string(),
            adjustments: statement.adjusted.to_string(),
            staked: statement.staked.to_string(),
            paid: statement.paid.to_string(),
            closing: statement.closing.to_string(),
            entries: statement.entries,
        }
    }
}

/// The player's daily statements, newest first: one for each day with ledger entries. If there may be
/// more, the `Next-Cursor` header contains the cursor of the next page.
#[utoipa::path(
    tag = "wallet",
    params(StatementParameters),
    responses(
        (status = 200, body = Vec<DailyStatement>,
            headers(("Next-Cursor" = Option<String>, description = "The cursor of the next page"))),
        Malformed,
        PlayersOnly,
    )
)]
#[get("/api/statements")]
pub(crate) async fn statements(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<StatementParameters>,
) -> Result<HttpResponse, ApiError> {
    let StatementParameters { limit, cursor } = parameters.into_inner();
    let limit = parse_limit(limit, DEFAULT_PAGE, MAXIMUM_PAGE)?;
    let before_day = parse_cursor(cursor, parse_day)?;
    let found = read_statements(&application.house, user.id, before_day, limit).await?;
    let entries: Vec<DailyStatement> = found.entries.iter().map(DailyStatement::from).collect();
    Ok(page(&entries, found.next.map(iso_day)))
}
