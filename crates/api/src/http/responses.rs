//! What calls refuse with, for their description, where there is nothing else to say about it.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

type Responses = BTreeMap<String, RefOr<Response>>;

/// A refusal of each status, with the body that all of them have.
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
    /// Something that was sent is not what is expected.
    Malformed: 400;
    /// For players.
    PlayersOnly: 401;
    /// For administrators.
    AdministratorsOnly: 401, 403;
    /// There is no such thing.
    NotFound: 404;
    /// Too often.
    RateLimited: 429;
}
