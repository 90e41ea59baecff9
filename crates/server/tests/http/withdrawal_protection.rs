//! The address book, delayed withdrawals and cancellations over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{WALLET, act, get, withdraw};
use crate::support::{PASSWORD, Server, Visitor, assert_refused, read};

const BOOK: &str = "/api/account/withdrawal-addresses";
const ETHEREUM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn start() -> Server {
    Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "24"),
    ])
}

async fn delete(player: &Visitor, path: &str) -> (StatusCode, Value) {
    read(player.request(Method::DELETE, path).send().await.unwrap()).await
}

fn address(currency: &str, address: &str, label: impl Into<Value>) -> Value {
    let label: Value = label.into();
    json!({ "currency": currency, "walletAddress": address, "label": label, "password": PASSWORD })
}

async fn delay(player: &Visitor, parameters: &str) -> (StatusCode, Value) {
    let path = format!("/api/withdraw-requests/delay?{parameters}");
    player.get(&path).await
}

#[tokio::test]
async fn a_withdrawal_to_a_new_address_is_announced_as_delayed_and_not_approved_early() {
    let server = start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let to_wallet = format!("currency=btc&walletAddress={WALLET}");
    for parameters in ["currency=btc", "currency=btc&walletAddress=1B", &to_wallet] {
        let (status, announced) = delay(&player, parameters).await;
        assert_eq!(status, StatusCode::OK, "{announced}");
        assert_eq!(announced["delayHours"], 24);
        assert_eq!(announced["delayReasons"], json!(["new_address"]));
        assert!(announced["payableFrom"].is_string());
    }
    for (parameters, status, code) in [
        ("", 400, "malformed_request"),
        ("currency=gold", 400, "invalid_currency"),
        ("currency=btc&amount=5", 400, "malformed_request"),
    ] {
        assert_refused(&delay(&player, parameters).await, status, code);
    }
    let id = withdraw(&player, "30.00").await;
    let own = get(&player, "/api/withdraw-requests").await;
    let payable_from = own[0]["payableFrom"].clone();
    assert!(payable_from.is_string(), "{own}");
    assert_eq!(own[0]["delayReasons"], json!(["new_address"]));
    let queue = get(&administrator, "/api/admin/withdraw-requests").await;
    assert_eq!(queue[0]["payableFrom"], payable_from);
    assert_eq!(queue[0]["delayReasons"], json!(["new_address"]));

    let process = format!("/api/admin/withdraw-requests/{id}/process");
    let early = administrator
        .post(&process, &json!({ "action": "approve" }))
        .await;
    assert_refused(&early, 409, "withdrawal_delayed");
    let day = payable_from.as_str().unwrap().split('T').next().unwrap();
    let message = early.1["message"].as_str().unwrap();
    assert!(message.contains(day), "{message}");
    act(
        &administrator,
        &process,
        json!({ "action": "reject", "reason": "Not you" }),
    )
    .await;
    assert_eq!(player.balance().await, "100.00");

    // Once the address is known, nothing is delayed.
    let known = "UPDATE withdrawal_addresses SET usable_from_micros = added_at_micros";
    server.sql(known).unwrap();
    let (_, announced) = delay(&player, &to_wallet).await;
    assert_eq!(
        (&announced["payableFrom"], &announced["delayReasons"]),
        (&Value::Null, &json!([]))
    );
    let id = withdraw(&player, "30.00").await;
    let process = format!("/api/admin/withdraw-requests/{id}/process");
    let approved = act(&administrator, &process, json!({ "action": "approve" })).await;
    assert_eq!(
        (&approved["status"], &approved["payableFrom"]),
        (&json!("approved"), &Value::Null)
    );

    // A changed password delays withdrawals to known addresses, too.
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "quiet-otter-7-canyon" });
    let (status, answer) = player.post("/api/account/password", &change).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{answer}");
    let (_, announced) = delay(&player, &to_wallet).await;
    assert_eq!(announced["delayReasons"], json!(["password_changed"]));
    server.assert_clean();
}

