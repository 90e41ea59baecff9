//! What the tests of the administrators' calls share: the calls themselves as the server describes
//! them, administrators made and unmade by the and time that has passed.

use std::process::Output;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::sandbox_payments::{displayed_payment_id, open_foreign_payment};
use crate::support::{Authenticator, Server, Visitor, read};

/// A wallet of bitcoin that money can be sent to.
pub(crate) const WALLET: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// A call as the OpenAPI document names it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) template: String,
    /// What the caller's role must permit.
    pub(crate) permission: String,
}

/// What stands for the variable parts of paths: numbers and names that there are.
pub(crate) struct Places {
    pub(crate) user: Value,
    pub(crate) withdrawal: Value,
    pub(crate) payment: String,
    pub(crate) review: Value,
    pub(crate) proposal: Value,
    pub(crate) round: Value,
    pub(crate) alert: Value,
}

impl Call {
    pub(crate) fn is_unsafe(&self) -> bool {
        self.method != Method::GET
    }

    /// The path with real values in it.
    pub(crate) fn path(&self, places: &Places) -> String {
        let path = self
            .template
            .replace("{userId}", &places.user.to_string())
            .replace("{requestId}", &places.withdrawal.to_string())
            .replace("{withdrawalId}", &places.withdrawal.to_string())
            .replace("{paymentId}", &places.payment)
            .replace("{reviewId}", &places.review.to_string())
            .replace("{proposalId}", &places.proposal.to_string())
            .replace("{roundId}", &places.round.to_string())
            .replace("{alertId}", &places.alert.to_string())
            .replace("{name}", "dice")
            .replace("{switch}", "registration")
            .replace("{list}", "users");
        assert!(!path.contains('{'), "{path}: what is a value of this?");
        path
    }

    /// The path with one text for everything variable.
    pub(crate) fn path_with(&self, text: &str) -> String {
        let mut path = self.template.clone();
        while let Some((start, end)) = path.find('{').zip(path.find('}')) {
            path.replace_range(start..=end, text);
        }
        path
    }

    /// A body that the call accepts from an administrator; null for calls without one.
    pub(crate) fn body(&self, places: &Places) -> Value {
        if !self.is_unsafe() {
            return Value::Null;
        }
        match self.template.as_str() {
            "/api/admin/users/{userId}/status" => json!({ "status": "banned", "banReason": "x" }),
            "/api/admin/users/{userId}/balance" => json!({ "balance": "7.00", "reason": "a test" }),
            "/api/admin/users/{userId}/role" => json!({ "role": "auditor", "reason": "x" }),
            "/api/admin/approval/thresholds" => thresholds("1.00"),
            "/api/admin/proposals/{proposalId}/refuse"
            | "/api/admin/users/{userId}/end-sessions" => json!({ "reason": "x" }),
            "/api/admin/alerts/{alertId}/acknowledge"
            | "/api/admin/proposals/{proposalId}/approve"
            | "/api/admin/proposals/{proposalId}/withdraw" => Value::Null,
            "/api/admin/withdraw-requests/{requestId}/process" => json!({ "action": "approve" }),
            "/api/admin/withdraw-requests/{requestId}/payout" => {
                json!({ "action": "failed", "reason": "x" })
            }
            "/api/admin/switches/{switch}" => json!({ "isOn": false, "reason": "x" }),
            "/api/admin/users/{userId}/restrictions" => {
                json!({ "restriction": "betting", "isBlocked": true, "reason": "x" })
            }
            "/api/admin/users/{userId}/notes" => json!({ "text": "x" }),
            "/api/admin/games/{name}/limits" => json!({ "maximumStake": "5.00", "reason": "x" }),
            "/api/admin/games/{name}/status" => json!({ "status": "paused", "reason": "x" }),
            "/api/admin/confirm-payment" => confirmation(&places.payment, &places.user, "5.00"),
            "/api/admin/check-payment/{paymentId}" => json!({}),
            "/api/admin/reviews/{reviewId}/resolve" => json!({ "resolution": "looked at" }),
            "/api/admin/step-up" => json!({ "secondFactor": "whatever-it-is" }),
            other => panic!("{other}: what is a body of this new call?"),
        }
    }
}

/// Rolls the dice once, and returns the round's ID.
pub(crate) async fn play_round(player: &Visitor) -> Value {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, round) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{round}");
    round["roundId"].clone()
}

/// New approval thresholds, all of them the same.
pub(crate) fn thresholds(amount: &str) -> Value {
    json!({
        "adjustment": amount,
        "confirmation": amount,
        "withdrawal": amount,
        "personPerDay": amount,
        "housePerDay": amount,
        "automaticWithdrawal": "0.00",
        "reason": "x",
    })
}

/// The ID of a proposal of a new administrator to give a user 150 dollars more.
pub(crate) async fn proposal(server: &Server, user: &Value) -> Value {
    let proposer = colleague_as(server, "proposer", "owner").await;
    let path = format!("/api/admin/users/{user}/balance");
    let body = json!({ "balance": "900.00", "reason": "a test", "propose": true });
    let (status, answer) = proposer.post(&path, &body).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    answer["id"].clone()
}

pub(crate) fn confirmation(id: &str, user: &Value, amount: &str) -> Value {
    json!({ "invoiceId": id, "userId": user, "amount": amount, "currency": "BTC", "reason": "a test" })
}

