//! The audit log has what administrators do besides changes: sign-ins, confirmations, and the personal data
//! that they are shown.

use std::slice::from_ref;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{
    Places, calls, get, newest_alert, orphan, play_round, proposal, withdraw,
};
use crate::sandbox_payments::create_deposit;
use crate::support::{PASSWORD, Server, Visitor, assert_refused, wait_for};

const STEP_UP: &str = "/api/admin/step-up";

/// The calls that show personal data, with what the audit log calls it, and whether it is of one person.
const SHOWN: [(&str, &str, bool); 18] = [
    ("/api/admin/users/{userId}/sessions", "sessions", true),
    ("/api/admin/rounds/{roundId}", "round", true),
    ("/api/admin/payments/{paymentId}", "payment", false),
    ("/api/admin/withdrawals/{withdrawalId}", "withdrawal", true),
    ("/api/admin/users", "users", false),
    ("/api/admin/users/{userId}", "users", true),
    (
        "/api/admin/users/{userId}/overview",
        "player-overview",
        true,
    ),
    (
        "/api/admin/users/{userId}/timeline",
        "player-timeline",
        true,
    ),
    (
        "/api/admin/users/{userId}/security-events",
        "security-events",
        true,
    ),
    ("/api/admin/withdraw-requests", "withdraw-requests", true),
    ("/api/admin/game-history", "game-history", true),
    ("/api/admin/deposits", "deposits", true),
    ("/api/admin/logs", "logs", false),
    ("/api/admin/payment-statuses", "payment-statuses", false),
    (
        "/api/admin/check-payment/{paymentId}",
        "payment-statuses",
        false,
    ),
    ("/api/admin/reviews", "reviews", false),
    ("/api/admin/alerts", "alerts", false),
    ("/api/admin/proposals", "proposals", false),
];

/// The calls that show no player, or whose use has a record of its own.
const OTHERS: [&str; 10] = [
    "/api/admin/games",
    "/api/admin/switches",
    "/api/admin/summary",
    "/api/admin/pending-work",
    "/api/admin/house",
    "/api/admin/figures",
    "/api/admin/provider-balance",
    "/api/admin/approval",
    STEP_UP,
    "/api/admin/export/{list}.csv",
];

/// The records of an action in the order in which they were made.
async fn records(visitor: &Visitor, action: &str) -> Vec<Value> {
    let path = format!("/api/admin/logs?limit=200&action={action}");
    let mut records = get(visitor, &path).await.as_array().unwrap().clone();
    records.reverse();
    records
}

/// What was shown: the lists, and of whom.
pub(crate) async fn shown(visitor: &Visitor) -> Vec<(String, Value)> {
    let records = records(visitor, "personal_data_viewed").await;
    let shown = records.iter().map(|record| {
        assert_eq!(record["adminUsername"], "admin");
        assert_eq!(record["address"], "127.0.0.1");
        assert_eq!(record["details"], record["subject"]);
        let subject = record["subject"].as_str().unwrap().to_owned();
        (subject, record["targetUserId"].clone())
    });
    shown.collect()
}

async fn sign_in(server: &Server, name: &str, password: &str) -> StatusCode {
    let body = json!({ "username": name, "password": password });
    server.visitor().post("/api/login", &body).await.0
}

#[tokio::test]
async fn sign_ins_confirmations_and_sign_outs_of_administrators_are_recorded() {
    let server = Server::start();
    let administrator = server.administrator().await;
    server.player("alice").await;
    assert_eq!(sign_in(&server, "alice", PASSWORD).await, StatusCode::OK);
    let confirm = async |code: String| {
        administrator
            .post(STEP_UP, &json!({ "secondFactor": code }))
            .await
    };
    let (status, answer) = confirm(server.recovery_code().await).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_refused(
        &confirm("not-a-code".to_owned()).await,
        401,
        "invalid_second_factor",
    );
    administrator.post("/api/logout", &json!({})).await;

    let again = server.administrator().await;
    let id = get(&again, "/api/user").await["id"].clone();
    assert_eq!(records(&again, "signed_in").await.len(), 2);
    assert!(!records(&again, "session_confirmed").await.is_empty());
    for action in ["signed_in", "session_confirmed", "signed_out"] {
        for record in records(&again, action).await {
            assert_eq!(record["adminId"], id, "{record}");
            assert_eq!(record["targetUserId"], Value::Null, "{record}");
            assert_eq!(record["address"], "127.0.0.1", "{record}");
        }
    }
    assert_eq!(records(&again, "signed_out").await.len(), 1);
    // Refusals are recorded after the answer.
    wait_for(async || !records(&again, "confirmation_refused").await.is_empty()).await;
    let refused = records(&again, "confirmation_refused").await;
    assert_eq!(refused[0]["adminId"], id);
    assert_eq!(refused[0]["newValue"], "wrong code; 1 within 24 hours");
    server.assert_clean();
}

