//! The HTTP layer: routes, wire types, sessions, and the mapping from errors to responses.
//!
//! A handler parses a request into a typed command, passes it to a use case of `casino` and
//! converts the result to wire types. This crate contains no SQL and no game or money rules, and it
//! does not read the environment: the caller passes in [`Settings`].

mod document;
mod endpoints;
mod error;
mod http;
mod router;
mod routes;
mod session;
mod state;
mod wire;

pub use http::availability::refuse_without_database;
pub use http::bets_in_progress::limit_bets_in_progress;
pub use http::body::USUAL_BODY_TIMEOUT;
pub use http::connections::{
    Connections, OpenConnection, close_connections_when_stopping, refuse_excess_connections,
};
pub use http::csrf::{refuse_foreign_hosts, refuse_foreign_origins};
pub use http::paths::{CALLBACK_PATH, RETURN_PATH};
pub use http::request_span::RequestSpan;
pub use http::security_headers::security_headers;
pub use http::stopping::Stopping;
pub use http::telemetry::observe;
pub use router::{configure, openapi};
pub use session::{SessionRows, count_refused_cookies, session_middleware};
pub use state::{Application, Settings};
