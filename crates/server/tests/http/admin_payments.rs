//! Checking and confirming payments as an administrator, with the sandbox as the provider.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, confirmation, get, logged_acts, orphan, post_at_once, post_once};
use crate::sandbox_payments::{
    create_deposit, open_payment, post_form, start_server, submit_form, wait_for_deposit,
};
use crate::support::{Server, Visitor, assert_refused};

const CONFIRM: &str = "/api/admin/confirm-payment";

/// A player's deposit with a payment in the status `waiting`.
struct PendingDeposit {
    /// The address of the payment page's forms.
    forms_url: String,
    payment: String,
    invoice: Value,
    user: Value,
}

async fn pending_deposit(
    player: &Visitor,
    administrator: &Visitor,
    amount: &str,
) -> PendingDeposit {
    let created = create_deposit(player, amount).await;
    let forms_url = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    let payment = forms_url.rsplit('/').next().unwrap().to_owned();
    let check = check(administrator, &payment).await;
    assert_eq!(check["api_status"], "waiting");
    let user = created["deposit"]["userId"].clone();
    assert_eq!(check["user_id"], user);
    assert_eq!(check["deposit_id"], created["deposit"]["id"]);
    PendingDeposit {
        forms_url,
        payment,
        invoice: created["deposit"]["invoiceId"].clone(),
        user,
    }
}

async fn check(administrator: &Visitor, payment: &str) -> Value {
    let path = format!("/api/admin/check-payment/{payment}");
    act(administrator, &path, json!({})).await
}

/// Pays in full, and waits until the house has processed the payment.
async fn pay(player: &Visitor, deposit: &PendingDeposit) {
    submit_form(&deposit.forms_url, "action=pay_full").await;
    let is_finished = |answer: &Value| answer["external_status"] == "finished";
    wait_for_deposit(player, &deposit.invoice, is_finished).await;
}

#[tokio::test]
async fn a_check_credits_a_payment_by_the_providers_status() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = pending_deposit(&player, &administrator, "100.00").await;
    let listed = get(&administrator, "/api/admin/payment-statuses").await;
    assert_eq!(listed[0]["payment_id"], *deposit.payment);
    assert_eq!(
        (&listed[0]["is_processed"], &listed[0]["is_confirmed"]),
        (&json!(false), &json!(false))
    );
    // No callback arrives; the administrator checks the payment.
    let switches = format!("http://{}/sandbox/switches", server.sandbox_address);
    assert_eq!(
        post_form(&switches, "drop=on&count=100").await,
        StatusCode::OK
    );
    submit_form(&deposit.forms_url, "action=pay_full").await;
    let path = format!("/api/admin/check-payment/{}", deposit.payment);
    let mut last = Value::Null;
    for _ in 0..5_000 {
        last = get(&administrator, &path).await;
        if last["api_status"] == "finished" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(last["api_status"], "finished");
    last = check(&administrator, &deposit.payment).await;
    let local = json!({
        "status": "finished", "standing": "tracked", "credited_amount": "100.00"
    });
    assert_eq!(
        (&last["api_status"], &last["local_status"]),
        (&json!("finished"), &local)
    );
    assert_eq!(player.balance().await, "100.00");
    check(&administrator, &deposit.payment).await;
    assert_eq!(player.balance().await, "100.00");
    for unknown in ["1", "99999999999", "abc"] {
        let path = format!("/api/admin/check-payment/{unknown}");
        assert_refused(&administrator.get(&path).await, 404, "unknown_payment");
        let answer = administrator.post(&path, &json!({})).await;
        assert_refused(&answer, 404, "unknown_payment");
    }
    server.assert_clean();
}

