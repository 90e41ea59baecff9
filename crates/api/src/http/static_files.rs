//! The front end, built into the binary.
//!
//! Every path that is no file is answered with the single page, which knows what to show there, with
//! a fresh nonce for its scripts and styles. Where it has nothing to show, the status is 404.

use std::sync::LazyLock;

use actix_web::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH,
    VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use rand::TryRng;
use rand::rngs::{SysError, SysRng};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::session;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Files;

/// The paths that the page has something to show for. The front end's tests hold its router against
/// the same list.
static ROUTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../frontend/src/app/routes.json"))
        .unwrap_or_default()
});

const PAGE: &str = "index.html";
/// What the page has in place of its nonce.
const NONCE_PLACE: &str = "__CSP_NONCE__";
/// What the page has in place of whether its reader may be signed in, which it cannot see itself.
const SESSION_PLACE: &str = "__SESSION__";
/// Files under this folder have the hash of their content in their name.
const HASHED: &str = "assets/";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK_EACH_TIME: &str = "no-cache";

/// Serves a file of the front end, or the page.
pub(crate) async fn serve(request: HttpRequest) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::MethodNotAllowed().finish();
    }
    let path = request.path().trim_start_matches('/');
    if path.is_empty() || path == PAGE {
        return page(&request, StatusCode::OK);
    }
    match Files::get(path) {
        Some(file) => serve_file(&request, path, file),
        None if is_file_name(path) => HttpResponse::NotFound().finish(),
        None if is_route(path) => page(&request, StatusCode::OK),
        None => page(&request, StatusCode::NOT_FOUND),
    }
}

/// Whether the router knows a path, which it compares as loosely as this.
fn is_route(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    ROUTES
        .iter()
        .any(|route| route.trim_start_matches('/').eq_ignore_ascii_case(path))
}

/// A missing asset or robots.txt must not be answered with a page.
fn is_file_name(path: &str) -> bool {
    path.starts_with(HASHED)
        || path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
}

fn serve_file(request: &HttpRequest, path: &str, file: EmbeddedFile) -> HttpResponse {
    let tag = format!("\"{}\"", hex::encode(file.metadata.sha256_hash()));
    let caching = if path.starts_with(HASHED) {
        FOR_EVER
    } else {
        ASK_EACH_TIME
    };
    let is_known = request
        .headers()
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|known| known.contains(&tag));
    if is_known {
        return HttpResponse::NotModified()
            .insert_header((ETAG, tag))
            .insert_header((CACHE_CONTROL, caching))
            .finish();
    }
    let mut response = HttpResponse::Ok();
    response
        .content_type(file.metadata.mimetype())
        .insert_header((ETAG, tag))
        .insert_header((VARY, "Accept-Encoding"))
        .insert_header((CACHE_CONTROL, caching));
    match compressed(request, path) {
        Some((encoding, smaller)) => response
            .insert_header((CONTENT_ENCODING, encoding))
            .body(smaller.data.into_owned()),
        None => response.body(file.data.into_owned()),
    }
}

/// The build leaves compressed copies beside the files that are worth it.
fn compressed(request: &HttpRequest, path: &str) -> Option<(&'static str, EmbeddedFile)> {
    let accepted = request.headers().get(ACCEPT_ENCODING)?.to_str().ok()?;
    let accepts = |encoding: &str| {
        accepted.split(',').any(|item| {
            let mut parts = item.split(';');
            let is_named = parts.next().is_some_and(|name| name.trim() == encoding);
            is_named && parts.all(|part| part.trim() != "q=0")
        })
    };
    [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .find_map(|(encoding, ending)| {
            let file = accepts(encoding)
                .then(|| Files::get(&format!("{path}.{ending}")))
                .flatten()?;
            Some((encoding, file))
        })
}

fn page(request: &HttpRequest, status: StatusCode) -> HttpResponse {
    let file = Files::get(PAGE);
    let Some(text) = file
        .as_ref()
        .and_then(|file| std::str::from_utf8(&file.data).ok())
    else {
        return HttpResponse::NotFound()
            .content_type("text/plain; charset=utf-8")
            .body("This server was built without its front end. Build it with: cargo xtask start");
    };
    let Ok(nonce) = nonce() else {
        return HttpResponse::InternalServerError().finish();
    };
    let session = if session::has_cookie(request) {
        "possible"
    } else {
        "none"
    };
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, ASK_EACH_TIME))
        .insert_header((CONTENT_SECURITY_POLICY, policy(&nonce)))
        .body(
            text.replace(NONCE_PLACE, &nonce)
                .replace(SESSION_PLACE, session),
        )
}

fn nonce() -> Result<String, SysError> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(hex::encode(bytes))
}

fn policy(nonce: &str) -> String {
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_told_from_what_is_none() {
        for route in ["", "auth", "dashboard", "dashboard/poker", "dice/", "Crash"] {
            assert!(is_route(route), "{route}");
        }
        for other in ["nowhere", "dashboard/roulette", "dice/1", "admin/users"] {
            assert!(!is_route(other), "{other}");
        }
    }
}
