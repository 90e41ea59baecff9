//! Decisions on withdrawals: one for each withdrawal, however many calls are made.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::administration::{act, colleague, get, post_at_once, post_once, withdraw};
use crate::support::{Server, assert_refused};

fn approval() -> Value {
    json!({ "action": "approve" })
}

fn rejection(reason: &str) -> Value {
    json!({ "action": "reject", "reason": reason })
}

fn process_path(id: &Value) -> String {
    format!("/api/admin/withdraw-requests/{id}/process")
}

#[tokio::test]
async fn an_approval_keeps_the_money_and_a_rejection_returns_it() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let admin_id = get(&administrator, "/api/user").await["id"].clone();
    let player = server.funded_player("alice", "100.00").await;
    let approved = withdraw(&player, "30.00").await;
    let rejected = withdraw(&player, "20.00").await;
    assert_eq!(player.balance().await, "50.00");
    let answer = act(&administrator, &process_path(&approved), approval()).await;
    assert_eq!(
        (&answer["id"], &answer["status"], &answer["reason"]),
        (&approved, &json!("approved"), &Value::Null)
    );
    assert_eq!(
        answer["decidedBy"],
        json!({ "id": admin_id, "username": "admin" })
    );
    assert!(answer["decidedAt"].is_string());
    assert_eq!(player.balance().await, "50.00");
    let answer = act(
        &administrator,
        &process_path(&rejected),
        rejection(" No such address "),
    )
    .await;
    assert_eq!(
        (&answer["status"], &answer["reason"]),
        (&json!("rejected"), &json!("No such address"))
    );
    let user = get(&player, "/api/user").await;
    assert_eq!(
        (&user["balance"], &user["availableToWithdraw"]),
        (&json!("70.00"), &json!("70.00"))
    );
    // The player sees the decision and its reason.
    let own = get(&player, "/api/withdraw-requests").await;
    assert_eq!(
        (&own[0]["status"], &own[0]["reason"]),
        (&json!("rejected"), &json!("No such address"))
    );
    assert_eq!(own[1]["status"], "approved");
    for (id, state) in [(&approved, "approved"), (&rejected, "rejected")] {
        for body in [approval(), rejection("again")] {
            let answer = administrator.post(&process_path(id), &body).await;
            assert_refused(&answer, 409, "already_decided");
            let message = answer.1["message"].as_str().unwrap();
            assert!(message.contains(state), "{message}");
        }
    }
    assert_eq!(player.balance().await, "70.00");
    server.assert_clean();
}

