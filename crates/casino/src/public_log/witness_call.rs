//! The call with which a checkpoint is sent to a witness (C2SP tlog-witness).

use std::time::Duration;

use glasshouse_transparency::witness::{AddCheckpoint, Answer};
use reqwest::{Client, Response, redirect};

use crate::public_log::witness::Witness;

const USER_AGENT: &str = concat!("glasshouse/", env!("CARGO_PKG_VERSION"));
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For the whole answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Larger than any answer with a few signatures.
const MAXIMUM_ANSWER_BYTES: usize = 10_000;

/// Calls witnesses.
#[derive(Debug, Clone)]
pub(crate) struct WitnessClient(Client);

impl WitnessClient {
    /// Creates a client without connecting.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new() -> Result<Self, String> {
        Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .build()
            .map(Self)
            .map_err(describe)
    }

    /// Sends a checkpoint.
    ///
    /// # Errors
    /// If the witness does not answer, or not as the protocol demands, in words.
    pub(crate) async fn add_checkpoint(
        &self,
        witness: &Witness,
        request: &AddCheckpoint,
    ) -> Result<Answer, String> {
        let response = self
            .0
            .post(witness.address.clone())
            .body(request.to_text())
            .send()
            .await
            .map_err(describe)?;
        let status = response.status().as_u16();
        let body = read(response).await?;
        Answer::parse(status, &body).map_err(|error| format!("status {status}: {error}"))
    }
}

async fn read(mut response: Response) -> Result<String, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(describe)? {
        if body.len() + chunk.len() > MAXIMUM_ANSWER_BYTES {
            return Err("the answer is too large".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| "the answer is not text".to_owned())
}

/// An error with its causes.
fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
