//! Common error responses for the OpenAPI document, for endpoints with nothing specific to
//! document.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

type Responses = BTreeMap<String, RefOr<Response>>;

/// An error response with the common body for each status.
fn refusals<const N: usize>(statuses: [u16; N]) -> Responses {
    let response = || {
        let body = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("ErrorBody")))
            .build();
        ResponseBuilder::new()
            .content("application/json", body)
            .build()
    };
    let each = statuses.map(|status| (status.to_string(), RefOr::T(response())));
    each.into_iter().collect()
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident: $($status:literal),+;)+) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl IntoResponses for $name {
            fn responses() -> Responses {
                refusals([$($status),+])
            }
        }
    )+};
}

refusals! {
    /// The request is malformed.
    Malformed: 400;
    /// The endpoint requires a signed-in player.
    PlayersOnly: 401;
    /// The endpoint requires an administrator.
    AdministratorsOnly: 401, 403;
    /// The resource does not exist.
    NotFound: 404;
    /// The rate limit is exceeded.
    RateLimited: 429;
}
