//! A passkey on a device of its user.

use glasshouse_testing::PasskeyDevice;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::Visitor;

pub(crate) const PASSKEYS: &str = "/api/account/second-factor/passkeys";
pub(crate) const NEW_PASSKEY: &str = "/api/account/second-factor/passkeys/ceremony";
pub(crate) const SIGN_IN: &str = "/api/login/passkey";
pub(crate) const NEW_SIGN_IN: &str = "/api/login/passkey/ceremony";
pub(crate) const NEW_CONFIRMATION: &str = "/api/account/step-up/ceremony";

/// Begins a ceremony; returns its key and the options for the device.
pub(crate) async fn begin(visitor: &Visitor, path: &str) -> (String, Value) {
    let (status, mut prompt) = visitor.post(path, &json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{prompt}");
    let key = prompt["ceremony"].as_str().unwrap().to_owned();
    (key, prompt["options"].take())
}

/// What is sent once the device has signed.
pub(crate) async fn assertion(visitor: &Visitor, path: &str, device: &mut PasskeyDevice) -> Value {
    let (ceremony, options) = begin(visitor, path).await;
    json!({ "ceremony": ceremony, "credential": device.sign(&options).unwrap() })
}

/// Makes a passkey on the device and adds it to the visitor's account.
pub(crate) async fn add(
    visitor: &Visitor,
    device: &mut PasskeyDevice,
    name: &str,
) -> (StatusCode, Value) {
    let (ceremony, options) = begin(visitor, NEW_PASSKEY).await;
    let credential = device.make(&options).unwrap();
    let body = json!({ "ceremony": ceremony, "name": name, "credential": credential });
    visitor.post(PASSKEYS, &body).await
}

/// Signs the visitor in with the device alone.
pub(crate) async fn sign_in(visitor: &Visitor, device: &mut PasskeyDevice) -> (StatusCode, Value) {
    let body = assertion(visitor, NEW_SIGN_IN, device).await;
    visitor.post(SIGN_IN, &body).await
}
