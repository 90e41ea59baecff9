//! Payments that an administrator looks at and credits by hand, with the sandbox as the provider.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, confirmation, get, orphan, pages, post_at_once, post_once};
use crate::payer::{create, open_payment, press, start, wait_for};
use crate::provider::post_form;
use crate::support::{Server, Visitor, assert_refused};

const CONFIRM: &str = "/api/admin/confirm-payment";

/// A deposit of a player with a payment that waits.
struct Waiting {
    /// Where the payment page has its buttons.
    buttons: String,
    payment: String,
    invoice: Value,
    user: Value,
}

async fn waiting(player: &Visitor, administrator: &Visitor, amount: &str) -> Waiting {
    let created = create(player, amount).await;
    let buttons = open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    let payment = buttons.rsplit('/').next().unwrap().to_owned();
    let check = check(administrator, &payment).await;
    assert_eq!(check["api_status"], "waiting");
    let user = created["deposit"]["userId"].clone();
    assert_eq!(check["user_id"], user);
    assert_eq!(check["deposit_id"], created["deposit"]["id"]);
    Waiting {
        buttons,
        payment,
        invoice: created["deposit"]["invoiceId"].clone(),
        user,
    }
}

async fn check(administrator: &Visitor, payment: &str) -> Value {
    let path = format!("/api/admin/check-payment/{payment}");
    act(administrator, &path, json!({})).await
}

/// Pays in full, and waits until the house has heard of it.
async fn pay(player: &Visitor, waiting: &Waiting) {
    press(&waiting.buttons, "action=pay_full").await;
    let is_over = |answer: &Value| answer["external_status"] == "finished";
    wait_for(player, &waiting.invoice, is_over).await;
}

#[tokio::test]
async fn a_check_settles_what_the_provider_says() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = waiting(&player, &administrator, "100.00").await;
    let listed = get(&administrator, "/api/admin/payment-statuses").await;
    assert_eq!(listed[0]["payment_id"], *deposit.payment);
    assert_eq!(
        (&listed[0]["is_processed"], &listed[0]["is_confirmed"]),
        (&json!(false), &json!(false))
    );
    // No callback arrives: the administrator asks.
    let switches = format!("http://{}/sandbox/switches", server.sandbox_address);
    assert_eq!(
        post_form(&switches, "drop=on&count=100").await,
        StatusCode::OK
    );
    press(&deposit.buttons, "action=pay_full").await;
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
async fn a_waiting_payment_is_credited_by_hand_once() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let whole = waiting(&player, &administrator, "100.00").await;
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
    // Neither by its own id again, nor by its invoice's, nor with another amount.
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
    // The provider tells of the same money later.
    pay(&player, &whole).await;
    let told = check(&administrator, &whole.payment).await;
    assert_eq!(told["api_status"], "finished");
    assert_eq!(told["local_status"]["credited_amount"], "100.00");
    assert_eq!(player.balance().await, "100.00", "not again");
    // Of more money than was credited by hand, the rest.
    let part = waiting(&player, &administrator, "80.00").await;
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
async fn ten_confirmations_at_once_credit_once() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let (other, other_id) = server.player("bob").await;
    let deposit = waiting(&player, &administrator, "40.00").await;
    let body = confirmation(&deposit.payment, &deposit.user, "40.00");
    let visitors = [administrator.clone()];
    let answers = post_at_once(&visitors, CONFIRM, &[body], 10).await;
    assert_one_done(&answers);
    assert_eq!(player.balance().await, "40.00");
    // An orphan belongs to nobody: not even to two at once.
    let (payment, _) = orphan(&server, &administrator).await;
    let bodies = [id, other_id].map(|user| confirmation(&payment, &json!(user), "20.00"));
    let answers = post_at_once(&visitors, CONFIRM, &bodies, 10).await;
    assert_one_done(&answers);
    let balances = (player.balance().await, other.balance().await);
    let expected = [("60.00", "0.00"), ("40.00", "20.00")];
    assert!(
        expected.contains(&(&*balances.0, &*balances.1)),
        "{balances:?}"
    );
    assert_eq!(
        get(&administrator, "/api/admin/reviews").await,
        json!([]),
        "the confirmation answers the review"
    );
    server.assert_clean();
}

