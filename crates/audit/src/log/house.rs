//! The connection to a house: reads its public pages with limits, timeouts and retries.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use glasshouse_transparency::tile::TilePath;
use reqwest::{Response, StatusCode, Url, redirect};

use crate::fault::Fault;
use crate::log::source::LogSource;

const USER_AGENT: &str = concat!("glasshouse-audit/", env!("CARGO_PKG_VERSION"));
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// For the whole answer.
const TIMEOUT: Duration = Duration::from_mins(1);
const MAXIMUM_REDIRECTS: usize = 3;
/// A full bundle of entries of the maximum length: 256 × (2 + 65,535) bytes.
const MAXIMUM_TILE_BYTES: usize = 16_777_472;
/// Checkpoints, keys and rules are small.
const MAXIMUM_TEXT_BYTES: usize = 1024 * 1024;

/// How often and how fast failed calls are retried: six attempts within about eight seconds.
const fn retries() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(250))
        .with_max_delay(Duration::from_secs(4))
        .with_max_times(5)
}

/// A connection to a house.
#[derive(Debug, Clone)]
pub(crate) struct HouseConnection {
    http: reqwest::Client,
    /// The address of the house, with a slash at its end.
    base: Url,
}

/// Why one attempt failed.
struct Failed {
    reason: String,
    is_final: bool,
}

impl HouseConnection {
    /// Creates a connection to the house at an address such as `https://play.example`.
    pub(crate) fn new(address: &str) -> Result<Self, Fault> {
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::limited(MAXIMUM_REDIRECTS))
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .build()
            .map_err(Fault::interrupted)?;
        Ok(Self {
            http,
            base: base_of(address)?,
        })
    }

    /// Reads a page of text, given by its path without a leading slash; `None` if there is none.
    pub(crate) async fn text(&self, path: &str) -> Result<Option<String>, Fault> {
        let Some(bytes) = self.get(path, MAXIMUM_TEXT_BYTES).await? else {
            return Ok(None);
        };
        let text = String::from_utf8(bytes).map_err(|_| Fault::Unreachable {
            url: format!("{}{path}", self.base),
            reason: "it is not text in UTF-8".to_owned(),
        })?;
        Ok(Some(text))
    }

    async fn get(&self, path: &str, maximum: usize) -> Result<Option<Vec<u8>>, Fault> {
        let unreachable = |reason: String| Fault::Unreachable {
            url: format!("{}{path}", self.base),
            reason,
        };
        let url = self
            .base
            .join(path)
            .map_err(|error| unreachable(error.to_string()))?;
        let attempt = || self.attempt(&url, maximum);
        attempt
            .retry(retries())
            .sleep(tokio::time::sleep)
            .when(|failed| !failed.is_final)
            .notify(|failed, delay| {
                tracing::warn!(path, reason = failed.reason, ?delay, "retrying");
            })
            .await
            .map_err(|failed| unreachable(failed.reason))
    }

    async fn attempt(&self, url: &Url, maximum: usize) -> Result<Option<Vec<u8>>, Failed> {
        let transient = |error: reqwest::Error| Failed {
            reason: describe(error),
            is_final: false,
        };
        let response = self.http.get(url.clone()).send().await.map_err(transient)?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if !status.is_success() {
            let may_pass = status.is_server_error()
                || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
            return Err(Failed {
                reason: format!("the answer is {status}"),
                is_final: !may_pass,
            });
        }
        read(response, maximum).await.map(Some)
    }
}

async fn read(mut response: Response, maximum: usize) -> Result<Vec<u8>, Failed> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(|error| Failed {
            reason: describe(error),
            is_final: false,
        })?;
        let Some(chunk) = chunk else {
            return Ok(body);
        };
        if body.len() + chunk.len() > maximum {
            return Err(Failed {
                reason: format!("it is larger than {maximum} bytes"),
                is_final: true,
            });
        }
        body.extend_from_slice(&chunk);
    }
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

fn base_of(address: &str) -> Result<Url, Fault> {
    let url = Url::parse(&format!("{}/", address.trim_end_matches('/'))).ok();
    url.filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.query().is_none()
            && url.fragment().is_none()
    })
    .ok_or_else(|| {
        Fault::Usage(format!(
            "{address} is not the address of a house, such as https://play.example"
        ))
    })
}

impl LogSource for HouseConnection {
    async fn read(&self, path: TilePath) -> Result<Option<Vec<u8>>, Fault> {
        self.get(&format!("log/{path}"), MAXIMUM_TILE_BYTES).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_houses_are_accepted() {
        for (address, base) in [
            ("https://play.example", "https://play.example/"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
            ("https://example/casino", "https://example/casino/"),
        ] {
            assert_eq!(base_of(address).unwrap().as_str(), base);
        }
        for address in ["", "play.example", "ftp://a", "https://a?b", "https://a#b"] {
            assert!(base_of(address).is_err(), "{address}");
        }
    }
}
