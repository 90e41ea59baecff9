//! The lists as CSV, row by row as they are read, whole up to a bound.

mod rows;

use std::future::Future;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream::{self, Stream};
use glasshouse_casino::administration::{
    Page, list_active_payments, list_all_rounds, list_audit_log, list_deposits, list_reviews,
    list_users, list_withdrawals, record_export,
};
use glasshouse_casino::{House, Refusal};
use serde::de::DeserializeOwned;

use crate::error::{ApiError, ErrorBody, malformed_query};
use crate::http::client_ip::ClientAddress;
use crate::routes::admin::acting;
use crate::routes::admin::audit_log::{AdminLog, LogParameters};
use crate::routes::admin::deposits::{AdminDeposit, DepositParameters};
use crate::routes::admin::games::{AdminGame, GameParameters};
use crate::routes::admin::payments::{PaymentParameters, PaymentStatus};
use crate::routes::admin::reviews::{Review, ReviewParameters};
use crate::routes::admin::users::{AdminUser, UserParameters};
use crate::routes::admin::withdrawals::{AdminWithdrawal, WithdrawalParameters};
use crate::session::Confirmed;
use crate::state::Application;

/// The most rows of a file: the newest.
const MAXIMUM_ROWS: usize = 100_000;
/// How many are read at once.
const CHUNK: usize = 1_000;

/// A row of a file.
trait CsvRow {
    const COLUMNS: &'static [&'static str];
    fn cells(self) -> Vec<String>;
}

/// A text that no spreadsheet takes for a formula: those that begin like one, spaces and full-width
/// signs included, get an apostrophe in front (OWASP, CSV Injection). Amounts below zero stay numbers.
fn neutral(text: String) -> String {
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let is_number = text.strip_prefix('-').is_some_and(|digits| {
        !digits.is_empty()
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let is_formula = text.trim_start().starts_with(SIGNS) || text.starts_with(['\t', '\r', '\n']);
    if is_formula && !is_number {
        format!("'{text}")
    } else {
        text
    }
}

/// Every cell in quotation marks, so that none begins at a separator of another locale.
fn written(rows: impl Iterator<Item = Vec<String>>) -> Result<Bytes, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.into_iter().map(neutral))?;
    }
    let text = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    Ok(text.into())
}

/// Pages of a list, one after the other, as lines.
fn lines<T: CsvRow + 'static, C: 'static, F, P>(
    fetch: F,
) -> impl Stream<Item = Result<Bytes, ApiError>>
where
    F: Fn(Option<C>) -> P,
    P: Future<Output = Result<Page<T, C>, ApiError>>,
{
    enum Place<C> {
        Head,
        Rows(Option<C>, usize),
        End,
    }
    stream::unfold((Place::Head, fetch), |(place, fetch)| async move {
        let head = T::COLUMNS.iter().map(|name| (*name).to_owned()).collect();
        let (chunk, next) = match place {
            Place::End => return None,
            Place::Head => (Ok(vec![head]), Place::Rows(None, 0)),
            Place::Rows(after, count) => match fetch(after).await {
                Ok(page) => {
                    let count = count + page.entries.len();
                    let is_last = page.next.is_none() || count >= MAXIMUM_ROWS;
                    let next = if is_last {
                        Place::End
                    } else {
                        Place::Rows(page.next, count)
                    };
                    (Ok(page.entries.into_iter().map(T::cells).collect()), next)
                }
                Err(error) => (Err(error), Place::End),
            },
        };
        let bytes = chunk.and_then(|rows: Vec<_>| {
            written(rows.into_iter()).map_err(|error| ApiError::Export(error.to_string()))
        });
        if let Err(error) = &bytes {
            tracing::error!(%error, "an export broke off");
        }
        Some((bytes, (next, fetch)))
    })
}

fn file<T: CsvRow + 'static, C: 'static, F, P>(name: &str, fetch: F) -> HttpResponse
where
    F: Fn(Option<C>) -> P + 'static,
    P: Future<Output = Result<Page<T, C>, ApiError>> + 'static,
{
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"glasshouse-{name}.csv\""),
        ))
        .streaming(lines(fetch))
}

fn parameters<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, actix_web::Error> {
    web::Query::<T>::from_query(request.query_string())
        .map(web::Query::into_inner)
        .map_err(|error| malformed_query(error, request))
}

/// Turns the entries of a page into those of the wire.
fn wire<T, W: From<T>, C>(page: Page<T, C>) -> Page<W, C> {
    Page {
        entries: page.entries.into_iter().map(W::from).collect(),
        next: page.next,
    }
}

/// A list as CSV: the newest hundred thousand rows, with the filters of the list itself.
#[utoipa::path(
    tag = "administration",
    params(("list" = String, Path, description = "users, withdraw-requests, game-history, deposits, logs, payment-statuses or reviews")),
    responses(
        (status = 200, content_type = "text/csv", body = String),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
#[get("/api/admin/export/{list}.csv")]
pub(crate) async fn export(
    application: web::Data<Application>,
    request: HttpRequest,
    Confirmed(administrator): Confirmed,
    address: ClientAddress,
    path: web::Path<String>,
) -> Result<HttpResponse, actix_web::Error> {
    let house = application.house.clone();
    let name = path.into_inner();
    let acting = acting(administrator.id, &address, &request)?;
    macro_rules! list {
        ($parameters:ty, $place:ident, $list:path, $row:ty) => {{
            let mut query = parameters::<$parameters>(&request)?.parse()?;
            query.limit = CHUNK;
            file::<$row, _, _, _>(&name, move |after| {
                let (house, mut query): (House, _) = (house.clone(), query.clone());
                query.$place = after.or(query.$place);
                async move { Ok(wire($list(&house, query).await?)) }
            })
        }};
    }
    let file = match name.as_str() {
        "users" => list!(UserParameters, after, list_users, AdminUser),
        "withdraw-requests" => {
            list!(
                WithdrawalParameters,
                before,
                list_withdrawals,
                AdminWithdrawal
            )
        }
        "game-history" => list!(GameParameters, after, list_all_rounds, AdminGame),
        "deposits" => list!(DepositParameters, before, list_deposits, AdminDeposit),
        "logs" => list!(LogParameters, before, list_audit_log, AdminLog),
        "payment-statuses" => {
            list!(
                PaymentParameters,
                before,
                list_active_payments,
                PaymentStatus
            )
        }
        "reviews" => list!(ReviewParameters, before, list_reviews, Review),
        _ => return Err(ApiError::from(Refusal::NotFound).into()),
    };
    // Nothing has been read yet: rows follow only if the export is on record.
    record_export(&application.house, acting, &name, request.query_string())
        .await
        .map_err(ApiError::from)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let check = |text: &str, expected: &str| assert_eq!(neutral(text.to_owned()), expected);
        check("=1+1", "'=1+1");
        check("+1", "'+1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("-2+3", "'-2+3");
        check("\t=1", "'\t=1");
        check("  =1", "'  =1");
        check("\u{a0}+1", "'\u{a0}+1");
        check("＝1+1", "'＝1+1");
        check("-12.50", "-12.50");
        check("-", "'-");
        check("a=b", "a=b");
        check("", "");
    }
}
