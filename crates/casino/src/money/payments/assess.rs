//! Assesses a payment that was fetched from the provider: how much is credited, and what needs
//! manual review. Pure, so that all rules of `docs/payments.md#crediting` can be read here.

use glasshouse_domain::{Money, ReviewKind, Timestamp};
use glasshouse_payments::{
    Decimal, InvoiceId, Order, Payment, PaymentId, PaymentStatus, Rate, Terms, UnclearReason,
    Valuation, valuation,
};
use glasshouse_persistence::money::{Deposit, MatchStatus, NewReview, PaymentRecord};

use crate::money::cashier::RateTerms;

/// Everything that an assessment depends on.
pub(crate) struct AssessmentInput<'c> {
    /// The deposit, which is locked.
    pub(crate) deposit: &'c Deposit,
    /// Our record of the payment.
    pub(crate) stored: Option<&'c PaymentRecord>,
    /// Our record of the parent payment, after which this one was sent.
    pub(crate) parent: Option<&'c PaymentRecord>,
    /// The payment as the provider reports it now.
    pub(crate) fetched: &'c Payment,
    /// The maximum that is credited for the whole deposit without manual review
    /// (`docs/payments.md#rule-8`).
    pub(crate) cap: Money,
    /// Another payment of the deposit that is credited although its money is not there: it was
    /// credited manually before it arrived, or it was returned.
    pub(crate) credited_ahead: Option<&'c PaymentRecord>,
    /// How long the payment's rate is valid, and the deductions that apply.
    pub(crate) rates: RateTerms,
    /// The current time.
    pub(crate) now: Timestamp,
}

/// The result of an assessment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Assessment {
    /// The payment to save, before the credit.
    pub(crate) record: PaymentRecord,
    /// The amount to credit now, without what was credited before for the same money.
    pub(crate) credit: Money,
    /// The manual reviews to open.
    pub(crate) reviews: Vec<NewReview>,
}

/// Our record of a payment as the provider reports it, before its assessment.
pub(crate) fn new_record(
    fetched: &Payment,
    match_status: MatchStatus,
    now: Timestamp,
) -> PaymentRecord {
    let mut record = PaymentRecord {
        id: fetched.id.to_string(),
        deposit: None,
        parent: None,
        match_status,
        status: String::new(),
        pay_currency: None,
        pay_amount: None,
        actually_paid: None,
        received_at: None,
        rate: None,
        credited: Money::ZERO,
        credits: 0,
        details: String::new(),
        first_seen_at: now,
        updated_at: now,
    };
    apply_update(&mut record, fetched, now);
    record
}

/// Copies the provider's current data into our record.
pub(crate) fn apply_update(record: &mut PaymentRecord, fetched: &Payment, now: Timestamp) {
    record.received_at = received_at(record, fetched, now);
    let text = |amount: &Option<Decimal>| amount.as_ref().map(ToString::to_string);
    record.parent = fetched.parent.as_ref().map(ToString::to_string);
    record.status = fetched.status.to_string();
    record.pay_currency.clone_from(&fetched.pay_currency);
    record.pay_amount = text(&fetched.pay_amount);
    record.actually_paid = text(&fetched.actually_paid);
    record.details.clone_from(&fetched.raw);
    record.updated_at = now;
}

/// Whether the provider's data is newer than our record. A status never goes back
/// (`docs/payments.md#rule-5`); within one status, the received amount can grow.
pub(crate) fn supersedes(stored: &PaymentRecord, fetched: &Payment) -> bool {
    let known = PaymentStatus::parse(&stored.status);
    if fetched.status != known {
        return fetched.status.is_after(&known);
    }
    let received = |amount: Option<&Decimal>| amount.cloned().unwrap_or_default();
    let known: Option<Decimal> = parsed(stored.actually_paid.as_ref());
    received(fetched.actually_paid.as_ref()) > received(known.as_ref())
}

/// When everything received so far had arrived (`docs/payments.md#rule-17`). A slow confirmation is
/// not the payer's delay, and a partial payment in time does not make the rest arrive in time. Uses
/// the provider's clock, like the payment's creation time, if the provider reports it.
fn received_at(record: &PaymentRecord, fetched: &Payment, now: Timestamp) -> Option<Timestamp> {
    if !has_been_sent(&fetched.status) {
        return record.received_at;
    }
    let known: Option<Decimal> = parsed(record.actually_paid.as_ref());
    let has_come = known.as_ref().is_some_and(|known| !known.is_zero());
    let has_grown = fetched.actually_paid > known;
    if has_been_sent(&PaymentStatus::parse(&record.status)) && !(has_come && has_grown) {
        // Records of older versions have no such time; they were saved when the money was first
        // seen.
        return record.received_at.or(Some(record.updated_at));
    }
    Some(fetched.changed_at().unwrap_or(now))
}

