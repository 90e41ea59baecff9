//! What a payment is worth against the order that it pays (`payments.md`, section 3). Pure: the
//! same payment and order always give the same answer.

use std::fmt;

use glasshouse_domain::Money;

use crate::decimal::{Decimal, ProportionError, proportion};
use crate::identifier::InvoiceId;
use crate::invoice::PRICE_CURRENCY;
use crate::payment::Payment;
use crate::status::PaymentStatus;

/// What we asked the provider to collect, as we wrote it down before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Our own random id.
    pub order_id: String,
    /// The provider's invoice; none if its answer never reached us.
    pub invoice: Option<InvoiceId>,
    /// How many dollars.
    pub price: Money,
}

/// A field in which a payment is not what our record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// The order id.
    OrderId,
    /// The invoice.
    Invoice,
    /// The price.
    Price,
    /// The price's currency.
    PriceCurrency,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OrderId => "the order id",
            Self::Invoice => "the invoice",
            Self::Price => "the price",
            Self::PriceCurrency => "the price's currency",
        })
    }
}

impl Order {
    /// Where a payment differs from our record: then it is not the payment of this order.
    #[must_use]
    pub fn mismatch(&self, payment: &Payment) -> Option<Mismatch> {
        let is_same_invoice = match &self.invoice {
            Some(invoice) => payment.invoice.as_ref() == Some(invoice),
            // The provider's answer was lost. Only it knew our order id, so this is its invoice.
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

/// How much of a coin the whole price was asked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// How much.
    pub asked: Decimal,
    /// The provider's code of the coin.
    pub currency: String,
}

impl Rate {
    /// The rate of a payment that is nobody's child; none if it does not tell.
    #[must_use]
    pub fn of(payment: &Payment) -> Option<Self> {
        Some(Self {
            asked: payment.pay_amount.clone()?,
            currency: payment.pay_currency.clone()?,
        })
    }
}

/// What a payment is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// Nothing has arrived.
    Nothing,
    /// This much, in all.
    Amount(Money),
    /// This much up to the cap, and more beyond it that a person must look at.
    Capped {
        /// Up to the cap.
        credit: Money,
        /// Beyond it.
        rest: Money,
    },
    /// It has arrived, but what it is worth cannot be told.
    Unclear(Doubt),
}

/// Why it cannot be told what a payment is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Another coin was sent than was asked for, so that there is no rate for it.
    WrongAsset,
    /// What was asked for, or what was received, is missing or zero.
    NoAmounts,
    /// Paid in part, it is said, and yet no less than was asked for.
    Contradiction,
    /// More than any amount of money.
    TooLarge,
    /// Sent again when the rate said nothing any more, and what it brought in is not in dollars.
    OldRate,
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::WrongAsset => "another coin was sent than was asked for",
            Self::NoAmounts => "the provider does not tell what was asked for or received",
            Self::Contradiction => "paid in part, but no less than was asked for",
            Self::TooLarge => "the amount is beyond all bounds",
            Self::OldRate => "sent again after so long that the old rate says nothing any more",
        })
    }
}

/// By what a payment is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// How many dollars the order is for.
    pub price: Money,
    /// The most that is credited of the payment without a person.
    pub cap: Money,
    /// Whether so much time has passed that the order's rate says nothing any more.
    pub is_late: bool,
}

/// Coins that are worth a dollar, on whatever network.
const DOLLAR_COINS: [&str; 2] = ["usdt", "usdc"];

/// What the house is left with of a payment, rounded down to the cent, if the provider converts it
/// into a dollar coin.
fn dollars_brought_in(payment: &Payment) -> Option<Money> {
    let currency = payment.outcome_currency.as_deref()?.to_ascii_lowercase();
    let is_dollars = DOLLAR_COINS.iter().any(|coin| currency.starts_with(coin));
    let amount = payment.outcome_amount.as_ref().filter(|_| is_dollars)?;
    let dollar = Money::from_cents(100);
    proportion(dollar, amount, &Decimal::from_units(1, 0)).ok()
}