#[tokio::test]
async fn a_waiting_payment_can_be_confirmed_once() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let whole = pending_deposit(&player, &administrator, "100.00").await;
    let body = confirmation(&whole.payment, &whole.user, "100.00");
    let answer = act(&administrator, CONFIRM, body.clone()).await;
    assert_eq!(
        answer,
        json!({
            "payment_id": whole.payment, "credited_amount": "100.00",
            "message": format!("Payment {} has been manually confirmed", whole.payment),
        })
    );
    assert_eq!(player.balance().await, "100.00");
    // It cannot be confirmed again by its own ID, by its invoice's, or with another amount.
    let invoice = whole.invoice.as_str().unwrap();
    for body in [
        body,
        confirmation(&whole.payment, &whole.user, "7.00"),
        confirmation(invoice, &whole.user, "100.00"),
    ] {
        let answer = administrator.post(CONFIRM, &body).await;
        assert_refused(&answer, 409, "already_processed");
        let message = answer.1["message"].as_str().unwrap();
        assert!(message.contains("$100.00"), "{message}");
    }
    // The provider reports the same payment later.
    pay(&player, &whole).await;
    let checked = check(&administrator, &whole.payment).await;
    assert_eq!(checked["api_status"], "finished");
    assert_eq!(checked["local_status"]["credited_amount"], "100.00");
    assert_eq!(
        player.balance().await,
        "100.00",
        "the payment was credited twice"
    );
    // If more is paid than was confirmed, the remainder is credited.
    let part = pending_deposit(&player, &administrator, "80.00").await;
    let invoice = part.invoice.as_str().unwrap();
    act(
        &administrator,
        CONFIRM,
        confirmation(invoice, &part.user, "50.00"),
    )
    .await;
    assert_eq!(player.balance().await, "150.00");
    pay(&player, &part).await;
    assert_eq!(player.balance().await, "180.00");
    server.assert_clean();
}

#[tokio::test]
async fn concurrent_confirmations_credit_once() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let (other, other_id) = server.player("bob").await;
    let deposit = pending_deposit(&player, &administrator, "40.00").await;
    let body = confirmation(&deposit.payment, &deposit.user, "40.00");
    let visitors = [administrator.clone()];
    let answers = post_at_once(&visitors, CONFIRM, &[body], 10).await;
    assert_one_succeeded(&answers);
    assert_eq!(player.balance().await, "40.00");
    // An unmatched payment is credited to one of the players at most.
    let (payment, _) = orphan(&server, &administrator).await;
    let bodies = [id, other_id].map(|user| confirmation(&payment, &json!(user), "20.00"));
    let answers = post_at_once(&visitors, CONFIRM, &bodies, 10).await;
    assert_one_succeeded(&answers);
    let balances = (player.balance().await, other.balance().await);
    let expected = [("60.00", "0.00"), ("40.00", "20.00")];
    assert!(
        expected.contains(&(&*balances.0, &*balances.1)),
        "{balances:?}"
    );
    assert_eq!(
        get(&administrator, "/api/admin/reviews").await,
        json!([]),
        "the confirmation resolves the review"
    );
    server.assert_clean();
}

#[track_caller]
fn assert_one_succeeded(answers: &[(StatusCode, Value)]) {
    let (done, refused): (Vec<_>, Vec<_>) = answers
        .iter()
        .partition(|answer| answer.0 == StatusCode::OK);
    assert_eq!((done.len(), refused.len()), (1, 9), "{answers:?}");
    for answer in refused {
        assert_refused(answer, 409, "already_processed");
    }
}

#[tokio::test]
async fn one_idempotency_key_confirms_once() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = pending_deposit(&player, &administrator, "40.00").await;
    let body = confirmation(&deposit.payment, &deposit.user, "40.00");
    let first = post_once(&administrator, CONFIRM, "pay-1", &body).await;
    assert_eq!(first.0, StatusCode::OK, "{}", first.1);
    for _ in 0..3 {
        assert_eq!(
            post_once(&administrator, CONFIRM, "pay-1", &body).await,
            first
        );
    }
    let other = confirmation(&deposit.payment, &deposit.user, "41.00");
    let answer = post_once(&administrator, CONFIRM, "pay-1", &other).await;
    assert_refused(&answer, 409, "idempotency_conflict");
    assert_eq!(player.balance().await, "40.00");
    server.assert_clean();
}

/// The body with one field changed.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// The body without one field.
fn without(body: &Value, field: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().unwrap().remove(field);
    body
}

