//! What a person must look at about payments: listed while open, resolved once, by whom and how.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, colleague, get, orphan, post_at_once, post_once};
use crate::payer::{create, open_payment, press, start};
use crate::support::{Server, assert_refused};

fn resolve(id: &Value) -> String {
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
        let answer = administrator.post(&resolve(&id), &body).await;
        assert_refused(&answer, 422, "resolution_required");
    }
    let long = json!({ "resolution": "x".repeat(501) });
    let answer = administrator.post(&resolve(&id), &long).await;
    assert_refused(&answer, 400, "text_too_long");
    let answer = administrator.post(&resolve(&id), &json!({})).await;
    assert_refused(&answer, 400, "malformed_request");
    assert_eq!(get(&administrator, "/api/admin/reviews").await, open);

    let body = json!({ "resolution": " The sender has it back " });
    let resolved = act(&administrator, &resolve(&id), body.clone()).await;
    assert_eq!(resolved["resolution"], "The sender has it back");
    assert_eq!(
        resolved["resolvedBy"],
        json!({ "id": admin_id, "username": "admin" })
    );
    assert!(resolved["resolvedAt"].is_string());
    let answer = administrator.post(&resolve(&id), &body).await;
    assert_refused(&answer, 409, "already_resolved");
    assert_eq!(get(&administrator, "/api/admin/reviews").await, json!([]));
    let closed = get(&administrator, "/api/admin/reviews?open=false").await;
    assert_eq!(closed, json!([resolved]));
    let unknown = resolve(&json!(999_999));
    assert_refused(&administrator.post(&unknown, &body).await, 404, "not_found");
    server.assert_clean();
}

#[tokio::test]
async fn ten_resolutions_at_once_are_one() {
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
    let answers = post_at_once(&administrators, &resolve(&id), &bodies, 10).await;
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
    let path = resolve(&next);
    let first = post_once(&administrators[0], &path, "r-1", &bodies[0]).await;
    assert_eq!(first.0, StatusCode::OK);
    assert_eq!(
        post_once(&administrators[0], &path, "r-1", &bodies[0]).await,
        first
    );
    let other = post_once(&administrators[0], &path, "r-1", &bodies[1]).await;
    assert_refused(&other, 409, "idempotency_conflict");
}

/// Too much was paid: what may be credited is, and the rest waits for a person.
#[tokio::test]
async fn too_much_money_is_a_review_with_its_player() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let created = create(&player, "20.00").await;
    let buttons = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    press(&buttons, "action=pay&amount=1").await;
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
    act(&administrator, &resolve(&review["id"]), body).await;
    let deposits = get(&administrator, "/api/admin/deposits").await;
    assert_eq!(deposits[0]["isUnderReview"], false);
    assert_eq!(player.balance().await, before, "no money moves by it");
    server.assert_clean();
}
