//! The second factor over HTTP: setting it up, signing in, stepping up, and what an administrator without
//! one can do.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{
    WALLET, get, logged_acts, one_time_password, set_seconds_ago, withdraw,
};
use crate::support::authenticator::{AUTHENTICATOR, CONFIRM, code_of};
use crate::support::{Authenticator, PASSWORD, Server, Visitor, assert_refused, read};

const STATE: &str = "/api/account/second-factor";
const RECOVERY_CODES: &str = "/api/account/second-factor/recovery-codes";
const STEP_UP: &str = "/api/account/step-up";
const PASSWORD_CHANGE: &str = "/api/account/password";
const WITHDRAWALS: &str = "/api/withdraw-requests";
const ADDRESS_BOOK: &str = "/api/account/withdrawal-addresses";
const EMAIL: &str = "/api/account/email";
const EMAIL_REMOVAL: &str = "/api/account/email/remove";
const SESSIONS: &str = "/api/account/sessions";
const CONFIRMED: &str = "confirmed_at_micros";
const NEW: &str = "quiet-otter-7-canyon";
/// What an administrator without a second factor can call, besides what visitors can.
const ALLOWED: [(&str, &str); 14] = [
    ("GET", "/api/user"),
    // It is for the payment provider, whose signature is missing.
    ("POST", "/api/payments/ipn"),
    ("POST", "/api/account/password"),
    ("GET", STEP_UP),
    ("POST", STEP_UP),
    ("GET", STATE),
    ("POST", AUTHENTICATOR),
    ("POST", CONFIRM),
    ("DELETE", AUTHENTICATOR),
    ("POST", RECOVERY_CODES),
    ("POST", "/api/account/step-up/ceremony"),
    ("POST", "/api/account/second-factor/passkeys/ceremony"),
    ("POST", "/api/account/second-factor/passkeys"),
    ("DELETE", "/api/account/second-factor/passkeys/{id}"),
];

async fn log_in(visitor: &Visitor, password: &str, code: Option<&str>) -> (StatusCode, Value) {
    let mut body = json!({ "username": "alice", "password": password });
    if let Some(code) = code {
        body["secondFactor"] = json!(code);
    }
    visitor.post("/api/login", &body).await
}

async fn delete(visitor: &Visitor, path: &str) -> (StatusCode, Value) {
    read(visitor.request(Method::DELETE, path).send().await.unwrap()).await
}

/// A signed-in player with an authenticator.
async fn protected(server: &Server) -> (Visitor, Authenticator) {
    let (alice, _) = server.player("alice").await;
    let authenticator = Authenticator::enrol(&alice).await;
    (alice, authenticator)
}

#[tokio::test]
async fn a_player_sets_a_second_factor_up_and_signs_in_with_it() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let elsewhere = server.visitor();
    assert_eq!(log_in(&elsewhere, PASSWORD, None).await.0, StatusCode::OK);
    let none = json!({
        "authenticatorSince": null,
        "passkeys": [],
        "recoveryCodesLeft": 0,
        "isMandatory": false,
    });
    assert_eq!(get(&alice, STATE).await, none);
    let early = alice.post(CONFIRM, &json!({ "code": "123456" })).await;
    assert_refused(&early, 409, "enrolment_expired");
    let mut authenticator = Authenticator::enrol(&alice).await;
    let state = get(&alice, STATE).await;
    assert!(state["authenticatorSince"].is_string(), "{state}");
    assert_eq!(state["recoveryCodesLeft"], 10);
    assert_eq!(get(&alice, "/api/user").await["hasSecondFactor"], true);
    assert_refused(&elsewhere.get("/api/user").await, 401, "not_signed_in");

    let visitor = server.visitor();
    let refused = log_in(&visitor, "wrong-password", None).await;
    assert_refused(&refused, 401, "invalid_credentials");
    let refused = log_in(&visitor, PASSWORD, None).await;
    assert_refused(&refused, 403, "second_factor_required");
    let code = authenticator.code(1);
    let refused = log_in(&visitor, "wrong-password", Some(&code)).await;
    assert_refused(&refused, 401, "invalid_credentials");
    for wrong in ["", "123", "not-a-code", &"1".repeat(5_000)] {
        let refused = log_in(&visitor, PASSWORD, Some(wrong)).await;
        assert_refused(&refused, 401, "invalid_second_factor");
    }
    assert_refused(&visitor.get("/api/user").await, 401, "not_signed_in");
    let body = json!({ "username": "alice", "password": PASSWORD, "secondFactor": 123_456 });
    let malformed = visitor.post("/api/login", &body).await;
    assert_refused(&malformed, 400, "malformed_request");
    let (status, user) = log_in(&visitor, PASSWORD, Some(&code)).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(get(&visitor, "/api/user").await["username"], "alice");
    // Neither the code nor an earlier one signs in again.
    for used in [&code, &authenticator.code(0)] {
        let refused = log_in(&server.visitor(), PASSWORD, Some(used)).await;
        assert_refused(&refused, 401, "invalid_second_factor");
    }
    let recovery_code = authenticator.recovery_code();
    let (status, _) = log_in(&server.visitor(), PASSWORD, Some(&recovery_code)).await;
    assert_eq!(status, StatusCode::OK);
    let refused = log_in(&server.visitor(), PASSWORD, Some(&recovery_code)).await;
    assert_refused(&refused, 401, "invalid_second_factor");
    assert_eq!(get(&alice, STATE).await["recoveryCodesLeft"], 9);
    server.assert_clean();
}

