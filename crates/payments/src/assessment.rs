//! The valuation of a payment against its order (`docs/payments.md#crediting`). Pure: the same
//! payment and order always give the same result.

use std::fmt;

use glasshouse_domain::Money;

use crate::codes::is_dollar_coin;
use crate::decimal::{Decimal, ProportionError, proportion};
use crate::payment::Payment;
use crate::status::PaymentStatus;

/// The rate of a payment: the amount of a coin that was requested for the whole price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// The amount requested, in the coin.
    pub asked: Decimal,
    /// The provider's code for the coin.
    pub currency: String,
}

impl Rate {
    /// The rate of a payment that has no parent, or `None` if the provider did not report it.
    #[must_use]
    pub fn of(payment: &Payment) -> Option<Self> {
        Some(Self {
            asked: payment.pay_amount.clone()?,
            currency: payment.pay_currency.clone()?,
        })
    }
}

/// The value of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Valuation {
    /// No money has arrived.
    Nothing,
    /// The payment is worth this amount in total.
    Amount(Money),
    /// The payment is worth more than the cap; the excess needs manual review.
    Capped {
        /// The amount up to the cap.
        credit: Money,
        /// The excess over the cap.
        rest: Money,
    },
    /// Money has arrived, but its value cannot be determined.
    Unclear(UnclearReason),
}

/// Why the value of a payment cannot be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnclearReason {
    /// A different coin was sent than requested, so there is no rate for it.
    WrongAsset,
    /// The amount requested or the amount received is missing or zero.
    NoAmounts,
    /// The status is "partially paid", but the full amount or more was received.
    Contradiction,
    /// The value overflows an amount of money.
    TooLarge,
    /// The payment arrived after the rate had expired, and its proceeds are not reported in
    /// dollars.
    OldRate,
}

impl fmt::Display for UnclearReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::WrongAsset => "a different coin was sent than requested",
            Self::NoAmounts => "the provider does not report the amounts requested and received",
            Self::Contradiction => "partially paid, but the full amount was received",
            Self::TooLarge => "the amount is too large",
            Self::OldRate => {
                "the payment arrived after its rate had expired, and its proceeds are not reported in dollars"
            }
        })
    }
}

/// The terms that a payment is valued by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The price of the order.
    pub price: Money,
    /// The most that is credited for the payment without manual review.
    pub cap: Money,
    /// Whether the payment arrived after its rate had expired.
    pub is_late: bool,
    /// The amount already credited for the payment: its value when that part arrived.
    pub credited: Money,
    /// The provider's fee in basis points, which counts as proceeds of the payment.
    pub provider_fee_basis_points: u32,
}

/// The proceeds of a payment, rounded down to the cent: the amount the house receives plus the
/// provider's fee. `None` unless the provider converts the payment into a dollar coin.
fn proceeds_in_dollars(terms: &Terms, payment: &Payment) -> Option<Money> {
    let is_dollars = is_dollar_coin(payment.outcome_currency.as_deref()?);
    let left = payment.outcome_amount.as_ref().filter(|_| is_dollars)?;
    // The proceeds per 100 dollars that the house receives.
    let hundred = Money::from_cents(10_000 + i64::from(terms.provider_fee_basis_points));
    proportion(hundred, left, &Decimal::from_units(100, 0)).ok()
}

