//! The pages of one payment and of one withdrawal.

use serde_json::{Value, json};

use crate::administration::{act, colleague, colleague_as, confirmation, get, orphan, withdraw};
use crate::administrators_access::shown;
use crate::sandbox_payments::{create_deposit, open_payment, start_server};
use crate::support::{Server, Visitor, assert_refused};

async fn payment_page(administrator: &Visitor, id: &str) -> Value {
    get(administrator, &format!("/api/admin/payments/{id}")).await
}

#[tokio::test]
async fn the_page_of_a_payment_has_what_the_lists_have_and_who_credited_it() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, user) = server.player("alice").await;
    let created = create_deposit(&player, "100.00").await;
    let forms_url = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    let id = forms_url.rsplit('/').next().unwrap();
    let check = format!("/api/admin/check-payment/{id}");
    act(&administrator, &check, json!({})).await;
    let page = payment_page(&administrator, id).await;
    assert_eq!(page["paymentId"], id);
    assert_eq!(page["facts"]["status"], "waiting");
    assert_eq!(page["facts"]["standing"], "tracked");
    assert_eq!(page["facts"]["creditedAmount"], "0.00");
    assert_eq!(page["facts"]["priceAmount"], "100");
    assert!(page["facts"]["payAddress"].is_string(), "{page}");
    assert!(page["facts"]["checkedAt"].is_string(), "{page}");
    let deposits = get(&administrator, "/api/admin/deposits").await;
    assert_eq!(page["deposit"], deposits[0]);
    assert_eq!(deposits[0]["paymentIds"], json!([id]));
    for part in ["credits", "reviews", "proposals"] {
        assert_eq!(page[part], json!([]), "{part}");
    }
    let body = confirmation(id, &json!(user), "100.00");
    act(&administrator, "/api/admin/confirm-payment", body).await;
    let page = payment_page(&administrator, id).await;
    let credit = &page["credits"][0];
    assert_eq!(credit["amount"], "100.00");
    assert_eq!(credit["balanceAfter"], "100.00");
    assert_eq!(credit["user"], json!({ "id": user, "username": "alice" }));
    assert_eq!(credit["confirmedBy"]["username"], "admin");
    assert_eq!(credit["reason"], "a test");
    assert_eq!(credit["proposalId"], Value::Null);
    assert_eq!(credit["ledgerSequence"], 1);
    server.assert_clean();
}

#[tokio::test]
async fn an_unmatched_payment_has_a_page_with_its_review() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (id, review) = orphan(&server, &administrator).await;
    let page = payment_page(&administrator, &id).await;
    assert_eq!(page["facts"]["standing"], "orphan");
    assert_eq!(page["deposit"], Value::Null);
    assert_eq!(page["reviews"][0]["id"], review);
    assert_eq!(page["reviews"][0]["kind"], "orphan");
    let resolve = format!("/api/admin/reviews/{review}/resolve");
    act(
        &administrator,
        &resolve,
        json!({ "resolution": "sent back" }),
    )
    .await;
    let page = payment_page(&administrator, &id).await;
    assert_eq!(page["reviews"][0]["resolution"], "sent back");
    assert_eq!(page["reviews"][0]["resolvedBy"]["username"], "admin");
    server.assert_clean();
}

/// A payment concerns those whom it was proposed to credit, too.
#[tokio::test]
async fn who_was_shown_with_a_payment_is_recorded_unless_it_concerns_several() {
    let server = start_server();
    let administrator = server.administrator().await;
    colleague(&server, "ben").await;
    let (player, alice) = server.player("alice").await;
    let created = create_deposit(&player, "100.00").await;
    let form = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    let deposited = form.rsplit('/').next().unwrap();
    let check = format!("/api/admin/check-payment/{deposited}");
    act(&administrator, &check, json!({})).await;
    payment_page(&administrator, deposited).await;
    let (unmatched, _) = orphan(&server, &administrator).await;
    let (_, carol) = server.player("carol").await;
    let (_, dave) = server.player("dave").await;
    for user in [carol, dave] {
        let mut body = confirmation(&unmatched, &json!(user), "70.00");
        body["propose"] = json!(true);
        let answer = administrator
            .post("/api/admin/confirm-payment", &body)
            .await;
        assert_eq!(answer.0, 202, "{}", answer.1);
        let page = payment_page(&administrator, &unmatched).await;
        let proposal = page["proposals"].as_array().unwrap().last().unwrap()["id"].clone();
        let withdraw = format!("/api/admin/proposals/{proposal}/withdraw");
        act(&administrator, &withdraw, json!({})).await;
    }
    let mut found = shown(&administrator).await;
    found.retain(|(list, _)| list == "list payment");
    let persons: Vec<Value> = found.into_iter().map(|(_, person)| person).collect();
    assert_eq!(persons, [json!(alice), json!(carol), Value::Null]);
    server.assert_clean();
}

#[tokio::test]
async fn the_page_of_a_withdrawal_has_what_the_queue_has_and_what_became_of_it() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let id = withdraw(&player, "40.00").await;
    let path = format!("/api/admin/withdrawals/{id}");
    let page = get(&administrator, &path).await;
    let queue = get(&administrator, "/api/admin/withdraw-requests").await;
    assert_eq!(page["request"], queue[0]);
    assert_eq!(page["course"], Value::Null);
    assert_eq!(page["address"]["requests"], 1);
    assert_eq!(
        page["address"]["firstRequestedAt"],
        page["request"]["createdAt"]
    );
    assert!(page["address"]["addedAt"].is_string(), "{page}");
    let held = &page["ledgerEntries"][0];
    assert_eq!(
        (&held["entry"], &held["amount"], &held["balanceAfter"]),
        (&json!("withdrawal"), &json!("-40.00"), &json!("60.00"))
    );
    let process = format!("/api/admin/withdraw-requests/{id}/process");
    let rejection = json!({ "action": "reject", "reason": "twice" });
    act(&administrator, &process, rejection).await;
    let page = get(&administrator, &path).await;
    assert_eq!(page["request"]["status"], "rejected");
    assert_eq!(page["request"]["decidedBy"]["username"], "admin");
    assert_eq!(page["ledgerEntries"][1]["entry"], "withdrawal_returned");
    server.assert_clean();
}

#[tokio::test]
async fn unknown_ones_are_not_found_and_players_are_refused() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let auditor = colleague_as(&server, "reader", "auditor").await;
    let player = server.funded_player("alice", "100.00").await;
    let id = withdraw(&player, "40.00").await;
    for page in [
        "payments/1",
        "payments/no%20id",
        "payments/%00",
        "withdrawals/0",
        "withdrawals/x",
        "withdrawals/9223372036854775808",
    ] {
        let path = format!("/api/admin/{page}");
        assert_refused(&administrator.get(&path).await, 404, "not_found");
        assert_refused(&player.get(&path).await, 403, "forbidden");
        assert_refused(&server.visitor().get(&path).await, 401, "not_signed_in");
    }
    let path = format!("/api/admin/withdrawals/{id}");
    assert_refused(&player.get(&path).await, 403, "forbidden");
    get(&auditor, &path).await;
    server.assert_clean();
}
