//! Deposits and withdrawals.

use std::time::Duration;

use anyhow::{Context, Result};
use reqwest::Client;
use serde_json::{Value, json};

use super::{Player, id_of};
use crate::caller::{Answer, Call};
use crate::cents;

const CURRENCY: &str = "eth";
const FORM: &str = "application/x-www-form-urlencoded";

impl Player {
    /// Requests a deposit and pays it on the provider's page.
    pub(super) async fn deposit(&mut self) -> Result<()> {
        let amount_cents = self.amount(500..=5_000);
        let body = json!({ "amount": cents::format(amount_cents), "cryptoCurrency": CURRENCY });
        let Some(created) = self.submit("/api/deposits/create", body).await? else {
            return Ok(());
        };
        let order = created.pointer("/deposit/orderId").and_then(Value::as_str);
        let order = order.context("a deposit without an order ID")?.to_owned();
        let page = created.get("invoiceUrl").and_then(Value::as_str);
        match pay(page.context("a deposit without a page to pay on")?).await {
            Ok(()) => {
                self.book.deposits.insert(order, amount_cents);
            }
            // Whether it is paid is seen from what the provider has stored.
            Err(_) => self.tally.count("payments without an answer"),
        }
        Ok(())
    }

    /// Requests a withdrawal to an address of its own, and sometimes cancels it.
    pub(super) async fn withdraw(&mut self) -> Result<()> {
        let amount_cents = self.amount(2_000..=6_000);
        let address: String = (0..40).map(|_| self.random.digit(16)).collect();
        let body = json!({
            "amount": cents::format(amount_cents),
            "currency": CURRENCY,
            "walletAddress": format!("0x{address}"),
        });
        let Some(request) = self.submit("/api/withdraw-requests", body).await? else {
            return Ok(());
        };
        let id = id_of(&request, "id")?;
        self.book.withdrawals.insert(id, amount_cents);
        if self.random.u32(..10) == 0 {
            let path = format!("/api/withdraw-requests/{id}/cancel");
            // If it is refused, it was decided, or cancelled by an attempt without an answer.
            if let Answer::Done(_) = self.caller.call(&Call::post(path, json!({}))).await? {
                self.book.cancelled.push(id);
                self.tally.acknowledge();
            }
        }
        Ok(())
    }
}

/// Pays an invoice in full, with the provider's form.
async fn pay(page: &str) -> Result<()> {
    let client = Client::builder().timeout(Duration::from_secs(15)).build()?;
    let submit = async |url: String, form: &'static str| -> Result<String> {
        let request = client.post(url).header("content-type", FORM).body(form);
        Ok(request.send().await?.error_for_status()?.text().await?)
    };
    let html = submit(format!("{page}/open"), "currency=eth").await?;
    let payment = payment_on(&html).context("the provider's page has no payment")?;
    submit(format!("{page}/payments/{payment}"), "action=pay_full").await?;
    Ok(())
}

/// The ID of the payment that an invoice's page offers to pay.
fn payment_on(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("/payments/")?;
    let end = rest.find(|character: char| !character.is_ascii_digit())?;
    rest.get(..end).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payment_is_found_on_its_page() {
        let html = r#"<form method="post" action="/pay/7/payments/5012"><button>"#;
        assert_eq!(payment_on(html), Some("5012"));
        assert_eq!(payment_on("<p>No payment</p>"), None);
        assert_eq!(payment_on("/payments/\""), None);
    }
}
