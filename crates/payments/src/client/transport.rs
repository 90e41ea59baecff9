//! One call over HTTP and what its answer means, and the same call made again.

use std::time::{Duration, Instant};

use backon::Retryable;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Body, Method, Request, Response, StatusCode, Url, redirect};

use super::budget::Budget;
use super::error::ClientError;
use super::options::{ClientOptions, ClientSetUpError, Secret};
use super::retry::{RetryPolicy, parse_retry_after};
use crate::fields::Fields;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const USER_AGENT: &str = concat!("glasshouse/", env!("CARGO_PKG_VERSION"));
/// Five hundred payments are about half of it.
const MAXIMUM_ANSWER_BYTES: usize = 1024 * 1024;
/// How much of the provider's own words is passed on.
const MAXIMUM_MESSAGE: usize = 200;

pub(super) struct Transport {
    http: reqwest::Client,
    api_key: Secret,
    pub(super) budget: Budget,
}

/// How one attempt ended without success.
enum Failure {
    /// The provider has asked all calls to wait for so long, and this one was not made.
    Paused(Duration),
    /// The call did not reach the provider.
    NotSent(String),
    /// The call went out; what became of it is not known.
    NoAnswer(String),
    /// The provider turned it away for now, and did nothing.
    Busy(Option<Duration>),
    /// The provider is out of order, and may have done something.
    Fault(StatusCode, Option<Duration>),
    /// The provider says no.
    Refused(ClientError),
}

/// How one attempt of a call that changes nothing ended without success.
struct FailedRead {
    error: ClientError,
    /// How long the provider has asked to wait.
    asked: Option<Duration>,
    /// Whether the same call would end like this again.
    is_final: bool,
}

impl FailedRead {
    fn end(error: ClientError) -> Self {
        Self {
            error,
            asked: None,
            is_final: true,
        }
    }
}

impl From<Failure> for FailedRead {
    fn from(failure: Failure) -> Self {
        let (error, asked) = match failure {
            Failure::Refused(error) => return Self::end(error),
            Failure::Paused(left) => (ClientError::paused(left), Some(left)),
            Failure::NotSent(reason) => (not_sent(reason), None),
            Failure::NoAnswer(reason) => (ClientError::unavailable(reason), None),
            Failure::Busy(asked) => (busy(asked), asked),
            Failure::Fault(status, asked) => (
                ClientError::Unavailable {
                    reason: answered(status),
                    retry_after: asked,
                },
                asked,
            ),
        };
        Self {
            error,
            asked,
            is_final: false,
        }
    }
}

impl Transport {
    pub(super) fn new(options: &ClientOptions) -> Result<Self, ClientSetUpError> {
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // A server may close a connection that was kept at the very moment at which the next
            // call goes out on it, and nobody knows then whether an invoice was made.
            .pool_max_idle_per_host(0)
            .connect_timeout(options.connect_timeout)
            .timeout(options.timeout)
            .build()
            .map_err(|error| ClientSetUpError::Library(told(error)))?;
        Ok(Self {
            http,
            api_key: options.api_key.clone(),
            budget: Budget::new(options.calls_per_second),
        })
    }

    pub(super) fn request(&self, method: Method, url: Url) -> Result<Request, ClientError> {
        let mut request = Request::new(method, url);
        let headers = request.headers_mut();
        headers.insert(API_KEY, secret_header(self.api_key.reveal())?);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        Ok(request)
    }

