//! Deposits over HTTP, paid on the sandbox's payment page.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::sandbox_payments::{
    create_deposit, open_payment, start_server, submit_form, wait_for_deposit,
};
use crate::support::{assert_refused, read};

#[tokio::test]
async fn a_deposit_is_credited_and_must_be_wagered() {
    let server = start_server();
    let (player, id) = server.player("depositor").await;
    let created = create_deposit(&player, "100.00").await;
    let url = created["invoiceUrl"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://{}/pay/", server.sandbox_address)));
    let deposit = &created["deposit"];
    assert_eq!(deposit["userId"], id);
    assert_eq!(deposit["amount"], "100.00");
    assert_eq!(deposit["creditedAmount"], "0.00");
    assert_eq!(deposit["status"], "pending");
    let invoice = &deposit["invoiceId"];
    let waiting = wait_for_deposit(&player, invoice, |_| true).await;
    assert_eq!(waiting["external_status"], "waiting");
    assert_eq!(waiting["processed"], false);
    let payment = open_payment(url).await;
    submit_form(&payment, "action=pay_full").await;
    let done = wait_for_deposit(&player, invoice, |answer| answer["processed"] == true).await;
    assert_eq!(done["external_status"], "finished");
    assert_eq!(done["creditedAmount"], "100.00");
    let (_, user) = player.get("/api/user").await;
    assert_eq!(
        (&user["balance"], &user["availableToWithdraw"]),
        (&json!("100.00"), &json!("0.00"))
    );
    let (_, wagering) = player.get("/api/wagering").await;
    assert_eq!(wagering["unwagered"], "100.00");
    assert_eq!(wagering["deposits"][0]["remaining"], "100.00");
    let (_, list) = player.get("/api/deposits").await;
    assert_eq!(list[0]["status"], "completed");
    assert!(list[0]["completedAt"].is_string());
    let request = json!({ "amount": "20", "currency": "btc", "walletAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
    let answer = player.post("/api/withdraw-requests", &request).await;
    assert_refused(&answer, 422, "withdrawal_limit");
    server.assert_clean();
}

#[tokio::test]
async fn partial_payments_are_credited_and_returning_to_the_house_credits_nothing() {
    let server = start_server();
    let (player, _) = server.player("partial").await;
    let created = create_deposit(&player, "80.00").await;
    let url = created["invoiceUrl"].as_str().unwrap();
    let invoice = &created["deposit"]["invoiceId"];
    for path in ["/dashboard?tab=account", "/dashboard?paid=1"] {
        let response = player.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
    }
    assert_eq!(player.balance().await, "0.00");
    let payment = open_payment(url).await;
    // 80 dollars are requested as 0.00088888… bitcoin, so 0.0001 bitcoin is a partial payment.
    submit_form(&payment, "action=pay&amount=0.0001").await;
    let part = wait_for_deposit(&player, invoice, |answer| {
        answer["external_status"] == "partially_paid"
    })
    .await;
    assert_eq!(part["processed"], false);
    let credited = part["creditedAmount"].as_str().unwrap().to_owned();
    assert_eq!(player.balance().await, credited);
    assert!(credited != "0.00" && credited != "80.00", "{credited}");
    submit_form(&payment, "action=pay_full").await;
    wait_for_deposit(&player, invoice, |answer| answer["processed"] == true).await;
    assert_eq!(player.balance().await, "80.00");
    server.assert_clean();
}

#[tokio::test]
async fn a_server_killed_during_a_payment_credits_it_once() {
    let mut server = start_server();
    let (player, _) = server.player("survivor").await;
    let mut invoices = Vec::new();
    for _ in 0..3 {
        let created = create_deposit(&player, "30.00").await;
        let payment = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
        submit_form(&payment, "action=pay_full").await;
        invoices.push(created["deposit"]["invoiceId"].clone());
    }
    server.crash_and_restart();
    for invoice in &invoices {
        wait_for_deposit(&player, invoice, |answer| answer["processed"] == true).await;
    }
    assert_eq!(player.balance().await, "90.00");
    server.assert_clean();
}

#[tokio::test]
async fn amounts_beyond_the_operators_limits_are_refused() {
    let server = start_server();
    let (player, _) = server.player("whale").await;
    let deposit = json!({ "amount": "999999999", "cryptoCurrency": "btc" });
    let answer = player.post("/api/deposits/create", &deposit).await;
    assert_refused(&answer, 422, "above_maximum");
    assert_eq!(answer.1["message"], "The maximum deposit is $100,000.00.");
    let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    let withdrawal = json!({ "amount": "100000.01", "currency": "btc", "walletAddress": address });
    let answer = player.post("/api/withdraw-requests", &withdrawal).await;
    assert_refused(&answer, 422, "above_maximum");
    assert_eq!(player.get("/api/deposits").await.1, json!([]));
}

#[tokio::test]
async fn invalid_deposits_are_refused_and_change_nothing() {
    let server = start_server();
    let (player, _) = server.player("refused").await;
    for amount in [
        "\"0\"",
        "\"-5\"",
        "\"1e3\"",
        "\"1,000\"",
        "\"20.005\"",
        "\"\"",
        "null",
        "1e3",
        "-5",
        "\"NaN\"",
        "\"99999999999\"",
    ] {
        let body = format!(r#"{{"amount":{amount},"cryptoCurrency":"btc"}}"#);
        let answer = player.post_raw("/api/deposits/create", body).await;
        assert_refused(&answer, 400, "invalid_amount");
        assert_eq!(
            answer.1["message"], "Please enter a valid deposit amount",
            "{amount}"
        );
    }
    for currency in ["\"gold\"", "\"BTC\"", "\"\"", "null"] {
        let body = format!(r#"{{"amount":"5","cryptoCurrency":{currency}}}"#);
        let answer = player.post_raw("/api/deposits/create", body).await;
        assert_refused(&answer, 400, "invalid_currency");
        assert_eq!(answer.1["message"], "Please select a cryptocurrency");
    }
    for body in [
        "{}",
        "[]",
        "",
        r#"{"amount":"5","cryptoCurrency":"btc","isFree":true}"#,
    ] {
        let (status, answer) = player.post_raw("/api/deposits/create", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {answer}");
    }
    let (_, list) = player.get("/api/deposits").await;
    assert_eq!(list, json!([]));
    for path in [
        "/api/deposits",
        "/api/wagering",
        "/api/withdraw-requests",
        "/api/deposits/1/status",
    ] {
        assert_refused(&server.visitor().get(path).await, 401, "not_signed_in");
    }
    for query in [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=x",
        "cursor=-1",
        "page=2",
    ] {
        let (status, answer) = player.get(&format!("/api/deposits?{query}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {answer}");
    }
    // Another player's deposit is not found.
    let created = create_deposit(&player, "5").await;
    let (other, _) = server.player("other").await;
    let invoice = created["deposit"]["invoiceId"].as_str().unwrap();
    for path in [
        format!("/api/deposits/{invoice}/status"),
        "/api/deposits/x/status".to_owned(),
    ] {
        assert_refused(&other.get(&path).await, 404, "not_found");
    }
}

#[tokio::test]
async fn one_idempotency_key_makes_one_invoice() {
    let server = start_server();
    let (player, _) = server.player("clicker").await;
    let send = async |amount: &str| {
        let body = json!({ "amount": amount, "cryptoCurrency": "eth" });
        let request = player.request(Method::POST, "/api/deposits/create");
        let request = request.header("idempotency-key", "one-click").json(&body);
        read(request.send().await.unwrap()).await
    };
    let (one, two) = tokio::join!(send("50"), send("50"));
    let again = send("50").await;
    assert_eq!(again.0, StatusCode::CREATED);
    for answer in [one, two] {
        if answer.0 == StatusCode::CREATED {
            assert_eq!(answer.1["invoiceUrl"], again.1["invoiceUrl"]);
        } else {
            assert_refused(&answer, 409, "deposit_in_progress");
        }
    }
    assert_refused(&send("51").await, 409, "idempotency_conflict");
    let (_, list) = player.get("/api/deposits").await;
    assert_eq!(list.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn callbacks_are_accepted_by_their_signature_alone() {
    let server = start_server();
    let (player, _) = server.player("callback").await;
    let created = create_deposit(&player, "40").await;
    let open_body = format!(
        r#"{{"payment_id":1,"payment_status":"finished","invoice_id":{}}}"#,
        created["deposit"]["invoiceId"].as_str().unwrap()
    );
    let signatures = [None, Some(""), Some("00"), Some(&*"a".repeat(128))];
    for signature in signatures {
        let mut request = server
            .visitor()
            .request(Method::POST, "/api/payments/ipn")
            // The only call that is accepted from other origins.
            .header("origin", "https://provider.example")
            .body(open_body.clone());
        if let Some(signature) = signature {
            request = request.header("x-nowpayments-sig", signature);
        }
        let answer = read(request.send().await.unwrap()).await;
        assert_refused(&answer, 401, "invalid_signature");
    }
    let large = server
        .visitor()
        .request(Method::POST, "/api/payments/ipn")
        .body("x".repeat(20_000));
    assert_eq!(
        large.send().await.unwrap().status(),
        StatusCode::PAYLOAD_TOO_LARGE
    );
    assert_eq!(player.balance().await, "0.00");
}

#[tokio::test]
async fn provider_failures_are_reported_to_the_player() {
    let server = start_server();
    let (player, _) = server.player("unlucky").await;
    let inject_fault = async |body: Value| {
        let url = format!("http://{}/sandbox/inject_fault", server.sandbox_address);
        let keys = std::fs::read(server.folder.path().join("data/sandbox-keys.json")).unwrap();
        let keys: Value = serde_json::from_slice(&keys).unwrap();
        let answer = reqwest::Client::new()
            .post(url)
            .header("x-api-key", keys["api_key"].as_str().unwrap())
            .json(&body)
            .send()
            .await
            .unwrap();
        assert!(answer.status().is_success());
    };
    let body = json!({ "amount": "60", "cryptoCurrency": "btc" });
    for (fault, code) in [("500", "payments_unclear"), ("429", "payments_unavailable")] {
        inject_fault(json!({ "answer": fault, "only": "/invoice", "count": 1 })).await;
        let request = player
            .request(Method::POST, "/api/deposits/create")
            .json(&body);
        let response = request.send().await.unwrap();
        assert!(response.headers().contains_key("retry-after"), "{fault}");
        let answer = read(response).await;
        assert_refused(&answer, 503, code);
        assert!(
            answer.1["message"]
                .as_str()
                .unwrap()
                .contains("Nothing was charged")
        );
    }
    let (_, list) = player.get("/api/deposits").await;
    assert_eq!(
        list.as_array().unwrap().len(),
        2,
        "each attempt is recorded"
    );
    assert_eq!(list[0]["status"], "failed");
    // The next deposit works, and its payment is credited although its callbacks are dropped.
    inject_fault(json!({ "drop": true, "count": 100 })).await;
    let created = create_deposit(&player, "60").await;
    let payment = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    submit_form(&payment, "action=pay_full").await;
    let invoice = &created["deposit"]["invoiceId"];
    wait_for_deposit(&player, invoice, |answer| answer["processed"] == true).await;
    assert_eq!(player.balance().await, "60.00");
}
