//! Nobody but an administrator gets anywhere with any of the administrators' calls: whichever calls
//! the OpenAPI document names, so that a new one is asked about, too.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{
    Call, Places, act, calls, colleague, get, operator, orphan, set_seconds_ago, withdraw,
};
use crate::support::{Server, Visitor, assert_refused, read};

/// The calls that the customer has named.
const SPECIFIED: [(&str, &str); 11] = [
    ("GET", "/api/admin/users"),
    ("POST", "/api/admin/users/{userId}/status"),
    ("POST", "/api/admin/users/{userId}/balance"),
    ("GET", "/api/admin/withdraw-requests"),
    ("POST", "/api/admin/withdraw-requests/{requestId}/process"),
    ("GET", "/api/admin/game-history"),
    ("GET", "/api/admin/deposits"),
    ("GET", "/api/admin/logs"),
    ("GET", "/api/admin/payment-statuses"),
    ("GET", "/api/admin/check-payment/{paymentId}"),
    ("POST", "/api/admin/confirm-payment"),
];

/// Everything that a call could change.
const LISTS: [&str; 7] = [
    "users",
    "withdraw-requests",
    "game-history",
    "deposits",
    "logs",
    "payment-statuses",
    "reviews",
];

/// What each call is made with: a query, and a body or none.
enum Sent {
    /// A body that an administrator would be served with.
    WellFormed,
    Nothing,
    Text(&'static str),
    Large,
}

const WAYS: [(&str, Sent); 7] = [
    ("", Sent::WellFormed),
    ("", Sent::Nothing),
    ("", Sent::Text("{\"status\":")),
    ("", Sent::Text("[]")),
    ("", Sent::Large),
    ("?limit=none&cursor=%00&nonsense=1", Sent::WellFormed),
    ("?days=x&open=x&userId=x", Sent::Nothing),
];

/// A house in which every call of an administrator would find something.
struct Stage {
    server: Server,
    administrator: Visitor,
    places: Places,
    calls: Vec<Call>,
}

impl Stage {
    async fn set() -> Self {
        let server = Server::start();
        let administrator = server.administrator().await;
        let victim = server.funded_player("victim", "100.00").await;
        let withdrawal = withdraw(&victim, "20.00").await;
        let (payment, review) = orphan(&server, &administrator).await;
        let places = Places {
            user: get(&victim, "/api/user").await["id"].clone(),
            withdrawal,
            payment,
            review,
        };
        let calls = calls(&server).await;
        Self {
            server,
            administrator,
            places,
            calls,
        }
    }

    async fn state(&self) -> Vec<Value> {
        let mut state = Vec::new();
        for list in LISTS {
            state.push(get(&self.administrator, &format!("/api/admin/{list}?limit=200")).await);
        }
        state
    }

