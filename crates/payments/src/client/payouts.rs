//! Calls that pay out, and those that they need.

use glasshouse_domain::{Currency, Money};
use reqwest::{Method, Url};
use serde::Serialize;

use super::error::ClientError;
use super::transport::Transport;
use super::{Client, MAXIMUM_PAGES, PAGE_SIZE, text_of};
use crate::codes::provider_code;
use crate::decimal::Decimal;
use crate::fields::{Fields, Malformed};
use crate::identifier::{BatchId, PayoutId};
use crate::invoice::PRICE_CURRENCY;
use crate::payout::{Payout, PayoutRequest};

/// A code of the account's authenticator.
pub struct PayoutCode(String);

impl std::fmt::Debug for PayoutCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PayoutCode")
    }
}

#[derive(Serialize)]
struct Verification<'a> {
    verification_code: &'a str,
}

impl Client {
    /// Whether the account is configured, as whom payouts are followed.
    #[must_use]
    pub const fn has_account(&self) -> bool {
        self.account.is_some()
    }

    /// Whether payouts can be made: the account and the secret that verifies payouts are
    /// configured.
    #[must_use]
    pub const fn can_pay_out(&self) -> bool {
        self.account.is_some() && self.authenticator.is_some()
    }

    /// The amount of a coin that these dollars are worth at the moment, by the provider's estimate.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn estimate(&self, dollars: Money, to: Currency) -> Result<Decimal, ClientError> {
        let query = [
            ("amount", dollars.to_string()),
            ("currency_from", PRICE_CURRENCY.to_owned()),
            ("currency_to", provider_code(to).to_owned()),
        ];
        let body = self.get(self.url(&["estimate"], &query)).await?;
        let fields = Fields::parse(text_of(&body)?)?;
        let differs = |answered: Option<String>, requested: &str| {
            answered.is_some_and(|answered| !answered.eq_ignore_ascii_case(requested))
        };
        if differs(fields.text("currency_from")?, PRICE_CURRENCY) {
            return Err(Malformed::Different("currency_from").into());
        }
        if differs(fields.text("currency_to")?, provider_code(to)) {
            return Err(Malformed::Different("currency_to").into());
        }
        let amount = fields.decimal("amount_from")?;
        if amount.is_some_and(|answered| Decimal::from_money(dollars) != Some(answered)) {
            return Err(Malformed::Different("amount_from").into());
        }
        let estimate = fields.decimal("estimated_amount")?;
        Ok(estimate.ok_or(Malformed::Missing("estimated_amount"))?)
    }

    /// Creates a payout in a batch of its own, without retries. Nothing is paid before
    /// [`Client::verify_payout`]. After [`ClientError::OutcomeUnknown`],
    /// [`ClientError::Malformed`] and [`ClientError::Refused`] the provider may have created it.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured,
    /// and [`ClientError::NotSent`] if signing in with them fails.
    pub async fn create_payout(&self, request: &PayoutRequest) -> Result<Payout, ClientError> {
        let unsendable = |error: serde_json::Error| ClientError::Unsendable(error.to_string());
        let body = request.to_json().map_err(unsendable)?;
        let url = self.url(&["payout"], &[]);
        let answer = self.post_as_account(&url, body).await?;
        Ok(request.read_answer(&answer)?)
    }

    /// The code of the account's authenticator at this moment, which is valid for half a minute.
    ///
    /// # Errors
    /// [`ClientError::NoPayoutSecret`] if its secret is not configured.
    pub fn payout_code(&self) -> Result<PayoutCode, ClientError> {
        let authenticator = self.authenticator.as_ref();
        let authenticator = authenticator.ok_or(ClientError::NoPayoutSecret)?;
        Ok(PayoutCode(authenticator.code(jiff::Timestamp::now())))
    }

    /// Verifies a batch with a code, without retries, so that the provider pays its payouts. Success means that
    /// the provider has accepted the code of the account's authenticator. After
    /// [`ClientError::OutcomeUnknown`] and [`ClientError::Refused`] it may have done so. It accepts
    /// at most ten attempts for each batch.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured,
    /// and [`ClientError::NotSent`] if signing in fails.
    pub async fn verify_payout(
        &self,
        batch: &BatchId,
        code: &PayoutCode,
    ) -> Result<(), ClientError> {
        let body = Verification {
            verification_code: &code.0,
        };
        let unsendable = |error: serde_json::Error| ClientError::Unsendable(error.to_string());
        let body = serde_json::to_string(&body).map_err(unsendable)?;
        let url = self.url(&["payout", batch.as_str(), "verify"], &[]);
        // The body of the answer is a text, not JSON.
        self.post_as_account(&url, body).await.map(drop)
    }

    /// Fetches the current state of a payout.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured.
    pub async fn payout(&self, id: &PayoutId) -> Result<Payout, ClientError> {
        let url = self.url(&["payout", id.as_str()], &[]);
        let body = self.get_as_account(url).await?;
        Ok(Payout::read_answer(&body, id)?)
    }

    /// Finds the payout with our own ID among those created on a day or later. The day is one by
    /// the provider's clock, so it should be at least a day before the request. If there are
    /// several, which the provider does not permit, the one that has got furthest is returned: none
    /// that is already paid is hidden by one that is not.
    ///
    /// # Errors
    /// See [`ClientError`]; [`ClientError::NoAccount`] if email and password are not configured,
    /// [`ClientError::TooMany`] if the list is too long to be read completely, and
    /// [`ClientError::Malformed`] if a payout in it may be the one but cannot be parsed.
    pub async fn find_payout(
        &self,
        external_id: &str,
        from: jiff::civil::Date,
    ) -> Result<Option<Payout>, ClientError> {
        let mut found: Option<Payout> = None;
        for page in 0..MAXIMUM_PAGES {
            // The newest first, so that payouts created meanwhile push none past a page's end.
            let query = [
                ("limit", PAGE_SIZE.to_string()),
                ("page", page.to_string()),
                ("order_by", "dateCreated".to_owned()),
                ("order", "desc".to_owned()),
                ("date_from", from.to_string()),
            ];
            let body = self.get_as_account(self.url(&["payout"], &query)).await?;
            let entries = Payout::read_page(&body)?;
            // Only an empty page is certainly the last: the provider may give fewer than asked for.
            if entries.is_empty() {
                return Ok(found);
            }
            for entry in entries {
                let payout = Payout::with_external_id(entry, external_id)?;
                let is_ahead =
                    |payout: &Payout| found.as_ref().is_none_or(|found| payout.is_ahead_of(found));
                if let Some(payout) = payout.filter(is_ahead) {
                    found = Some(payout);
                }
            }
        }
        Err(ClientError::TooMany)
    }

    /// The account's balance in each coin that it holds, by the provider's codes in lower case.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn balances(&self) -> Result<Vec<(String, Decimal)>, ClientError> {
        let body = self.get(self.url(&["balance"], &[])).await?;
        let fields = Fields::parse(text_of(&body)?)?;
        let mut balances = Vec::new();
        for (code, balance) in fields.all() {
            let amount = Fields::parse(balance.get()).and_then(|balance| balance.decimal("amount"));
            // A balance that cannot be parsed must not hide the others.
            match amount {
                Ok(amount) => {
                    balances.push((code.to_ascii_lowercase(), amount.unwrap_or_default()));
                }
                Err(error) => {
                    tracing::warn!(code, %error, "skipping a balance that cannot be parsed");
                }
            }
        }
        Ok(balances)
    }

    /// Calls once with a token, and once more with a fresh one if the provider refuses it. That is
    /// not a retry: if the token is refused, nothing was done.
    async fn post_as_account(&self, url: &Url, body: String) -> Result<Vec<u8>, ClientError> {
        let account = self.account.as_ref().ok_or(ClientError::NoAccount)?;
        let mut may_be_stale = true;
        loop {
            let token = if let Some(token) = self.token.get().await {
                token
            } else {
                may_be_stale = false;
                self.sign_in(account)
                    .await
                    .map_err(|error| not_signed_in(&error))?
            };
            let call = self.transport.request(Method::POST, url.clone())?;
            let call = Transport::with_token(call, &token)?;
            let call = Transport::with_json(call, body.clone());
            match self.transport.send_once(call).await {
                Err(ClientError::Refused {
                    status: 401 | 403, ..
                }) if may_be_stale => self.token.forget(&token).await,
                answer => return answer,
            }
        }
    }
}

/// The call itself was not sent if signing in failed before it.
fn not_signed_in(error: &ClientError) -> ClientError {
    let retry_after = match error {
        ClientError::NotSent { retry_after, .. } | ClientError::Unavailable { retry_after, .. } => {
            *retry_after
        }
        _ => None,
    };
    ClientError::NotSent {
        reason: format!("signing in failed: {error}"),
        retry_after,
    }
}
