//! What the log says of each request: little, of a bounded size, and nothing that the client could
//! pass off as another's.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::USER_AGENT;
use actix_web::{Error, HttpMessage};
use tracing::Span;
use tracing::field::Empty;
use tracing_actix_web::{RequestId, RootSpanBuilder};

use crate::http::client_ip::address_of;

/// The longest user agent that is logged, in characters.
const USER_AGENT_CHARACTERS: usize = 120;
/// The longest method that is logged, in characters.
const METHOD_CHARACTERS: usize = 16;

/// The span that everything logged for a request carries: its id, its method, the pattern of its
/// route, the client's address and user agent, and the status of the answer. The path and the query
/// are the client's own words, and are left out.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().copied();
        let agent = request.headers().get(USER_AGENT).map(|value| {
            cut(
                &String::from_utf8_lossy(value.as_bytes()),
                USER_AGENT_CHARACTERS,
            )
        });
        // Whatever level is logged, what is logged says which request it belongs to.
        tracing::error_span!(
            "request",
            request_id = id.map(display),
            method = cut(request.method().as_str(), METHOD_CHARACTERS),
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

fn cut(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}