#[tokio::test]
async fn invalid_decisions_are_refused_with_a_reason() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let id = withdraw(&player, "20.00").await;
    for body in [
        json!({ "action": "reject" }),
        json!({ "action": "reject", "reason": null }),
        rejection(""),
        rejection(" \n "),
    ] {
        let answer = administrator.post(&process_path(&id), &body).await;
        assert_refused(&answer, 422, "reason_required");
        assert_eq!(answer.1["message"], "Please provide a reason for rejection");
    }
    let answer = administrator
        .post(&process_path(&id), &rejection(&"x".repeat(501)))
        .await;
    assert_refused(&answer, 400, "text_too_long");
    for body in [
        json!({}),
        json!({ "action": "pay" }),
        json!({ "action": "Approve" }),
        json!({ "action": "approve", "amount": "1.00" }),
    ] {
        let answer = administrator.post(&process_path(&id), &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    let unknown = administrator
        .post(&process_path(&json!(999_999)), &approval())
        .await;
    assert_refused(&unknown, 404, "not_found");
    let listed = get(&administrator, "/api/admin/withdraw-requests").await;
    assert_eq!(
        (&listed[0]["id"], &listed[0]["status"]),
        (&id, &json!("pending"))
    );
    assert_eq!(player.balance().await, "80.00");
    server.assert_clean();
}

#[tokio::test]
async fn concurrent_calls_of_two_administrators_make_one_decision() {
    let server = Server::start();
    let administrators = [
        server.administrator().await,
        colleague(&server, "second").await,
    ];
    let player = server.funded_player("alice", "200.00").await;
    let mut expected = 20_000;
    for bodies in [
        vec![rejection("one"), rejection("two"), rejection("three")],
        vec![approval()],
        vec![approval(), rejection("not now"), approval()],
    ] {
        let id = withdraw(&player, "20.00").await;
        let answers = post_at_once(&administrators, &process_path(&id), &bodies, 20).await;
        let (done, refused): (Vec<_>, Vec<_>) = answers
            .into_iter()
            .partition(|answer| answer.0 == StatusCode::OK);
        assert_eq!((done.len(), refused.len()), (1, 19));
        for answer in &refused {
            assert_refused(answer, 409, "already_decided");
        }
        if done[0].1["status"] == "approved" {
            expected -= 2_000;
        }
        let balance = player.balance().await.replace('.', "");
        assert_eq!(
            balance.parse(),
            Ok(expected),
            "the money is returned once or not at all"
        );
        let logs = get(&administrators[0], "/api/admin/logs?search=alice").await;
        let subject = format!("withdrawal {id} of 20.00");
        let logs = logs.as_array().unwrap().iter();
        assert_eq!(
            logs.filter(|record| record["subject"] == subject).count(),
            1
        );
    }
    server.assert_clean();
}

#[tokio::test]
async fn one_idempotency_key_returns_the_first_decision() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let second = colleague(&server, "second").await;
    let player = server.funded_player("alice", "100.00").await;
    for (key, body) in [("yes", approval()), ("no", rejection("Not this one"))] {
        let id = withdraw(&player, "20.00").await;
        let path = process_path(&id);
        let mut first = post_once(&administrator, &path, key, &body).await;
        assert_eq!(first.0, StatusCode::OK, "{}", first.1);
        // The payout goes on after the decision.
        first.1["payout"].take();
        for _ in 0..3 {
            let mut again = post_once(&administrator, &path, key, &body).await;
            again.1["payout"].take();
            assert_eq!(again, first);
        }
        let other = post_once(&administrator, &path, key, &rejection("Other")).await;
        assert_refused(&other, 409, "idempotency_conflict");
        let newer = post_once(&administrator, &path, "newer", &body).await;
        assert_refused(&newer, 409, "already_decided");
        // Keys are separate for each administrator.
        let colleagues = post_once(&second, &path, key, &body).await;
        assert_refused(&colleagues, 409, "already_decided");
    }
    assert_eq!(player.balance().await, "80.00");
    server.assert_clean();
}

/// A call that is sent ten times before the first response arrives.
#[tokio::test]
async fn concurrent_calls_with_one_key_make_one_decision() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let path = process_path(&withdraw(&player, "20.00").await);
    let mut calls = JoinSet::new();
    for _ in 0..10 {
        let (administrator, path) = (administrator.clone(), path.clone());
        let body = rejection("Not this one");
        calls.spawn(async move { post_once(&administrator, &path, "click", &body).await });
    }
    let answers = calls.join_all().await;
    assert_eq!(answers[0].0, StatusCode::OK, "{}", answers[0].1);
    for answer in &answers {
        assert_eq!(*answer, answers[0]);
    }
    assert_eq!(player.balance().await, "100.00");
    let logs = get(&administrator, "/api/admin/logs?action=withdrawal_rejected").await;
    assert_eq!(logs.as_array().unwrap().len(), 1, "{logs}");
    server.assert_clean();
}

#[tokio::test]
async fn administrators_cannot_decide_on_their_own_withdrawal() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let second = colleague(&server, "second").await;
    let admin_id = get(&administrator, "/api/user").await["id"].clone();
    let path = format!("/api/admin/users/{admin_id}/balance");
    act(
        &second,
        &path,
        json!({ "balance": "50.00", "reason": "a test" }),
    )
    .await;
    let id = withdraw(&administrator, "50.00").await;
    for body in [approval(), rejection("changed my mind")] {
        let answer = administrator.post(&process_path(&id), &body).await;
        assert_refused(&answer, 403, "own_withdrawal");
    }
    let decided = act(&second, &process_path(&id), approval()).await;
    assert_eq!(decided["decidedBy"]["username"], "second");
    server.assert_clean();
}
