//! Changing the password, the list of one's sessions, and security events over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{get, pages};
use crate::support::{
    PASSWORD, Server, Visitor, assert_limited, assert_refused, read, session_cookie, wait_for,
};

const PASSWORD_PATH: &str = "/api/account/password";
const SESSIONS: &str = "/api/account/sessions";
const EVENTS: &str = "/api/account/security-events";
const NEW: &str = "quiet-otter-7-canyon";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
    (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

/// Signs in with a browser of its own.
async fn sign_in(server: &Server, password: &str, agent: &str) -> (Visitor, StatusCode) {
    let visitor = server.visitor();
    let body = json!({ "username": "alice", "password": password });
    let request = visitor.request(Method::POST, "/api/login");
    let request = request.header("user-agent", agent).json(&body);
    let status = request.send().await.unwrap().status();
    (visitor, status)
}

async fn change(visitor: &Visitor, current: &str, new: &str) -> (StatusCode, Value) {
    let body = json!({ "currentPassword": current, "newPassword": new });
    visitor.post(PASSWORD_PATH, &body).await
}

async fn delete(visitor: &Visitor, path: &str) -> (StatusCode, Value) {
    read(visitor.request(Method::DELETE, path).send().await.unwrap()).await
}

/// The kinds of all events of the user, newest first, by pages of two.
async fn kinds(visitor: &Visitor) -> Vec<String> {
    let events = pages(visitor, &format!("{EVENTS}?limit=2")).await;
    let kinds = events.iter().map(|event| event["kind"].as_str().unwrap());
    kinds.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_new_password_signs_all_other_browsers_out() {
    let server = Server::start();
    let own = server.visitor();
    let body = json!({ "username": "alice", "password": PASSWORD });
    let registered = own.request(Method::POST, "/api/register").json(&body);
    let registered = registered.send().await.unwrap();
    let cookie = session_cookie(&registered);
    let (first_cookie, _) = cookie.split_once(';').unwrap();
    let id = read(registered).await.1["id"].clone();
    // Somebody who has copied the cookie.
    let with_first_cookie = async || {
        let request = server.visitor().request(Method::GET, "/api/user");
        read(request.header("cookie", first_cookie).send().await.unwrap()).await
    };
    assert_eq!(with_first_cookie().await.1["id"], id);
    let (phone, _) = sign_in(&server, PASSWORD, IPHONE).await;
    assert_eq!(change(&own, PASSWORD, NEW).await.0, StatusCode::NO_CONTENT);
    assert_eq!(get(&own, "/api/user").await["id"], id);
    assert_refused(&phone.get("/api/user").await, 401, "not_signed_in");
    assert_refused(&with_first_cookie().await, 401, "not_signed_in");
    let (_, old) = sign_in(&server, PASSWORD, IPHONE).await;
    assert_eq!(old, StatusCode::UNAUTHORIZED);
    // The failure is recorded in the background, and is to come before the next event.
    wait_for(async || kinds(&own).await.len() == 4).await;
    let (phone, new) = sign_in(&server, NEW, IPHONE).await;
    assert_eq!(new, StatusCode::OK);
    assert_eq!(get(&own, SESSIONS).await.as_array().unwrap().len(), 2);
    let expected = [
        "signed_in",
        "sign_in_failed",
        "password_changed",
        "signed_in",
        "signed_in",
    ];
    assert_eq!(kinds(&phone).await, expected);
}

#[tokio::test]
async fn bad_password_changes_are_refused_with_a_reason() {
    let server = Server::start();
    let visitor = server.visitor();
    let anonymous = change(&visitor, PASSWORD, NEW).await;
    assert_refused(&anonymous, 401, "not_signed_in");
    let (own, _) = server.player("alice").await;
    let long = "x".repeat(1_025);
    for (current, new, status, code) in [
        ("wrong-password", NEW, 401, "invalid_credentials"),
        ("", NEW, 401, "invalid_credentials"),
        (PASSWORD, "12345", 422, "invalid_password"),
        (PASSWORD, &long, 422, "invalid_password"),
        (PASSWORD, "password", 422, "password_too_common"),
        (PASSWORD, PASSWORD, 422, "password_unchanged"),
    ] {
        assert_refused(&change(&own, current, new).await, status, code);
    }
    for body in [
        json!({}),
        json!({ "currentPassword": PASSWORD }),
        json!({ "currentPassword": PASSWORD, "newPassword": 7 }),
        json!({ "currentPassword": PASSWORD, "newPassword": NEW, "userId": 1 }),
    ] {
        let refused = own.post(PASSWORD_PATH, &body).await;
        assert_refused(&refused, 400, "malformed_request");
    }
    assert_eq!(sign_in(&server, PASSWORD, FIREFOX).await.1, StatusCode::OK);
}

#[tokio::test]
async fn wrong_current_passwords_are_limited() {
    let server = Server::start_with(&[]);
    let (own, _) = server.player("alice").await;
    for _ in 0..5 {
        let answer = change(&own, "wrong-password", NEW).await;
        assert_refused(&answer, 401, "invalid_credentials");
    }
    let sixth = change(&own, "wrong-password", NEW).await;
    assert_refused(&sixth, 429, "rate_limited");
    // The right password has to wait as well, or else the refusal would say that it is wrong.
    let right = change(&own, PASSWORD, NEW).await;
    assert_refused(&right, 429, "rate_limited");
    assert_eq!(get(&own, "/api/user").await["username"], "alice");
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let server = Server::start();
    let (own, _) = server.player("alice").await;
    let (phone, _) = sign_in(&server, PASSWORD, IPHONE).await;
    let (laptop, _) = sign_in(&server, PASSWORD, FIREFOX).await;
    let (stranger, _) = server.player("bob").await;
    let sessions = get(&laptop, SESSIONS).await;
    let find = |device: &str| {
        let mut all = sessions.as_array().unwrap().iter();
        all.find(|session| session["device"] == device).unwrap()
    };
    let (of_phone, of_laptop) = (find("Safari on iPhone"), find("Firefox on Linux"));
    assert_eq!(of_laptop["isCurrent"], true);
    assert_eq!(of_phone["isCurrent"], false);
    assert_eq!(of_phone["address"], "127.0.0.1");
    let path = |session: &Value| format!("{SESSIONS}/{}", session["id"].as_str().unwrap());
    for (visitor, path, status, code) in [
        (&server.visitor(), path(of_phone), 401, "not_signed_in"),
        (&stranger, path(of_phone), 404, "not_found"),
        (&laptop, path(of_laptop), 409, "current_session"),
        (&laptop, format!("{SESSIONS}/1"), 404, "not_found"),
        (&laptop, format!("{SESSIONS}/%00"), 404, "not_found"),
    ] {
        assert_refused(&delete(visitor, &path).await, status, code);
    }
    let ended = delete(&laptop, &path(of_phone)).await;
    assert_eq!(ended.0, StatusCode::NO_CONTENT);
    assert_refused(&phone.get("/api/user").await, 401, "not_signed_in");
    let again = delete(&laptop, &path(of_phone)).await;
    assert_refused(&again, 404, "not_found");
    assert_eq!(get(&own, "/api/user").await["username"], "alice");
    let all = delete(&laptop, SESSIONS).await;
    assert_eq!(all.0, StatusCode::NO_CONTENT);
    assert_refused(&own.get("/api/user").await, 401, "not_signed_in");
    assert_eq!(get(&stranger, "/api/user").await["username"], "bob");
    assert_eq!(get(&laptop, SESSIONS).await.as_array().unwrap().len(), 1);
    let expected = [
        "other_sessions_ended",
        "session_ended",
        "signed_in",
        "signed_in",
        "signed_in",
    ];
    assert_eq!(kinds(&laptop).await, expected);
}

#[tokio::test]
async fn ending_sessions_is_limited() {
    let server = Server::start_with(&[]);
    let (own, _) = server.player("alice").await;
    assert_limited(StatusCode::NO_CONTENT, async |_| {
        delete(&own, SESSIONS).await
    })
    .await;
}

#[tokio::test]
async fn events_are_shown_to_the_owner_and_to_administrators() {
    let server = Server::start();
    let (own, id) = server.player("alice").await;
    let (phone, _) = sign_in(&server, PASSWORD, IPHONE).await;
    sign_in(&server, "wrong-password", FIREFOX).await;
    wait_for(async || kinds(&own).await.len() == 3).await;
    let (status, _) = read(
        phone
            .request(Method::POST, "/api/logout")
            .header("user-agent", IPHONE)
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let events = pages(&own, &format!("{EVENTS}?limit=3")).await;
    let expected = [
        ("signed_out", json!("Safari on iPhone"), false),
        ("sign_in_failed", json!("Firefox on Linux"), true),
        ("signed_in", json!("Safari on iPhone"), true),
        ("signed_in", json!(null), true),
    ];
    assert_eq!(events.len(), expected.len());
    for (event, (kind, device, is_new)) in events.iter().zip(expected) {
        assert_eq!(event["kind"], kind);
        assert_eq!(event["device"], device, "{event}");
        assert_eq!(event["isNewDevice"], is_new, "{event}");
        assert_eq!(event["address"], "127.0.0.1");
    }
    let (stranger, _) = server.player("bob").await;
    assert_eq!(kinds(&stranger).await, ["signed_in"]);
    let of_alice = format!("/api/admin/users/{id}/security-events");
    assert_refused(&stranger.get(&of_alice).await, 403, "forbidden");
    assert_refused(&own.get(&of_alice).await, 403, "forbidden");
    let administrator = server.administrator().await;
    let seen = pages(&administrator, &format!("{of_alice}?limit=3")).await;
    assert_eq!(seen, events);
    for bad in ["limit=0", "limit=x", "cursor=%00"] {
        let refused = own.get(&format!("{EVENTS}?{bad}")).await;
        assert_refused(&refused, 400, "malformed_request");
    }
}

/// What the server says of itself counts attempts on accounts, so that an operator notices them.
#[tokio::test]
async fn events_are_counted_in_the_metrics() {
    let metrics = crate::support::free_address();
    let settings = [
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_METRICS_BIND", metrics.as_str()),
    ];
    let server = Server::start_with(&settings);
    server.player("alice").await;
    sign_in(&server, "wrong-password", FIREFOX).await;
    let text = reqwest::get(format!("http://{metrics}/metrics")).await;
    let text = text.unwrap().text().await.unwrap();
    for kind in ["signed_in", "sign_in_failed"] {
        let line = format!("glasshouse_security_events_total{{kind=\"{kind}\"}} 1");
        assert!(text.contains(&line), "{text}");
    }
}