#[track_caller]
fn assert_one_done(answers: &[(StatusCode, Value)]) {
    let (done, refused): (Vec<_>, Vec<_>) = answers
        .iter()
        .partition(|answer| answer.0 == StatusCode::OK);
    assert_eq!((done.len(), refused.len()), (1, 9), "{answers:?}");
    for answer in refused {
        assert_refused(answer, 409, "already_processed");
    }
}

#[tokio::test]
async fn one_key_confirms_once() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = waiting(&player, &administrator, "40.00").await;
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

/// The confirmation with one field changed.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// The confirmation with one field left out.
fn without(body: &Value, field: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().unwrap().remove(field);
    body
}

#[tokio::test]
async fn a_confirmation_says_how_much_to_whom() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = waiting(&player, &administrator, "40.00").await;
    let usual = confirmation(&deposit.payment, &deposit.user, "40.00");
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
    let wrong = amounts.map(|amount| with(&usual, "amount", json!(amount)));
    for body in wrong.into_iter().chain([without(&usual, "amount")]) {
        let answer = administrator.post(CONFIRM, &body).await;
        assert_refused(&answer, 400, "invalid_amount");
        assert_eq!(answer.1["message"], "Please enter a valid amount (> 0)");
    }
    for body in [
        without(&usual, "userId"),
        with(&usual, "userId", Value::Null),
    ] {
        let answer = administrator.post(CONFIRM, &body).await;
        assert_refused(&answer, 400, "malformed_request");
        let message = "User ID is required to confirm a payment";
        assert_eq!(answer.1["message"], message);
    }
    assert_eq!(player.balance().await, "0.00");
    act(&administrator, CONFIRM, usual).await;
    assert_eq!(player.balance().await, "40.00");
}

#[tokio::test]
async fn what_cannot_be_confirmed_is_refused_and_changes_nothing() {
    let server = start();
    let administrator = server.administrator().await;
    let admin_id = get(&administrator, "/api/user").await["id"].clone();
    let (player, _) = server.player("alice").await;
    let (other, other_id) = server.player("bob").await;
    let deposit = waiting(&player, &administrator, "40.00").await;
    let unpaid = create(&player, "30.00").await["deposit"]["invoiceId"].clone();
    let logs = pages(&administrator, "/api/admin/logs?limit=200").await;
    let usual = confirmation(&deposit.payment, &deposit.user, "40.00");
    for field in ["currency", "invoiceId"] {
        let answer = administrator.post(CONFIRM, &without(&usual, field)).await;
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
        let body = with(&usual, field, value);
        let answer = administrator.post(CONFIRM, &body).await;
        assert_eq!(answer.0.as_u16(), status, "{body}: {}", answer.1);
        assert_refused(&answer, status, code);
    }
    assert_eq!(player.balance().await, "0.00");
    assert_eq!(other.balance().await, "0.00");
    assert_eq!(
        pages(&administrator, "/api/admin/logs?limit=200").await,
        logs
    );
    server.assert_clean();
}

/// A provider that is down keeps nobody from crediting, but from checking.
#[tokio::test]
async fn a_provider_in_trouble_is_told_of() {
    let server = start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    let deposit = waiting(&player, &administrator, "40.00").await;
    trouble(&server).await;
    let path = format!("/api/admin/check-payment/{}", deposit.payment);
    assert_refused(&administrator.get(&path).await, 503, "payments_unavailable");
    let body = confirmation(&deposit.payment, &deposit.user, "40.00");
    act(&administrator, CONFIRM, body).await;
    assert_eq!(player.balance().await, "40.00");
    server.assert_clean();
}

async fn trouble(server: &Server) {
    let switches = format!("http://{}/sandbox/switches", server.sandbox_address);
    assert_eq!(
        post_form(&switches, "answer=500&count=100").await,
        StatusCode::OK
    );
}
