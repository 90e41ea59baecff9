//! Common error responses for the OpenAPI document, for endpoints with nothing specific to
//! document.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

type Responses = BTreeMap<String, RefOr<Response>>;

/// An error response with the common body for each status, which has a description if it is not empty.
fn refusals<const N: usize>(statuses: [(u16, &str); N]) -> Responses {
    let response = |description| {
        let body = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("ErrorBody")))
            .build();
        ResponseBuilder::new()
            .description(description)
            .content("application/json", body)
            .build()
    };
    let each =
        statuses.map(|(status, description)| (status.to_string(), RefOr::T(response(description))));
    each.into_iter().collect()
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident: $($status:literal $(= $description:literal)?),+;)+) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl IntoResponses for $name {
            fn responses() -> Responses {
                refusals([$(($status, concat!($($description)?))),+])
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
    /// What an administrator does must be confirmed, and is recorded once for each key.
    RecordedAct: 401,
        403 = "Not an administrator, the role does not permit it, or the session must be confirmed again",
        404,
        409 = "The key was used for a different request";
    /// The rate limit is exceeded.
    RateLimited: 429;
}
