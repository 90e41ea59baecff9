//! Invoices: the request to the provider and its answer.

use glasshouse_domain::{Currency, Money};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::codes::provider_code;
use crate::decimal::Decimal;
use crate::fields::{Fields, Malformed};
use crate::identifier::InvoiceId;

/// The currency of all prices.
pub const PRICE_CURRENCY: &str = "usd";

/// The order that the provider is to collect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceRequest {
    /// The price in dollars.
    pub price: Money,
    /// Our own random ID of the order.
    pub order_id: String,
    /// The description that the payer sees.
    pub order_description: String,
    /// The currency to pay in; `None` lets the payer choose.
    pub pay_currency: Option<Currency>,
    /// The URL that the provider sends callbacks to.
    pub ipn_callback_url: String,
    /// The URL that the payer is sent to after paying.
    pub success_url: String,
    /// The URL that the payer is sent to after cancelling.
    pub cancel_url: String,
    /// Whether the provider fixes its rate for a while, at its own risk.
    pub is_fixed_rate: bool,
}

/// An invoice that the provider created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// The provider's ID of the invoice.
    pub id: InvoiceId,
    /// The URL of the payment page, `http` or `https`.
    pub invoice_url: String,
    /// When it was created, as the provider wrote it.
    pub created_at: Option<String>,
    /// The whole answer as received.
    pub raw: String,
}

#[derive(Serialize)]
struct Body<'a> {
    price_amount: &'a RawValue,
    price_currency: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pay_currency: Option<&'a str>,
    order_id: &'a str,
    order_description: &'a str,
    ipn_callback_url: &'a str,
    success_url: &'a str,
    cancel_url: &'a str,
    is_fixed_rate: bool,
    is_fee_paid_by_user: bool,
}

impl InvoiceRequest {
    /// The body of the call. The price is written as a number with exactly two decimals.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        let price = RawValue::from_string(self.price.to_string())?;
        serde_json::to_string(&Body {
            price_amount: &price,
            price_currency: PRICE_CURRENCY,
            pay_currency: self.pay_currency.map(provider_code),
            order_id: &self.order_id,
            order_description: &self.order_description,
            ipn_callback_url: &self.ipn_callback_url,
            success_url: &self.success_url,
            cancel_url: &self.cancel_url,
            is_fixed_rate: self.is_fixed_rate,
            is_fee_paid_by_user: false,
        })
    }

    /// Parses the answer and checks that the fields it repeats match this request.
    pub(crate) fn read_answer(&self, body: &[u8]) -> Result<Invoice, Malformed> {
        let raw = std::str::from_utf8(body).map_err(|_| Malformed::NotAnObject)?;
        let fields = Fields::parse(raw)?;
        let differs = |answered: Option<String>, requested: &str| {
            answered.is_some_and(|answered| !answered.eq_ignore_ascii_case(requested))
        };
        if fields
            .text("order_id")?
            .is_some_and(|answered| answered != self.order_id)
        {
            return Err(Malformed::Different("order_id"));
        }
        let price = fields.decimal("price_amount")?;
        if price.is_some_and(|answered| Decimal::from_money(self.price) != Some(answered)) {
            return Err(Malformed::Different("price_amount"));
        }
        if differs(fields.text("price_currency")?, PRICE_CURRENCY) {
            return Err(Malformed::Different("price_currency"));
        }
        Ok(Invoice {
            id: fields
                .parsed("id", InvoiceId::parse)?
                .ok_or(Malformed::Missing("id"))?,
            invoice_url: fields
                .parsed("invoice_url", web_address)?
                .ok_or(Malformed::Missing("invoice_url"))?,
            created_at: fields.text("created_at")?,
            raw: raw.to_owned(),
        })
    }
}

/// Parses the payment page's URL. The browser is sent there, so only `http` and `https` are
/// accepted.
fn web_address(text: &str) -> Option<String> {
    let url = reqwest::Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> InvoiceRequest {
        InvoiceRequest {
            price: Money::from_cents(100_000),
            order_id: "order-1".to_owned(),
            order_description: "Deposit \"1\"".to_owned(),
            pay_currency: Some(Currency::Bnb),
            ipn_callback_url: "http://127.0.0.1/ipn".to_owned(),
            success_url: "http://127.0.0.1/ok".to_owned(),
            cancel_url: "http://127.0.0.1/no".to_owned(),
            is_fixed_rate: false,
        }
    }

    #[test]
    fn the_price_is_a_number_and_the_currency_is_the_providers_code() {
        let body = request().to_json().unwrap();
        assert!(body.starts_with(
            r#"{"price_amount":1000.00,"price_currency":"usd","pay_currency":"bnbbsc","#
        ));
    }

    #[test]
    fn numbers_and_strings_are_both_accepted() {
        for (id, price) in [("4522625843", "1000"), (r#""4522625843""#, r#""1000""#)] {
            let body = format!(
                r#"{{"id":{id},"order_id":"order-1","price_amount":{price},
                "price_currency":"USD","invoice_url":"https://pay.example/?iid=4522625843"}}"#
            );
            let invoice = request().read_answer(body.as_bytes()).unwrap();
            assert_eq!(invoice.id.as_str(), "4522625843");
            assert_eq!(invoice.invoice_url, "https://pay.example/?iid=4522625843");
        }
    }

    #[test]
    fn an_answer_that_does_not_match_the_request_is_refused() {
        let check = |body: &str, expected| {
            let answer = request().read_answer(body.as_bytes());
            assert_eq!(answer.unwrap_err(), expected, "{body}");
        };
        let url = r#""invoice_url":"https://pay.example/""#;
        check(
            &format!(r#"{{"id":1,"order_id":"order-2",{url}}}"#),
            Malformed::Different("order_id"),
        );
        check(
            &format!(r#"{{"id":1,"price_amount":"1000.01",{url}}}"#),
            Malformed::Different("price_amount"),
        );
        check(
            &format!(r#"{{"id":1,"price_currency":"eur",{url}}}"#),
            Malformed::Different("price_currency"),
        );
        check(&format!("{{{url}}}"), Malformed::Missing("id"));
        check(r#"{"id":1}"#, Malformed::Missing("invoice_url"));
        for wrong in [
            "javascript:alert(1)",
            "/pay",
            "data:text/html,x",
            "https://",
        ] {
            check(
                &format!(r#"{{"id":1,"invoice_url":"{wrong}"}}"#),
                Malformed::Unreadable("invoice_url"),
            );
        }
    }
}