#[tokio::test]
async fn what_protects_the_account_needs_a_recent_confirmation() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    // Without a second factor, the password confirms.
    set_seconds_ago(&server, CONFIRMED, 301);
    let refused = alice.post(AUTHENTICATOR, &json!({})).await;
    assert_refused(&refused, 403, "step_up_required");
    assert_eq!(get(&alice, STEP_UP).await, json!({ "validUntil": null }));
    let wrong = alice.post(STEP_UP, &json!({ "password": "wrong" })).await;
    assert_refused(&wrong, 401, "invalid_credentials");
    let wrong = alice
        .post(STEP_UP, &json!({ "secondFactor": "123456" }))
        .await;
    assert_refused(&wrong, 401, "invalid_second_factor");
    let confirmed = alice.post(STEP_UP, &json!({ "password": PASSWORD })).await;
    assert_eq!(confirmed.0, StatusCode::OK, "{}", confirmed.1);
    let mut authenticator = Authenticator::enrol(&alice).await;

    set_seconds_ago(&server, CONFIRMED, 301);
    let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    let withdrawal = json!({ "amount": "20.00", "currency": "btc", "walletAddress": "x" });
    let calls = [
        (PASSWORD_CHANGE, &change),
        (WITHDRAWALS, &withdrawal),
        (AUTHENTICATOR, &Value::Null),
        (CONFIRM, &json!({ "code": "123456" })),
        (RECOVERY_CODES, &Value::Null),
    ];
    for (path, body) in calls {
        let refused = alice.post(path, body).await;
        assert_refused(&refused, 403, "step_up_required");
    }
    assert_refused(
        &delete(&alice, AUTHENTICATOR).await,
        403,
        "step_up_required",
    );
    for body in [
        json!({}),
        json!({ "password": null }),
        json!({ "code": "1" }),
    ] {
        let refused = alice.post(STEP_UP, &body).await;
        assert_refused(&refused, 400, "malformed_request");
    }
    let refused = alice.post(STEP_UP, &json!({ "password": PASSWORD })).await;
    assert_refused(&refused, 403, "second_factor_required");
    let body = json!({ "secondFactor": authenticator.recovery_code() });
    let (status, state) = alice.post(STEP_UP, &body).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    assert_eq!(get(&alice, STEP_UP).await, state);
    // The calls now reach their own rules.
    let refused = alice.post(WITHDRAWALS, &withdrawal).await;
    assert_refused(&refused, 422, "invalid_address");
    let (status, _) = alice.post(PASSWORD_CHANGE, &change).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, codes) = alice.post(RECOVERY_CODES, &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{codes}");
    let old = authenticator.recovery_code();
    let refused = log_in(&server.visitor(), NEW, Some(&old)).await;
    assert_refused(&refused, 401, "invalid_second_factor");
    let (status, _) = delete(&alice, AUTHENTICATOR).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(log_in(&server.visitor(), NEW, None).await.0, StatusCode::OK);
    let again = delete(&alice, AUTHENTICATOR).await;
    assert_refused(&again, 409, "no_second_factor");
    let again = alice.post(RECOVERY_CODES, &Value::Null).await;
    assert_refused(&again, 409, "no_second_factor");
    server.assert_clean();
}

