//! The headers of every response, refused origins, and wrong configurations.

use std::process::Command;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{PASSWORD, Server, assert_refused, read};

#[tokio::test]
async fn requests_from_foreign_origins_are_refused() {
    let server = Server::start();
    let player = server.funded_player("alice", "10.00").await;
    let body = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    for (header, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let request = player
            .request(Method::POST, "/api/dice/play")
            .header(header, value);
        let answer = read(request.json(&body).send().await.unwrap()).await;
        assert_refused(&answer, 403, "foreign_origin");
    }
    assert_eq!(player.balance().await, "10.00");
    let own = format!("http://{}", server.address);
    let request = player
        .request(Method::POST, "/api/dice/play")
        .header("origin", own);
    assert_eq!(
        request.json(&body).send().await.unwrap().status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn responses_have_security_headers() {
    let server = Server::start();
    let response = server
        .visitor()
        .request(Method::GET, "/api/user")
        .send()
        .await
        .unwrap();
    let header = |name: &str| response.headers()[name].to_str().unwrap();
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("cache-control"), "no-store");
    assert!(header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(!header("x-request-id").is_empty());
}

#[tokio::test]
async fn unknown_paths_get_404_and_documented_calls_exist() {
    let server = Server::start();
    let visitor = server.visitor();
    assert_refused(&visitor.get("/api/nothing").await, 404, "unknown_call");
    assert_refused(&visitor.get("/api/dice/play").await, 405, "other_method");
    assert_eq!(
        visitor.get("/assets/nothing.js").await.0,
        StatusCode::NOT_FOUND
    );
    for path in ["/healthz", "/readyz"] {
        assert_eq!(visitor.get(path).await.0, StatusCode::OK);
    }
    let (status, document) = visitor.get("/api/openapi.json").await;
    assert_eq!(status, StatusCode::OK);
    assert!(document["paths"]["/api/dice/play"]["post"].is_object());
    assert_eq!(visitor.get("/api/docs/").await.0, StatusCode::OK);
    // Each documented call exists and requires a session, except those that begin or end one, those
    // of links from mails, the list of games, the Terms of Service, and the public log.
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let open = [
                "/api/register",
                "/api/login",
                "/api/logout",
                "/api/games",
                "/api/house",
                "/api/login/passkey",
                "/api/login/passkey/ceremony",
                "/api/terms",
                "/api/password-strength",
                "/api/email-verification",
                "/api/password-recovery",
                "/api/password-recovery/complete",
                "/api/log/consistency",
                "/api/transparency",
            ];
            let is_open = open.contains(&path.as_str());
            let path = path.replace("{id}", "1").replace("{userId}", "1");
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = visitor.request(method.clone(), &path);
            let request = if method == Method::GET {
                request
            } else {
                request.json(&json!({}))
            };
            let status = request.send().await.unwrap().status();
            assert_ne!(status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(
                status == StatusCode::UNAUTHORIZED,
                !is_open,
                "{method} {path}: {status}"
            );
        }
    }
}

#[test]
fn a_wrong_configuration_exits_with_code_2_and_a_message() {
    for (name, value, word) in [
        ("DATABASE_URL", "mysql://x", "database"),
        ("GLASSHOUSE_BIND", "nowhere", "bind"),
        ("GLASSHOUSE_PUBLIC_URL", "ftp://x", "GLASSHOUSE_PUBLIC_URL"),
        ("GLASSHOUSE_SECRET", "short", "GLASSHOUSE_SECRET"),
        ("GLASSHOUSE_RATE_LIMIT", "maybe", "rate-limit"),
    ] {
        let folder = tempfile::TempDir::new().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_glasshouse"))
            .current_dir(folder.path())
            .env_clear()
            .env(name, value)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(stderr.contains(word), "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn many_registrations_leave_no_memory_allocated() {
    let server = Server::start();
    // Connections and the database allocate memory at first use and keep it; exclude that.
    let mut connected = tokio::task::JoinSet::new();
    for _ in 0..24 {
        let visitor = server.visitor();
        connected.spawn(async move { visitor.get("/readyz").await.0 });
    }
    assert!(
        connected
            .join_all()
            .await
            .iter()
            .all(StatusCode::is_success)
    );
    let before = server.resident_mebibytes();
    let mut flood = tokio::task::JoinSet::new();
    for number in 0..24 {
        let visitor = server.visitor();
        let body = json!({ "username": format!("flood-{number}"), "password": PASSWORD });
        flood.spawn(async move { visitor.post("/api/register", &body).await.0 });
    }
    let answers = flood.join_all().await;
    assert!(answers.iter().all(StatusCode::is_success), "{answers:?}");
    let after = server.resident_mebibytes();
    // Each password hash takes 19 MiB while it runs: a leaked one would show.
    assert!(
        after < before + 16,
        "{before} MiB before, {after} MiB after"
    );
}
