//! Withdrawals over HTTP: validated in the form's order, held and listed.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Server, assert_refused};

const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// Amount, currency and address, and the refusal's status, code and message, for a balance of 100
/// dollars.
const WITHDRAWALS_REFUSED: [(&str, &str, &str, u16, &str, &str); 8] = [
    (
        "x",
        "",
        "",
        400,
        "invalid_amount",
        "Please enter a valid withdrawal amount.",
    ),
    (
        "0",
        "",
        "",
        400,
        "invalid_amount",
        "Please enter a valid withdrawal amount.",
    ),
    (
        "1e3",
        "",
        "",
        400,
        "invalid_amount",
        "Please enter a valid withdrawal amount.",
    ),
    (
        "19.99",
        "",
        "",
        422,
        "below_minimum",
        "The minimum withdrawal amount is $20.00.",
    ),
    (
        "500",
        "",
        "",
        400,
        "invalid_currency",
        "Please select a cryptocurrency for withdrawal",
    ),
    (
        "500",
        "btc",
        " ",
        422,
        "invalid_address",
        "Please enter a valid wallet address",
    ),
    (
        "500",
        "btc",
        "x",
        422,
        "invalid_address",
        "This is not a valid BTC address",
    ),
    (
        "500",
        "btc",
        ADDRESS,
        422,
        "insufficient_balance",
        "Your withdrawal amount exceeds your available balance.",
    ),
];

#[tokio::test]
async fn a_withdrawal_is_held_and_listed() {
    let server = Server::start();
    let player = server.funded_player("leaver", "100.00").await;
    let send = async |amount: &str, currency: &str, address: &str| {
        let body = json!({ "amount": amount, "currency": currency, "walletAddress": address });
        player.post("/api/withdraw-requests", &body).await
    };
    // The first error in the form's order is reported.
    for (amount, currency, address, status, code, message) in WITHDRAWALS_REFUSED {
        let answer = send(amount, currency, address).await;
        assert_refused(&answer, status, code);
        assert_eq!(answer.1["message"], message);
    }
    assert_refused(
        &player.post("/api/withdraw-requests", &json!({})).await,
        400,
        "invalid_amount",
    );
    assert_eq!(player.balance().await, "100.00");
    let (status, created) = send("33.33", "btc", ADDRESS).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    assert_eq!(
        (&created["fee"], &created["netAmount"]),
        (&json!("0.34"), &json!("32.99"))
    );
    assert_eq!(created["newBalance"], "66.67");
    assert_eq!(player.balance().await, "66.67");
    let (_, list) = player.get("/api/withdraw-requests").await;
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["status"], "pending");
    assert_eq!(list[0]["walletAddress"], ADDRESS);
    let (other, _) = server.player("other").await;
    assert_eq!(other.get("/api/withdraw-requests").await.1, json!([]));
    server.assert_clean();
}
