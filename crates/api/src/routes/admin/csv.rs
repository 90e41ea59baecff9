//! CSV exports of lists, streamed in chunks up to a maximum number of rows.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::stream::{self, Stream};
use glasshouse_casino::administration::list;
use glasshouse_casino::{AdminList, House};

use crate::error::ApiError;
use crate::routes::admin::lists::List;
use crate::routes::csv_lines::{csv_header, csv_lines};

/// The maximum number of rows in a file; the newest rows are exported.
const MAXIMUM_ROWS: usize = 100_000;
/// The number of rows read at once.
const ROWS_PER_CHUNK: usize = 1_000;

/// The CSV lines of a list, read page by page.
fn csv_stream<L: List>(
    house: House,
    query: L::Query,
) -> impl Stream<Item = Result<Bytes, ApiError>> {
    enum State {
        Header,
        Rows(usize),
        End,
    }
    stream::unfold((State::Header, query), move |(state, mut query)| {
        let house = house.clone();
        async move {
            let (lines, next) = match state {
                State::End => return None,
                State::Header => (csv_header::<L::Row>(), State::Rows(0)),
                State::Rows(count) => match list(&house, query.clone()).await {
                    Ok(page) => {
                        let count = count + page.entries.len();
                        let is_last = page.next.is_none() || count >= MAXIMUM_ROWS;
                        *query.bounds().after = page.next;
                        let rows = page
                            .entries
                            .into_iter()
                            .map(|entry| L::Row::from(L::from(entry)));
                        let next = if is_last {
                            State::End
                        } else {
                            State::Rows(count)
                        };
                        (csv_lines(rows, false), next)
                    }
                    Err(error) => (Err(error.into()), State::End),
                },
            };
            if let Err(error) = &lines {
                tracing::error!(%error, "an export was aborted");
            }
            Some((lines.map(Bytes::from), (next, query)))
        }
    })
}

/// A list as a CSV file: all entries that match the query, up to the maximum number of rows.
pub(crate) fn csv_file<L: List>(house: House, mut query: L::Query) -> HttpResponse {
    *query.bounds().limit = ROWS_PER_CHUNK;
    csv_attachment(L::NAME).streaming(csv_stream::<L>(house, query))
}

/// A response that is saved as a CSV file.
pub(crate) fn csv_attachment(name: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"glasshouse-{name}.csv\""),
        ));
    response
}