/// The e-mail address, the address book and the other sessions; the password alone is enough without a second
/// factor, and never with one.
#[tokio::test]
async fn other_changes_of_the_security_need_the_second_factor_as_well() {
    let server = Server::start();
    let (alice, _) = server.player("alice").await;
    let entry = json!({ "currency": "btc", "walletAddress": WALLET, "password": PASSWORD });
    set_seconds_ago(&server, CONFIRMED, 301);
    let (status, added) = alice.post(ADDRESS_BOOK, &entry).await;
    assert_eq!(status, StatusCode::CREATED, "{added}");
    let mut authenticator = Authenticator::enrol(&alice).await;
    let own_entry = format!("{ADDRESS_BOOK}/{}", added["id"]);
    let label = format!("{own_entry}/label");
    let email = json!({ "email": "alice@example.com", "password": PASSWORD });
    let password = json!({ "password": PASSWORD });
    let code = authenticator.recovery_code();
    let elsewhere = server.visitor();
    assert_eq!(
        log_in(&elsewhere, PASSWORD, Some(&code)).await.0,
        StatusCode::OK
    );
    let sessions = get(&elsewhere, SESSIONS).await;
    let other = sessions.as_array().unwrap().iter();
    let other = other.filter(|session| session["isCurrent"] == false);
    let other: Vec<_> = other.map(|session| session["id"].clone()).collect();
    let other = format!("{SESSIONS}/{}", other[0].as_str().unwrap());
    let named = json!({ "label": "Mine" });
    let calls = [
        (Method::PUT, EMAIL, &email, 202),
        (Method::POST, EMAIL_REMOVAL, &password, 200),
        (Method::POST, ADDRESS_BOOK, &entry, 409),
        (Method::PUT, &label, &named, 200),
        (Method::DELETE, &own_entry, &Value::Null, 204),
        (Method::DELETE, &other, &Value::Null, 204),
        (Method::DELETE, SESSIONS, &Value::Null, 204),
    ];
    let call = async |(method, path, body, _): &(Method, &str, &Value, u16)| {
        let request = elsewhere.request(method.clone(), path).json(body);
        read(request.send().await.unwrap()).await
    };
    set_seconds_ago(&server, CONFIRMED, 301);
    for one in &calls {
        assert_refused(&call(one).await, 403, "step_up_required");
    }
    let body = json!({ "secondFactor": authenticator.recovery_code() });
    assert_eq!(elsewhere.post(STEP_UP, &body).await.0, StatusCode::OK);
    for one in &calls {
        let (status, answer) = call(one).await;
        assert_eq!(status.as_u16(), one.3, "{} {}: {answer}", one.0, one.1);
    }
    // The password entered for these does not confirm the session.
    set_seconds_ago(&server, CONFIRMED, 301);
    let limited = json!({ "kind": "cool_off", "duration": "day", "password": PASSWORD });
    let excluded = elsewhere.post("/api/exclusions", &limited).await;
    assert!(excluded.0.is_success(), "{}", excluded.1);
    let refused = elsewhere.put(EMAIL, &email).await;
    assert_refused(&refused, 403, "step_up_required");
    server.assert_clean();
}

#[tokio::test]
async fn a_player_without_a_second_factor_withdraws_as_before() {
    let server = Server::start();
    let alice = server.funded_player("alice", "100.00").await;
    set_seconds_ago(&server, CONFIRMED, 3_600);
    withdraw(&alice, "20.00").await;
}

#[tokio::test]
async fn guessing_codes_at_the_sign_in_is_slowed_down() {
    let server = Server::start_with(&[]);
    let (alice, mut authenticator) = protected(&server).await;
    let stranger = server.visitor();
    let mut answers = Vec::new();
    while answers.len() < 30 {
        answers.push(log_in(&stranger, PASSWORD, Some("nonsense")).await);
        if answers.last().unwrap().1["code"] != "invalid_second_factor" {
            break;
        }
    }
    assert_refused(answers.last().unwrap(), 429, "rate_limited");
    assert!(answers.len() <= 7, "{} guesses", answers.len());
    // A right password alone does not reset the failures.
    let refused = log_in(&stranger, PASSWORD, None).await;
    assert_refused(&refused, 429, "rate_limited");
    // The owner's device is not affected.
    let code = authenticator.recovery_code();
    let (status, user) = log_in(&alice, PASSWORD, Some(&code)).await;
    assert_eq!(status, StatusCode::OK, "{user}");
}

