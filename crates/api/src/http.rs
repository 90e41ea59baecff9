//! Everything between a request and its handler: middleware, extractors, rate limits, static files.

pub(crate) mod availability;
pub(crate) mod bets_in_progress;
pub(crate) mod body;
pub(crate) mod client_ip;
pub(crate) mod connections;
pub(crate) mod csrf;
pub(crate) mod device;
pub(crate) mod embedded;
pub(crate) mod filters;
pub(crate) mod idempotency_key;
pub(crate) mod json_body;
pub(crate) mod login_attempts;
pub(crate) mod mail_requests;
pub(crate) mod network;
pub(crate) mod page;
pub(crate) mod pagination;
pub(crate) mod password_check;
pub(crate) mod paths;
pub(crate) mod rate_limit;
pub(crate) mod request_id;
pub(crate) mod request_origin;
pub(crate) mod request_span;
pub(crate) mod responses;
pub(crate) mod security_headers;
pub(crate) mod static_files;
pub(crate) mod telemetry;
