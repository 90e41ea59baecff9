//! Calls to addresses that the operator has configured: witnesses of the public log, and the receiver of alerts.

use std::error::Error as _;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Response, redirect};

const USER_AGENT: &str = concat!("glasshouse/", env!("CARGO_PKG_VERSION"));
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Larger than any answer that is read.
const MAXIMUM_ANSWER_BYTES: usize = 10_000;

/// A client that follows no redirects. `timeout` is for the whole answer.
pub(crate) fn client(timeout: Duration) -> ClientBuilder {
    Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout)
}

/// Reads an answer. `describe` says what was wrong.
///
/// # Errors
/// If the answer is too large or ends early, in words.
pub(crate) async fn read(
    mut response: Response,
    describe: fn(reqwest::Error) -> String,
) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(describe)? {
        if body.len() + chunk.len() > MAXIMUM_ANSWER_BYTES {
            return Err("the answer is too large".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// An error with its causes, without the address, which may contain a token.
pub(crate) fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
