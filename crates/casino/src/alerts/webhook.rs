//! Calls the operator's address. The body is signed, so that the receiver can tell alerts of the house from
//! what others send there.

use std::time::Duration;

use glasshouse_domain::{AlertMessage, Timestamp};
use glasshouse_persistence::alerts::Alert;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::Sha256;

use crate::alerts::options::WebhookTarget;
use crate::alerts::texts::{alert_text, iso};
use crate::outgoing_call::{client, describe, read};

/// For the whole answer.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The header with the time of the call and the signature.
pub const SIGNATURE_HEADER: &str = "glasshouse-signature";
/// The same for every attempt to tell the receiver the same.
const IDEMPOTENCY_HEADER: &str = "idempotency-key";

/// The body of a call.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: i64,
    event: &'static str,
    kind: &'static str,
    text: String,
    raised_at: String,
    resolved_at: Option<String>,
    user: Option<Person<'a>>,
    facts: &'a RawValue,
    url: String,
}

#[derive(Serialize)]
struct Person<'a> {
    id: i64,
    username: &'a str,
}

/// What a receiver is told, and the key by which it recognises what it was told before.
pub(crate) struct Call {
    pub(crate) body: String,
    pub(crate) key: String,
}

impl Call {
    /// # Errors
    /// If the alert cannot be written, in words.
    pub(crate) fn new(
        alert: &Alert,
        message: AlertMessage,
        public_url: &str,
    ) -> Result<Self, String> {
        let facts: &RawValue =
            serde_json::from_str(&alert.facts).map_err(|error| error.to_string())?;
        let body = Body {
            id: alert.id.get(),
            event: message.as_str(),
            kind: alert.kind.as_str(),
            text: alert_text(alert),
            raised_at: iso(alert.raised_at),
            resolved_at: alert.resolved_at.map(iso),
            user: alert.user.as_ref().map(|(id, username)| Person {
                id: id.get(),
                username,
            }),
            facts,
            url: format!("{public_url}/admin?tab=alerts"),
        };
        Ok(Self {
            body: serde_json::to_string(&body).map_err(|error| error.to_string())?,
            key: format!("alert-{}-{}", alert.id, message.as_str()),
        })
    }
}

/// The value of [`SIGNATURE_HEADER`]: `t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of `SECONDS.BODY`.
#[must_use]
pub fn sign(secret: &str, at: Timestamp, body: &str) -> String {
    let seconds = at.second();
    // HMAC accepts a key of any length.
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())
        .unwrap_or_else(|_| Hmac::<Sha256>::new(&hmac::digest::Key::<Hmac<Sha256>>::default()));
    mac.update(format!("{seconds}.{body}").as_bytes());
    format!(
        "t={seconds},v1={}",
        hex::encode(mac.finalize().into_bytes())
    )
}

/// Calls the operator's address.
#[derive(Debug, Clone)]
pub(crate) struct Webhook {
    client: Client,
    target: WebhookTarget,
}

impl Webhook {
    /// Creates a client without connecting.
    ///
    /// # Errors
    /// If TLS cannot be set up, in words.
    pub(crate) fn new(target: WebhookTarget) -> Result<Self, String> {
        let client = client(TIMEOUT)
            .retry(reqwest::retry::never())
            .referer(false)
            .build()
            .map_err(problem_of)?;
        Ok(Self { client, target })
    }

    /// Makes a call. Only a status from 200 to 299 means that it was received.
    ///
    /// # Errors
    /// If it was not received, in words.
    pub(crate) async fn send(&self, call: &Call, now: Timestamp) -> Result<(), String> {
        let response = self
            .client
            .post(self.target.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(IDEMPOTENCY_HEADER, &call.key)
            .header(SIGNATURE_HEADER, sign(&self.target.secret, now, &call.body))
            .body(call.body.clone())
            .send()
            .await
            .map_err(problem_of)?;
        let status = response.status();
        // Nothing of the answer but its status matters.
        read(response, problem_of).await?;
        if status.is_success() {
            Ok(())
        } else {
            Err(format!("it answered {}", status.as_u16()))
        }
    }
}

/// What was wrong with a call, in words, without the address, which may contain a token.
fn problem_of(error: reqwest::Error) -> String {
    if error.is_timeout() {
        "it did not answer in time".to_owned()
    } else {
        describe(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_documentation() {
        // printf '1700000000.{"id":1}' | openssl dgst -sha256 -hmac 0123456789abcdef
        let at = Timestamp::from_micros(1_700_000_000_999_999);
        assert_eq!(
            sign("0123456789abcdef", at, r#"{"id":1}"#),
            "t=1700000000,v1=4bcaced68dfea90a68df035b89cb7fb26692d899d32a1ccb1b0616cf48e4d1ed"
        );
    }
}
