//! A limit that a player has chosen, and how it changes: lowering takes effect at once, raising and
//! removing only after a day and a second confirmation.

use std::time::Duration;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;
use crate::{LimitPeriod, Timestamp};

/// How long after the request a raise can be confirmed.
pub const RAISE_DELAY: Duration = Duration::from_hours(24);
/// For how many days it can then be confirmed, before the request lapses.
pub const CONFIRMATION_DAYS: u64 = 7;

/// What a limit bounds.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum LimitKind {
    /// The credited deposits, in cents.
    Deposit,
    /// The stakes less the payouts, in cents.
    Loss,
    /// The stakes, in cents.
    Stake,
    /// The time that the player is active, in minutes.
    SessionTime,
}

stored_names!(LimitKind);

/// A limit that a player has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerLimit {
    /// What it bounds.
    pub kind: LimitKind,
    /// The period in which it is used up.
    pub period: LimitPeriod,
    /// The limit in force: cents, or minutes of session time.
    pub value: i64,
    /// Since when it is in force.
    pub since: Timestamp,
    /// A raise or removal that is not in force yet.
    pub pending: Option<PendingChange>,
}

/// A requested raise or removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingChange {
    /// The new limit; `None` removes the limit.
    pub value: Option<i64>,
    /// When it was requested.
    pub requested_at: Timestamp,
}

impl PendingChange {
    /// From when it can be confirmed.
    #[must_use]
    pub fn confirmable_at(&self) -> Timestamp {
        self.requested_at.saturating_add(RAISE_DELAY)
    }

    /// When it lapses unless it is confirmed.
    #[must_use]
    pub fn lapses_at(&self) -> Timestamp {
        self.confirmable_at()
            .saturating_add(Duration::from_hours(24 * CONFIRMATION_DAYS))
    }
}

/// What follows from a requested change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitChange {
    /// The limit is now this one, and nothing is pending.
    InForce(PlayerLimit),
    /// The limit is unchanged. The change is pending.
    Pending(PlayerLimit),
    /// Nothing changes: the limit is already so, or the change is already pending.
    Unchanged(PlayerLimit),
}

impl PlayerLimit {
    /// A first limit, which takes effect at once.
    #[must_use]
    pub const fn first(kind: LimitKind, period: LimitPeriod, value: i64, at: Timestamp) -> Self {
        Self {
            kind,
            period,
            value,
            since: at,
            pending: None,
        }
    }

    /// The pending change, unless it has lapsed.
    #[must_use]
    pub fn pending_at(&self, now: Timestamp) -> Option<PendingChange> {
        self.pending.filter(|pending| now < pending.lapses_at())
    }

    /// Changes the limit; `None` removes it. A request for the limit in force withdraws a pending
    /// raise.
    #[must_use]
    pub fn changed(self, value: Option<i64>, now: Timestamp) -> LimitChange {
        let pending = self.pending_at(now);
        match value {
            Some(value) if value < self.value => {
                LimitChange::InForce(Self::first(self.kind, self.period, value, now))
            }
            Some(value) if value == self.value && pending.is_none() => LimitChange::Unchanged(self),
            Some(value) if value == self.value => LimitChange::InForce(Self {
                pending: None,
                ..self
            }),
            _ if pending.is_some_and(|pending| pending.value == value) => {
                LimitChange::Unchanged(self)
            }
            _ => LimitChange::Pending(Self {
                pending: Some(PendingChange {
                    value,
                    requested_at: now,
                }),
                ..self
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn limit(value: i64) -> PlayerLimit {
        PlayerLimit::first(LimitKind::Stake, LimitPeriod::Day, value, START)
    }

    fn later(seconds: u64) -> Timestamp {
        START.saturating_add(Duration::from_secs(seconds))
    }

    fn raised(value: Option<i64>, requested_at: Timestamp) -> PlayerLimit {
        PlayerLimit {
            pending: Some(PendingChange {
                value,
                requested_at,
            }),
            ..limit(1_000)
        }
    }

    /// GLI-19 2.5.5: a tighter limit takes effect at once.
    #[test]
    fn lowering_takes_effect_at_once_and_drops_a_pending_raise() {
        let lower = PlayerLimit {
            since: later(5),
            ..limit(999)
        };
        for before in [
            limit(1_000),
            raised(Some(2_000), START),
            raised(None, START),
        ] {
            assert_eq!(
                before.changed(Some(999), later(5)),
                LimitChange::InForce(lower)
            );
        }
    }

    /// GLI-19 2.5.5: a looser limit does not take effect before 24 hours have passed.
    #[test]
    fn raising_and_removing_wait() {
        for value in [Some(1_001), None] {
            assert_eq!(
                limit(1_000).changed(value, later(5)),
                LimitChange::Pending(raised(value, later(5)))
            );
        }
        let pending = PendingChange {
            value: None,
            requested_at: START,
        };
        assert_eq!(pending.confirmable_at(), later(86_400));
        assert_eq!(pending.lapses_at(), later(8 * 86_400));
    }

    #[test]
    fn repeating_a_request_does_not_restart_its_wait() {
        let pending = raised(Some(2_000), START);
        assert_eq!(
            pending.changed(Some(2_000), later(5)),
            LimitChange::Unchanged(pending)
        );
        // Another raise does, and so does the same one after it has lapsed.
        assert_eq!(
            pending.changed(Some(1_500), later(5)),
            LimitChange::Pending(raised(Some(1_500), later(5)))
        );
        let lapsed = later(8 * 86_400);
        assert_eq!(pending.pending_at(lapsed), None);
        assert_eq!(
            pending.changed(Some(2_000), lapsed),
            LimitChange::Pending(raised(Some(2_000), lapsed))
        );
    }

    #[test]
    fn asking_for_the_limit_in_force_withdraws_a_pending_raise() {
        assert_eq!(
            raised(None, START).changed(Some(1_000), later(5)),
            LimitChange::InForce(limit(1_000))
        );
        assert_eq!(
            limit(1_000).changed(Some(1_000), later(5)),
            LimitChange::Unchanged(limit(1_000))
        );
    }
}
