//! Our record of an order at the provider, and the check that a payment belongs to it
//! (`docs/payments.md#rule-6`).

use std::fmt;

use glasshouse_domain::Money;

use crate::decimal::Decimal;
use crate::identifier::InvoiceId;
use crate::invoice::PRICE_CURRENCY;
use crate::payment::Payment;

/// What we asked the provider to collect, as recorded before the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Our own random order ID.
    pub order_id: String,
    /// The provider's invoice, or `None` if its answer was lost.
    pub invoice: Option<InvoiceId>,
    /// The price in dollars.
    pub price: Money,
}

/// A field of a payment that differs from our record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// The order ID.
    OrderId,
    /// The invoice.
    Invoice,
    /// The price.
    Price,
    /// The currency of the price.
    PriceCurrency,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OrderId => "the order ID",
            Self::Invoice => "the invoice",
            Self::Price => "the price",
            Self::PriceCurrency => "the currency of the price",
        })
    }
}

impl Order {
    /// The first field in which a payment differs from our record. `None` if the payment is for
    /// this order.
    #[must_use]
    pub fn mismatch(&self, payment: &Payment) -> Option<Mismatch> {
        let is_same_invoice = match &self.invoice {
            Some(invoice) => payment.invoice.as_ref() == Some(invoice),
            // The provider's answer was lost. Only the provider knew our order ID, so the invoice
            // is ours.
            None => payment.invoice.is_some(),
        };
        let currency = payment.price_currency.as_deref().unwrap_or_default();
        if payment.order_id.as_deref() != Some(&self.order_id) {
            Some(Mismatch::OrderId)
        } else if !is_same_invoice {
            Some(Mismatch::Invoice)
        } else if payment.price_amount != Decimal::from_money(self.price) {
            Some(Mismatch::Price)
        } else if !currency.eq_ignore_ascii_case(PRICE_CURRENCY) {
            Some(Mismatch::PriceCurrency)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment() -> Payment {
        let body = br#"{"payment_id":1,"payment_status":"finished","order_id":"o","invoice_id":2,
            "price_amount":100,"price_currency":"usd"}"#;
        Payment::parse(body).unwrap()
    }

    fn order(invoice: Option<&str>) -> Order {
        Order {
            order_id: "o".to_owned(),
            invoice: invoice.and_then(InvoiceId::parse),
            price: Money::from_cents(10_000),
        }
    }

    #[test]
    fn every_field_must_match_the_record() {
        let check = |change: fn(&mut Payment), expected: Option<Mismatch>| {
            let mut payment = payment();
            change(&mut payment);
            assert_eq!(order(Some("2")).mismatch(&payment), expected);
        };
        check(|_| {}, None);
        check(
            |payment| payment.price_currency = Some("USD".to_owned()),
            None,
        );
        check(|payment| payment.order_id = None, Some(Mismatch::OrderId));
        check(
            |payment| payment.order_id = Some("O".to_owned()),
            Some(Mismatch::OrderId),
        );
        check(|payment| payment.invoice = None, Some(Mismatch::Invoice));
        check(
            |payment| payment.invoice = InvoiceId::parse("3"),
            Some(Mismatch::Invoice),
        );
        check(|payment| payment.price_amount = None, Some(Mismatch::Price));
        check(
            |payment| payment.price_amount = "100.001".parse().ok(),
            Some(Mismatch::Price),
        );
        check(
            |payment| payment.price_currency = Some("eur".to_owned()),
            Some(Mismatch::PriceCurrency),
        );
        check(
            |payment| payment.price_currency = None,
            Some(Mismatch::PriceCurrency),
        );
    }

    #[test]
    fn a_lost_invoice_is_recognised_by_its_order_id() {
        let mut found = payment();
        assert_eq!(order(None).mismatch(&found), None);
        found.invoice = None;
        assert_eq!(order(None).mismatch(&found), Some(Mismatch::Invoice));
    }
}
