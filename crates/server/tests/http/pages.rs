//! What a page consists of before its scripts run, and the files that make the site installable. These
//! tests need the front end's build.

use reqwest::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use crate::support::{Server, Visitor};

async fn get(visitor: &Visitor, path: &str) -> Response {
    let response = visitor.request(Method::GET, path).send().await;
    response.unwrap()
}

async fn page(visitor: &Visitor, path: &str) -> (StatusCode, String) {
    let response = get(visitor, path).await;
    let status = response.status();
    (status, response.text().await.unwrap())
}

fn header<'a>(response: &'a Response, name: &reqwest::header::HeaderName) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

/// The addresses that the page begins to load scripts from.
fn preloaded(page: &str) -> Vec<String> {
    let links = page.split("rel=\"modulepreload\"").skip(1);
    let addresses = links.filter_map(|link| link.split("href=\"").nth(1)?.split('"').next());
    addresses.map(str::to_owned).collect()
}

/// A placeholder that was not replaced.
fn left_in(text: &str) -> Option<&'static str> {
    let placeholders = ["CSP_NONCE", "SESSION", "LAYOUT", "VERSION", "FILES"];
    let mut placeholders = placeholders.into_iter();
    placeholders.find(|name| text.contains(&format!("__{name}__")))
}

#[tokio::test]
async fn each_path_has_its_title_preview_and_placeholder() {
    let server = Server::start();
    let visitor = server.visitor();
    for (path, title, layout) in [
        ("/", "The casino you can see through", "page"),
        ("/transparency", "Transparency", "page"),
        ("/auth", "Login", "page"),
        ("/Dice/", "Dice", "page"),
    ] {
        let (status, text) = page(&visitor, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(
            text.contains(&format!("<title>{title} · Glasshouse</title>")),
            "{path}: {text}"
        );
        assert_eq!(text.matches("<title>").count(), 1, "{path}");
        for part in [
            "property=\"og:title\"",
            "property=\"og:image\"",
            "name=\"twitter:card\"",
            "rel=\"manifest\"",
            "Glasshouse needs JavaScript",
            &format!("loading-page loading-{layout}\""),
        ] {
            assert!(text.contains(part), "{path}: {part}");
        }
        assert_eq!(left_in(&text), None, "{path}");
    }
    let (_, transparency) = page(&visitor, "/transparency").await;
    assert!(transparency.contains("rel=\"canonical\" href=\"http"));
    assert!(transparency.contains("/transparency\" />"));
}

#[tokio::test]
async fn a_page_loads_the_scripts_of_what_its_visitor_will_see() {
    let server = Server::start();
    let visitor = server.visitor();
    let (_, of_visitor) = page(&visitor, "/dice").await;
    let (player, _) = server.player("alice").await;
    let (_, of_player) = page(&player, "/dice").await;
    assert!(of_player.contains("loading-page loading-game\""));
    let (before, after) = (preloaded(&of_visitor), preloaded(&of_player));
    assert!(
        before.iter().any(|file| file.contains("routes-auth")),
        "{before:?}"
    );
    assert!(
        after.iter().any(|file| file.contains("dice-page")),
        "{after:?}"
    );
    assert!(!before.iter().any(|file| file.contains("dice-page")));
    for file in after {
        assert_eq!(get(&player, &file).await.status(), StatusCode::OK, "{file}");
    }
}

#[tokio::test]
async fn scripts_and_styles_of_a_page_carry_its_nonce() {
    let server = Server::start();
    let visitor = server.visitor();
    let response = get(&visitor, "/").await;
    let policy = header(&response, &CONTENT_SECURITY_POLICY).to_owned();
    let nonce = policy.split("'nonce-").nth(1).unwrap();
    let nonce = nonce.split('\'').next().unwrap();
    let text = response.text().await.unwrap();
    for tag in ["<script", "<style"] {
        for element in text.split(tag).skip(1) {
            let element = element.split('>').next().unwrap();
            assert!(
                element.contains(&format!("nonce=\"{nonce}\"")),
                "{tag}{element}"
            );
        }
    }
    let (_, again) = page(&visitor, "/").await;
    assert!(!again.contains(nonce));
}

#[tokio::test]
async fn unknown_paths_are_pages_with_status_404_and_missing_files_are_not_pages() {
    let server = Server::start();
    let visitor = server.visitor();
    for path in [
        "/nowhere",
        "/dice/1",
        "/%3Cscript%3E",
        "/dashboard/roulette",
    ] {
        let (status, text) = page(&visitor, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(text.contains("<title>404 Page Not Found · Glasshouse</title>"));
        assert!(text.contains("content=\"noindex\""));
        assert!(!text.contains("<script>"));
    }
    for path in ["/assets/nothing.js", "/icons/nothing.png", "/nothing.txt"] {
        let (status, text) = page(&visitor, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(text.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn the_site_can_be_installed() {
    let server = Server::start();
    let visitor = server.visitor();
    let manifest = get(&visitor, "/manifest.webmanifest").await;
    assert_eq!(
        header(&manifest, &CONTENT_TYPE),
        "application/manifest+json"
    );
    let manifest: Value = manifest.json().await.unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        let response = get(&visitor, icon["src"].as_str().unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK, "{icon}");
        assert_eq!(header(&response, &CONTENT_TYPE), icon["type"]);
    }
    for path in ["/preview.png", "/icons/apple-touch.png", "/offline.css"] {
        assert_eq!(get(&visitor, path).await.status(), StatusCode::OK, "{path}");
    }
    let offline = get(&visitor, "/offline.html").await;
    assert!(header(&offline, &CONTENT_SECURITY_POLICY).contains("style-src 'self'"));
}

#[tokio::test]
async fn the_service_worker_is_always_the_one_of_this_build() {
    let server = Server::start();
    let visitor = server.visitor();
    let worker = get(&visitor, "/sw.js").await;
    assert_eq!(worker.status(), StatusCode::OK);
    assert_eq!(header(&worker, &CACHE_CONTROL), "no-cache");
    assert!(!header(&worker, &ETAG).is_empty());
    assert!(header(&worker, &CONTENT_TYPE).starts_with("text/javascript"));
    assert!(header(&worker, &CONTENT_SECURITY_POLICY).contains("connect-src 'self'"));
    let script = worker.text().await.unwrap();
    assert_eq!(left_in(&script), None);
    let files = script
        .split('"')
        .filter(|text| text.starts_with("/assets/"));
    let files: Vec<&str> = files.collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        assert_eq!(get(&visitor, file).await.status(), StatusCode::OK, "{file}");
    }
}
