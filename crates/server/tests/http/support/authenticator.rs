//! An authenticator, as users have it on their phones.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::StatusCode;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::Visitor;

pub(crate) const AUTHENTICATOR: &str = "/api/account/second-factor/authenticator";
pub(crate) const CONFIRM: &str = "/api/account/second-factor/authenticator/confirm";

/// An authenticator and its recovery codes.
pub(crate) struct Authenticator {
    secret: String,
    recovery_codes: Vec<String>,
}

impl Authenticator {
    /// Sets an authenticator up in a session that has just begun.
    pub(crate) async fn enrol(visitor: &Visitor) -> Self {
        let (status, enrolment) = visitor.post(AUTHENTICATOR, &json!({})).await;
        assert_eq!(status, StatusCode::CREATED, "{enrolment}");
        let secret = enrolment["secret"].as_str().unwrap().to_owned();
        let body = json!({ "code": code_of(&secret, 0) });
        let (status, answer) = visitor.post(CONFIRM, &body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        Self {
            secret,
            recovery_codes: texts(&answer["recoveryCodes"]),
        }
    }

    /// The code so many steps after the current one. The code before it and earlier ones are no longer
    /// accepted once it was used.
    pub(crate) fn code(&self, steps: u64) -> String {
        code_of(&self.secret, steps)
    }

    /// A recovery code that was not used yet: unlike a code, it needs no waiting for the next half
    /// minute.
    pub(crate) fn recovery_code(&mut self) -> String {
        self.recovery_codes.pop().expect("no recovery code is left")
    }

    /// Replaces the recovery codes if few are left. The session must have been confirmed.
    pub(crate) async fn refill(&mut self, visitor: &Visitor) {
        if self.recovery_codes.len() > 5 {
            return;
        }
        let path = "/api/account/second-factor/recovery-codes";
        let (status, answer) = visitor.post(path, &json!({})).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        self.recovery_codes = texts(&answer["recoveryCodes"]);
    }
}

fn texts(codes: &Value) -> Vec<String> {
    let codes = codes.as_array().unwrap().iter();
    codes
        .map(|code| code.as_str().unwrap().to_owned())
        .collect()
}

pub(crate) fn code_of(secret: &str, steps: u64) -> String {
    let totp = Builder::new()
        .with_secret(Secret::try_from_base32(secret).unwrap())
        .with_account_name("admin")
        .build()
        .unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    totp.generate(now.as_secs() + 30 * steps).to_string()
}
