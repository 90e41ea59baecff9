//! A player's rounds and ledger as CSV files.

use std::ops::RangeInclusive;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, get, web};
use futures_util::stream::{self, Stream};
use glasshouse_casino::House;
use glasshouse_casino::accounts::LedgerExport;
use glasshouse_casino::play::RoundsExport;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use self::rows::{LedgerRow, RoundRow, next_entries, next_rounds};
use crate::error::ApiError;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, PlayersOnly, RateLimited};
use crate::routes::csv_lines::{csv_header, csv_lines};
use crate::routes::games::wire::GameType;
use crate::session::SignedIn;
use crate::state::Application;
use crate::wire::time::parse_day;

pub(crate) mod rows;

/// The maximum number of rows in a file; the oldest rows are exported.
const MAXIMUM_ROWS: usize = 100_000;
/// The number of rows read at once.
const ROWS_PER_PAGE: usize = 1_000;
/// Says that there are more rows than a file may have.
const TRUNCATED: &str = "Truncated";

/// Selects the rounds of a file.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RoundsParameters {
    /// Only rounds of this game.
    #[param(inline)]
    game_type: Option<GameType>,
    /// The first day in UTC, such as `2026-11-01`.
    #[param(format = "date")]
    from: Option<String>,
    /// The last day in UTC; the default is today.
    #[param(format = "date")]
    to: Option<String>,
}

/// Selects the ledger entries of a file.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerParameters {
    /// The first day in UTC, such as `2026-11-01`.
    #[param(format = "date")]
    from: Option<String>,
    /// The last day in UTC; the default is today.
    #[param(format = "date")]
    to: Option<String>,
}

/// The days of an export.
fn parse_days(
    house: &House,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<RangeInclusive<i64>, ApiError> {
    let parse = |name: &str, text: &str| {
        let message = format!("{name} must be a date such as 2026-11-22");
        parse_day(text).ok_or(ApiError::Malformed(message))
    };
    let first = from.map_or(Ok(0), |text| parse("from", text))?;
    let last = to.map_or_else(|| Ok(house.now().day()), |text| parse("to", text))?;
    if from.is_some() && to.is_some() && first > last {
        let message = "from must not be after to".to_owned();
        return Err(ApiError::Malformed(message));
    }
    Ok(first..=last)
}

/// The player's settled rounds, oldest first: at most the 100,000 oldest of these days; the header
/// `Truncated: true` says that there are more. A server seed is empty until it is revealed.
#[utoipa::path(
    tag = "history",
    params(RoundsParameters),
    responses(
        (status = 200, content_type = "text/csv", body = String,
            headers(("Truncated" = Option<String>, description = "`true` if rows were left out"))),
        Malformed,
        PlayersOnly,
        RateLimited,
    )
)]
#[get("/api/exports/rounds.csv")]
pub(crate) async fn exported_rounds(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<RoundsParameters>,
) -> Result<HttpResponse, ApiError> {
    let house = application.house.clone();
    let days = parse_days(&house, parameters.from.as_deref(), parameters.to.as_deref())?;
    application.limits.check(Limit::Export(user.id))?;
    let games = parameters
        .game_type
        .map(GameType::games)
        .unwrap_or_default();
    let export = RoundsExport::find(&house, user.id, games, days).await?;
    let count = export.count();
    let rows = pages(house, export, next_rounds);
    Ok(csv_file::<RoundRow>("rounds", count, rows))
}

/// The player's ledger entries, oldest first: at most the 100,000 oldest of these days; the header
/// `Truncated: true` says that there are more.
#[utoipa::path(
    tag = "wallet",
    params(LedgerParameters),
    responses(
        (status = 200, content_type = "text/csv", body = String,
            headers(("Truncated" = Option<String>, description = "`true` if rows were left out"))),
        Malformed,
        PlayersOnly,
        RateLimited,
    )
)]
#[get("/api/exports/ledger.csv")]
pub(crate) async fn exported_ledger(
    application: web::Data<Application>,
    SignedIn(user): SignedIn,
    parameters: web::Query<LedgerParameters>,
) -> Result<HttpResponse, ApiError> {
    let house = application.house.clone();
    let days = parse_days(&house, parameters.from.as_deref(), parameters.to.as_deref())?;
    application.limits.check(Limit::Export(user.id))?;
    let export = LedgerExport::find(&house, user.id, days).await?;
    let count = export.count();
    let rows = pages(house, export, next_entries);
    Ok(csv_file::<LedgerRow>("ledger", count, rows))
}

type Rows<R> = Result<Option<Vec<R>>, ApiError>;

/// The pages of an export up to the maximum number of rows, each as CSV lines. `next` reads a page.
fn pages<E, R: Serialize, N: AsyncFn(&House, &mut E, usize) -> Rows<R> + Copy>(
    house: House,
    export: E,
    next: N,
) -> impl Stream<Item = Result<Bytes, ApiError>> {
    stream::try_unfold(
        (house, export, MAXIMUM_ROWS),
        move |(house, mut export, rows_left)| async move {
            if rows_left == 0 {
                return Ok(None);
            }
            let read = next(&house, &mut export, ROWS_PER_PAGE).await;
            let read =
                read.inspect_err(|error| tracing::error!(%error, "an export was aborted"))?;
            let Some(mut rows) = read else {
                return Ok(None);
            };
            rows.truncate(rows_left);
            let rows_left = rows_left - rows.len();
            let lines = csv_lines(rows, false).map(Bytes::from)?;
            Ok(Some((lines, (house, export, rows_left))))
        },
    )
}

/// A file with a header line and these rows.
fn csv_file<R: Serialize + Default>(
    name: &str,
    count: u64,
    rows: impl Stream<Item = Result<Bytes, ApiError>> + 'static,
) -> HttpResponse {
    use futures_util::StreamExt as _;
    let header = stream::once(async { csv_header::<R>().map(Bytes::from) });
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"glasshouse-{name}.csv\""),
        ));
    if usize::try_from(count).is_ok_and(|count| count > MAXIMUM_ROWS) {
        response.insert_header((TRUNCATED, "true"));
    }
    response.streaming(header.chain(rows))
}