    /// Every call in every way; what is refused must be refused for who asks, not for how.
    async fn assert_refuses(&self, outsider: &Visitor, status: u16, code: &str) {
        for call in &self.calls {
            for (query, sent) in &WAYS {
                for path in [call.path(&self.places), call.path_with("abc")] {
                    let path = format!("{path}{query}");
                    let request = outsider.request(call.method.clone(), &path);
                    let request = match sent {
                        Sent::WellFormed => request.json(&call.body(&self.places)),
                        Sent::Nothing => request,
                        Sent::Text(text) => request
                            .header("content-type", "application/json")
                            .body(*text),
                        Sent::Large => request
                            .header("content-type", "application/json")
                            .body("x".repeat(20_000)),
                    };
                    let answer = read(request.send().await.unwrap()).await;
                    assert_eq!(answer.0.as_u16(), status, "{call:?} {path}: {}", answer.1);
                    assert_refused(&answer, status, code);
                }
            }
        }
    }
}

#[tokio::test]
async fn every_specified_call_is_described() {
    let server = Server::start();
    let calls = calls(&server).await;
    assert!(calls.len() >= SPECIFIED.len(), "{calls:?}");
    for (method, template) in SPECIFIED {
        let is_it = |call: &&Call| call.method == method && call.template == template;
        assert_eq!(calls.iter().filter(is_it).count(), 1, "{method} {template}");
    }
}

#[tokio::test]
async fn outsiders_are_refused_by_every_call_and_change_nothing() {
    let stage = Stage::set().await;
    let before = stage.state().await;
    let (player, _) = stage.server.player("player").await;
    let expected = stage.state().await;
    assert_eq!(before[1..], expected[1..], "nobody has done anything yet");

    let stranger = stage.server.visitor();
    stage.assert_refuses(&stranger, 401, "not_signed_in").await;
    stage.assert_refuses(&player, 403, "forbidden").await;
    assert_eq!(stage.state().await, expected);
    stage.server.assert_clean();
}

#[tokio::test]
async fn the_banned_and_the_dismissed_are_refused_at_once() {
    let stage = Stage::set().await;
    let (banned, id) = stage.server.player("banned").await;
    let dismissed = colleague(&stage.server, "dismissed").await;
    get(&dismissed, "/api/admin/users").await;
    let path = format!("/api/admin/users/{id}/status");
    let body = json!({ "status": "banned", "banReason": "for the test" });
    act(&stage.administrator, &path, body).await;
    let revoked = operator(&stage.server, &["admin", "revoke", "dismissed"]);
    assert!(revoked.status.success());
    assert_refused(&dismissed.get("/api/admin/users").await, 403, "forbidden");
    let expected = stage.state().await;
    let newest = &expected[4][0];
    assert_eq!(newest["action"], "administrator_revoked");
    assert_eq!(
        (&newest["adminId"], &newest["targetUsername"]),
        (&Value::Null, &json!("dismissed"))
    );

    stage.assert_refuses(&banned, 403, "account_banned").await;
    stage.assert_refuses(&dismissed, 403, "forbidden").await;
    assert_eq!(stage.state().await, expected);
    // A player again, and as welcome as any.
    assert_eq!(get(&dismissed, "/api/user").await["isAdmin"], false);
    stage.server.assert_clean();
}

/// After a quiet minute the house writes down that somebody is back, while the rest of the request
/// is read already.
#[tokio::test]
async fn who_comes_back_after_a_while_is_refused_for_who_it_is() {
    let stage = Stage::set().await;
    let (player, _) = stage.server.player("sleeper").await;
    for call in &stage.calls {
        for body in ["", "{", "{}"] {
            set_seconds_ago(&stage.server, "last_active_at_micros", 120);
            let path = format!("{}?nonsense=1", call.path_with("abc"));
            let request = player.request(call.method.clone(), &path);
            let request = request.header("content-type", "application/json");
            let answer = read(request.body(body).send().await.unwrap()).await;
            assert_eq!(
                answer.0,
                StatusCode::FORBIDDEN,
                "{call:?} {body}: {}",
                answer.1
            );
            assert_refused(&answer, 403, "forbidden");
        }
    }
}

#[tokio::test]
async fn other_sites_cannot_make_an_administrator_act() {
    let stage = Stage::set().await;
    let expected = stage.state().await;
    let acts: Vec<&Call> = stage.calls.iter().filter(|call| call.is_unsafe()).collect();
    assert!(acts.len() >= 4, "{acts:?}");
    for call in acts {
        for (header, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = stage
                .administrator
                .request(call.method.clone(), &call.path(&stage.places))
                .header(header, value)
                .json(&call.body(&stage.places));
            let answer = read(request.send().await.unwrap()).await;
            assert_refused(&answer, 403, "foreign_origin");
        }
    }
    assert_eq!(stage.state().await, expected);
    // The same from the house's own pages is served.
    let path = format!("/api/admin/users/{}/balance", stage.places.user);
    let own = format!("http://{}", stage.server.address);
    let request = stage.administrator.request(Method::POST, &path);
    let request = request
        .header("origin", own)
        .header("sec-fetch-site", "same-origin");
    let answer = request
        .json(&json!({ "balance": "7.00" }))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

/// Whatever stands in the place of an id, no call breaks.
#[tokio::test]
async fn ids_that_are_none_are_not_found() {
    let stage = Stage::set().await;
    set_seconds_ago(&stage.server, "confirmed_at_micros", 0);
    let expected = stage.state().await;
    let with_ids: Vec<&Call> = stage
        .calls
        .iter()
        .filter(|call| call.template.contains('{'))
        .collect();
    assert!(with_ids.len() >= 6, "{with_ids:?}");
    for call in with_ids {
        for id in [
            "abc",
            "-1",
            "0",
            "999999",
            "9223372036854775807",
            "9223372036854775808",
            "99999999999999999999",
            "1.5",
            "1e3",
            "%00",
            "%FF",
            "%27%20OR%201=1",
        ] {
            let request = stage
                .administrator
                .request(call.method.clone(), &call.path_with(id));
            let request = if call.is_unsafe() {
                request.json(&call.body(&stage.places))
            } else {
                request
            };
            let (status, answer) = read(request.send().await.unwrap()).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{call:?} {id}: {answer}");
        }
    }
    assert_eq!(stage.state().await, expected);
}