/// What a payment is worth: the price times what was received over what the whole price was asked
/// for in that coin, rounded down to the cent. `rate` is the payment's own, or for a child the one
/// of the payment it was sent after: the child's own figures carry its parent's price. What is late
/// is worth no more than it brought in, where that is known in dollars: else whoever waits until a
/// coin has fallen would be paid its old price.
#[must_use]
pub fn worth(terms: &Terms, payment: &Payment, rate: Option<&Rate>) -> Worth {
    let Terms {
        price,
        cap,
        is_late,
    } = *terms;
    if !payment.status.has_arrived() {
        return Worth::Nothing;
    }
    let received = payment
        .actually_paid
        .as_ref()
        .filter(|paid| !paid.is_zero());
    let (Some(rate), Some(received)) = (rate, received) else {
        return Worth::Unclear(Doubt::NoAmounts);
    };
    let currency = payment.pay_currency.as_deref().unwrap_or_default();
    if !currency.eq_ignore_ascii_case(&rate.currency) {
        return Worth::Unclear(Doubt::WrongAsset);
    }
    let amount = match proportion(price, received, &rate.asked) {
        Ok(amount) => amount,
        Err(ProportionError::TooLarge) => return Worth::Unclear(Doubt::TooLarge),
        Err(ProportionError::NothingAsked | ProportionError::NegativePrice) => {
            return Worth::Unclear(Doubt::NoAmounts);
        }
    };
    let is_whole = payment.parent.is_none() && amount >= price;
    if payment.status == PaymentStatus::PartiallyPaid && is_whole {
        return Worth::Unclear(Doubt::Contradiction);
    }
    let amount = match dollars_brought_in(payment) {
        Some(dollars) if is_late => amount.min(dollars),
        None if is_late && payment.parent.is_some() => return Worth::Unclear(Doubt::OldRate),
        Some(_) | None => amount,
    };
    match amount.checked_sub(cap).filter(|rest| rest.is_positive()) {
        Some(rest) => Worth::Capped { credit: cap, rest },
        None => Worth::Amount(amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: Money = Money::from_cents(15_000);
    const TERMS: Terms = Terms {
        price: Money::from_cents(10_000),
        cap: CAP,
        is_late: false,
    };

    fn payment(status: &str, asked: &str, paid: &str) -> Payment {
        let body = format!(
            r#"{{"payment_id":1,"payment_status":"{status}","order_id":"o","invoice_id":2,
                "price_amount":100,"price_currency":"usd","pay_amount":{asked},
                "actually_paid":{paid},"pay_currency":"btc"}}"#
        );
        Payment::parse(body.as_bytes()).unwrap()
    }

    fn order(invoice: Option<&str>) -> Order {
        Order {
            order_id: "o".to_owned(),
            invoice: invoice.and_then(InvoiceId::parse),
            price: TERMS.price,
        }
    }

    #[test]
    fn every_field_must_be_as_recorded() {
        let check = |change: fn(&mut Payment), expected: Option<Mismatch>| {
            let mut payment = payment("finished", "1", "1");
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
    fn an_invoice_that_was_lost_is_known_by_its_order() {
        let mut found = payment("finished", "1", "1");
        assert_eq!(order(None).mismatch(&found), None);
        found.invoice = None;
        assert_eq!(order(None).mismatch(&found), Some(Mismatch::Invoice));
    }

    #[track_caller]
    fn check_worth(payment: &Payment, expected: &Worth) {
        let rate = Rate::of(payment);
        assert_eq!(&worth(&TERMS, payment, rate.as_ref()), expected);
    }

    #[test]
    fn only_what_has_arrived_is_worth_anything() {
        for status in [
            "waiting",
            "confirming",
            "confirmed",
            "sending",
            "failed",
            "refunded",
            "expired",
            "brand_new",
        ] {
            check_worth(&payment(status, "1", "1"), &Worth::Nothing);
        }
    }

    #[test]
    fn the_worth_follows_what_was_received() {
        let amount = |cents| Worth::Amount(Money::from_cents(cents));
        check_worth(&payment("finished", "0.3", "0.3"), &amount(10_000));
        check_worth(&payment("finished", "0.3", "0.1"), &amount(3_333));
        check_worth(&payment("partially_paid", "3", "1"), &amount(3_333));
        check_worth(
            &payment("partially_paid", "3", "2.99999999"),
            &amount(9_999),
        );
        check_worth(&payment("finished", "1", "1.5"), &amount(15_000));
        check_worth(
            &payment("finished", "1", "1.6"),
            &Worth::Capped {
                credit: CAP,
                rest: Money::from_cents(1_000),
            },
        );
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let check = |payment: &Payment, doubt| check_worth(payment, &Worth::Unclear(doubt));
        check(&payment("partially_paid", "1", "1"), Doubt::Contradiction);
        check(&payment("finished", "0", "1"), Doubt::NoAmounts);
        check(&payment("finished", "1", "0"), Doubt::NoAmounts);
        check(&payment("finished", "1", "null"), Doubt::NoAmounts);
        check(&payment("finished", "null", "1"), Doubt::NoAmounts);
        check(&payment("finished", "1e-60", "1e60"), Doubt::TooLarge);
        let other = Rate {
            asked: "1".parse().unwrap(),
            currency: "eth".to_owned(),
        };
        let worth = worth(&TERMS, &payment("finished", "1", "1"), Some(&other));
        assert_eq!(worth, Worth::Unclear(Doubt::WrongAsset));
    }

    #[test]
    fn a_child_is_worth_its_own_amount_at_its_parents_rate() {
        let mut child = payment("finished", "0.001", "0.001");
        child.parent = crate::PaymentId::parse("9");
        let parents = Rate {
            asked: "0.01".parse().unwrap(),
            currency: "btc".to_owned(),
        };
        let told = worth(&TERMS, &child, Some(&parents));
        assert_eq!(told, Worth::Amount(Money::from_cents(1_000)));
        assert_eq!(
            worth(&TERMS, &child, None),
            Worth::Unclear(Doubt::NoAmounts)
        );
    }

    #[test]
    fn what_is_late_is_worth_no_more_than_it_brought_in() {
        let late = Terms {
            is_late: true,
            ..TERMS
        };
        let check = |currency: &str, outcome: &str, is_child: bool, expected: &Worth| {
            let mut payment = payment("finished", "1", "1");
            payment.outcome_currency = Some(currency.to_owned());
            payment.outcome_amount = outcome.parse().ok();
            payment.parent = is_child.then(|| crate::PaymentId::parse("9")).flatten();
            let rate = Rate::of(&payment);
            assert_eq!(
                &worth(&late, &payment, rate.as_ref()),
                expected,
                "{outcome}"
            );
        };
        let amount = |cents| Worth::Amount(Money::from_cents(cents));
        check("usdttrc20", "49.999", false, &amount(4_999));
        check("USDCMATIC", "49.999", true, &amount(4_999));
        check("usdtsol", "300", false, &amount(10_000));
        // Not told in dollars: the rate of the order (rule 10), but not for what was sent again.
        check("btc", "0.9", false, &amount(10_000));
        check("btc", "0.9", true, &Worth::Unclear(Doubt::OldRate));
    }
}
