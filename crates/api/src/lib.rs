//! HTTP: routes, wire types, sessions, and the one table from errors to answers.
//!
//! A handler turns a request into a typed command, hands it to a use case of `casino` and turns the
//! result into wire types. This crate must not know SQL or the rules of a game or of money, and it
//! reads no environment: it is given its [`Settings`].

mod address;
mod application;
mod attempts;
mod availability;
mod body;
mod connections;
mod currency_wire;
mod device;
mod document;
mod error;
mod integer_wire;
mod json;
mod money_wire;
mod multiplier_wire;
mod network;
mod observation;
mod origin;
mod rate_limit;
mod ratio_wire;
mod request_span;
mod routes;
mod security_headers;
mod session;
mod static_files;
mod time_wire;

pub use application::{Application, Settings, configure, openapi};
pub use availability::refuse_without_database;
pub use body::USUAL_BODY_TIMEOUT;
pub use connections::{Connections, OpenConnection, refuse_crowds};
pub use observation::observe;
pub use origin::{refuse_foreign_hosts, refuse_foreign_origins};
pub use request_span::RequestSpan;
pub use security_headers::security_headers;
pub use session::{SessionRows, count_refused_cookies, session_middleware};
