//! The client of the provider's API (`docs/payments.md#api`). Read-only calls are retried after
//! transient failures. An invoice or a payout is requested once, and an unknown outcome is reported
//! as such.

mod budget;
mod error;
mod options;
mod payouts;
mod retry;
mod token;
mod transport;
mod verification;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use glasshouse_domain::Currency;
use reqwest::{Method, Url};
use serde_json::value::RawValue;

pub use error::ClientError;
pub use options::{Account, ClientOptions, ClientSetUpError, Secret};
pub use payouts::PayoutCode;
pub use retry::RetryPolicy;

use crate::codes::provider_code;
use crate::decimal::Decimal;
use crate::fields::{Fields, Malformed};
use crate::identifier::{InvoiceId, PaymentId};
use crate::invoice::{Invoice, InvoiceRequest};
use crate::payment::Payment;
use token::TokenCache;
use transport::Transport;
use verification::Authenticator;

/// The number of payments or payouts per page: the provider's maximum.
const PAGE_SIZE: usize = 500;
/// More pages than the payments of any invoice fill.
const MAXIMUM_PAGES: usize = 20;

/// A client of the provider's API. Clones share their connections and rate limit.
#[derive(Clone)]
pub struct Client {
    base: Url,
    transport: Arc<Transport>,
    token: Arc<TokenCache>,
    account: Option<Account>,
    authenticator: Option<Arc<Authenticator>>,
    retry: RetryPolicy,
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Client")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

/// How many calls were made so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallCounts {
    /// Those that the provider has carried out, or refused for what they asked.
    pub answered: u64,
    /// Those that could not be made, were not answered, met a fault, or were refused because of our key.
    pub failed: u64,
}

/// The smallest payment that the provider accepts in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimumAmount {
    /// The amount in the currency itself.
    pub amount: Decimal,
    /// The approximate amount in dollars.
    pub in_dollars: Option<Decimal>,
}

/// Selects the payments to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentFilter {
    /// Only payments of this invoice.
    pub invoice: Option<InvoiceId>,
    /// Only payments created on this day or later.
    pub from: Option<jiff::civil::Date>,
    /// Only payments created on this day or earlier.
    pub until: Option<jiff::civil::Date>,
}

impl Client {
    /// Creates a client without connecting.
    ///
    /// # Errors
    /// If the options are invalid, or TLS cannot be set up.
    pub fn new(options: ClientOptions) -> Result<Self, ClientSetUpError> {
        let base = options.checked_base()?;
        let secret = options.payout_secret.as_ref();
        let authenticator = secret.map(Authenticator::new).transpose()?;
        Ok(Self {
            transport: Arc::new(Transport::new(&options, &base)?),
            base,
            token: Arc::new(TokenCache::default()),
            account: options.account,
            authenticator: authenticator.map(Arc::new),
            retry: options.retry,
        })
    }

    /// A clone that never retries, for calls that somebody is waiting for.
    #[must_use]
    pub fn without_retries(&self) -> Self {
        let retry = RetryPolicy::NEVER;
        Self {
            retry,
            ..self.clone()
        }
    }

    /// Whether payments can be listed.
    #[must_use]
    pub const fn can_list(&self) -> bool {
        self.account.is_some()
    }

