//! Pagination: limits, cursors and search parameters, and the header with the next cursor.

use std::str::FromStr;

use actix_web::HttpResponse;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::error::ApiError;

/// The maximum page size.
pub(crate) const MAXIMUM_PAGE: usize = 100;
/// The maximum length of a search, in characters.
pub(crate) const MAXIMUM_SEARCH_CHARACTERS: usize = 100;
/// The header with the `cursor` of the next page.
pub(crate) const NEXT_CURSOR: &str = "Next-Cursor";

/// Selects a page of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParameters {
    /// The page size, from 1 to 100; the default is 50.
    limit: Option<usize>,
    /// The `Next-Cursor` of the previous page.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl PageParameters {
    /// The page size, and the ID that the page starts after.
    pub(crate) fn parse<I: FromStr>(self) -> Result<(usize, Option<I>), ApiError> {
        let limit = parse_limit(self.limit, MAXIMUM_PAGE / 2, MAXIMUM_PAGE)?;
        let after = parse_cursor(self.cursor, |text| text.parse().ok())?;
        Ok((limit, after))
    }
}

/// Validates the page size.
pub(crate) fn parse_limit(
    limit: Option<usize>,
    default: usize,
    maximum: usize,
) -> Result<usize, ApiError> {
    let limit = limit.unwrap_or(default);
    if (1..=maximum).contains(&limit) {
        Ok(limit)
    } else {
        let message = format!("limit must be from 1 to {maximum}");
        Err(ApiError::Malformed(message))
    }
}

/// Parses the cursor that the page starts after, if any.
pub(crate) fn parse_cursor<C>(
    cursor: Option<String>,
    parse: impl FnOnce(&str) -> Option<C>,
) -> Result<Option<C>, ApiError> {
    let invalid = || ApiError::Malformed("Invalid cursor".to_owned());
    cursor
        .map(|text| parse(&text).ok_or_else(invalid))
        .transpose()
}

/// Parses the search text; blank text means no search.
pub(crate) fn parse_search(text: Option<String>) -> Result<Option<String>, ApiError> {
    let text = text.map(|text| text.trim().to_owned());
    let text = text.filter(|text| !text.is_empty());
    if let Some(text) = &text
        && (text.chars().count() > MAXIMUM_SEARCH_CHARACTERS || text.chars().any(char::is_control))
    {
        return Err(ApiError::Malformed(
            "search must be at most 100 plain characters".to_owned(),
        ));
    }
    Ok(text)
}

/// A page of a list, with the cursor of the next page in a header.
pub(crate) fn page<T: Serialize>(entries: &[T], next: Option<impl ToString>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(next) = next {
        response.insert_header((NEXT_CURSOR, next.to_string()));
    }
    response.json(entries)
}