#[tokio::test]
async fn a_confirmation_needs_an_amount_and_a_user() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = pending_deposit(&player, &administrator, "40.00").await;
    let valid = confirmation(&deposit.payment, &deposit.user, "40.00");
    let amounts = [
        "0",
        "0.00",
        "-1",
        "1.999",
        "1e3",
        "NaN",
        "",
        "a lot",
        "99999999999999999999",
    ];
    let wrong = amounts.map(|amount| with(&valid, "amount", json!(amount)));
    for body in wrong.into_iter().chain([without(&valid, "amount")]) {
        let answer = administrator.post(CONFIRM, &body).await;
        assert_refused(&answer, 400, "invalid_amount");
        assert_eq!(answer.1["message"], "Please enter a valid amount (> 0)");
    }
    for body in [
        without(&valid, "userId"),
        with(&valid, "userId", Value::Null),
    ] {
        let answer = administrator.post(CONFIRM, &body).await;
        assert_refused(&answer, 400, "malformed_request");
        let message = "User ID is required to confirm a payment";
        assert_eq!(answer.1["message"], message);
    }
    assert_eq!(player.balance().await, "0.00");
    act(&administrator, CONFIRM, valid).await;
    assert_eq!(player.balance().await, "40.00");
}

#[tokio::test]
async fn invalid_confirmations_are_refused_and_change_nothing() {
    let server = start_server();
    let administrator = server.administrator().await;
    let admin_id = get(&administrator, "/api/user").await["id"].clone();
    let (player, _) = server.player("alice").await;
    let (other, other_id) = server.player("bob").await;
    let deposit = pending_deposit(&player, &administrator, "40.00").await;
    let unpaid = create_deposit(&player, "30.00").await["deposit"]["invoiceId"].clone();
    let logs = logged_acts(&administrator, "").await;
    let valid = confirmation(&deposit.payment, &deposit.user, "40.00");
    for field in ["currency", "invoiceId"] {
        let answer = administrator.post(CONFIRM, &without(&valid, field)).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for (field, value, status, code) in [
        ("userId", json!("1"), 400, "malformed_request"),
        ("userId", json!(1.5), 400, "malformed_request"),
        ("currency", json!(""), 400, "malformed_request"),
        ("currency", json!("=1+1"), 400, "malformed_request"),
        ("isFree", json!(true), 400, "malformed_request"),
        ("invoiceId", json!("123456"), 404, "unknown_payment"),
        ("invoiceId", json!(""), 404, "unknown_payment"),
        ("invoiceId", json!("x\u{0}"), 404, "unknown_payment"),
        ("invoiceId", unpaid, 409, "no_payment"),
        ("userId", json!(other_id), 422, "other_user"),
        ("userId", admin_id, 403, "own_payment"),
        ("userId", json!(999_999), 404, "not_found"),
        ("userId", json!(0), 404, "not_found"),
        ("userId", json!(-1), 404, "not_found"),
        ("userId", json!(i64::MIN), 404, "not_found"),
    ] {
        let body = with(&valid, field, value);
        let answer = administrator.post(CONFIRM, &body).await;
        assert_eq!(answer.0.as_u16(), status, "{body}: {}", answer.1);
        assert_refused(&answer, status, code);
    }
    assert_eq!(player.balance().await, "0.00");
    assert_eq!(other.balance().await, "0.00");
    assert_eq!(logged_acts(&administrator, "").await, logs);
    server.assert_clean();
}

/// While the provider is unavailable, payments can be confirmed but not checked.
#[tokio::test]
async fn payments_can_be_confirmed_while_the_provider_is_unavailable() {
    let server = start_server();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = pending_deposit(&player, &administrator, "40.00").await;
    inject_outage(&server).await;
    let path = format!("/api/admin/check-payment/{}", deposit.payment);
    assert_refused(&administrator.get(&path).await, 503, "payments_unavailable");
    let body = confirmation(&deposit.payment, &deposit.user, "40.00");
    act(&administrator, CONFIRM, body).await;
    assert_eq!(player.balance().await, "40.00");
    server.assert_clean();
}

async fn inject_outage(server: &Server) {
    let switches = format!("http://{}/sandbox/switches", server.sandbox_address);
    assert_eq!(
        post_form(&switches, "answer=500&count=100").await,
        StatusCode::OK
    );
}
