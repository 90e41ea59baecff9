//! Derives a deposit's status from its payments, and when the provider is asked about it next. Pure
//! functions.

use std::time::Duration;

use glasshouse_domain::{DepositStatus, Money, Timestamp};
use glasshouse_payments::PaymentStatus;
use glasshouse_persistence::money::{Deposit, MatchStatus, PaymentRecord};

/// How long the provider's invoices can be paid.
const INVOICE_LIFE: Duration = Duration::from_hours(7 * 24);
/// Longer than a request to the provider can take. An older order without an invoice got no answer.
pub(crate) const CALL_LIMIT: Duration = Duration::from_secs(30);
/// How long a deposit is watched whose payments are all final, because more payments can be sent.
const WATCH_PERIOD: Duration = Duration::from_hours(8 * 24);
/// How long an expired deposit is watched.
const MAXIMUM_WATCH_PERIOD: Duration = Duration::from_hours(365 * 24);
/// The provider is asked again after the deposit's age divided by this: often at first, and ever
/// more rarely.
const BACKOFF_DIVISOR: u32 = 8;
/// The same for a completed deposit.
const COMPLETED_BACKOFF_DIVISOR: u32 = 2;
/// An order without an invoice is looked for again after its age multiplied by this.
const REFUSED_BACKOFF_FACTOR: u32 = 4;
const BACKOFF_AFTER_FAILURE: Duration = Duration::from_secs(30);
const MINIMUM_BACKOFF: Duration = Duration::from_secs(5);
const MAXIMUM_BACKOFF: Duration = Duration::from_hours(7 * 24);

/// Recomputes a deposit's status from its payments and its age.
pub(crate) fn recompute_status(deposit: &mut Deposit, payments: &[PaymentRecord], now: Timestamp) {
    let previous = (
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
    if previous
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

fn matched(payments: &[PaymentRecord]) -> impl Iterator<Item = (&PaymentRecord, PaymentStatus)> {
    payments
        .iter()
        .filter(|payment| payment.match_status == MatchStatus::Matched)
        .map(|payment| (payment, PaymentStatus::parse(&payment.status)))
}

/// The provider status that is most informative for a waiting player.
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
    matched(payments)
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
    let all_are = |statuses: &[PaymentStatus]| {
        matched(payments).next().is_some() && matched(payments).all(|(_, s)| statuses.contains(&s))
    };
    let (failed, refunded) = (PaymentStatus::Failed, PaymentStatus::Refunded);
    let previous = deposit.status;
    let age = now.saturating_since(deposit.created_at);
    if previous == DepositStatus::Completed
        || deposit.credited >= deposit.price
        || matched(payments).any(is_finished)
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
        let has_any = matched(payments).next().is_some();
        if !has_any && previous != DepositStatus::Failed && age > INVOICE_LIFE {
            return DepositStatus::Expired;
        }
    }
    match (previous, payments.is_empty(), deposit.invoice_id.is_some()) {
        // The provider refused to create an invoice, or its answer contained none.
        (DepositStatus::Failed, true, _) => DepositStatus::Failed,
        (_, true, false) if age > CALL_LIMIT => DepositStatus::Failed,
        (_, true, false) => DepositStatus::Requested,
        _ => DepositStatus::Pending,
    }
}

/// When the provider is asked next (`docs/payments.md#rule-13`): ever more rarely, but without end
/// while a payment is not final.
fn next_check(deposit: &Deposit, payments: &[PaymentRecord], now: Timestamp) -> Option<Timestamp> {
    let age = now.saturating_since(deposit.created_at);
    let is_open = matched(payments).any(|(_, status)| !status.is_final());
    let was_refused = deposit.status == DepositStatus::Failed && payments.is_empty();
    if was_refused {
        return (age <= WATCH_PERIOD).then(|| now.saturating_add(refused_backoff(age)));
    }
    // Nobody pays an invoice that was abandoned a year ago; if somebody does, the callback reports
    // it.
    let is_abandoned = deposit.status == DepositStatus::Expired && age > MAXIMUM_WATCH_PERIOD;
    if is_abandoned || (age > WATCH_PERIOD && !is_open) {
        return None;
    }
    let divisor = if deposit.status == DepositStatus::Completed {
        COMPLETED_BACKOFF_DIVISOR
    } else {
        BACKOFF_DIVISOR
    };
    Some(now.saturating_add(backoff(age, divisor)))
}

/// When a deposit is checked again after a failed check.
pub(crate) fn next_check_after_failure(
    deposit: &Deposit,
    payments: &[PaymentRecord],
    now: Timestamp,
) -> Option<Timestamp> {
    let earliest = now.saturating_add(BACKOFF_AFTER_FAILURE);
    next_check(deposit, payments, now).map(|next| next.max(earliest))
}

/// When an order without an invoice is looked for at the provider, because its answer may have been
/// wrong or lost. Only a few times, because there are many such orders while the provider is down.
pub(crate) fn refused_backoff(age: Duration) -> Duration {
    age.saturating_mul(REFUSED_BACKOFF_FACTOR)
        .clamp(CALL_LIMIT, MAXIMUM_BACKOFF)
}

/// A fraction of an age, within the minimum and maximum backoff.
pub(crate) fn backoff(age: Duration, divisor: u32) -> Duration {
    let part = age.checked_div(divisor).unwrap_or_default();
    part.clamp(MINIMUM_BACKOFF, MAXIMUM_BACKOFF)
}
