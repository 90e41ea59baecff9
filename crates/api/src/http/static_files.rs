//! Serves the front end, which is embedded in the binary.
//!
//! Every path that is not a file gets the single page, which does its own routing, with a fresh CSP
//! nonce for its scripts and styles. For a path that the page does not know, the status is 404.

use std::sync::LazyLock;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETag, Encoding,
    EntityTag, IfNoneMatch, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use rand::TryRng;
use rand::rngs::{SysError, SysRng};
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

use crate::session;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Files;

/// The client-side routes.
#[derive(Default, Deserialize)]
struct Routes {
    pages: Vec<String>,
    games: Vec<String>,
}

/// The paths of the client-side routes; each game has two. The front end's tests check its router
/// against the same list.
static ROUTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let text = include_str!("../../../../frontend/src/app/routes.json");
    let Routes { mut pages, games } = serde_json::from_str(text).unwrap_or_default();
    for game in games {
        pages.push(format!("/{game}"));
        pages.push(format!("/dashboard/{game}"));
    }
    pages
});

const PAGE: &str = "index.html";
/// The placeholder for the nonce.
const NONCE_PLACEHOLDER: &str = "__CSP_NONCE__";
/// The placeholder for whether the visitor may be signed in, which the page cannot see itself
/// because the cookie is HTTP-only.
const SESSION_PLACEHOLDER: &str = "__SESSION__";
/// Files in this folder have a content hash in their name.
const HASHED: &str = "assets/";
const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "no-cache";

/// Serves a file of the front end, or the single page.
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

/// Whether the front end's router knows a path; it ignores case and trailing slashes too.
fn is_route(path: &str) -> bool {
    let path = path.trim_end_matches('/');
    ROUTES
        .iter()
        .any(|route| route.trim_start_matches('/').eq_ignore_ascii_case(path))
}

/// Whether the path is a file name: a missing asset or robots.txt must not be answered with a page.
fn is_file_name(path: &str) -> bool {
    path.starts_with(HASHED)
        || path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
}

fn serve_file(request: &HttpRequest, path: &str, file: EmbeddedFile) -> HttpResponse {
    let tag = EntityTag::new_strong(hex::encode(file.metadata.sha256_hash()));
    let caching = if path.starts_with(HASHED) {
        CACHE_FOREVER
    } else {
        REVALIDATE
    };
    if is_cached_by_client(request, &tag) {
        return HttpResponse::NotModified()
            .insert_header(ETag(tag))
            .insert_header((CACHE_CONTROL, caching))
            .finish();
    }
    let mut response = HttpResponse::Ok();
    response
        .content_type(file.metadata.mimetype())
        .insert_header(ETag(tag))
        .insert_header((VARY, "Accept-Encoding"))
        .insert_header((CACHE_CONTROL, caching));
    match compressed(request, path) {
        Some((encoding, smaller)) => response
            .insert_header((CONTENT_ENCODING, encoding.to_string()))
            .body(smaller.data.into_owned()),
        None => response.body(file.data.into_owned()),
    }
}

/// Whether the client already has this version of the file.
fn is_cached_by_client(request: &HttpRequest, tag: &EntityTag) -> bool {
    match request.get_header() {
        Some(IfNoneMatch::Any) => true,
        Some(IfNoneMatch::Items(cached)) => cached.iter().any(|cached| cached.weak_eq(tag)),
        None => false,
    }
}

/// The precompressed copy to send, if any. The build creates copies of files that compress well.
/// `None` if the original is the best that the client accepts.
fn compressed(request: &HttpRequest, path: &str) -> Option<(Encoding, EmbeddedFile)> {
    let copies =
        [(Encoding::brotli(), "br"), (Encoding::gzip(), "gz")].map(|(encoding, ending)| {
            Files::get(&format!("{path}.{ending}")).map(|copy| (encoding, copy))
        });
    let copies = copies.into_iter().flatten();
    let (encodings, files): (Vec<_>, Vec<_>) = copies.unzip();
    let chosen = preferred(request, &encodings)?;
    let mut copies = encodings.into_iter().zip(files);
    copies.find(|(encoding, _)| *encoding == chosen)
}

/// The encoding that the client prefers among those available.
fn preferred(request: &HttpRequest, encodings: &[Encoding]) -> Option<Encoding> {
    let accepted: AcceptEncoding = request.get_header()?;
    accepted.negotiate(encodings.iter())
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
        .insert_header((CACHE_CONTROL, REVALIDATE))
        .insert_header((CONTENT_SECURITY_POLICY, policy(&nonce)))
        .body(
            text.replace(NONCE_PLACEHOLDER, &nonce)
                .replace(SESSION_PLACEHOLDER, session),
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
    use actix_web::http::header::{ACCEPT_ENCODING, HeaderName, IF_NONE_MATCH};
    use actix_web::test::TestRequest;

    use super::*;

    fn with(header: HeaderName, value: &str) -> HttpRequest {
        TestRequest::default()
            .insert_header((header, value))
            .to_http_request()
    }

    #[test]
    fn the_preferred_encoding_is_sent() {
        let both = [Encoding::brotli(), Encoding::gzip()];
        for (accepted, copies, expected) in [
            ("gzip, deflate, br", &both[..], Some("br")),
            ("gzip, deflate, br", &both[1..], Some("gzip")),
            ("gzip;q=1.0, br;q=0.5", &both[..], Some("gzip")),
            ("br;q=0, gzip", &both[..], Some("gzip")),
            ("br;q=0.000", &both[..1], None),
            ("identity", &both[..], None),
            ("", &both[..], None),
            ("br", &[], None),
        ] {
            let chosen = preferred(&with(ACCEPT_ENCODING, accepted), copies);
            let name = chosen.map(|encoding| encoding.to_string());
            let name = name.filter(|name| name != "identity");
            assert_eq!(name.as_deref(), expected, "{accepted}");
        }
        let silent = TestRequest::default().to_http_request();
        let chosen = preferred(&silent, &both);
        assert!(chosen.is_none_or(|encoding| encoding == Encoding::identity()));
    }

    #[test]
    fn cached_content_is_not_sent_again() {
        let tag = EntityTag::new_strong("abc".to_owned());
        for (sent, expected) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("\"x\", \"abc\"", true),
            ("*", true),
            ("\"abcd\"", false),
            ("abc", false),
            ("", false),
        ] {
            assert_eq!(
                is_cached_by_client(&with(IF_NONE_MATCH, sent), &tag),
                expected,
                "{sent}"
            );
        }
        assert!(!is_cached_by_client(
            &TestRequest::default().to_http_request(),
            &tag
        ));
    }

    #[test]
    fn only_known_routes_match() {
        for route in ["", "auth", "dashboard", "dashboard/poker", "dice/", "Crash"] {
            assert!(is_route(route), "{route}");
        }
        for other in ["nowhere", "dashboard/roulette", "dice/1", "admin/users"] {
            assert!(!is_route(other), "{other}");
        }
    }
}