/// Nobody can fill the log by trying passwords, and players' sign-ins are none of its business.
#[tokio::test]
async fn refused_sign_ins_are_recorded_when_their_number_grows_tenfold() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let id = get(&administrator, "/api/user").await["id"].clone();
    server.player("alice").await;
    assert_eq!(
        sign_in(&server, "alice", "wrong").await,
        StatusCode::UNAUTHORIZED
    );
    for _ in 0..11 {
        assert_eq!(
            sign_in(&server, "admin", "wrong").await,
            StatusCode::UNAUTHORIZED
        );
    }
    let counted = "SELECT CAST(count AS TEXT) AS value FROM attempt_counters
        WHERE subject LIKE 'audited sign_in_refused %'";
    wait_for(async || server.texts(counted) == ["11"]).await;
    let refused = records(&administrator, "sign_in_refused").await;
    let told: Vec<&Value> = refused.iter().map(|record| &record["newValue"]).collect();
    assert_eq!(
        told,
        [
            "wrong password; 1 within 24 hours",
            "wrong password; 10 within 24 hours"
        ]
    );
    for record in &refused {
        assert_eq!(
            (&record["adminId"], &record["targetUserId"]),
            (&Value::Null, &id)
        );
    }
    let of_players = "SELECT kind AS value FROM security_events WHERE kind = 'sign_in_failed'
        AND user_id IN (SELECT id FROM users WHERE username = 'alice')";
    wait_for(async || server.texts(of_players).len() == 1).await;
    assert!(
        get(&administrator, "/api/admin/logs?search=alice")
            .await
            .as_array()
            .unwrap()
            .is_empty()
    );
    server.assert_clean();
}

#[tokio::test]
async fn every_call_that_shows_personal_data_is_recorded_once() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let alice = server.funded_player("alice", "100.00").await;
    let user = get(&alice, "/api/user").await["id"].clone();
    create_deposit(&alice, "30.00").await;
    let (payment, review) = orphan(&server, &administrator).await;
    let places = Places {
        alert: newest_alert(&server),
        round: play_round(&alice).await,
        withdrawal: withdraw(&alice, "20.00").await,
        proposal: proposal(&server, &user).await,
        user: user.clone(),
        payment,
        review,
    };
    let calls = calls(&server).await;
    let reading = || calls.iter().filter(|call| call.method == Method::GET);
    for call in reading() {
        let template = call.template.as_str();
        let is_known = SHOWN.iter().any(|(known, ..)| *known == template);
        assert!(
            is_known || OTHERS.contains(&template),
            "{template} is new: does it show people?"
        );
    }
    for _ in 0..3 {
        for call in reading() {
            get(&administrator, &call.path(&places)).await;
        }
    }
    let found = shown(&administrator).await;
    for (path, list, is_of_one) in SHOWN {
        let person = if is_of_one { user.clone() } else { Value::Null };
        let expected = (format!("list {list}"), person);
        let count = found.iter().filter(|shown| **shown == expected).count();
        assert_eq!(count, 1, "{path}: {found:?}");
    }
    server.assert_clean();
}

#[tokio::test]
async fn pages_are_one_access_and_a_search_for_a_person_is_another() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (_, alice) = server.player("alice").await;
    server.player("bob").await;
    let mut path = "/api/admin/users?limit=1".to_owned();
    for _ in 0..2 {
        let page = administrator
            .request(Method::GET, &path)
            .send()
            .await
            .unwrap();
        let cursor = page.headers()["next-cursor"].to_str().unwrap().to_owned();
        path = format!("/api/admin/users?limit=1&cursor={cursor}");
    }
    get(&administrator, "/api/admin/users").await;
    let everybody = ("list users".to_owned(), Value::Null);
    assert_eq!(shown(&administrator).await, from_ref(&everybody));
    get(&administrator, "/api/admin/users?search=nobody-at-all").await;
    get(&administrator, "/api/admin/users?search=ALI").await;
    get(
        &administrator,
        &format!("/api/admin/users?search=%23{alice}"),
    )
    .await;
    let logs = ("list logs".to_owned(), Value::Null);
    let one = ("list users".to_owned(), json!(alice));
    assert_eq!(shown(&administrator).await, [everybody, logs, one]);
    server.assert_clean();
}

/// What cannot be recorded is not shown.
#[tokio::test]
async fn without_a_record_nothing_is_shown() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let refuse = if server.is_on_postgres() {
        "ALTER TABLE audit_log ADD CONSTRAINT none CHECK (action <> 'personal_data_viewed')"
    } else {
        "CREATE TRIGGER none BEFORE INSERT ON audit_log WHEN NEW.action = 'personal_data_viewed'
         BEGIN SELECT RAISE(ABORT, 'none'); END"
    };
    server.sql(refuse).unwrap();
    for path in [
        "/api/admin/users",
        "/api/admin/users/1",
        "/api/admin/users/1/security-events",
        "/api/admin/users/1/overview",
        "/api/admin/users/1/timeline",
    ] {
        let (status, answer) = administrator.get(path).await;
        assert!(status.is_server_error(), "{path}: {status} {answer}");
        assert!(!answer.to_string().contains("admin"), "{answer}");
    }
}
