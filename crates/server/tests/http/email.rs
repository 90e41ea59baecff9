//! E-mail over HTTP: the address, its verification, recovery, and what strangers learn.

use glasshouse_testing::TestSmtpServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::get;
use crate::support::{PASSWORD, Server, Visitor, assert_limited, assert_refused, wait_for};

const EMAIL: &str = "/api/account/email";
const VERIFICATION: &str = "/api/email-verification";
const RECOVERY: &str = "/api/password-recovery";
const COMPLETION: &str = "/api/password-recovery/complete";
const NEW: &str = "quiet-otter-7-canyon";
pub(crate) const ADDRESS: &str = "alice@example.com";

/// The sandbox's page with the mails, as text without tags.
pub(crate) async fn mails(server: &Server) -> String {
    let url = format!("http://{}/sandbox/mails", server.sandbox_address);
    let page = reqwest::get(url).await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    page.text().await.unwrap()
}

/// Waits for the first link to this page in the mails, and returns its token.
async fn token(server: &Server, page: &str) -> String {
    let start = format!("http://{}/{page}#", server.address);
    wait_for(async || mails(server).await.contains(&start)).await;
    let mails = mails(server).await;
    let (_, rest) = mails.split_once(&start).unwrap();
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

async fn add(visitor: &Visitor, address: &str, password: &str) -> (StatusCode, Value) {
    let body = json!({ "email": address, "password": password });
    visitor.put(EMAIL, &body).await
}

/// A player with a verified address.
async fn player_with_email(server: &Server) -> Visitor {
    let (alice, _) = server.player("alice").await;
    verify_address(server, &alice).await;
    alice
}

/// Gives a player a verified address, and returns the token of the link that was followed.
pub(crate) async fn verify_address(server: &Server, player: &Visitor) -> String {
    assert_eq!(add(player, ADDRESS, PASSWORD).await.0, StatusCode::ACCEPTED);
    let token = token(server, "verify-email").await;
    let verified = server
        .visitor()
        .post(VERIFICATION, &json!({ "token": token }))
        .await;
    assert_eq!(verified.0, StatusCode::NO_CONTENT, "{}", verified.1);
    token
}

/// Status, headers and text of a response, without what differs every time.
async fn whole(visitor: &Visitor, method: Method, path: &str, body: &Value) -> String {
    let response = visitor
        .request(method, path)
        .json(body)
        .send()
        .await
        .unwrap();
    let status = response.status();
    let changing = [
        "date",
        "set-cookie",
        "x-request-id",
        "content-security-policy",
    ];
    let mut headers: Vec<String> = response
        .headers()
        .iter()
        .filter(|(name, _)| !changing.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {value:?}"))
        .collect();
    headers.sort();
    let text = response.text().await.unwrap();
    format!("{status}\n{headers:?}\n{text}")
}

#[tokio::test]
async fn an_address_is_set_verified_and_removed() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let notices = json!({ "sessions": true, "withdrawals": true });
    let none = json!({ "address": null, "pendingAddress": null, "notices": notices });
    assert_eq!(get(&alice, EMAIL).await, none);
    let pending = json!({ "address": null, "pendingAddress": ADDRESS, "notices": notices });
    assert_eq!(
        add(&alice, ADDRESS, PASSWORD).await,
        (StatusCode::ACCEPTED, pending)
    );
    let token = token(&server, "verify-email").await;
    let body = json!({ "token": token });
    // Nobody needs to be signed in where mails are read.
    let verified = server.visitor().post(VERIFICATION, &body).await;
    assert_eq!(verified.0, StatusCode::NO_CONTENT);
    assert_refused(&alice.post(VERIFICATION, &body).await, 422, "link_unusable");
    assert_eq!(get(&alice, EMAIL).await["address"], ADDRESS);
    let declined = json!({ "sessions": true, "withdrawals": false });
    let changed = alice.put("/api/account/email/notices", &declined).await;
    assert_eq!(
        (changed.0, &changed.1["notices"]),
        (StatusCode::OK, &declined)
    );
    let remove = "/api/account/email/remove";
    let wrong = alice
        .post(remove, &json!({ "password": "wrong-password" }))
        .await;
    assert_refused(&wrong, 401, "invalid_credentials");
    let removed = alice.post(remove, &json!({ "password": PASSWORD })).await;
    assert_eq!(
        (removed.0, &removed.1["address"]),
        (StatusCode::OK, &Value::Null)
    );
    let again = alice.post(remove, &json!({ "password": PASSWORD })).await;
    assert_refused(&again, 409, "no_email");
    wait_for(async || {
        mails(&server)
            .await
            .contains("Your e-mail address was removed")
    })
    .await;
}

#[tokio::test]
async fn bad_requests_are_refused_with_a_reason() {
    let server = Server::start();
    let visitor = server.visitor();
    assert_refused(&visitor.get(EMAIL).await, 401, "not_signed_in");
    assert_refused(
        &add(&visitor, ADDRESS, PASSWORD).await,
        401,
        "not_signed_in",
    );
    let (alice, _) = server.player("alice").await;
    for address in [
        "",
        "alice",
        "a@b@c.de",
        "alice@example.com\r\nBcc: bob@example.com",
        "é@example.com",
    ] {
        assert_refused(&add(&alice, address, PASSWORD).await, 400, "invalid_email");
        let refused = visitor.post(RECOVERY, &json!({ "email": address })).await;
        assert_refused(&refused, 400, "invalid_email");
        let body = json!({ "username": "bob", "password": PASSWORD, "email": address });
        assert_refused(
            &visitor.post("/api/register", &body).await,
            400,
            "invalid_email",
        );
    }
    assert_refused(
        &add(&alice, ADDRESS, "wrong-password").await,
        401,
        "invalid_credentials",
    );
    for token in ["", "abc", &"0".repeat(64), &"x".repeat(10_000)] {
        let refused = visitor.post(VERIFICATION, &json!({ "token": token })).await;
        assert_refused(&refused, 422, "link_unusable");
        let body = json!({ "token": token, "newPassword": NEW });
        assert_refused(&visitor.post(COMPLETION, &body).await, 422, "link_unusable");
    }
    for (path, body) in [
        (VERIFICATION, json!({})),
        (VERIFICATION, json!({ "token": 7 })),
        (RECOVERY, json!({ "email": ADDRESS, "username": "alice" })),
        (COMPLETION, json!({ "token": "abc" })),
    ] {
        assert_refused(&visitor.post(path, &body).await, 400, "malformed_request");
    }
    assert_eq!(get(&alice, EMAIL).await["pendingAddress"], Value::Null);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced() {
    let server = Server::start();
    let alice = player_with_email(&server).await;
    let visitor = server.visitor();
    let requested = visitor.post(RECOVERY, &json!({ "email": ADDRESS })).await;
    assert_eq!(requested.0, StatusCode::ACCEPTED);
    let token = token(&server, "new-password").await;
    let complete = async |password: &str| {
        let body = json!({ "token": token, "newPassword": password });
        visitor.post(COMPLETION, &body).await
    };
    assert_refused(&complete("12345").await, 422, "invalid_password");
    assert_refused(&complete("password").await, 422, "password_too_common");
    assert_eq!(complete(NEW).await.0, StatusCode::NO_CONTENT);
    assert_refused(&complete("another-otter-8").await, 422, "link_unusable");
    assert_refused(&alice.get("/api/user").await, 401, "not_signed_in");
    let login = async |password: &str| {
        let body = json!({ "username": "alice", "password": password });
        visitor.post("/api/login", &body).await.0
    };
    assert_eq!(login(PASSWORD).await, StatusCode::UNAUTHORIZED);
    assert_eq!(login(NEW).await, StatusCode::OK);
}

/// Status, headers and text are the same, whether an address is an account's or not.
#[tokio::test]
async fn responses_do_not_tell_whether_an_address_is_known() {
    let server = Server::start();
    player_with_email(&server).await;
    let visitor = server.visitor();
    let request = async |address: &str| {
        whole(
            &visitor,
            Method::POST,
            RECOVERY,
            &json!({ "email": address }),
        )
        .await
    };
    let known = request(ADDRESS).await;
    assert!(known.starts_with("202"), "{known}");
    assert_eq!(known, request("nobody@example.com").await);
    let (bob, _) = server.player("bob").await;
    let ask = async |address: &str| {
        let body = json!({ "email": address, "password": PASSWORD });
        let answer = whole(&bob, Method::PUT, EMAIL, &body).await;
        answer.replace(address, "…")
    };
    // Of equal length, so that the headers are, too.
    assert_eq!(ask(ADDRESS).await, ask("nobod@example.com").await);
    let register = async |name: &str, address: &str| {
        let body = json!({ "username": name, "password": PASSWORD, "email": address });
        let (status, user) = server.visitor().post("/api/register", &body).await;
        let fields: Vec<String> = user.as_object().unwrap().keys().cloned().collect();
        (status, fields)
    };
    let taken = register("carol", ADDRESS).await;
    assert_eq!(taken.0, StatusCode::CREATED);
    assert_eq!(taken, register("david", "new@example.com").await);
}

#[tokio::test]
async fn requests_for_a_new_password_are_limited() {
    let server = Server::start_with(&[]);
    let visitor = server.visitor();
    assert_limited(StatusCode::ACCEPTED, async |number| {
        let body = json!({ "email": format!("a{number}@example.com") });
        visitor.post(RECOVERY, &body).await
    })
    .await;
}

#[tokio::test]
async fn guesses_of_links_are_limited() {
    let server = Server::start_with(&[]);
    let visitor = server.visitor();
    assert_limited(StatusCode::UNPROCESSABLE_ENTITY, async |number| {
        let body = json!({ "token": format!("{number:064x}") });
        visitor.post(VERIFICATION, &body).await
    })
    .await;
}

#[tokio::test]
async fn mails_are_sent_over_smtp_and_not_shown_by_the_sandbox() {
    let smtp = TestSmtpServer::start();
    let url = format!("smtp://casino:s3cret@{}", smtp.address);
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_SMTP_URL", &url),
        ("GLASSHOUSE_MAIL_FROM", "The House <casino@example.com>"),
    ]);
    assert!(!server.said.contains("s3cret"));
    let (alice, _) = server.player("alice").await;
    add(&alice, ADDRESS, PASSWORD).await;
    wait_for(async || !smtp.mails().is_empty()).await;
    let mail = smtp.mails().remove(0);
    assert_eq!(
        (&*mail.from, &*mail.to[0]),
        ("<casino@example.com>", "<alice@example.com>")
    );
    let start = format!("http://{}/verify-email#", server.address);
    let unfolded = mail.data.replace("=\r\n", "");
    assert!(unfolded.contains(&start), "{unfolded}");
    assert!(!mails(&server).await.contains("verify-email"));
    assert!(!server.folder.path().join("data/mail").exists());
}

#[tokio::test]
async fn mails_without_a_server_are_private_files() {
    use std::os::unix::fs::PermissionsExt as _;

    let server = Server::start();
    player_with_email(&server).await;
    let folder = server.folder.path().join("data/mail");
    let mode = |path: &std::path::Path| {
        let metadata = std::fs::metadata(path).unwrap();
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(mode(&files[0].as_ref().unwrap().path()), 0o600);
}
