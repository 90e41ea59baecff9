//! What comes next for a payment through the provider, and when. Pure functions of what is stored.

use std::time::Duration;

use glasshouse_domain::{PayoutMethod, PayoutState, Timestamp};
use glasshouse_persistence::money::Payout;

use crate::background::doubled;

/// The wait before the provider is asked again what has become of a payment: at first, and at most.
const FIRST_LOOK: Duration = Duration::from_secs(5);
const LAST_LOOK: Duration = Duration::from_mins(10);
/// The wait after a failed call: at first, and at most.
const FIRST_RETRY: Duration = Duration::from_secs(5);
const LAST_RETRY: Duration = Duration::from_mins(10);

/// What comes next for a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Fix the amount in the coin and have the payment created.
    Create,
    /// Find out whether an earlier request has created it, because it was not answered.
    Search,
    /// Have it carried out.
    Verify,
    /// Ask what has become of it.
    Follow,
}

/// The next step, from what is stored; `None` if the payment is over, or not the provider's.
pub(crate) fn next_step(payout: &Payout) -> Option<Step> {
    let is_open = matches!(payout.state, PayoutState::Claimed | PayoutState::Sent);
    if payout.method != PayoutMethod::Provider || !is_open {
        return None;
    }
    Some(match (&payout.provider, payout.requested_at) {
        (None, None) => Step::Create,
        (None, Some(_)) => Step::Search,
        (Some(_), _) if payout.verified_at.is_none() => Step::Verify,
        (Some(_), _) => Step::Follow,
    })
}

/// The older a payment, the more rarely the provider is asked about it.
pub(crate) fn look_again_after(payout: &Payout, now: Timestamp) -> Duration {
    let age = now.saturating_since(payout.verified_at.unwrap_or(now));
    (age / 4).clamp(FIRST_LOOK, LAST_LOOK)
}

/// How long to wait after another failed call.
pub(crate) fn retry_after(payout: &Payout) -> Duration {
    doubled(FIRST_RETRY, LAST_RETRY, payout.failed_calls)
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::WithdrawalId;
    use glasshouse_persistence::money::ProviderPayout;

    use super::*;

    fn payout(method: PayoutMethod) -> Payout {
        let at = Timestamp::from_micros(0);
        Payout::claimed(WithdrawalId::new(1), method, "gw-1".to_owned(), at)
    }

    #[test]
    fn each_step_follows_from_what_is_stored() {
        let at = Some(Timestamp::from_micros(1));
        let mut paid = payout(PayoutMethod::Provider);
        assert_eq!(next_step(&paid), Some(Step::Create));
        paid.requested_at = at;
        assert_eq!(next_step(&paid), Some(Step::Search));
        paid.provider = Some(ProviderPayout {
            id: "1".to_owned(),
            batch: "2".to_owned(),
        });
        assert_eq!(next_step(&paid), Some(Step::Verify));
        paid.verified_at = at;
        assert_eq!(next_step(&paid), Some(Step::Follow));
        paid.state = PayoutState::Sent;
        assert_eq!(next_step(&paid), Some(Step::Follow));
        for state in [
            PayoutState::Confirmed,
            PayoutState::Failed,
            PayoutState::Returned,
        ] {
            paid.state = state;
            assert_eq!(next_step(&paid), None);
        }
        assert_eq!(next_step(&payout(PayoutMethod::Manual)), None);
    }

    #[test]
    fn waits_grow_up_to_ten_minutes() {
        let mut failing = payout(PayoutMethod::Provider);
        let waits = [0, 1, 2, 7, 100].map(|failed_calls| {
            failing.failed_calls = failed_calls;
            retry_after(&failing).as_secs()
        });
        assert_eq!(waits, [5, 10, 20, 600, 600]);
        let seconds = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        failing.verified_at = Some(seconds(0));
        let looks =
            [0, 20, 60, 86_400].map(|age| look_again_after(&failing, seconds(age)).as_secs());
        assert_eq!(looks, [5, 5, 15, 600]);
    }
}
