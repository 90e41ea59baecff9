//! What has become of a deposit, by all that is known of its payments, and when the provider is asked
//! about it next. Pure.

use std::time::Duration;

use glasshouse_domain::{DepositStatus, Money, Timestamp};
use glasshouse_payments::PaymentStatus;
use glasshouse_persistence::money::{Deposit, MatchStatus, PaymentRecord};

/// How long the provider's invoices wait to be paid.
const INVOICE_LIFE: Duration = Duration::from_hours(7 * 24);
/// Longer than a call to the provider can take: an order without an invoice that is older was given
/// no answer.
pub(crate) const CALL_LIMIT: Duration = Duration::from_secs(30);
/// How long the provider is asked about a deposit whose payments are all at their end, because
/// more can be sent.
const WATCH_PERIOD: Duration = Duration::from_hours(8 * 24);
/// How long the provider is asked about payments that nobody has paid.
const MAXIMUM_WATCH_PERIOD: Duration = Duration::from_hours(365 * 24);
/// The provider is asked again after a part of the deposit's age: often while it is young, and
/// ever more rarely.
const BACKOFF_DIVISOR: u32 = 8;
/// The same, once all of it was credited.
const COMPLETED_BACKOFF_DIVISOR: u32 = 2;
/// An order without an invoice is looked for again after so many times its age.
const REFUSED_BACKOFF_FACTOR: u32 = 4;
const BACKOFF_AFTER_FAILURE: Duration = Duration::from_secs(30);
const SHORTEST_BACKOFF: Duration = Duration::from_secs(5);
const MAXIMUM_BACKOFF: Duration = Duration::from_hours(7 * 24);

/// What has become of a deposit, by all its payments and its age.
pub(crate) fn recompute_status(deposit: &mut Deposit, payments: &[PaymentRecord], now: Timestamp) {
    let was = (
        deposit.status,
        deposit.credited,
        deposit.external_status.clone(),
    );
    deposit.credited = payments
        .iter()
        .try_fold(Money::ZERO, |sum, payment| {
            sum.checked_add(payment.credited)
        })
        .unwrap_or(deposit.credited);
    deposit.external_status = display_status(payments);
    deposit.status = status_of(deposit, payments, now);
    if deposit.status == DepositStatus::Completed && deposit.completed_at.is_none() {
        deposit.completed_at = Some(now);
    }
    if was
        != (
            deposit.status,
            deposit.credited,
            deposit.external_status.clone(),
        )
    {
        deposit.updated_at = now;
    }
    deposit.next_check_at = next_check(deposit, payments, now);
}

fn tracked(payments: &[PaymentRecord]) -> impl Iterator<Item = (&PaymentRecord, PaymentStatus)> {
    payments
        .iter()
        .filter(|payment| payment.match_status == MatchStatus::Matched)
        .map(|payment| (payment, PaymentStatus::parse(&payment.status)))
}

/// The status that tells a waiting player most.
fn display_status(payments: &[PaymentRecord]) -> Option<String> {
    let rank = |status: &PaymentStatus| match status {
        PaymentStatus::Failed => 0,
        PaymentStatus::Refunded => 1,
        PaymentStatus::Expired => 2,
        PaymentStatus::Other(_) => 3,
        PaymentStatus::Waiting => 4,
        PaymentStatus::Confirming => 5,
        PaymentStatus::Confirmed => 6,
        PaymentStatus::Sending => 7,
        PaymentStatus::PartiallyPaid => 8,
        PaymentStatus::Finished => 9,
    };
    tracked(payments)
        .map(|(_, status)| status)
        .max_by_key(rank)
        .map(|status| status.to_string())
}

fn status_of(deposit: &Deposit, payments: &[PaymentRecord], now: Timestamp) -> DepositStatus {
    let is_finished = |(payment, status): (&PaymentRecord, PaymentStatus)| {
        status == PaymentStatus::Finished
            && payment.parent.is_none()
            && payment.credited.is_positive()
    };
    let all_are = |over: &[PaymentStatus]| {
        tracked(payments).next().is_some() && tracked(payments).all(|(_, s)| over.contains(&s))
    };
    let (failed, refunded) = (PaymentStatus::Failed, PaymentStatus::Refunded);
    let was = deposit.status;
    let age = now.saturating_since(deposit.created_at);
    if was == DepositStatus::Completed
        || deposit.credited >= deposit.price
        || tracked(payments).any(is_finished)
    {
        return DepositStatus::Completed;
    }
    if deposit.credited.is_zero() {
        if all_are(&[failed.clone(), refunded.clone()]) {
            return DepositStatus::Failed;
        }
        if all_are(&[failed, refunded, PaymentStatus::Expired]) {
            return DepositStatus::Expired;
        }
        let has_any = tracked(payments).next().is_some();
        if !has_any && was != DepositStatus::Failed && age > INVOICE_LIFE {
            return DepositStatus::Expired;
        }
    }
    match (was, payments.is_empty(), deposit.invoice_id.is_some()) {
        // The provider refused to make an invoice, or gave no answer that names one.
        (DepositStatus::Failed, true, _) => DepositStatus::Failed,
        (_, true, false) if age > CALL_LIMIT => DepositStatus::Failed,
        (_, true, false) => DepositStatus::Requested,
        _ => DepositStatus::Pending,
    }
}

/// When the provider is asked next (`docs/payments.md#rule-13`). Without end while a payment is not
/// at its own, but ever more rarely.
fn next_check(deposit: &Deposit, payments: &[PaymentRecord], now: Timestamp) -> Option<Timestamp> {
    let age = now.saturating_since(deposit.created_at);
    let is_open = tracked(payments).any(|(_, status)| !status.is_final());
    let was_refused = deposit.status == DepositStatus::Failed && payments.is_empty();
    if was_refused {
        return (age <= WATCH_PERIOD).then(|| now.saturating_add(refused_backoff(age)));
    }
    // Nobody pays a page that was left a year ago; if somebody does, the callback tells.
    let was_left = deposit.status == DepositStatus::Expired && age > MAXIMUM_WATCH_PERIOD;
    if was_left || (age > WATCH_PERIOD && !is_open) {
        return None;
    }
    let divisor = if deposit.status == DepositStatus::Completed {
        COMPLETED_BACKOFF_DIVISOR
    } else {
        BACKOFF_DIVISOR
    };
    Some(now.saturating_add(backoff(age, divisor)))
}

/// When a deposit is asked about again that could not be asked about now.
pub(crate) fn next_check_after_failure(
    deposit: &Deposit,
    payments: &[PaymentRecord],
    now: Timestamp,
) -> Option<Timestamp> {
    let soonest = now.saturating_add(BACKOFF_AFTER_FAILURE);
    next_check(deposit, payments, now).map(|next| next.max(soonest))
}

/// When an order without an invoice is looked for at the provider: its answer may have been
/// mistaken, or lost. A few times, since there are many such orders while the provider is down.
pub(crate) fn refused_backoff(age: Duration) -> Duration {
    age.saturating_mul(REFUSED_BACKOFF_FACTOR)
        .clamp(CALL_LIMIT, MAXIMUM_BACKOFF)
}

/// A part of an age, neither too short nor too long.
pub(crate) fn backoff(age: Duration, divisor: u32) -> Duration {
    let part = age.checked_div(divisor).unwrap_or_default();
    part.clamp(SHORTEST_BACKOFF, MAXIMUM_BACKOFF)
}
