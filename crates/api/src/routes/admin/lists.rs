//! The interface of the administrators' lists, and their responses.

use actix_web::{HttpResponse, web};
use glasshouse_casino::administration::list;
use glasshouse_casino::{AdminList, House};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::page;

/// A list, implemented by the type of its JSON entries.
pub(crate) trait List:
    Serialize + From<<Self::Query as AdminList>::Entry> + 'static
{
    /// The list's name in the paths of the list itself and of its CSV export.
    const NAME: &'static str;
    /// The query parameters as received.
    type Parameters: DeserializeOwned;
    /// The validated query.
    type Query: AdminList + TryFrom<Self::Parameters, Error = ApiError>;
    /// A row of the CSV export.
    type Row: Serialize + Default + From<Self>;

    /// Formats a cursor for the client.
    fn cursor(cursor: <Self::Query as AdminList>::Place) -> String;

    /// Registers the endpoint, which responds with [`respond`].
    fn register(config: &mut ServiceConfig<'_>);
}

/// Responds with a page as JSON. If there may be more, the `Next-Cursor` header contains the cursor
/// of the next page.
pub(crate) async fn respond<L: List>(
    house: &House,
    parameters: web::Query<L::Parameters>,
) -> Result<HttpResponse, ApiError> {
    let list_page = list(house, L::Query::try_from(parameters.into_inner())?).await?;
    let entries: Vec<L> = list_page.entries.into_iter().map(L::from).collect();
    Ok(page(&entries, list_page.next.map(L::cursor)))
}
