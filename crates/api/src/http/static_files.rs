//! Serves the front end, which is embedded in the binary.
//!
//! Every path that is not a file gets the single page. For a path that the page does not know, the status
//! is 404.

use std::sync::LazyLock;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETag, Encoding,
    EntityTag, IfNoneMatch, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use rust_embed::EmbeddedFile;
use serde::Deserialize;

use super::embedded::{REVALIDATE, embedded};
use super::page::{PAGE, page};
use super::paths::is_path_of;

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

/// What the script that keeps the site usable without a network may do: fetch our files.
const WORKER_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'";
/// The page that is shown without a network has a stylesheet and a picture, and no script.
const OFFLINE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Files in this folder have a content hash in their name.
const HASHED: &str = "assets/";
const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";

/// Serves a file of the front end, or the single page.
pub(crate) async fn serve(request: HttpRequest) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::MethodNotAllowed().finish();
    }
    let path = request.path().trim_start_matches('/');
    if path.is_empty() || path == PAGE {
        return page(&request, StatusCode::OK);
    }
    match embedded(path) {
        Some(file) => serve_file(&request, path, file),
        None if is_file_name(path) => HttpResponse::NotFound().finish(),
        None if is_route(path) => page(&request, StatusCode::OK),
        None => page(&request, StatusCode::NOT_FOUND),
    }
}

/// Whether the front end's router knows a path; it ignores case and trailing slashes too.
fn is_route(path: &str) -> bool {
    ROUTES.iter().any(|route| is_path_of(route, path))
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
    if let Some(policy) = policy_of(path) {
        response.insert_header((CONTENT_SECURITY_POLICY, policy));
    }
    match compressed(request, path) {
        Some((encoding, smaller)) => response
            .insert_header((CONTENT_ENCODING, encoding.to_string()))
            .body(smaller.data.into_owned()),
        None => response.body(file.data.into_owned()),
    }
}

/// The policy of a file that is more than a part of our page.
fn policy_of(path: &str) -> Option<&'static str> {
    match path {
        "sw.js" => Some(WORKER_POLICY),
        "offline.html" => Some(OFFLINE_POLICY),
        _ => None,
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
            embedded(&format!("{path}.{ending}")).map(|copy| (encoding, copy))
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
        for route in [
            "",
            "auth",
            "dashboard",
            "dashboard/poker",
            "dice/",
            "Crash",
            "admin/players/17",
            "admin/rounds/17",
            "admin/payments/5077125051",
            "admin/withdrawals/17",
            "Admin/Players/x/",
        ] {
            assert!(is_route(route), "{route}");
        }
        for other in [
            "nowhere",
            "dashboard/roulette",
            "dice/1",
            "admin/users",
            "admin/players",
            "admin/players/",
            "admin/players/1/2",
        ] {
            assert!(!is_route(other), "{other}");
        }
    }
}
