//! Sends HTTP requests, classifies the answers, and retries.

use std::sync::atomic::{AtomicU64, Ordering};
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
/// A full page of 500 payments takes about half of it.
const MAXIMUM_ANSWER_BYTES: usize = 1024 * 1024;
/// The maximum length of the provider's error texts, in characters.
const MAXIMUM_MESSAGE: usize = 200;

pub(super) struct Transport {
    http: reqwest::Client,
    api_key: Secret,
    pub(super) budget: Budget,
    pub(super) outcomes: Outcomes,
}

/// How many attempts the provider has answered so far, and how many it has not.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    pub(super) answered: AtomicU64,
    pub(super) failed: AtomicU64,
}

/// How one attempt failed.
enum Failure {
    /// The call was not made, because the provider has asked for a pause of this remaining
    /// duration.
    Paused(Duration),
    /// The call did not reach the provider.
    NotSent(String),
    /// The call was sent; its outcome is unknown.
    NoAnswer(String),
    /// The provider refused the call for now and did nothing.
    Busy(Option<Duration>),
    /// The provider is failing and may have carried out the call.
    Fault(StatusCode, Option<Duration>),
    /// The provider refused the call.
    Refused(ClientError),
}

/// How one attempt of a read-only call failed.
struct FailedRead {
    error: ClientError,
    /// The delay that the provider requested.
    requested: Option<Duration>,
    /// Whether a retry would fail in the same way.
    is_final: bool,
}

impl FailedRead {
    fn permanent(error: ClientError) -> Self {
        Self {
            error,
            requested: None,
            is_final: true,
        }
    }
}

impl From<Failure> for FailedRead {
    fn from(failure: Failure) -> Self {
        let (error, requested) = match failure {
            Failure::Refused(error) => return Self::permanent(error),
            Failure::Paused(left) => (ClientError::paused(left), Some(left)),
            Failure::NotSent(reason) => (not_sent(reason), None),
            Failure::NoAnswer(reason) => (ClientError::unavailable(reason), None),
            Failure::Busy(requested) => (busy(requested), requested),
            Failure::Fault(status, requested) => (
                ClientError::Unavailable {
                    reason: answered(status),
                    retry_after: requested,
                },
                requested,
            ),
        };
        Self {
            error,
            requested,
            is_final: false,
        }
    }
}

impl Transport {
    pub(super) fn new(options: &ClientOptions, base: &Url) -> Result<Self, ClientSetUpError> {
        let mut builder = reqwest::Client::builder();
        if base.scheme() == "http" {
            // It follows no redirects, so it never needs the system's certificates, which take 1.3 MB.
            builder = builder.tls_certs_only([]);
        }
        let http = builder
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // A server may close an idle connection at the moment the next call is sent on it, and
            // it would be unknown whether an invoice was created.
            .pool_max_idle_per_host(0)
            .connect_timeout(options.connect_timeout)
            .timeout(options.timeout)
            .build()
            .map_err(|error| ClientSetUpError::Library(describe(error)))?;
        Ok(Self {
            http,
            api_key: options.api_key.clone(),
            budget: Budget::new(options.calls_per_second),
            outcomes: Outcomes::default(),
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

    /// Sends a call with side effects, without retries.
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

    /// Sends a read-only call, with retries after transient failures.
    pub(super) async fn send(
        &self,
        request: Request,
        policy: &RetryPolicy,
    ) -> Result<Vec<u8>, ClientError> {
        let attempt = || async {
            // A request whose body is a byte string can always be cloned.
            let unsendable =
                || ClientError::Unsendable("the request cannot be repeated".to_owned());
            let request = request
                .try_clone()
                .ok_or_else(|| FailedRead::permanent(unsendable()))?;
            self.attempt(request).await.map_err(FailedRead::from)
        };
        attempt
            .retry(policy.delays())
            .sleep(tokio::time::sleep)
            .when(|failed| !failed.is_final)
            .adjust(|failed, delay| policy.adjusted(delay, failed.requested))
            .notify(|FailedRead { error, .. }, delay| {
                tracing::warn!(path = request.url().path(), %error, ?delay, "retrying a call to the provider");
            })
            .await
            .map_err(|failed| failed.error)
    }

    async fn attempt(&self, request: Request) -> Result<Vec<u8>, Failure> {
        let outcome = self.attempt_uncounted(request).await;
        let count = if is_answer(&outcome) {
            &self.outcomes.answered
        } else {
            &self.outcomes.failed
        };
        count.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    async fn attempt_uncounted(&self, request: Request) -> Result<Vec<u8>, Failure> {
        self.budget.acquire().await.map_err(Failure::Paused)?;
        let response = self.http.execute(request).await.map_err(|error| {
            if error.is_connect() || error.is_builder() {
                Failure::NotSent(describe(error))
            } else {
                Failure::NoAnswer(describe(error))
            }
        })?;
        let status = response.status();
        let retry_after = retry_after(&response);
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
        if is_busy || (retry_after.is_some() && !status.is_success()) {
            // The pause holds for all callers, not only for this one.
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

    /// The provider's code and message, if any. Our key is masked in case the provider repeats it.
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

/// Whether the provider works: it has carried out the call, or refused this call and not our key.
fn is_answer(outcome: &Result<Vec<u8>, Failure>) -> bool {
    match outcome {
        Ok(_) => true,
        Err(Failure::Refused(error)) => error.is_request_refused(),
        Err(_) => false,
    }
}

fn secret_header(text: &str) -> Result<HeaderValue, ClientError> {
    let mut value = HeaderValue::from_str(text)
        .map_err(|_| ClientError::Unsendable("a secret cannot be sent in a header".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    parse_retry_after(text, jiff::Timestamp::now())
}

/// Reads a body up to the size limit.
async fn read(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(describe)? {
        if body.len() + chunk.len() > MAXIMUM_ANSWER_BYTES {
            return Err("the answer is too large".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Describes an error and its causes, without the URL.
fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "the provider timed out".to_owned();
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
    format!("the provider answered {}", status.as_u16())
}

fn busy(retry_after: Option<Duration>) -> ClientError {
    ClientError::Unavailable {
        reason: "too many requests".to_owned(),
        retry_after,
    }
}
