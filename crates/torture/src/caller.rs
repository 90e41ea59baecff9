//! Calls of one user, repeated until one of the servers gives a final answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;

use crate::tally::Tally;

/// How long a user keeps repeating a call. Longer than any disturbance.
const PATIENCE: Duration = Duration::from_mins(2);
/// How long the answer to one attempt may take.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(15);

/// A final answer.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    Done(Value),
    /// The code of the refusal.
    Refused(String),
}

/// A user with a session.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    client: Client,
    entrances: Arc<[String]>,
    cookie: Option<String>,
    tally: Arc<Tally>,
    random: fastrand::Rng,
}

/// A call, which has the same key in each attempt.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) body: Option<Value>,
}

impl Call {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            path: path.into(),
            key: None,
            body: None,
        }
    }

    pub(crate) fn post(path: impl Into<String>, body: Value) -> Self {
        Self {
            method: Method::POST,
            path: path.into(),
            key: None,
            body: Some(body),
        }
    }

    pub(crate) fn with_key(mut self, key: String) -> Self {
        self.key = Some(key);
        self
    }
}

impl Caller {
    pub(crate) fn new(entrances: Arc<[String]>, tally: Arc<Tally>, seed: u64) -> Result<Self> {
        Ok(Self {
            client: Client::builder().timeout(ATTEMPT_LIMIT).build()?,
            entrances,
            cookie: None,
            tally,
            random: fastrand::Rng::with_seed(seed),
        })
    }

    /// Sends a call, to one server after the other, until it is answered.
    pub(crate) async fn call(&mut self, call: &Call) -> Result<Answer> {
        let started = Instant::now();
        let mut last = String::new();
        while started.elapsed() < PATIENCE {
            match self.attempt(call).await {
                Ok(response) if is_final(response.status()) => match answer(response).await {
                    Ok(answer) => return Ok(answer),
                    // The connection broke in the middle of the answer.
                    Err(error) => last = format!("{error:#}"),
                },
                Ok(response) => last = self.not_now(response).await,
                Err(error) => last = format!("{error:#}"),
            }
            self.tally.repeat();
            let pause = Duration::from_millis(self.random.u64(20..200));
            tokio::time::sleep(pause).await;
        }
        bail!("{call:?} was not answered within {PATIENCE:?}: {last}")
    }

    /// Signs in or registers: keeps the session.
    pub(crate) async fn enter(&mut self, call: &Call) -> Result<Value> {
        let response = self.attempt(call).await?;
        let cookies: Vec<&str> = response
            .headers()
            .get_all("set-cookie")
            .iter()
            .filter_map(|value| value.to_str().ok()?.split(';').next())
            .collect();
        self.cookie = Some(cookies.join("; "));
        done(answer(response).await?)
    }

    /// All entries of a list that is read page by page.
    pub(crate) async fn list(&mut self, path: &str) -> Result<Vec<Value>> {
        let mut entries = Vec::new();
        let mut cursor = String::new();
        loop {
            let response = self.attempt(&Call::get(format!("{path}{cursor}"))).await?;
            let next = response.headers().get("next-cursor").cloned();
            let page = done(answer(response).await?)?;
            let page = page.as_array().context("the page is no list")?;
            entries.extend(page.iter().cloned());
            let Some(next) = next else {
                return Ok(entries);
            };
            cursor = format!("&cursor={}", next.to_str()?);
        }
    }

    async fn attempt(&mut self, call: &Call) -> Result<Response> {
        let number = self.random.usize(..self.entrances.len());
        let address = self.entrances.get(number).context("there is no server")?;
        let url = format!("http://{address}{}", call.path);
        let mut request = self.client.request(call.method.clone(), url);
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(key) = &call.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        Ok(request.send().await?)
    }

    /// Notes why a call was not answered. An internal error is never right.
    async fn not_now(&self, response: Response) -> String {
        let status = response.status();
        let body: Value = response.json().await.unwrap_or_default();
        let code = body.get("code").and_then(Value::as_str).unwrap_or_default();
        self.tally
            .count(&format!("answer {} {code}", status.as_u16()));
        format!("{status} {code}")
    }
}

/// The body of an answer that must not be a refusal.
pub(crate) fn done(answer: Answer) -> Result<Value> {
    match answer {
        Answer::Done(value) => Ok(value),
        Answer::Refused(code) => bail!("refused: {code}"),
    }
}

fn is_final(status: StatusCode) -> bool {
    !status.is_server_error()
        && ![StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status)
}

async fn answer(response: Response) -> Result<Answer> {
    let is_done = response.status().is_success();
    let text = response.text().await?;
    let body: Value = if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&text).with_context(|| format!("the answer is no JSON: {text}"))?
    };
    if is_done {
        return Ok(Answer::Done(body));
    }
    let code = body.get("code").and_then(Value::as_str);
    Ok(Answer::Refused(
        code.with_context(|| format!("a refusal without a code: {body}"))?
            .to_owned(),
    ))
}
