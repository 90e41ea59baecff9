//! Rejects requests that another site makes a player's browser send, including by DNS rebinding.

use std::net::IpAddr;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use actix_web::http::uri::{Authority, Uri};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::error::ApiError;
use crate::http::paths::CALLBACK_PATH;
use crate::state::{Application, Settings};

/// Monitoring may use any host name for the server.
const HEALTH_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// Middleware: answers 403 to an unsafe method whose `Sec-Fetch-Site` or `Origin` is foreign. A
/// client that sends neither is not a browser and is served. The provider's callback is exempt.
///
/// # Errors
/// Errors of the inner service.
pub async fn refuse_foreign_origins<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    // The provider's server is not a browser; its callbacks are authenticated by their signature.
    let is_callback = request.path() == CALLBACK_PATH;
    if is_safe || is_callback || is_own(request.headers(), public_url(&request)) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let response = ApiError::ForeignOrigin.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

/// Middleware: answers 421 to an unknown `Host`. Another site can point its own host name at our
/// address (DNS rebinding), and a browser would then treat its pages as same-origin. IP addresses
/// and `localhost` cannot be rebound and are always accepted, and so are health checks by any name.
///
/// # Errors
/// Errors of the inner service.
pub async fn refuse_foreign_hosts<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_health = HEALTH_PATHS.contains(&request.path());
    let is_ours = request
        .app_data::<web::Data<Application>>()
        .is_none_or(|application| is_own_host(host_of(&request), &application.settings));
    if is_health || is_ours {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let response = ApiError::ForeignHost.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

/// The requested host, from the header or from an absolute request URI.
fn host_of(request: &ServiceRequest) -> Option<&str> {
    let header = request.headers().get(HOST);
    let header = header.map(|value| value.to_str().unwrap_or("?"));
    header.or_else(|| request.uri().authority().map(Authority::as_str))
}

/// Requests without a host are accepted, because they do not come from a browser.
fn is_own_host(host: Option<&str>, settings: &Settings) -> bool {
    let Some(host) = host else { return true };
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority.host().to_ascii_lowercase();
    let literal = name.trim_start_matches('[').trim_end_matches(']');
    if name == "localhost" || literal.parse::<IpAddr>().is_ok() {
        return true;
    }
    let public = settings.public_url.parse::<Uri>().ok();
    let public = public.as_ref().and_then(Uri::host);
    let mut own = settings.hosts.iter().map(String::as_str).chain(public);
    own.any(|own| own.eq_ignore_ascii_case(&name))
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
    // The server was reached by another of its names, such as localhost; foreign hosts were
    // rejected before.
    let origin_host = origin.split_once("://").map(|(_, host)| host);
    origin_host.is_some() && origin_host == text(HOST.as_str())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn foreign_hosts_are_rejected() {
        let settings = Settings {
            public_url: "https://play.example".to_owned(),
            hosts: vec!["casino.internal".to_owned()],
            is_rate_limited: true,
            is_behind_proxy: false,
            is_documented: false,
            security_contact: None,
            body_timeout: crate::http::body::USUAL_BODY_TIMEOUT,
        };
        for own in [
            "play.example",
            "PLAY.example:443",
            "casino.internal:8080",
            "localhost:5173",
            "127.0.0.1:8080",
            "192.0.2.1",
            "[::1]:8080",
        ] {
            assert!(is_own_host(Some(own), &settings), "{own}");
        }
        for foreign in [
            "evil.example",
            "play.example.evil.example",
            "localhost.evil.example",
            "",
            "?",
        ] {
            assert!(!is_own_host(Some(foreign), &settings), "{foreign}");
        }
        assert!(is_own_host(None, &settings));
    }

    #[test]
    fn cross_site_requests_are_rejected() {
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
