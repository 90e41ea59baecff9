//! The assessment on a payment that was fetched from the provider: what of it is credited, and what
//! a person must look at. Pure, so that every rule of `docs/payments.md#crediting` can be read
//! here.

use glasshouse_domain::{Money, ReviewKind, Timestamp};
use glasshouse_payments::{
    Decimal, InvoiceId, Order, Payment, PaymentId, PaymentStatus, Rate, Terms, UnclearReason,
    Valuation, valuation,
};
use glasshouse_persistence::money::{Deposit, MatchStatus, NewReview, PaymentRecord};

use crate::money::cashier::RateTerms;

/// All that a assessment depends on.
pub(crate) struct AssessmentInput<'c> {
    /// The deposit, locked.
    pub(crate) deposit: &'c Deposit,
    /// What we knew of the payment.
    pub(crate) stored: Option<&'c PaymentRecord>,
    /// The payment that it was sent after, if it was.
    pub(crate) parent: Option<&'c PaymentRecord>,
    /// What the provider says now.
    pub(crate) fetched: &'c Payment,
    /// The most that is credited for the deposit as a whole without a person
    /// (`docs/payments.md#rule-8`).
    pub(crate) cap: Money,
    /// Another payment of the deposit that stands credited though its money is not there: it was
    /// confirmed by hand before it came, or it went back.
    pub(crate) credited_ahead: Option<&'c PaymentRecord>,
    /// How long its rate holds, and what it is valuation after that.
    pub(crate) rates: RateTerms,
    /// When.
    pub(crate) now: Timestamp,
}

/// What follows from a fetched payment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Assessment {
    /// The payment as it is to be kept, before the credit.
    pub(crate) record: PaymentRecord,
    /// What is to be credited now; nothing more was credited before for the same money.
    pub(crate) credit: Money,
    /// What a person must look at.
    pub(crate) reviews: Vec<NewReview>,
}

/// A payment as the provider tells of it, before anything of it was judged.
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

/// Takes over what the provider says now.
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

/// Whether the provider says something newer than we know. Statuses never go backwards
/// (`docs/payments.md#rule-5`); at one status, more can have been received.
pub(crate) fn supersedes(stored: &PaymentRecord, fetched: &Payment) -> bool {
    let known = PaymentStatus::parse(&stored.status);
    if fetched.status != known {
        return fetched.status.is_after(&known);
    }
    let received = |amount: Option<&Decimal>| amount.cloned().unwrap_or_default();
    let known: Option<Decimal> = parsed(stored.actually_paid.as_ref());
    received(fetched.actually_paid.as_ref()) > received(known.as_ref())
}

/// When all that has been received by now had come (`docs/payments.md#rule-17`): a confirmation
/// that takes its time is not the payer's delay, and a part in time does not make the rest come in
/// time. By the provider's clock, as is the moment at which the payment was opened, where it tells.
fn received_at(record: &PaymentRecord, fetched: &Payment, now: Timestamp) -> Option<Timestamp> {
    if !has_been_sent(&fetched.status) {
        return record.received_at;
    }
    let known: Option<Decimal> = parsed(record.actually_paid.as_ref());
    let has_come = known.as_ref().is_some_and(|known| !known.is_zero());
    let has_grown = fetched.actually_paid > known;
    if has_been_sent(&PaymentStatus::parse(&record.status)) && !(has_come && has_grown) {
        // What an older version has seen, it wrote down then.
        return record.received_at.or(Some(record.updated_at));
    }
    Some(fetched.changed_at().unwrap_or(now))
}

/// Whether something of a payment has been seen to come.
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

/// Whether a payment is over and its money is not with the provider.
pub(crate) const fn has_come_to_nothing(status: &PaymentStatus) -> bool {
    matches!(
        status,
        PaymentStatus::Expired | PaymentStatus::Failed | PaymentStatus::Refunded
    )
}

fn parsed(text: Option<&String>) -> Option<Decimal> {
    text.and_then(|text| text.parse().ok())
}

