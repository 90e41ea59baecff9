//! Only administrators may use the administrators' calls. The calls are taken from the OpenAPI
//! document, which covers new ones as well.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{
    Call, Places, act, calls, colleague, get, logged_acts, newest_alert, orphan, play_round,
    proposal, set_seconds_ago, withdraw,
};
use crate::support::{Server, Visitor, assert_refused, read};

/// The calls required by the specification.
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

/// The lists that show every change a call could make.
const LISTS: [&str; 9] = [
    "users",
    "withdraw-requests",
    "game-history",
    "deposits",
    "logs",
    "payment-statuses",
    "reviews",
    "proposals",
    "alerts",
];

/// The body of a request.
enum RequestBody {
    /// A body that is valid for an administrator.
    WellFormed,
    Empty,
    Text(&'static str),
    Large,
}

/// The queries and bodies with which each call is made.
const REQUESTS: [(&str, RequestBody); 7] = [
    ("", RequestBody::WellFormed),
    ("", RequestBody::Empty),
    ("", RequestBody::Text("{\"status\":")),
    ("", RequestBody::Text("[]")),
    ("", RequestBody::Large),
    ("?limit=none&cursor=%00&nonsense=1", RequestBody::WellFormed),
    ("?days=x&open=x&userId=x", RequestBody::Empty),
];

/// A house in which every administrators' call would find something to act on.
struct Scenario {
    server: Server,
    administrator: Visitor,
    places: Places,
    calls: Vec<Call>,
}

impl Scenario {
    async fn create() -> Self {
        let server = Server::start();
        let administrator = server.administrator().await;
        let victim = server.funded_player("victim", "100.00").await;
        let withdrawal = withdraw(&victim, "20.00").await;
        let (payment, review) = orphan(&server, &administrator).await;
        let user = get(&victim, "/api/user").await["id"].clone();
        let places = Places {
            alert: newest_alert(&server),
            round: play_round(&victim).await,
            proposal: proposal(&server, &user).await,
            user,
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
            state.push(match list {
                // Looking at the state is no change of it.
                "logs" => Value::Array(logged_acts(&self.administrator, "").await),
                _ => get(&self.administrator, &format!("/api/admin/{list}?limit=200")).await,
            });
        }
        state
    }

    /// Asserts that every call is refused because of the caller, whatever the request's query and
    /// body.
    async fn assert_refuses_all_calls(&self, outsider: &Visitor, status: u16, code: &str) {
        for call in &self.calls {
            for (query, body) in &REQUESTS {
                for path in [call.path(&self.places), call.path_with("abc")] {
                    let path = format!("{path}{query}");
                    let request = outsider.request(call.method.clone(), &path);
                    let request = match body {
                        RequestBody::WellFormed => request.json(&call.body(&self.places)),
                        RequestBody::Empty => request,
                        RequestBody::Text(text) => request
                            .header("content-type", "application/json")
                            .body(*text),
                        RequestBody::Large => request
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
        let is_call = |call: &&Call| call.method == method && call.template == template;
        assert_eq!(
            calls.iter().filter(is_call).count(),
            1,
            "{method} {template}"
        );
    }
}

#[tokio::test]
async fn non_administrators_are_refused_by_every_call_and_change_nothing() {
    let scenario = Scenario::create().await;
    let before = scenario.state().await;
    let (player, _) = scenario.server.player("player").await;
    let expected = scenario.state().await;
    assert_eq!(
        before[1..],
        expected[1..],
        "only the list of users may have changed"
    );

    let visitor = scenario.server.visitor();
    scenario
        .assert_refuses_all_calls(&visitor, 401, "not_signed_in")
        .await;
    scenario
        .assert_refuses_all_calls(&player, 403, "forbidden")
        .await;
    assert_eq!(scenario.state().await, expected);
    scenario.server.assert_clean();
}

#[tokio::test]
async fn banned_players_and_revoked_administrators_are_refused_at_once() {
    let scenario = Scenario::create().await;
    let (banned, id) = scenario.server.player("banned").await;
    let revoked_admin = colleague(&scenario.server, "dismissed").await;
    get(&revoked_admin, "/api/admin/users").await;
    let path = format!("/api/admin/users/{id}/status");
    let body = json!({ "status": "banned", "banReason": "for the test" });
    act(&scenario.administrator, &path, body).await;
    let revoked = scenario.server.operate(&["admin", "revoke", "dismissed"]);
    assert!(revoked.status.success());
    assert_refused(
        &revoked_admin.get("/api/admin/users").await,
        403,
        "forbidden",
    );
    let expected = scenario.state().await;
    let newest = &expected[4][0];
    assert_eq!(newest["action"], "administrator_revoked");
    assert_eq!(
        (&newest["adminId"], &newest["targetUsername"]),
        (&Value::Null, &json!("dismissed"))
    );

    scenario
        .assert_refuses_all_calls(&banned, 403, "account_banned")
        .await;
    scenario
        .assert_refuses_all_calls(&revoked_admin, 403, "forbidden")
        .await;
    assert_eq!(scenario.state().await, expected);
    // The revoked administrator is an ordinary player again.
    assert_eq!(get(&revoked_admin, "/api/user").await["isAdmin"], false);
    scenario.server.assert_clean();
}

/// After a minute of inactivity the session's activity is written while the request's body is
/// already being read; the refusal must not depend on the body.
#[tokio::test]
async fn idle_players_get_403_whatever_the_request() {
    let scenario = Scenario::create().await;
    let (player, _) = scenario.server.player("sleeper").await;
    for call in &scenario.calls {
        for body in ["", "{", "{}"] {
            set_seconds_ago(&scenario.server, "last_active_at_micros", 120);
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
    let scenario = Scenario::create().await;
    let expected = scenario.state().await;
    let unsafe_calls: Vec<&Call> = scenario
        .calls
        .iter()
        .filter(|call| call.is_unsafe())
        .collect();
    assert!(unsafe_calls.len() >= 4, "{unsafe_calls:?}");
    for call in unsafe_calls {
        for (header, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = scenario
                .administrator
                .request(call.method.clone(), &call.path(&scenario.places))
                .header(header, value)
                .json(&call.body(&scenario.places));
            let answer = read(request.send().await.unwrap()).await;
            assert_refused(&answer, 403, "foreign_origin");
        }
    }
    assert_eq!(scenario.state().await, expected);
    // The same call from the house's own origin is accepted.
    let path = format!("/api/admin/users/{}/balance", scenario.places.user);
    let own = format!("http://{}", scenario.server.address);
    let request = scenario.administrator.request(Method::POST, &path);
    let request = request
        .header("origin", own)
        .header("sec-fetch-site", "same-origin");
    let answer = request
        .json(&json!({ "balance": "7.00", "reason": "a test" }))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

/// An invalid ID never makes a call fail otherwise.
#[tokio::test]
async fn invalid_ids_get_404() {
    let scenario = Scenario::create().await;
    set_seconds_ago(&scenario.server, "confirmed_at_micros", 0);
    let expected = scenario.state().await;
    let with_ids: Vec<&Call> = scenario
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
            let request = scenario
                .administrator
                .request(call.method.clone(), &call.path_with(id));
            let request = if call.is_unsafe() {
                request.json(&call.body(&scenario.places))
            } else {
                request
            };
            let (status, answer) = read(request.send().await.unwrap()).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{call:?} {id}: {answer}");
        }
    }
    assert_eq!(scenario.state().await, expected);
}
