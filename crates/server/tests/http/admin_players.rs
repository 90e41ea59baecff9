//! One player in the panel: the figures and the timeline, who may see what of them, and bad requests.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{act, colleague_as, get, pages, withdraw};
use crate::sandbox_payments::create_deposit;
use crate::support::{Server, Visitor, assert_refused};

/// The ID of a player who has done a bit of everything. The ban has ended the session.
async fn busy_player(server: &Server, administrator: &Visitor) -> Value {
    let alice = server.funded_player("alice", "100.00").await;
    let id = get(&alice, "/api/user").await["id"].clone();
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    assert_eq!(alice.post("/api/dice/play", &bet).await.0, StatusCode::OK);
    create_deposit(&alice, "30.00").await;
    withdraw(&alice, "20.00").await;
    let limit = alice
        .request(Method::PUT, "/api/limits/stake/day")
        .json(&json!({ "value": "50.00" }));
    assert_eq!(limit.send().await.unwrap().status(), StatusCode::OK);
    let status = format!("/api/admin/users/{id}/status");
    for body in [
        json!({ "status": "banned", "banReason": "a test" }),
        json!({ "status": "active" }),
    ] {
        act(administrator, &status, body).await;
    }
    id
}

#[tokio::test]
async fn the_timeline_shows_every_kind_page_by_page() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let id = busy_player(&server, &administrator).await;
    let path = format!("/api/admin/users/{id}/timeline");
    let all = get(&administrator, &path).await;
    let all = all.as_array().unwrap();
    for kind in [
        "security",
        "deposit",
        "withdrawal",
        "round",
        "ledger",
        "limit",
        "audit",
    ] {
        let of_kind: Vec<&Value> = all.iter().filter(|entry| entry["kind"] == kind).collect();
        assert!(!of_kind.is_empty(), "{kind}: {all:?}");
        let filtered = get(&administrator, &format!("{path}?kind={kind}")).await;
        let filtered: Vec<&Value> = filtered.as_array().unwrap().iter().collect();
        assert_eq!(filtered, of_kind, "{kind}");
    }
    let times: Vec<&str> = all
        .iter()
        .map(|entry| entry["at"].as_str().unwrap())
        .collect();
    assert!(
        times.is_sorted_by(|newer, older| newer >= older),
        "{times:?}"
    );
    assert_eq!(
        &pages(&administrator, &format!("{path}?limit=2")).await,
        all
    );
    let find = |kind: &str| all.iter().find(|entry| entry["kind"] == kind).unwrap();
    let round = &find("round")["event"];
    assert_eq!(
        (&round["gameType"], &round["betAmount"]),
        (&json!("dice"), &json!("1.00"))
    );
    let withdrawal = &find("withdrawal")["event"];
    assert_eq!(withdrawal["status"], "pending");
    assert_eq!(withdrawal["payout"], Value::Null);
    let ledger = &find("ledger")["event"];
    assert_eq!(
        (&ledger["entry"], &ledger["amount"]),
        (&json!("withdrawal"), &json!("-20.00"))
    );
    let last = all.last().unwrap()["at"].as_str().unwrap();
    let none = get(&administrator, &format!("{path}?to={last}")).await;
    assert_eq!(none, json!([]));
    let from_then = get(&administrator, &format!("{path}?from={last}")).await;
    assert_eq!(from_then.as_array().unwrap(), all);
    server.assert_clean();
}

#[tokio::test]
async fn the_overview_sums_the_player_up() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let id = busy_player(&server, &administrator).await;
    let overview = get(&administrator, &format!("/api/admin/users/{id}/overview")).await;
    let user = get(&administrator, &format!("/api/admin/users/{id}")).await;
    assert_eq!(overview["user"], user);
    assert_eq!(overview["totals"]["wagered"], "1.00");
    assert_eq!(overview["pendingWithdrawals"], 1);
    assert_eq!(overview["pendingWithdrawalAmount"], "20.00");
    assert_eq!(overview["hasSecondFactor"], false);
    assert_eq!(overview["limits"]["limits"][0]["value"], "50.00");
    assert!(overview["lastSignInAt"].is_string());
    server.assert_clean();
}

#[tokio::test]
async fn security_events_are_only_for_roles_that_may_read_them() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let id = busy_player(&server, &administrator).await;
    let timeline = format!("/api/admin/users/{id}/timeline");
    let overview = format!("/api/admin/users/{id}/overview");
    let all = get(&administrator, &timeline).await;
    let others = all.as_array().unwrap().iter();
    let others: Vec<&Value> = others.filter(|entry| entry["kind"] != "security").collect();
    for (role, may_read) in [("auditor", true), ("support", true), ("finance", false)] {
        let colleague = colleague_as(&server, role, role).await;
        let found = get(&colleague, &timeline).await;
        let only_security = colleague.get(&format!("{timeline}?kind=security")).await;
        let last_sign_in = &get(&colleague, &overview).await["lastSignInAt"];
        if may_read {
            assert_eq!(found, all);
            assert_eq!(only_security.0, StatusCode::OK);
            assert!(last_sign_in.is_string());
        } else {
            let found: Vec<&Value> = found.as_array().unwrap().iter().collect();
            assert_eq!(found, others);
            assert_refused(&only_security, 403, "role_forbidden");
            assert!(last_sign_in.is_null());
        }
    }
    let (player, _) = server.player("bob").await;
    for path in [&timeline, &overview] {
        assert_refused(&player.get(path).await, 403, "forbidden");
        assert_refused(&server.visitor().get(path).await, 401, "not_signed_in");
    }
}

#[tokio::test]
async fn bad_parameters_and_unknown_players_are_refused() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let path = "/api/admin/users/1/timeline";
    for bad in [
        "kind=bets",
        "kind=",
        "kind=round&kind=audit",
        "limit=0",
        "limit=201",
        "from=yesterday",
        "from=2026-11-26T12:00:00Z&to=2026-11-26T12:00:00Z",
        "cursor=x",
        "cursor=17",
        "cursor=1-bets-1",
        "cursor=1-round-1-1",
        "cursor=1-round-%00",
        "cursor=99999999999999999999-round-1",
        "search=x",
    ] {
        let answer = administrator.get(&format!("{path}?{bad}")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for page in ["timeline", "overview"] {
        for id in ["999999", "0", "-1", "x", "99999999999999999999"] {
            let answer = administrator
                .get(&format!("/api/admin/users/{id}/{page}"))
                .await;
            assert_refused(&answer, 404, "not_found");
        }
    }
}
