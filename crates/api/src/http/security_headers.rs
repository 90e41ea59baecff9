//! Security headers that restrict what a browser lets our pages do.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use crate::state::Application;

/// Allows nothing; for responses that are not pages.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";
/// The documentation page has its own scripts and inline styles and loads nothing from elsewhere.
const DOCUMENTATION: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const TWO_YEARS: &str = "max-age=63072000; includeSubDomains";

/// Middleware: adds the security headers that the handler has not set itself.
///
/// # Errors
/// Errors of the inner service.
pub async fn security_headers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let is_secure = request
        .app_data::<web::Data<Application>>()
        .is_some_and(|application| application.settings.is_secure());
    let is_current = ["/api", "/log/", "/transparency/"]
        .iter()
        .any(|start| request.path().starts_with(start));
    let policy = if request.path().starts_with("/api/docs") {
        DOCUMENTATION
    } else {
        NO_PAGE
    };
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    add(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(headers, REFERRER_POLICY, "same-origin");
    add(
        headers,
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    add(
        headers,
        HeaderName::from_static("cross-origin-embedder-policy"),
        "require-corp",
    );
    add(
        headers,
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    add(
        headers,
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=()",
    );
    add(headers, CONTENT_SECURITY_POLICY, policy);
    if is_secure {
        add(headers, STRICT_TRANSPORT_SECURITY, TWO_YEARS);
    }
    // Also for errors: a tile that does not exist yet will exist.
    if is_current {
        add(headers, CACHE_CONTROL, "no-store");
    }
    Ok(response)
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    if !headers.contains_key(&name) {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
