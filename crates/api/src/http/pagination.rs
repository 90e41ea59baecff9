//! Pages of lists: limits, cursors and searches as they come in, and the header that says where a list
//! goes on.

use std::str::FromStr;

use actix_web::HttpResponse;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::error::ApiError;

/// The most entries of a list in one answer.
pub(crate) const MAXIMUM_PAGE: usize = 100;
/// The longest search.
pub(crate) const MAXIMUM_SEARCH_CHARACTERS: usize = 100;
/// Where a list goes on: what to send as `cursor` next.
pub(crate) const NEXT_CURSOR: &str = "Next-Cursor";

/// Which page of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParameters {
    /// How many entries at the most, from 1 to 100; 50 if not given.
    limit: Option<usize>,
    /// The `Next-Cursor` of the page before.
    #[param(pattern = "^[1-9][0-9]{0,17}$")]
    cursor: Option<String>,
}

impl PageParameters {
    /// How many, and the id that the page comes after.
    pub(crate) fn parse<I: FromStr>(self) -> Result<(usize, Option<I>), ApiError> {
        let limit = parse_limit(self.limit, MAXIMUM_PAGE / 2, MAXIMUM_PAGE)?;
        let after = parse_cursor(self.cursor, |text| text.parse().ok())?;
        Ok((limit, after))
    }
}

/// How many entries at the most.
pub(crate) fn parse_limit(
    limit: Option<usize>,
    usual: usize,
    maximum: usize,
) -> Result<usize, ApiError> {
    let limit = limit.unwrap_or(usual);
    if (1..=maximum).contains(&limit) {
        Ok(limit)
    } else {
        let message = format!("limit must be from 1 to {maximum}");
        Err(ApiError::Malformed(message))
    }
}

/// The place that a page comes after, if any.
pub(crate) fn parse_cursor<C>(
    cursor: Option<String>,
    parse: impl FnOnce(&str) -> Option<C>,
) -> Result<Option<C>, ApiError> {
    let unknown = || ApiError::Malformed("cursor is not one of ours".to_owned());
    cursor
        .map(|text| parse(&text).ok_or_else(unknown))
        .transpose()
}

/// What is searched for; none where nothing is.
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

/// A page of a list, with the header that tells where it goes on.
pub(crate) fn page<T: Serialize>(entries: &[T], next: Option<impl ToString>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(next) = next {
        response.insert_header((NEXT_CURSOR, next.to_string()));
    }
    response.json(entries)
}
