//! How a list gets its call and its CSV.

use actix_web::{HttpRequest, HttpResponse, web};
use glasshouse_casino::House;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::malformed_query;
use crate::routes::admin::csv::csv_file;
use crate::routes::admin::lists::List;

/// A list in the table of all of them.
pub(in crate::routes) struct Registration {
    /// See [`List::NAME`].
    pub(in crate::routes) name: &'static str,
    /// See [`List::register`].
    pub(in crate::routes) register: fn(&mut ServiceConfig<'_>),
    /// The list as CSV, with the parameters of a request.
    pub(in crate::routes) export: fn(House, &HttpRequest) -> Result<HttpResponse, actix_web::Error>,
}

impl Registration {
    pub(in crate::routes) const fn of<L: List>() -> Self {
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