/// Every call of the administrators, by the document that the server itself gives out.
pub(crate) async fn calls(server: &Server) -> Vec<Call> {
    let document = get(&server.visitor(), "/api/openapi.json").await;
    let paths = document["paths"].as_object().unwrap();
    let of_administrators = paths
        .iter()
        .filter(|(template, _)| template.starts_with("/api/admin"));
    let calls = of_administrators.flat_map(|(template, methods)| {
        let each = methods.as_object().unwrap().iter();
        each.map(|(name, operation)| Call {
            method: name.to_uppercase().parse().unwrap(),
            template: template.clone(),
            permission: operation["x-permission"].as_str().unwrap().to_owned(),
        })
    });
    calls.collect()
}

pub(crate) async fn get(visitor: &Visitor, path: &str) -> Value {
    let (status, answer) = visitor.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

/// What is only looked at or opened: the audit log has it between the acts.
pub(crate) const ACCESSES: [&str; 6] = [
    "signed_in",
    "sign_in_refused",
    "signed_out",
    "session_confirmed",
    "confirmation_refused",
    "personal_data_viewed",
];

/// What was done according to the audit log, newest first, without who signed in and looked at what.
pub(crate) async fn logged_acts(visitor: &Visitor, query: &str) -> Vec<Value> {
    let logs = get(visitor, &format!("/api/admin/logs?limit=200{query}")).await;
    let mut acts = logs.as_array().unwrap().clone();
    acts.retain(|record| !ACCESSES.iter().any(|access| record["action"] == *access));
    acts
}

/// A call that is to succeed.
pub(crate) async fn act(visitor: &Visitor, path: &str, body: Value) -> Value {
    let (status, answer) = visitor.post(path, &body).await;
    assert_eq!(status, StatusCode::OK, "{path} {body}: {answer}");
    answer
}

/// A call that can be repeated.
pub(crate) async fn post_once(
    visitor: &Visitor,
    path: &str,
    key: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = visitor.request(Method::POST, path);
    let request = request.header("idempotency-key", key).json(body);
    read(request.send().await.unwrap()).await
}

/// The same calls all at once; who makes them takes turns.
pub(crate) async fn post_at_once(
    visitors: &[Visitor],
    path: &str,
    bodies: &[Value],
    count: usize,
) -> Vec<(StatusCode, Value)> {
    let mut calls = JoinSet::new();
    for number in 0..count {
        let visitor = visitors[number % visitors.len()].clone();
        let body = bodies[number % bodies.len()].clone();
        let path = path.to_owned();
        calls.spawn(async move { visitor.post(&path, &body).await });
    }
    calls.join_all().await
}

/// Every page of a list, by its cursors.
pub(crate) async fn pages(visitor: &Visitor, path: &str) -> Vec<Value> {
    let mut entries = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("{path}{cursor}");
        let response = visitor.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let next = response.headers().get("next-cursor").cloned();
        entries.extend(response.json::<Vec<Value>>().await.unwrap());
        let Some(next) = next else { return entries };
        cursor = format!("&cursor={}", next.to_str().unwrap());
    }
}

/// A withdrawal that waits for a decision; its number.
pub(crate) async fn withdraw(player: &Visitor, amount: &str) -> Value {
    let body = json!({ "amount": amount, "currency": "btc", "walletAddress": WALLET });
    let (status, answer) = player.post("/api/withdraw-requests", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    answer["id"].clone()
}

/// A payment of 20 dollars that waits and that belongs to nothing we know, with its review.
pub(crate) async fn orphan(server: &Server, administrator: &Visitor) -> (String, Value) {
    let page = open_foreign_payment(server).await;
    let payment = displayed_payment_id(&page).await;
    let check = format!("/api/admin/check-payment/{payment}");
    act(administrator, &check, json!({})).await;
    let reviews = get(administrator, "/api/admin/reviews?kind=orphan").await;
    assert_eq!(reviews[0]["paymentId"], *payment, "{reviews}");
    (payment, reviews[0]["id"].clone())
}

/// The ID of the newest alert: a review, for one, is alerted to.
pub(crate) fn newest_alert(server: &Server) -> Value {
    let newest = server.texts("SELECT CAST(MAX(id) AS TEXT) AS value FROM alerts");
    newest[0].parse().unwrap()
}

/// Another administrator, made by the signed in.
pub(crate) async fn colleague(server: &Server, name: &str) -> Visitor {
    colleague_as(server, name, "owner").await
}

/// Another administrator, with this role.
pub(crate) async fn colleague_as(server: &Server, name: &str, role: &str) -> Visitor {
    let arguments = ["admin", "create", name, "--role", role];
    let password = one_time_password(&server.operate(&arguments));
    let visitor = server.visitor();
    let body = json!({ "username": name, "password": password });
    act(&visitor, "/api/login", body).await;
    let new = &server.administrator_password;
    let body = json!({ "currentPassword": password, "newPassword": new });
    let (status, answer) = visitor.post("/api/account/password", &body).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{answer}");
    Authenticator::enrol(&visitor).await;
    visitor
}

/// The one-time password that an operator's command has printed.
pub(crate) fn one_time_password(output: &Output) -> String {
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout);
    let (_, password) = said.rsplit_once("valid for 72 hours: ").unwrap();
    password.trim().to_owned()
}

/// Lets time pass for all sessions: `column` is so many seconds ago.
pub(crate) fn set_seconds_ago(server: &Server, column: &str, seconds: u64) {
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    let at = i64::try_from(now.as_micros()).unwrap() - i64::try_from(seconds * 1_000_000).unwrap();
    assert!(!server.texts("SELECT 'x' AS value FROM sessions").is_empty());
    let statement = format!("UPDATE sessions SET {column} = {at}");
    server.sql(&statement).unwrap();
}