    pub(super) fn with_json(mut request: Request, body: String) -> Request {
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json);
        *request.body_mut() = Some(Body::from(body));
        request
    }

    pub(super) fn with_token(mut request: Request, token: &Secret) -> Result<Request, ClientError> {
        let value = secret_header(&format!("Bearer {}", token.reveal()))?;
        request.headers_mut().insert(AUTHORIZATION, value);
        Ok(request)
    }

    /// A call that does something: made once.
    pub(super) async fn send_once(&self, request: Request) -> Result<Vec<u8>, ClientError> {
        self.attempt(request)
            .await
            .map_err(|failure| match failure {
                Failure::Paused(left) => ClientError::paused(left),
                Failure::NotSent(reason) => not_sent(reason),
                Failure::Busy(retry_after) => busy(retry_after),
                Failure::NoAnswer(reason) => ClientError::OutcomeUnknown(reason),
                Failure::Fault(status, _) => ClientError::OutcomeUnknown(answered(status)),
                Failure::Refused(error) => error,
            })
    }

    /// A call that changes nothing: made again where it failed in passing.
    pub(super) async fn send(
        &self,
        request: Request,
        policy: &RetryPolicy,
    ) -> Result<Vec<u8>, ClientError> {
        let attempt = || async {
            // A body of bytes can always be cloned.
            let unsendable = || ClientError::Unsendable("it cannot be repeated".to_owned());
            let request = request
                .try_clone()
                .ok_or_else(|| FailedRead::end(unsendable()))?;
            self.attempt(request).await.map_err(FailedRead::from)
        };
        attempt
            .retry(policy.delays())
            .sleep(tokio::time::sleep)
            .when(|failed| !failed.is_final)
            .adjust(|failed, delay| policy.adjusted(delay, failed.asked))
            .notify(|FailedRead { error, .. }, delay| {
                tracing::warn!(path = request.url().path(), %error, ?delay, "asking the provider again");
            })
            .await
            .map_err(|failed| failed.error)
    }

    async fn attempt(&self, request: Request) -> Result<Vec<u8>, Failure> {
        self.budget.take().await.map_err(Failure::Paused)?;
        let response = self.http.execute(request).await.map_err(|error| {
            if error.is_connect() || error.is_builder() {
                Failure::NotSent(told(error))
            } else {
                Failure::NoAnswer(told(error))
            }
        })?;
        let status = response.status();
        let retry_after = retry_after(&response);
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
        if is_busy || (retry_after.is_some() && !status.is_success()) {
            // Whoever asks next waits as well, not this caller alone.
            self.budget.pause(Instant::now(), retry_after);
        }
        match status {
            _ if is_busy => return Err(Failure::Busy(retry_after)),
            StatusCode::REQUEST_TIMEOUT => return Err(Failure::Fault(status, retry_after)),
            _ if status.is_server_error() => return Err(Failure::Fault(status, retry_after)),
            _ => {}
        }
        let body = read(response).await.map_err(Failure::NoAnswer)?;
        if status.is_success() {
            return Ok(body);
        }
        Err(Failure::Refused(self.refusal(status, &body)))
    }

    /// The provider's code and message, as far as it gave any; never our key, should it repeat it.
    fn refusal(&self, status: StatusCode, body: &[u8]) -> ClientError {
        let fields = std::str::from_utf8(body)
            .ok()
            .and_then(|text| Fields::parse(text).ok());
        let text = |name| {
            let text = fields.as_ref()?.text(name).ok()??;
            let text = text.replace(self.api_key.reveal(), "(hidden)");
            let printable = text.chars().filter(|character| !character.is_control());
            Some(printable.take(MAXIMUM_MESSAGE).collect())
        };
        ClientError::Refused {
            status: status.as_u16(),
            code: text("code").unwrap_or_default(),
            message: text("message").unwrap_or_default(),
        }
    }
}

fn secret_header(text: &str) -> Result<HeaderValue, ClientError> {
    let mut value = HeaderValue::from_str(text)
        .map_err(|_| ClientError::Unsendable("a key cannot stand in a header".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    parse_retry_after(text, jiff::Timestamp::now())
}

/// Reads a body up to its bound, and no byte further.
async fn read(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(told)? {
        if body.len() + chunk.len() > MAXIMUM_ANSWER_BYTES {
            return Err("its answer is too large".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// What went wrong, with its cause, without the address.
fn told(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".to_owned();
    }
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

fn not_sent(reason: String) -> ClientError {
    ClientError::NotSent {
        reason,
        retry_after: None,
    }
}

fn answered(status: StatusCode) -> String {
    format!("it answered {}", status.as_u16())
}

fn busy(retry_after: Option<Duration>) -> ClientError {
    ClientError::Unavailable {
        reason: "too many requests".to_owned(),
        retry_after,
    }
}
