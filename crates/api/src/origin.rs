//! Refuses what another site makes a player's browser send.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use glasshouse_casino::CALLBACK_PATH;

use crate::application::Application;
use crate::error::ApiError;

/// Middleware: an unsafe method whose `Sec-Fetch-Site` or `Origin` is foreign is a 403. A client
/// that sends neither is no browser, and is served. The provider's callback is exempt.
///
/// # Errors
/// What the inner service fails with.
pub async fn refuse_foreign_origins<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    // The provider's server is no browser, and is believed by its signature.
    let is_callback = request.path() == CALLBACK_PATH;
    if is_safe || is_callback || is_own(request.headers(), public_url(&request)) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let response = ApiError::ForeignOrigin.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

fn public_url(request: &ServiceRequest) -> &str {
    request
        .app_data::<web::Data<Application>>()
        .map_or("", |application| application.settings.public_url.as_str())
}

fn is_own(headers: &HeaderMap, public_url: &str) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text("sec-fetch-site")
        && !matches!(site, "same-origin" | "none")
    {
        return false;
    }
    let Some(origin) = text(ORIGIN.as_str()) else {
        return true;
    };
    if origin == public_url.trim_end_matches('/') {
        return true;
    }
    // Reached by another name of the same server, such as localhost.
    let host_of_origin = origin.split_once("://").map(|(_, host)| host);
    host_of_origin.is_some() && host_of_origin == text(HOST.as_str())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn foreign_sites_are_told_apart() {
        let check = |pairs: &[(&str, &str)], expected: bool| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(
                    HeaderName::from_bytes(name.as_bytes()).unwrap(),
                    HeaderValue::from_str(value).unwrap(),
                );
            }
            assert_eq!(
                is_own(&headers, "https://play.example"),
                expected,
                "{pairs:?}"
            );
        };
        check(&[], true);
        check(&[("sec-fetch-site", "same-origin")], true);
        check(&[("sec-fetch-site", "none")], true);
        check(&[("sec-fetch-site", "same-site")], false);
        check(&[("sec-fetch-site", "cross-site")], false);
        check(&[("origin", "https://play.example")], true);
        check(&[("origin", "https://evil.example")], false);
        check(&[("origin", "https://play.example.evil.example")], false);
        check(&[("origin", "null")], false);
        check(
            &[
                ("origin", "http://localhost:8080"),
                ("host", "localhost:8080"),
            ],
            true,
        );
        check(
            &[
                ("origin", "http://localhost:8081"),
                ("host", "localhost:8080"),
            ],
            false,
        );
        check(
            &[
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://play.example"),
            ],
            false,
        );
    }
}
