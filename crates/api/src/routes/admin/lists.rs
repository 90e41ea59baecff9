//! The interface of the administrators' lists, and their responses.

use actix_web::{HttpResponse, web};
use glasshouse_casino::administration::list;
use glasshouse_casino::{AdminList, House};
use glasshouse_domain::UserId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::endpoints::Endpoints;
use crate::error::ApiError;
use crate::http::pagination::page;
use crate::routes::admin::context::Reader;

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

    /// The person whom an entry is about; `None` if there is none, or several.
    fn person(&self) -> Option<i64>;

    /// Registers the endpoint, which responds with [`respond`].
    fn register(endpoints: &mut Endpoints<'_>);
}

/// Responds with a page as JSON, and records that the administrator was shown it. If there may be more, the `Next-Cursor` header contains the cursor
/// of the next page.
pub(crate) async fn respond<L: List>(
    house: &House,
    reader: Reader,
    parameters: web::Query<L::Parameters>,
) -> Result<HttpResponse, ApiError> {
    let list_page = list(house, L::Query::try_from(parameters.into_inner())?).await?;
    let entries: Vec<L> = list_page.entries.into_iter().map(L::from).collect();
    if !entries.is_empty() {
        let person = only_person(&entries, list_page.next.is_none());
        reader.record(house, L::NAME, person).await?;
    }
    Ok(page(&entries, list_page.next.map(L::cursor)))
}

/// The person whom all entries are about. A single entry says so only if there are no more: otherwise each
/// page of a list that is read entry by entry would be about somebody else.
fn only_person<L: List>(entries: &[L], is_complete: bool) -> Option<UserId> {
    let (first, others) = entries.split_first()?;
    let person = first.person()?;
    let is_only = others.iter().all(|entry| entry.person() == Some(person));
    (is_only && (is_complete || !others.is_empty())).then(|| UserId::new(person))
}