    /// Checks that the provider is up.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn status(&self) -> Result<(), ClientError> {
        self.get(self.url(&["status"], &[])).await.map(drop)
    }

    /// Signs in with the account's email and password.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured.
    pub async fn check_account(&self) -> Result<(), ClientError> {
        let account = self.account.as_ref().ok_or(ClientError::NoAccount)?;
        self.sign_in(account).await.map(drop)
    }

    /// The provider's codes of the currencies that it accepts at the moment.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn currencies(&self) -> Result<Vec<String>, ClientError> {
        let body = self.get(self.url(&["currencies"], &[])).await?;
        let text = text_of(&body)?;
        let codes = Fields::parse(text)?.list("currencies")?;
        let read = |code: &RawValue| serde_json::from_str(code.get());
        let codes: Result<_, _> = codes.into_iter().map(read).collect();
        codes.map_err(|_| Malformed::Unreadable("currencies").into())
    }

    /// How many calls were made so far, by all clones.
    #[must_use]
    pub fn call_counts(&self) -> CallCounts {
        let outcomes = &self.transport.outcomes;
        CallCounts {
            answered: outcomes.answered.load(Ordering::Relaxed),
            failed: outcomes.failed.load(Ordering::Relaxed),
        }
    }

    /// How long the provider still wants all calls to pause, or `None` if it does not.
    #[must_use]
    pub fn paused_for(&self) -> Option<Duration> {
        self.transport.budget.paused_for(Instant::now())
    }

    /// The smallest payment in a currency if it is converted to another one, given by the
    /// provider's code `to`.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn min_amount(&self, from: Currency, to: &str) -> Result<MinimumAmount, ClientError> {
        let query = [
            ("currency_from", provider_code(from).to_owned()),
            ("currency_to", to.to_owned()),
            ("fiat_equivalent", crate::invoice::PRICE_CURRENCY.to_owned()),
        ];
        let body = self.get(self.url(&["min-amount"], &query)).await?;
        let fields = Fields::parse(text_of(&body)?)?;
        Ok(MinimumAmount {
            amount: fields
                .decimal("min_amount")?
                .ok_or(Malformed::Missing("min_amount"))?,
            in_dollars: fields.decimal("fiat_equivalent")?,
        })
    }

    /// Creates an invoice, without retries. After [`ClientError::OutcomeUnknown`] and
    /// [`ClientError::Malformed`] the provider may have created it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn create_invoice(&self, request: &InvoiceRequest) -> Result<Invoice, ClientError> {
        let body = request.to_json().map_err(|_| Malformed::NotAnObject)?;
        let call = self
            .transport
            .request(Method::POST, self.url(&["invoice"], &[]))?;
        let call = Transport::with_json(call, body);
        let answer = self.transport.send_once(call).await?;
        Ok(request.read_answer(&answer)?)
    }

    /// Fetches the current state of a payment.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn payment(&self, id: &PaymentId) -> Result<Payment, ClientError> {
        let body = self.get(self.url(&["payment", id.as_str()], &[])).await?;
        let payment = Payment::parse(&body)?;
        if payment.id != *id {
            return Err(Malformed::Different("payment_id").into());
        }
        Ok(payment)
    }

    /// Lists the payments that match a filter. Requires the account's email and password.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured.
    pub async fn payments(&self, filter: &PaymentFilter) -> Result<Vec<Payment>, ClientError> {
        let mut payments = Vec::new();
        for page in 0..MAXIMUM_PAGES {
            let mut query = vec![
                ("limit", PAGE_SIZE.to_string()),
                ("page", page.to_string()),
                ("sortBy", "created_at".to_owned()),
                ("orderBy", "asc".to_owned()),
            ];
            query.extend(filter.from.map(|day| ("dateFrom", day.to_string())));
            query.extend(filter.until.map(|day| ("dateTo", day.to_string())));
            let invoice = filter.invoice.as_ref();
            query.extend(invoice.map(|invoice| ("invoiceId", invoice.to_string())));
            let body = self
                .get_as_account(self.url(&["payment", ""], &query))
                .await?;
            let entries = Fields::parse(text_of(&body)?)?.list("data")?;
            let is_last = entries.len() < PAGE_SIZE;
            for entry in entries {
                // An entry that cannot be parsed must not hide the others.
                match Payment::parse(entry.get().as_bytes()) {
                    Ok(payment) => payments.push(payment),
                    Err(error) => {
                        tracing::warn!(%error, "skipping a listed payment that cannot be parsed");
                    }
                }
            }
            if is_last {
                return Ok(payments);
            }
        }
        Err(ClientError::TooMany)
    }

    fn url(&self, path: &[&str], query: &[(&str, String)]) -> Url {
        let mut url = self.base.clone();
        // Only cannot-be-a-base URLs have no path segments, and `new` refuses those.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    async fn get(&self, url: Url) -> Result<Vec<u8>, ClientError> {
        let call = self.transport.request(Method::GET, url)?;
        self.transport.send(call, &self.retry).await
    }

    /// Calls with a token, and once more with a fresh one if the provider refuses it.
    async fn get_as_account(&self, url: Url) -> Result<Vec<u8>, ClientError> {
        let account = self.account.as_ref().ok_or(ClientError::NoAccount)?;
        let mut may_be_stale = true;
        loop {
            let token = if let Some(token) = self.token.get().await {
                token
            } else {
                may_be_stale = false;
                self.sign_in(account).await?
            };
            let call = self.transport.request(Method::GET, url.clone())?;
            let call = Transport::with_token(call, &token)?;
            match self.transport.send(call, &self.retry).await {
                Err(ClientError::Refused {
                    status: 401 | 403, ..
                }) if may_be_stale => self.token.forget(&token).await,
                answer => return answer,
            }
        }
    }

    async fn sign_in(&self, account: &Account) -> Result<Secret, ClientError> {
        let call = self
            .transport
            .request(Method::POST, self.url(&["auth"], &[]))?;
        let call = Transport::with_json(call, account.to_json()?);
        // Signing in changes nothing at the provider, so it can be retried.
        let body = self.transport.send(call, &self.retry).await?;
        let token = Fields::parse(text_of(&body)?)?
            .text("token")?
            .and_then(|token| Secret::new(token).ok())
            .ok_or(Malformed::Missing("token"))?;
        self.token.set(token.clone()).await;
        Ok(token)
    }
}

fn text_of(body: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(body).map_err(|_| Malformed::NotAnObject)
}
