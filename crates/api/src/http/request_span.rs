//! The tracing span of each request: only fields of bounded size, and none that a client could use
//! to forge log entries.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::USER_AGENT;
use tracing::Span;
use tracing::field::Empty;
use tracing_actix_web::RootSpanBuilder;

use crate::http::client_ip::address_of;
use crate::http::request_id;

/// The maximum logged length of the user agent, in characters.
const USER_AGENT_CHARACTERS: usize = 120;
/// The maximum logged length of the method, in characters.
const METHOD_CHARACTERS: usize = 16;

/// The span of a request, attached to all its log events: the request ID, method, route pattern,
/// client address, user agent and response status. Path and query are chosen by the client and
/// therefore omitted.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request_id::choose(request);
        let agent = request.headers().get(USER_AGENT).map(|value| {
            truncate(
                &String::from_utf8_lossy(value.as_bytes()),
                USER_AGENT_CHARACTERS,
            )
        });
        // The span has the highest level so that it is attached at every log level.
        tracing::error_span!(
            "request",
            request_id = id.map(display),
            method = truncate(request.method().as_str(), METHOD_CHARACTERS),
            route = request.match_pattern(),
            client_address = %address_of(request.request()),
            user_agent = agent,
            status = Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("status", status.as_u16());
    }
}

fn truncate(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}