/// Whether at least a part of the payment has been seen.
const fn has_been_sent(status: &PaymentStatus) -> bool {
    matches!(
        status,
        PaymentStatus::Confirming
            | PaymentStatus::Confirmed
            | PaymentStatus::Sending
            | PaymentStatus::PartiallyPaid
            | PaymentStatus::Finished
    )
}

/// Whether a payment has ended and the provider does not have its money.
pub(crate) const fn is_over_without_money(status: &PaymentStatus) -> bool {
    matches!(
        status,
        PaymentStatus::Expired | PaymentStatus::Failed | PaymentStatus::Refunded
    )
}

fn parsed(text: Option<&String>) -> Option<Decimal> {
    text.and_then(|text| text.parse().ok())
}

impl AssessmentInput<'_> {
    /// Assesses the payment. Returns `None` if the provider reports nothing new.
    pub(crate) fn assess(&self) -> Option<Assessment> {
        // An unmatched payment whose deposit was found is treated like a new one.
        let matched = self
            .stored
            .filter(|stored| stored.match_status != MatchStatus::Unmatched);
        if let Some(stored) = matched
            && !supersedes(stored, self.fetched)
        {
            return self.contradiction(stored);
        }
        let mut record = self.stored.cloned().unwrap_or_else(|| {
            // The whole payment is new.
            new_record(self.fetched, MatchStatus::Matched, self.now)
        });
        apply_update(&mut record, self.fetched, self.now);
        record.deposit = Some(self.deposit.id);
        if record.match_status == MatchStatus::Unmatched {
            record.match_status = MatchStatus::Matched;
        }
        let mut assessment = Assessment {
            record,
            credit: Money::ZERO,
            reviews: Vec::new(),
        };
        self.decide(&mut assessment);
        Some(assessment)
    }

    fn decide(&self, assessment: &mut Assessment) {
        if assessment.record.match_status == MatchStatus::OnHold {
            return self.review_returned_money(assessment);
        }
        if let Some(mismatch) = self.mismatch() {
            assessment.record.match_status = MatchStatus::OnHold;
            let details = format!("{mismatch} is not what our record says");
            return self.request_review(assessment, ReviewKind::Mismatch, None, &details);
        }
        let rate = self.rate();
        assessment.record.rate = rate
            .as_ref()
            .map(|rate| (rate.asked.to_string(), rate.currency.clone()));
        match valuation(&self.terms(assessment), self.fetched, rate.as_ref()) {
            Valuation::Nothing => self.review_returned_money(assessment),
            Valuation::Amount(amount) => self.credit_up_to(assessment, amount),
            Valuation::Capped { credit, rest } => {
                self.credit_up_to(assessment, credit);
                let mut details =
                    format!("{rest} more was paid than is credited without being asked");
                if let Some(ahead) = self.credited_ahead {
                    let (credited, id) = (ahead.credited, &ahead.id);
                    let note = format!("; {credited} was credited for payment {id}");
                    details.push_str(&note);
                    details.push_str(", whose money is not there: this may be it");
                }
                self.request_review(assessment, ReviewKind::Overpaid, Some(rest), &details);
            }
            Valuation::Unclear(reason) => {
                let kind = match reason {
                    UnclearReason::WrongAsset => ReviewKind::WrongAsset,
                    UnclearReason::OldRate => ReviewKind::LatePayment,
                    UnclearReason::NoAmounts
                    | UnclearReason::Contradiction
                    | UnclearReason::TooLarge => ReviewKind::Unclear,
                };
                self.request_review(assessment, kind, None, &reason.to_string());
            }
        }
    }

    /// The cap applies to all payments of the deposit together: whatever a payment claims, not much
    /// more than the price is credited automatically.
    fn terms(&self, assessment: &Assessment) -> Terms {
        let credited = assessment.record.credited;
        // What was credited of an unmatched payment is not part of the deposit's credits yet.
        let is_counted = self.stored.is_some_and(|stored| stored.deposit.is_some());
        let own = if is_counted { credited } else { Money::ZERO };
        let of_others = self.deposit.credited.checked_sub(own);
        let cap = match self.credited_ahead {
            // This payment may bring the money of that one.
            Some(_) => self.cap.min(self.deposit.price),
            None => self.cap,
        };
        let room = cap.checked_sub(of_others.unwrap_or(Money::ZERO));
        Terms {
            price: self.deposit.price,
            cap: room.unwrap_or(Money::ZERO).max(credited),
            is_late: self.is_late(&assessment.record),
            credited,
            provider_fee_basis_points: self.rates.provider_fee_basis_points,
        }
    }

    /// Whether the payment was received after the rate had expired (`docs/payments.md#rule-17`). A
    /// child payment has the rate of its parent, which was created earlier.
    fn is_late(&self, record: &PaymentRecord) -> bool {
        let opened = match self.parent {
            None => self.fetched.opened_at(),
            Some(parent) => Payment::parse(parent.details.as_bytes())
                .ok()
                .and_then(|parent| parent.opened_at()),
        };
        // A payment cannot be created before its deposit.
        let opened = opened.unwrap_or(self.deposit.created_at);
        let received = record.received_at.unwrap_or(self.now);
        received.saturating_since(opened) > self.rates.life
    }

    /// Describes how the payment differs from our record (`docs/payments.md#rule-6`), if it does.
    fn mismatch(&self) -> Option<String> {
        let order = Order {
            order_id: self.deposit.order_id.clone(),
            invoice: self
                .deposit
                .invoice_id
                .as_deref()
                .and_then(InvoiceId::parse),
            price: self.deposit.price,
        };
        if let Some(mismatch) = order.mismatch(self.fetched) {
            return Some(mismatch.to_string());
        }
        let stored_parent = self.stored.and_then(|stored| stored.parent.as_deref());
        let reported_parent = self.fetched.parent.as_ref().map(PaymentId::as_str);
        if stored_parent.is_some() && stored_parent != reported_parent {
            return Some("the payment that it was sent after".to_owned());
        }
        let parent = self.parent?;
        let is_sound = parent.deposit == Some(self.deposit.id)
            && parent.match_status == MatchStatus::Matched
            && parent.id != self.fetched.id.as_str();
        (!is_sound).then(|| "the payment that it was sent after".to_owned())
    }

    /// The rate of the payment. A child has the price and the rate of its parent
    /// (`docs/payments.md#rule-9`).
    fn rate(&self) -> Option<Rate> {
        match self.parent {
            None => Rate::of(self.fetched),
            Some(parent) => {
                let (asked, currency) = parent.rate.as_ref()?;
                Some(Rate {
                    asked: asked.parse().ok()?,
                    currency: currency.clone(),
                })
            }
        }
    }

    /// Credits the difference to what was credited before (`docs/payments.md#rule-7`). Never takes
    /// a credit back.
    fn credit_up_to(&self, assessment: &mut Assessment, target: Money) {
        let credited = assessment.record.credited;
        // Neither amount is negative, so the difference always fits.
        let difference = target.checked_sub(credited).unwrap_or(Money::ZERO);
        if difference.is_negative() {
            let excess = Money::from_cents(-difference.cents());
            let details = format!("{credited} was credited, and only {target} was received");
            self.request_review(
                assessment,
                ReviewKind::CreditedTooMuch,
                Some(excess),
                &details,
            );
        } else {
            assessment.credit = difference;
        }
    }

    /// Money that was returned after the credit, or that never arrived after a manual credit, is
    /// never taken from a player without manual review (`docs/payments.md#rule-12`).
    fn review_returned_money(&self, assessment: &mut Assessment) {
        let status = &self.fetched.status;
        let credited = assessment.record.credited;
        if is_over_without_money(status) && credited.is_positive() {
            let details = format!("{status} after {credited} was credited");
            self.request_review(
                assessment,
                ReviewKind::ReturnedAfterCredit,
                Some(credited),
                &details,
            );
        }
    }

    /// Money that arrives after the payment failed finally is not credited, but reviewed.
    fn contradiction(&self, stored: &PaymentRecord) -> Option<Assessment> {
        let stored_status = PaymentStatus::parse(&stored.status);
        let had_failed = matches!(
            stored_status,
            PaymentStatus::Failed | PaymentStatus::Refunded
        );
        if !(had_failed && self.fetched.status.has_arrived()) {
            return None;
        }
        let mut assessment = Assessment {
            record: stored.clone(),
            credit: Money::ZERO,
            reviews: Vec::new(),
        };
        let details = format!("{} after {stored_status}", self.fetched.status);
        self.request_review(&mut assessment, ReviewKind::Unclear, None, &details);
        Some(assessment)
    }

    fn request_review(
        &self,
        assessment: &mut Assessment,
        kind: ReviewKind,
        amount: Option<Money>,
        details: &str,
    ) {
        assessment.reviews.push(NewReview {
            payment: self.fetched.id.to_string(),
            deposit: Some(self.deposit.id),
            kind,
            amount,
            details: details.to_owned(),
            at: self.now,
        });
    }
}
