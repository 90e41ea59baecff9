//! Lists written as CSV, row by row as they are read, whole up to a bound.

mod cell;

use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use glasshouse_casino::administration::list;
use glasshouse_casino::{AdminList, House};
use serde::Serialize;

pub(in crate::routes) use cell::Cell;

use crate::error::ApiError;
use crate::routes::admin::lists::List;

/// The most rows of a file: the newest.
const MAXIMUM_ROWS: usize = 100_000;
/// How many are read at once.
const ROWS_PER_CHUNK: usize = 1_000;

/// Every cell in quotation marks, so that none begins at a separator of another locale.
fn csv_lines<R: Serialize>(
    rows: impl IntoIterator<Item = R>,
    has_header: bool,
) -> Result<Vec<u8>, ApiError> {
    let failed = |error: &dyn Display| ApiError::Export(error.to_string());
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .has_headers(has_header)
        .from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}

/// The line of the columns' names, which a file without rows has as well: that of any row.
fn csv_header<R: Serialize + Default>() -> Result<Vec<u8>, ApiError> {
    let mut lines = csv_lines([R::default()], true)?;
    let end = lines.iter().position(|byte| *byte == b'\n');
    lines.truncate(end.map_or(0, |end| end + 1));
    Ok(lines)
}

/// Pages of a list, one after the other, as lines.
fn csv_stream<L: List>(
    house: House,
    query: L::Query,
) -> impl Stream<Item = Result<Bytes, ApiError>> {
    enum Place {
        Header,
        Rows(usize),
        End,
    }
    stream::unfold((Place::Header, query), move |(place, mut query)| {
        let house = house.clone();
        async move {
            let (lines, next) = match place {
                Place::End => return None,
                Place::Header => (csv_header::<L::Row>(), Place::Rows(0)),
                Place::Rows(count) => match list(&house, query.clone()).await {
                    Ok(page) => {
                        let count = count + page.entries.len();
                        let is_last = page.next.is_none() || count >= MAXIMUM_ROWS;
                        *query.bounds().after = page.next;
                        let rows = page
                            .entries
                            .into_iter()
                            .map(|entry| L::Row::from(L::from(entry)));
                        let next = if is_last {
                            Place::End
                        } else {
                            Place::Rows(count)
                        };
                        (csv_lines(rows, false), next)
                    }
                    Err(error) => (Err(error.into()), Place::End),
                },
            };
            if let Err(error) = &lines {
                tracing::error!(%error, "an export broke off");
            }
            Some((lines.map(Bytes::from), (next, query)))
        }
    })
}

/// A list as a file: what the query asks for, however much that is.
pub(in crate::routes) fn csv_file<L: List>(house: House, mut query: L::Query) -> HttpResponse {
    *query.bounds().limit = ROWS_PER_CHUNK;
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"glasshouse-{}.csv\"", L::NAME),
        ))
        .streaming(csv_stream::<L>(house, query))
}
