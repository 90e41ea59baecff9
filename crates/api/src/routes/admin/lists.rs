//! What a list for administrators has to say about itself, and its answers.

use actix_web::{HttpResponse, web};
use glasshouse_casino::administration::list;
use glasshouse_casino::{AdminList, House};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::http::pagination::page;

/// A list, as the entries of its JSON.
pub(in crate::routes) trait List:
    Serialize + From<<Self::Query as AdminList>::Entry> + 'static
{
    /// Its name, in its own path and in that of its CSV.
    const NAME: &'static str;
    /// Which of its entries are asked for, as it comes in.
    type Parameters: DeserializeOwned;
    /// The same, judged.
    type Query: AdminList + TryFrom<Self::Parameters, Error = ApiError>;
    /// A row of its CSV.
    type Row: Serialize + Default + From<Self>;

    /// A place in it as it is told to the caller.
    fn cursor(place: <Self::Query as AdminList>::Place) -> String;

    /// Adds its call, which answers with [`answer`].
    fn register(config: &mut ServiceConfig<'_>);
}

/// A page as JSON. Where there may be more, the header `Next-Cursor` says where to go on.
pub(in crate::routes) async fn answer<L: List>(
    house: &House,
    parameters: web::Query<L::Parameters>,
) -> Result<HttpResponse, ApiError> {
    let found = list(house, L::Query::try_from(parameters.into_inner())?).await?;
    let entries: Vec<L> = found.entries.into_iter().map(L::from).collect();
    Ok(page(&entries, found.next.map(L::cursor)))
}
