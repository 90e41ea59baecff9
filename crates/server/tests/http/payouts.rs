//! The payment of withdrawals over HTTP: by the sandbox provider, and by hand.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, colleague_as, get, post_once, withdraw};
use crate::support::{Server, Visitor, assert_refused, wait_for};

const TRANSACTION: &str = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

async fn payment(player: &Visitor) -> Value {
    get(player, "/api/withdraw-requests").await[0]["payout"].clone()
}

fn process(id: &Value) -> String {
    format!("/api/admin/withdraw-requests/{id}/process")
}

fn record(id: &Value) -> String {
    format!("/api/admin/withdraw-requests/{id}/payout")
}

/// How many payments the sandbox shows as finished.
async fn paid_by_the_sandbox(server: &Server) -> usize {
    let page = format!("http://{}/sandbox", server.sandbox_address);
    let page = reqwest::get(page).await.unwrap().text().await.unwrap();
    let (_, payouts) = page.split_once("id=\"payouts\"").unwrap();
    let (payouts, _) = payouts.split_once("</table>").unwrap();
    payouts.matches("finished").count()
}

#[tokio::test]
async fn the_provider_pays_once_although_the_server_is_killed() {
    let mut server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let quote = get(
        &player,
        "/api/withdraw-requests/quote?amount=50&currency=btc",
    )
    .await;
    assert_eq!(
        quote,
        json!({ "fee": "0.50", "netAmount": "49.50", "coinAmount": "0.00055", "rate": "90000" })
    );
    let id = withdraw(&player, "50.00").await;
    assert_eq!(payment(&player).await, Value::Null);
    let overview = get(&administrator, "/api/admin/approval").await;
    assert_eq!(overview["payoutMethod"], "provider");
    let approved = act(
        &administrator,
        &process(&id),
        json!({ "action": "approve" }),
    )
    .await;
    assert_eq!(approved["payout"]["method"], "provider");
    server.crash_and_restart();
    wait_for(async || payment(&player).await["state"] == "confirmed").await;
    let paid = payment(&player).await;
    assert_eq!(
        (&paid["coinAmount"], &paid["rate"]),
        (&json!("0.00055"), &json!("90000"))
    );
    assert!(paid["networkFee"].is_string(), "{paid}");
    // The sandbox's transactions are in no network.
    assert!(
        paid["transactionId"]
            .as_str()
            .unwrap()
            .starts_with("sandbox")
    );
    assert_eq!(paid["transactionUrl"], Value::Null);
    assert_eq!(paid_by_the_sandbox(&server).await, 1);
    let late = json!({ "action": "failed", "reason": "x" });
    assert_refused(
        &administrator.post(&record(&id), &late).await,
        409,
        "payout_state",
    );
    assert_eq!(player.balance().await, "50.00");
    server.assert_clean();
}

#[tokio::test]
async fn a_withdrawal_is_paid_by_hand_and_its_player_sees_the_transaction() {
    let server = Server::start_with(&[("GLASSHOUSE_PROVIDER_PAYOUTS", "off")]);
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let id = withdraw(&player, "50.00").await;
    let sent = |id: &str, coins: &str, fee: &str| json!({ "action": "sent", "transactionId": id, "coinAmount": coins, "networkFee": fee });
    let early = administrator
        .post(&record(&id), &sent(TRANSACTION, "0.0005", ""))
        .await;
    assert_refused(&early, 409, "not_approved");
    let approved = act(
        &administrator,
        &process(&id),
        json!({ "action": "approve" }),
    )
    .await;
    assert_eq!(approved["payout"]["method"], "manual");
    for (body, status, code) in [
        (sent("", "1", ""), 400, "invalid_transaction_id"),
        (sent("<script>", "1", ""), 400, "invalid_transaction_id"),
        (sent(TRANSACTION, "much", ""), 400, "invalid_amount"),
        (sent(TRANSACTION, "1", "-1"), 400, "invalid_amount"),
        (json!({ "action": "failed" }), 422, "reason_required"),
        (json!({ "action": "lost" }), 400, "malformed_request"),
        (json!({}), 400, "malformed_request"),
        (json!({ "action": "confirmed" }), 409, "payout_state"),
    ] {
        let refused = administrator.post(&record(&id), &body).await;
        assert_refused(&refused, status, code);
    }
    let finance = colleague_as(&server, "fay", "finance").await;
    let body = sent(TRANSACTION, "0.0005", "0.00001");
    let refused = finance.post(&record(&id), &body).await;
    assert_refused(&refused, 403, "role_forbidden");
    for _ in 0..2 {
        let answer = post_once(&administrator, &record(&id), "sent", &body).await;
        assert_eq!(answer.0, StatusCode::OK, "{}", answer.1);
    }
    let seen = payment(&player).await;
    assert_eq!(seen["state"], "sent");
    assert_eq!(
        seen["transactionUrl"],
        format!("https://mempool.space/tx/{TRANSACTION}")
    );
    act(
        &administrator,
        &record(&id),
        json!({ "action": "confirmed" }),
    )
    .await;
    assert_eq!(payment(&player).await["state"], "confirmed");
    server.assert_clean();
}

#[tokio::test]
async fn what_cannot_be_sent_is_returned() {
    let server = Server::start_with(&[("GLASSHOUSE_PROVIDER_PAYOUTS", "off")]);
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "50.00").await;
    let id = withdraw(&player, "20.00").await;
    act(
        &administrator,
        &process(&id),
        json!({ "action": "approve" }),
    )
    .await;
    for body in [
        json!({ "action": "failed", "reason": "no such coin" }),
        json!({ "action": "returned" }),
    ] {
        act(&administrator, &record(&id), body).await;
    }
    assert_eq!(player.balance().await, "50.00");
    let listed = get(
        &administrator,
        "/api/admin/withdraw-requests?payout=returned",
    )
    .await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["payout"]["problem"], "no such coin");
    server.assert_clean();
}

#[tokio::test]
async fn the_queue_is_sorted_by_age_risk_and_amount() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let first = server.funded_player("alice", "500.00").await;
    withdraw(&first, "20.00").await;
    let second = server.funded_player("bob", "500.00").await;
    // The same address: it is shared from now on.
    withdraw(&second, "40.00").await;
    withdraw(&first, "30.00").await;
    let order = async |sort: &str| {
        let path = format!("/api/admin/withdraw-requests?status=pending&sort={sort}");
        let listed = get(&administrator, &path).await;
        let entries = listed.as_array().unwrap().clone();
        entries
            .iter()
            .map(|entry| entry["amount"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(order("newest").await, ["30.00", "40.00", "20.00"]);
    assert_eq!(order("oldest").await, ["20.00", "40.00", "30.00"]);
    assert_eq!(order("amount").await, ["40.00", "30.00", "20.00"]);
    assert_eq!(order("risk").await, ["40.00", "30.00", "20.00"]);
    let listed = get(
        &administrator,
        "/api/admin/withdraw-requests?sort=risk&limit=1",
    )
    .await;
    let factors = json!(["shared_address", "no_deposit", "first_use"]);
    assert_eq!(
        listed[0]["risk"],
        json!({ "points": 75, "factors": factors })
    );
    let totals = &listed[0]["playerTotals"];
    assert_eq!(totals["deposited"], "0.00");
    for cursor in ["sort=risk&cursor=1", "sort=oldest&cursor=1-5", "cursor=1-5"] {
        let path = format!("/api/admin/withdraw-requests?{cursor}");
        let refused = administrator.get(&path).await;
        assert_refused(&refused, 422, "cursor_of_another_order");
    }
}
