//! Payments that need manual review: listed while open, and resolved once with a text and an actor.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, colleague, get, orphan, post_at_once, post_once};
use crate::sandbox_payments::{create_deposit, open_payment, start_server, submit_form};
use crate::support::{Server, assert_refused};

fn resolve_path(id: &Value) -> String {
    format!("/api/admin/reviews/{id}/resolve")
}

#[tokio::test]
async fn a_review_is_listed_and_resolved_once() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let admin_id = get(&administrator, "/api/user").await["id"].clone();
    let (payment, id) = orphan(&server, &administrator).await;
    let open = get(&administrator, "/api/admin/reviews").await;
    let review = &open[0];
    assert_eq!(
        (&review["kind"], &review["paymentId"]),
        (&json!("orphan"), &json!(payment))
    );
    assert_eq!(
        (&review["userId"], &review["paymentStatus"]),
        (&Value::Null, &json!("waiting"))
    );
    assert_eq!(
        (
            &review["resolvedAt"],
            &review["resolvedBy"],
            &review["resolution"]
        ),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let statuses = get(&administrator, "/api/admin/payment-statuses").await;
    assert_eq!(statuses[0]["reviews"], json!(["orphan"]));
    for resolution in ["", " \t\n"] {
        let body = json!({ "resolution": resolution });
        let answer = administrator.post(&resolve_path(&id), &body).await;
        assert_refused(&answer, 422, "resolution_required");
    }
    let long = json!({ "resolution": "x".repeat(501) });
    let answer = administrator.post(&resolve_path(&id), &long).await;
    assert_refused(&answer, 400, "text_too_long");
    let answer = administrator.post(&resolve_path(&id), &json!({})).await;
    assert_refused(&answer, 400, "malformed_request");
    assert_eq!(get(&administrator, "/api/admin/reviews").await, open);

    let body = json!({ "resolution": " The sender has it back " });
    let resolved = act(&administrator, &resolve_path(&id), body.clone()).await;
    assert_eq!(resolved["resolution"], "The sender has it back");
    assert_eq!(
        resolved["resolvedBy"],
        json!({ "id": admin_id, "username": "admin" })
    );
    assert!(resolved["resolvedAt"].is_string());
    let answer = administrator.post(&resolve_path(&id), &body).await;
    assert_refused(&answer, 409, "already_resolved");
    assert_eq!(get(&administrator, "/api/admin/reviews").await, json!([]));
    let closed = get(&administrator, "/api/admin/reviews?open=false").await;
    assert_eq!(closed, json!([resolved]));
    let unknown = resolve_path(&json!(999_999));
    assert_refused(&administrator.post(&unknown, &body).await, 404, "not_found");
    server.assert_clean();
}

#[tokio::test]
async fn concurrent_resolutions_take_effect_once() {
    let server = Server::start();
    let administrators = [
        server.administrator().await,
        colleague(&server, "second").await,
    ];
    let (_, id) = orphan(&server, &administrators[0]).await;
    let bodies = [
        json!({ "resolution": "this" }),
        json!({ "resolution": "that" }),
    ];
    let answers = post_at_once(&administrators, &resolve_path(&id), &bodies, 10).await;
    let (done, refused): (Vec<_>, Vec<_>) = answers
        .into_iter()
        .partition(|answer| answer.0 == StatusCode::OK);
    assert_eq!((done.len(), refused.len()), (1, 9));
    for answer in &refused {
        assert_refused(answer, 409, "already_resolved");
    }
    let logs = get(&administrators[0], "/api/admin/logs?action=review_resolved").await;
    assert_eq!(logs.as_array().unwrap().len(), 1, "{logs}");
    assert_eq!(logs[0]["newValue"], done[0].1["resolution"]);

    let (_, next) = orphan(&server, &administrators[0]).await;
    let path = resolve_path(&next);
    let first = post_once(&administrators[0], &path, "r-1", &bodies[0]).await;
    assert_eq!(first.0, StatusCode::OK);
    assert_eq!(
        post_once(&administrators[0], &path, "r-1", &bodies[0]).await,
        first
    );
    let other = post_once(&administrators[0], &path, "r-1", &bodies[1]).await;
    assert_refused(&other, 409, "idempotency_conflict");
}

/// An overpayment is credited up to the cap, and the rest is reviewed.
#[tokio::test]
async fn an_overpayment_opens_a_review_with_its_player() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let created = create_deposit(&player, "20.00").await;
    let buttons = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    submit_form(&buttons, "action=pay&amount=1").await;
    let mut reviews = Value::Null;
    for _ in 0..5_000 {
        reviews = get(&administrator, "/api/admin/reviews?kind=overpaid").await;
        if reviews != json!([]) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let review = &reviews[0];
    assert_eq!(
        (&review["userId"], &review["username"]),
        (&json!(id), &json!("alice"))
    );
    assert_eq!(review["depositId"], created["deposit"]["id"]);
    assert_eq!(
        (&review["payCurrency"], &review["actuallyPaid"]),
        (&json!("btc"), &json!("1"))
    );
    assert!(review["amount"].is_string(), "{review}");
    let deposits = get(&administrator, "/api/admin/deposits").await;
    assert_eq!(deposits[0]["isUnderReview"], true);
    let summary = get(&administrator, "/api/admin/summary").await;
    assert_eq!(summary["openReviews"], 1);
    let before = player.balance().await;
    let body = json!({ "resolution": "sent back" });
    act(&administrator, &resolve_path(&review["id"]), body).await;
    let deposits = get(&administrator, "/api/admin/deposits").await;
    assert_eq!(deposits[0]["isUnderReview"], false);
    assert_eq!(
        player.balance().await,
        before,
        "resolving a review moves no money"
    );
    server.assert_clean();
}