/// The calls are taken from the OpenAPI document, which covers new ones as well.
#[tokio::test]
async fn an_administrator_without_a_second_factor_can_only_set_one_up() {
    let server = Server::start();
    let visitor = server.visitor();
    let first = server.administrator().await;
    assert_refused(
        &delete(&first, AUTHENTICATOR).await,
        403,
        "second_factor_mandatory",
    );
    let output = server.operate(&["admin", "reset-second-factor", "ADMIN"]);
    assert!(output.status.success());
    assert_refused(&first.get("/api/user").await, 401, "not_signed_in");
    let administrator = server.visitor();
    let password = &server.administrator_password;
    let body = json!({ "username": "admin", "password": password });
    let (status, user) = administrator.post("/api/login", &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(user["mustEnrolSecondFactor"], true);
    let document = get(&visitor, "/api/openapi.json").await;
    let mut refused = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            if ALLOWED.contains(&(method.as_str(), path)) || path == "/api/logout" {
                continue;
            }
            let path = path.replace("{id}", "1").replace("{userId}", "1");
            let call = |visitor: &Visitor| {
                let request = visitor.request(method.clone(), &path);
                if method == Method::GET {
                    request
                } else {
                    request.json(&json!({}))
                }
            };
            let outside = call(&visitor).send().await.unwrap().status();
            if outside != StatusCode::UNAUTHORIZED || path.starts_with("/api/login") {
                continue;
            }
            let answer = read(call(&administrator).send().await.unwrap()).await;
            assert_refused(&answer, 403, "second_factor_enrolment_required");
            refused += 1;
        }
    }
    assert!(refused > 30, "only {refused} calls were refused");
    Authenticator::enrol(&administrator).await;
    let records = logged_acts(&administrator, "").await;
    assert_eq!(records[0]["action"], "second_factor_reset", "{records:?}");
    let unknown = server.operate(&["admin", "reset-second-factor", "nobody"]);
    assert!(!unknown.status.success());
    server.assert_clean();
}

#[tokio::test]
async fn a_one_time_password_does_not_replace_the_second_factor() {
    let server = Server::start();
    let (_, mut authenticator) = protected(&server).await;
    let password = one_time_password(&server.operate(&["admin", "reset", "alice"]));
    let visitor = server.visitor();
    let refused = log_in(&visitor, &password, None).await;
    assert_refused(&refused, 403, "second_factor_required");
    let code = authenticator.recovery_code();
    let (status, user) = log_in(&visitor, &password, Some(&code)).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    // Who takes long over the new password steps up before choosing it.
    set_seconds_ago(&server, CONFIRMED, 301);
    let change = json!({ "currentPassword": password, "newPassword": NEW });
    let refused = visitor.post(PASSWORD_CHANGE, &change).await;
    assert_refused(&refused, 403, "step_up_required");
    let body = json!({ "secondFactor": authenticator.recovery_code() });
    assert_eq!(visitor.post(STEP_UP, &body).await.0, StatusCode::OK);
    let (status, _) = visitor.post(PASSWORD_CHANGE, &change).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_lost_key_leaves_the_recovery_codes() {
    let mut server = Server::start();
    let (_, mut authenticator) = protected(&server).await;
    let key = server.folder.path().join("data/second-factor-key");
    std::fs::remove_file(&key).unwrap();
    server.crash_and_restart();
    assert!(key.exists());
    let code = authenticator.code(1);
    let fault = log_in(&server.visitor(), PASSWORD, Some(&code)).await;
    assert_refused(&fault, 500, "fault");
    let visitor = server.visitor();
    let code = authenticator.recovery_code();
    let (status, user) = log_in(&visitor, PASSWORD, Some(&code)).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    let (status, enrolment) = visitor.post(AUTHENTICATOR, &Value::Null).await;
    assert_eq!(status, StatusCode::CREATED, "{enrolment}");
    let code = code_of(enrolment["secret"].as_str().unwrap(), 0);
    let (status, _) = visitor.post(CONFIRM, &json!({ "code": code })).await;
    assert_eq!(status, StatusCode::OK);
}
