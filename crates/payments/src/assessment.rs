//! What a payment is valuation against the order that it pays (`docs/payments.md#crediting`). Pure: the
//! same payment and order always give the same answer.

use std::fmt;

use glasshouse_domain::Money;

use crate::decimal::{Decimal, ProportionError, proportion};
use crate::payment::Payment;
use crate::status::PaymentStatus;

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

/// What a payment is valuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Valuation {
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
    /// It has arrived, but what it is valuation cannot be told.
    Unclear(UnclearReason),
}

/// Why it cannot be told what a payment is valuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnclearReason {
    /// Another coin was sent than was asked for, so that there is no rate for it.
    WrongAsset,
    /// What was asked for, or what was received, is missing or zero.
    NoAmounts,
    /// Paid in part, it is said, and yet no less than was asked for.
    Contradiction,
    /// More than any amount of money.
    TooLarge,
    /// It came when the rate held no longer, and what it brought in is not told in dollars.
    OldRate,
}

impl fmt::Display for UnclearReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::WrongAsset => "another coin was sent than was asked for",
            Self::NoAmounts => "the provider does not tell what was asked for or received",
            Self::Contradiction => "paid in part, but no less than was asked for",
            Self::TooLarge => "the amount is beyond all bounds",
            Self::OldRate => {
                "it came after the rate's lifetime, and what it brought in is not told in dollars"
            }
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
    /// Whether it came when the rate held no longer.
    pub is_late: bool,
    /// What was credited of the payment before: that was valuation it when it came.
    pub credited: Money,
    /// What the provider keeps of a payment, in hundredths of a percent: it was brought in, too.
    pub provider_fee_basis_points: u32,
}

/// Coins that are valuation a dollar, on whatever network.
const DOLLAR_COINS: [&str; 2] = ["usdt", "usdc"];

/// What a payment brought in, rounded down to the cent, if the provider converts it into a dollar
/// coin: what the house is left with, and the provider's fee.
fn dollars_brought_in(terms: &Terms, payment: &Payment) -> Option<Money> {
    let currency = payment.outcome_currency.as_deref()?.to_ascii_lowercase();
    let is_dollars = DOLLAR_COINS.iter().any(|coin| currency.starts_with(coin));
    let left = payment.outcome_amount.as_ref().filter(|_| is_dollars)?;
    // So many cents for a hundred dollars that the house is left with.
    let hundred = Money::from_cents(10_000 + i64::from(terms.provider_fee_basis_points));
    proportion(hundred, left, &Decimal::from_units(100, 0)).ok()
}

/// What a payment is valuation: the price times what was received over what the whole price was asked
/// for in that coin, rounded down to the cent. `rate` is the payment's own, or for a child the one
/// of the payment it was sent after: the child's own figures carry its parent's price. What is late
/// is valuation no more than it brought in: else whoever waits until a coin has fallen would be paid its
/// old price (`docs/payments.md#rule-17`).
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
    let amount = match dollars_brought_in(terms, payment) {
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
    fn check_worth(payment: &Payment, expected: &Valuation) {
        let rate = Rate::of(payment);
        assert_eq!(&valuation(&TERMS, payment, rate.as_ref()), expected);
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
            check_worth(&payment(status, "1", "1"), &Valuation::Nothing);
        }
    }

    #[test]
    fn the_worth_follows_what_was_received() {
        let amount = |cents| Valuation::Amount(Money::from_cents(cents));
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
            &Valuation::Capped {
                credit: CAP,
                rest: Money::from_cents(1_000),
            },
        );
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let check = |payment: &Payment, reason| check_worth(payment, &Valuation::Unclear(reason));
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
        let told = valuation(&TERMS, &child, Some(&parents));
        assert_eq!(told, Valuation::Amount(Money::from_cents(1_000)));
        assert_eq!(
            valuation(&TERMS, &child, None),
            Valuation::Unclear(UnclearReason::NoAmounts)
        );
    }

    #[test]
    fn rule_17_what_is_late_is_worth_no_more_than_it_brought_in() {
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
                let told = valuation(terms, &payment, rate.as_ref());
                assert_eq!(&told, expected, "{outcome} {currency}");
            }
        };
        let amount = |cents| Valuation::Amount(Money::from_cents(cents));
        // With the provider's fee of 1 %: 49.999 and 0.49999, rounded down.
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
        // A part that came in time keeps its valuation.
        let partly = Terms {
            credited: Money::from_cents(9_000),
            ..late
        };
        check(&partly, "usdtsol", "50", &amount(9_000));
        // Not told in dollars, or not at all: a person looks.
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
        // While the rate holds, it is the rate.
        check(&TERMS, "usdtsol", "50", &amount(10_000));
        check(&TERMS, "btc", "0.9", &amount(10_000));
    }
}
