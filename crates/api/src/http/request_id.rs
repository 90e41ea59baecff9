//! The ID by which a request is found in the logs of the browser, the server and the database.

use actix_web::HttpMessage;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::HeaderName;
use tracing_actix_web::RequestId;
use uuid::Uuid;

/// The header of requests and of responses.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Copy)]
struct ChosenId(Uuid);

/// Chooses the ID of a request: the client's, if it is a UUID, so that a request that got no response
/// can be found as well, and otherwise the logger's. IDs are only looked for in logs, so a client that repeats one confuses nothing but
/// the search for its own requests: each entry also has the client's address.
pub(crate) fn choose(request: &ServiceRequest) -> Option<Uuid> {
    let sent = request.headers().get(REQUEST_ID);
    let sent = sent.and_then(|value| Uuid::try_parse(value.to_str().ok()?).ok());
    let mut extensions = request.extensions_mut();
    let id = sent.or_else(|| extensions.get::<RequestId>().map(|id| **id))?;
    extensions.insert(ChosenId(id));
    Some(id)
}

/// The ID that was chosen.
pub(crate) fn of(request: &ServiceRequest) -> Option<Uuid> {
    request.extensions().get::<ChosenId>().map(|id| id.0)
}
