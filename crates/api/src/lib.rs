//! HTTP: routes, wire types, sessions, and the one table from errors to answers.
//!
//! A handler turns a request into a typed command, hands it to a use case of `casino` and turns the
//! result into wire types. This crate must not know SQL or the rules of a game or of money, and it
//! reads no environment: it is given its [`Settings`].

mod document;
mod error;
mod http;
mod router;
mod routes;
mod session;
mod state;
mod wire;

pub use http::availability::refuse_without_database;
pub use http::body::USUAL_BODY_TIMEOUT;
pub use http::connections::{Connections, OpenConnection, refuse_crowds};
pub use http::csrf::{refuse_foreign_hosts, refuse_foreign_origins};
pub use http::request_span::RequestSpan;
pub use http::security_headers::security_headers;
pub use http::telemetry::observe;
pub use router::{configure, openapi};
pub use session::{SessionRows, count_refused_cookies, session_middleware};
pub use state::{Application, Settings};
