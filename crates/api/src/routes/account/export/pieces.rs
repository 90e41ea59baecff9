//! The content of a file of a data export, piece by piece.

use std::pin::Pin;

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use glasshouse_casino::{CasinoError, House};
use serde::Serialize;

use crate::error::ApiError;
use crate::routes::csv_lines::{csv_header, csv_lines};

/// The number of rows read at once.
pub(super) const ROWS_PER_PAGE: usize = 500;

/// The content of a file.
pub(super) type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, ApiError>>>>;

fn json_text(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec_pretty(value).map_err(|error| ApiError::Export(error.to_string()))
}

/// One JSON value.
pub(super) fn json<T: Serialize>(
    read: impl Future<Output = Result<T, ApiError>> + 'static,
) -> Pieces {
    Box::pin(stream::once(async move {
        Ok(Bytes::from(json_text(&read.await?)?))
    }))
}

/// What `read` returns of a list: the entries after a position, and the position after them if there may
/// be more.
pub(super) type Entries<T, P> = Result<(Vec<T>, Option<P>), ApiError>;

/// Where the next page of a list begins.
enum Place<P> {
    First,
    After(P),
    End,
}

/// A JSON array of a list that is read page by page.
pub(super) fn json_list<T: Serialize, P: 'static>(
    read: impl AsyncFn(Option<P>) -> Entries<T, P> + 'static,
) -> Pieces {
    Box::pin(stream::try_unfold(
        (read, Place::First, true),
        |(read, place, mut is_empty)| async move {
            let (opening, position) = match place {
                Place::First => ("[", None),
                Place::After(position) => ("", Some(position)),
                Place::End => return Ok(None),
            };
            let (entries, next) = read(position).await?;
            let mut text = opening.as_bytes().to_vec();
            for entry in entries {
                text.extend(if is_empty { b"\n".as_slice() } else { b",\n" });
                text.extend(json_text(&entry)?);
                is_empty = false;
            }
            let place = if let Some(position) = next {
                Place::After(position)
            } else {
                text.extend(b"\n]\n");
                Place::End
            };
            Ok(Some((Bytes::from(text), (read, place, is_empty))))
        },
    ))
}

/// The rows of a CSV file.
enum Rows<F, E> {
    ToFind(F),
    Found(E),
}

/// A CSV file with a header line. `find` finds the rows, and `next` reads a page of them.
pub(super) fn csv<E: 'static, R: Serialize + Default>(
    house: House,
    find: impl Future<Output = Result<E, CasinoError>> + 'static,
    next: impl AsyncFn(&House, &mut E, usize) -> Result<Option<Vec<R>>, ApiError> + 'static,
) -> Pieces {
    Box::pin(stream::try_unfold(
        (house, Rows::ToFind(find), next),
        |(house, rows, next)| async move {
            let (lines, found) = match rows {
                Rows::ToFind(find) => (csv_header::<R>()?, find.await?),
                Rows::Found(mut found) => {
                    let Some(rows) = next(&house, &mut found, ROWS_PER_PAGE).await? else {
                        return Ok(None);
                    };
                    (csv_lines(rows, false)?, found)
                }
            };
            Ok(Some((
                Bytes::from(lines),
                (house, Rows::Found(found), next),
            )))
        },
    ))
}