#[tokio::test]
async fn a_pending_withdrawal_is_cancelled_once() {
    let server = start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let other = server.funded_player("bob", "0.00").await;
    let id = withdraw(&player, "30.00").await;
    let cancel = format!("/api/withdraw-requests/{id}/cancel");
    assert_refused(&other.post(&cancel, &json!({})).await, 404, "not_found");
    let visitor = server.visitor();
    assert_refused(
        &visitor.post(&cancel, &json!({})).await,
        401,
        "not_signed_in",
    );
    for unknown in ["0", "-1", "x", "999999", "9999999999999999999"] {
        let path = format!("/api/withdraw-requests/{unknown}/cancel");
        assert_refused(&player.post(&path, &json!({})).await, 404, "not_found");
    }
    assert_eq!(player.balance().await, "70.00");
    for _ in 0..2 {
        let (status, cancelled) = player.post(&cancel, &json!({})).await;
        assert_eq!(status, StatusCode::OK, "{cancelled}");
        assert_eq!(
            (&cancelled["status"], &cancelled["newBalance"]),
            (&json!("cancelled"), &json!("100.00"))
        );
        assert!(cancelled["decidedAt"].is_string());
    }
    assert_eq!(player.balance().await, "100.00");
    let process = format!("/api/admin/withdraw-requests/{id}/process");
    for body in [
        json!({ "action": "approve" }),
        json!({ "action": "reject", "reason": "late" }),
    ] {
        let answer = administrator.post(&process, &body).await;
        assert_refused(&answer, 409, "already_decided");
        let message = answer.1["message"].as_str().unwrap();
        assert!(message.contains("already cancelled"), "{message}");
    }
    let listed = get(
        &administrator,
        "/api/admin/withdraw-requests?status=cancelled",
    )
    .await;
    assert_eq!(
        (&listed[0]["id"], &listed[0]["decidedBy"]),
        (&id, &Value::Null)
    );
    let rejected = withdraw(&player, "20.00").await;
    let process = format!("/api/admin/withdraw-requests/{rejected}/process");
    act(
        &administrator,
        &process,
        json!({ "action": "reject", "reason": "no" }),
    )
    .await;
    let late = format!("/api/withdraw-requests/{rejected}/cancel");
    assert_refused(
        &player.post(&late, &json!({})).await,
        409,
        "already_decided",
    );
    assert_eq!(player.balance().await, "100.00");
    server.assert_clean();
}

#[tokio::test]
async fn the_address_book_is_changed_by_its_owner_with_the_password() {
    let server = start();
    let (player, _) = server.player("alice").await;
    let (other, _) = server.player("bob").await;
    assert_eq!(
        get(&player, BOOK).await,
        json!({ "addresses": [], "maximum": 50, "delayHours": 24 })
    );
    let wrong = json!({
        "currency": "eth", "walletAddress": ETHEREUM, "label": "x", "password": "not-the-password"
    });
    assert_refused(&player.post(BOOK, &wrong).await, 401, "invalid_credentials");
    for (body, status, code) in [
        (json!({}), 400, "malformed_request"),
        (address("gold", "x", json!(null)), 400, "invalid_currency"),
        (address("btc", " ", json!(null)), 422, "invalid_address"),
        (
            address("btc", ETHEREUM, json!(null)),
            422,
            "invalid_address",
        ),
        (
            address("eth", ETHEREUM, json!("x".repeat(51))),
            400,
            "invalid_label",
        ),
        (
            address("eth", ETHEREUM, json!("a\nb")),
            400,
            "invalid_label",
        ),
    ] {
        assert_refused(&player.post(BOOK, &body).await, status, code);
    }
    assert_eq!(get(&player, BOOK).await["addresses"], json!([]));
    let (status, added) = player
        .post(BOOK, &address("eth", ETHEREUM, json!(" Savings ")))
        .await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    assert_eq!(
        (&added["label"], &added["walletAddress"], &added["currency"]),
        (&json!("Savings"), &json!(ETHEREUM), &json!("eth"))
    );
    let again = address("eth", &ETHEREUM.to_lowercase(), json!(null));
    assert_refused(&player.post(BOOK, &again).await, 409, "address_known");

    let one = format!("{BOOK}/{}", added["id"]);
    let label = format!("{one}/label");
    for (path, visitor) in [
        (&label, &other),
        (&format!("{BOOK}/999/label"), &player),
        (&format!("{BOOK}/x/label"), &player),
    ] {
        let answer = visitor.put(path, &json!({ "label": "mine" })).await;
        assert_refused(&answer, 404, "not_found");
    }
    assert_refused(&delete(&other, &one).await, 404, "not_found");
    let (_, renamed) = player.put(&label, &json!({ "label": "Cold" })).await;
    assert_eq!(renamed["label"], "Cold");
    let long = player
        .put(&label, &json!({ "label": "x".repeat(51) }))
        .await;
    assert_refused(&long, 400, "invalid_label");
    assert_eq!(get(&player, BOOK).await["addresses"], json!([renamed]));
    assert_eq!(delete(&player, &one).await.0, StatusCode::NO_CONTENT);
    assert_refused(&delete(&player, &one).await, 404, "not_found");
    assert_eq!(get(&player, BOOK).await["addresses"], json!([]));
    server.assert_clean();
}

/// A server that dies at any moment between the request and the answer leaves the cancellation done or
/// not done, and repeating it completes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_that_was_interrupted_is_repeated_without_a_second_return() {
    let mut server = start();
    let player = server.funded_player("alice", "100.00").await;
    for _ in 0..3 {
        let id = withdraw(&player, "30.00").await;
        let cancel = format!("/api/withdraw-requests/{id}/cancel");
        let (body, interrupted) = (json!({}), player.clone());
        let path = cancel.clone();
        let call = tokio::spawn(async move {
            let sent = interrupted.request(Method::POST, &path).json(&body).send();
            sent.await.map(drop)
        });
        server.crash_and_restart();
        drop(call.await);
        let (status, cancelled) = player.post(&cancel, &json!({})).await;
        assert_eq!(status, StatusCode::OK, "{cancelled}");
        assert_eq!(cancelled["newBalance"], "100.00");
        server.assert_clean();
    }
}