impl AssessmentInput<'_> {
    /// The assessment; none where the provider says nothing new.
    pub(crate) fn assess(&self) -> Option<Assessment> {
        // An unmatched that has found its deposit is looked at as if it were new.
        let known = self
            .stored
            .filter(|stored| stored.match_status != MatchStatus::Unmatched);
        if let Some(stored) = known
            && !supersedes(stored, self.fetched)
        {
            return self.contradiction(stored);
        }
        let mut record = self.stored.cloned().unwrap_or_else(|| {
            // Everything of it is news.
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
            return self.look_for_returns(assessment);
        }
        if let Some(what) = self.mismatch() {
            assessment.record.match_status = MatchStatus::OnHold;
            let details = format!("{what} is not what our record says");
            return self.request_review(assessment, ReviewKind::Mismatch, None, &details);
        }
        let rate = self.rate();
        assessment.record.rate = rate
            .as_ref()
            .map(|rate| (rate.asked.to_string(), rate.currency.clone()));
        match valuation(&self.terms(assessment), self.fetched, rate.as_ref()) {
            Valuation::Nothing => self.look_for_returns(assessment),
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

    /// The cap holds for all payments of the deposit together: whatever a payment claims to be, no
    /// more comes in by itself than a little more than was asked for.
    fn terms(&self, assessment: &Assessment) -> Terms {
        let credited = assessment.record.credited;
        // What was credited of an unmatched is not yet a part of the deposit's.
        let is_counted = self.stored.is_some_and(|stored| stored.deposit.is_some());
        let own = if is_counted { credited } else { Money::ZERO };
        let of_others = self.deposit.credited.checked_sub(own);
        let cap = match self.credited_ahead {
            // The money of that one may be coming by this one.
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

    /// Whether what was received came when the rate held no longer (`docs/payments.md#rule-17`). A
    /// child's rate is its parent's, which was opened before it.
    fn is_late(&self, record: &PaymentRecord) -> bool {
        let opened = match self.parent {
            None => self.fetched.opened_at(),
            Some(parent) => Payment::parse(parent.details.as_bytes())
                .ok()
                .and_then(|parent| parent.opened_at()),
        };
        // No payment of a deposit was opened before the deposit.
        let opened = opened.unwrap_or(self.deposit.created_at);
        let received = record.received_at.unwrap_or(self.now);
        received.saturating_since(opened) > self.rates.life
    }

    /// Where the payment is not that of our record (`docs/payments.md#rule-6`), in words.
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
        let known_parent = self.stored.and_then(|stored| stored.parent.as_deref());
        let told_parent = self.fetched.parent.as_ref().map(PaymentId::as_str);
        if known_parent.is_some() && known_parent != told_parent {
            return Some("the payment that it was sent after".to_owned());
        }
        let parent = self.parent?;
        let is_sound = parent.deposit == Some(self.deposit.id)
            && parent.match_status == MatchStatus::Matched
            && parent.id != self.fetched.id.as_str();
        (!is_sound).then(|| "the payment that it was sent after".to_owned())
    }

    /// A child's price is its parent's, and so is the rate (`docs/payments.md#rule-9`).
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

    /// Credits the difference to what was credited before (`docs/payments.md#rule-7`), and never
    /// takes back.
    fn credit_up_to(&self, assessment: &mut Assessment, target: Money) {
        let credited = assessment.record.credited;
        // Neither is negative, so the difference always fits.
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

    /// Money that went back after it was credited, or never came though it was credited by hand, is
    /// never taken from a player without a person (`docs/payments.md#rule-12`).
    fn look_for_returns(&self, assessment: &mut Assessment) {
        let status = &self.fetched.status;
        let credited = assessment.record.credited;
        if has_come_to_nothing(status) && credited.is_positive() {
            let details = format!("{status} after {credited} was credited");
            self.request_review(
                assessment,
                ReviewKind::ReturnedAfterCredit,
                Some(credited),
                &details,
            );
        }
    }

    /// Money that arrives after the payment failed for good is not credited, and not forgotten.
    fn contradiction(&self, stored: &PaymentRecord) -> Option<Assessment> {
        let known = PaymentStatus::parse(&stored.status);
        let was_over = matches!(known, PaymentStatus::Failed | PaymentStatus::Refunded);
        if !(was_over && self.fetched.status.has_arrived()) {
            return None;
        }
        let mut assessment = Assessment {
            record: stored.clone(),
            credit: Money::ZERO,
            reviews: Vec::new(),
        };
        let details = format!("{} after {known}", self.fetched.status);
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
