//! Registration of a list's endpoint and CSV export.

use actix_web::{HttpRequest, HttpResponse, web};
use glasshouse_casino::House;

use crate::endpoints::Endpoints;
use crate::error::malformed_query;
use crate::routes::admin::csv::csv_file;
use crate::routes::admin::lists::List;

/// An entry in the table of all lists.
pub(crate) struct Registration {
    /// See [`List::NAME`].
    pub(crate) name: &'static str,
    /// See [`List::register`].
    pub(crate) register: fn(&mut Endpoints<'_>),
    /// Exports the list as CSV, with the query parameters of a request.
    pub(crate) export: fn(House, &HttpRequest) -> Result<HttpResponse, actix_web::Error>,
}

impl Registration {
    pub(crate) const fn of<L: List>() -> Self {
        Self {
            name: L::NAME,
            register: L::register,
            export: export::<L>,
        }
    }
}

fn export<L: List>(house: House, request: &HttpRequest) -> Result<HttpResponse, actix_web::Error> {
    let parameters = web::Query::<L::Parameters>::from_query(request.query_string())
        .map_err(|error| malformed_query(error, request))?;
    let query = L::Query::try_from(parameters.into_inner())?;
    Ok(csv_file::<L>(house, query))
}