/// Values a payment: the price times the amount received, divided by the amount requested for the
/// whole price in that coin, rounded down to the cent. `rate` is the payment's own rate or, for a
/// child, the rate of its parent, because a child's figures carry its parent's price. A late
/// payment is worth no more than its proceeds; otherwise a player could wait for a coin to fall and
/// still be paid at its old price (`docs/payments.md#rule-17`).
#[must_use]
pub fn valuation(terms: &Terms, payment: &Payment, rate: Option<&Rate>) -> Valuation {
    let Terms {
        price,
        cap,
        is_late,
        ..
    } = *terms;
    if !payment.status.has_arrived() {
        return Valuation::Nothing;
    }
    let received = payment
        .actually_paid
        .as_ref()
        .filter(|paid| !paid.is_zero());
    let (Some(rate), Some(received)) = (rate, received) else {
        return Valuation::Unclear(UnclearReason::NoAmounts);
    };
    let currency = payment.pay_currency.as_deref().unwrap_or_default();
    if !currency.eq_ignore_ascii_case(&rate.currency) {
        return Valuation::Unclear(UnclearReason::WrongAsset);
    }
    let amount = match proportion(price, received, &rate.asked) {
        Ok(amount) => amount,
        Err(ProportionError::TooLarge) => return Valuation::Unclear(UnclearReason::TooLarge),
        Err(ProportionError::NothingAsked | ProportionError::NegativePrice) => {
            return Valuation::Unclear(UnclearReason::NoAmounts);
        }
    };
    let is_whole = payment.parent.is_none() && amount >= price;
    if payment.status == PaymentStatus::PartiallyPaid && is_whole {
        return Valuation::Unclear(UnclearReason::Contradiction);
    }
    let amount = match proceeds_in_dollars(terms, payment) {
        _ if !is_late => amount,
        Some(dollars) => amount.min(dollars.max(terms.credited)),
        None => return Valuation::Unclear(UnclearReason::OldRate),
    };
    match amount.checked_sub(cap).filter(|rest| rest.is_positive()) {
        Some(rest) => Valuation::Capped { credit: cap, rest },
        None => Valuation::Amount(amount),
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
        credited: Money::ZERO,
        provider_fee_basis_points: 100,
    };

    fn payment(status: &str, asked: &str, paid: &str) -> Payment {
        let body = format!(
            r#"{{"payment_id":1,"payment_status":"{status}","order_id":"o","invoice_id":2,
                "price_amount":100,"price_currency":"usd","pay_amount":{asked},
                "actually_paid":{paid},"pay_currency":"btc"}}"#
        );
        Payment::parse(body.as_bytes()).unwrap()
    }

    #[track_caller]
    fn check_valuation(payment: &Payment, expected: &Valuation) {
        let rate = Rate::of(payment);
        assert_eq!(&valuation(&TERMS, payment, rate.as_ref()), expected);
    }

    #[test]
    fn only_payments_that_have_arrived_are_worth_anything() {
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
            check_valuation(&payment(status, "1", "1"), &Valuation::Nothing);
        }
    }

    #[test]
    fn the_value_is_proportional_to_the_amount_received() {
        let amount = |cents| Valuation::Amount(Money::from_cents(cents));
        check_valuation(&payment("finished", "0.3", "0.3"), &amount(10_000));
        check_valuation(&payment("finished", "0.3", "0.1"), &amount(3_333));
        check_valuation(&payment("partially_paid", "3", "1"), &amount(3_333));
        check_valuation(
            &payment("partially_paid", "3", "2.99999999"),
            &amount(9_999),
        );
        check_valuation(&payment("finished", "1", "1.5"), &amount(15_000));
        check_valuation(
            &payment("finished", "1", "1.6"),
            &Valuation::Capped {
                credit: CAP,
                rest: Money::from_cents(1_000),
            },
        );
    }

    #[test]
    fn inconsistent_figures_have_no_value() {
        let check =
            |payment: &Payment, reason| check_valuation(payment, &Valuation::Unclear(reason));
        check(
            &payment("partially_paid", "1", "1"),
            UnclearReason::Contradiction,
        );
        check(&payment("finished", "0", "1"), UnclearReason::NoAmounts);
        check(&payment("finished", "1", "0"), UnclearReason::NoAmounts);
        check(&payment("finished", "1", "null"), UnclearReason::NoAmounts);
        check(&payment("finished", "null", "1"), UnclearReason::NoAmounts);
        check(
            &payment("finished", "1e-60", "1e60"),
            UnclearReason::TooLarge,
        );
        let other = Rate {
            asked: "1".parse().unwrap(),
            currency: "eth".to_owned(),
        };
        let valuation = valuation(&TERMS, &payment("finished", "1", "1"), Some(&other));
        assert_eq!(valuation, Valuation::Unclear(UnclearReason::WrongAsset));
    }

    #[test]
    fn a_child_is_worth_its_own_amount_at_its_parents_rate() {
        let mut child = payment("finished", "0.001", "0.001");
        child.parent = crate::PaymentId::parse("9");
        let parents = Rate {
            asked: "0.01".parse().unwrap(),
            currency: "btc".to_owned(),
        };
        let actual = valuation(&TERMS, &child, Some(&parents));
        assert_eq!(actual, Valuation::Amount(Money::from_cents(1_000)));
        assert_eq!(
            valuation(&TERMS, &child, None),
            Valuation::Unclear(UnclearReason::NoAmounts)
        );
    }

    #[test]
    fn rule_17_a_late_payment_is_worth_no_more_than_its_proceeds() {
        let late = Terms {
            is_late: true,
            ..TERMS
        };
        let check = |terms: &Terms, currency: &str, outcome: &str, expected: &Valuation| {
            let mut payment = payment("finished", "1", "1");
            payment.outcome_currency = Some(currency.to_owned());
            payment.outcome_amount = outcome.parse().ok();
            let rate = Rate::of(&payment);
            for parent in [None, crate::PaymentId::parse("9")] {
                payment.parent = parent;
                let actual = valuation(terms, &payment, rate.as_ref());
                assert_eq!(&actual, expected, "{outcome} {currency}");
            }
        };
        let amount = |cents| Valuation::Amount(Money::from_cents(cents));
        // The provider's fee of 1 % is added: 49.999 + 0.49999, rounded down.
        check(&late, "usdttrc20", "49.999", &amount(5_049));
        check(&late, "USDCMATIC", "49.999", &amount(5_049));
        check(&late, "usdtsol", "99.01", &amount(10_000));
        check(&late, "usdtsol", "99", &amount(9_999));
        check(&late, "usdtsol", "300", &amount(10_000));
        let dearer = Terms {
            provider_fee_basis_points: 250,
            ..late
        };
        check(&dearer, "usdtsol", "50", &amount(5_125));
        // The part that arrived in time keeps its value.
        let partly = Terms {
            credited: Money::from_cents(9_000),
            ..late
        };
        check(&partly, "usdtsol", "50", &amount(9_000));
        // Proceeds that are missing or not in dollars need manual review.
        check(
            &late,
            "btc",
            "0.9",
            &Valuation::Unclear(UnclearReason::OldRate),
        );
        check(
            &late,
            "usdtsol",
            "",
            &Valuation::Unclear(UnclearReason::OldRate),
        );
        // Before the rate expires, it alone determines the value.
        check(&TERMS, "usdtsol", "50", &amount(10_000));
        check(&TERMS, "btc", "0.9", &amount(10_000));
    }
}
