//! What a bet must know of its player's limits, exclusion and blocks: the limits on stakes, losses and time
//! with what is used of them in the current period, and the end of an exclusion.
//!
//! It judges only new rounds. A round is admitted if the most that it can ever cost fits, and what its
//! moves can still add is reserved until it ends, so that no move and no end is ever refused.

use crate::{EntryKind, LedgerPosting, LimitKind, LimitPeriod, Money, Timestamp};

const MICROS_PER_MINUTE: i64 = 60_000_000;

/// A limit and what is used of it in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The limit, in cents or microseconds.
    pub limit: i64,
    /// What is used in the period, in the same unit; for losses negative after a net win.
    pub used: i64,
    /// The first day of the period, in days since 1970-01-01.
    pub first_day: i64,
}

impl Allowance {
    /// What is used in the period that contains `day`. A day before the counted period counts as
    /// part of it: the clocks of two servers may disagree at midnight.
    fn used_on(&self, period: LimitPeriod, day: i64) -> i64 {
        if day >= period.next_first_day(self.first_day) {
            0
        } else {
            self.used
        }
    }

    /// Adds an amount of a day. An amount of an earlier period is not counted, because that period is
    /// over.
    fn count(&mut self, period: LimitPeriod, amount: i64, day: i64) {
        if day < self.first_day {
            return;
        }
        self.used = self.used_on(period, day).saturating_add(amount);
        self.first_day = period.first_day(day);
    }
}

/// The limits of one kind, by period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowances {
    /// The limit a day.
    pub day: Option<Allowance>,
    /// The limit a week.
    pub week: Option<Allowance>,
    /// The limit a month.
    pub month: Option<Allowance>,
}

impl Allowances {
    /// The limits, each with its period.
    pub fn iter(&self) -> impl Iterator<Item = (LimitPeriod, Allowance)> {
        let all = [
            (LimitPeriod::Day, self.day),
            (LimitPeriod::Week, self.week),
            (LimitPeriod::Month, self.month),
        ];
        all.into_iter()
            .filter_map(|(period, allowance)| Some((period, allowance?)))
    }

    /// The limit of a period.
    pub const fn of_mut(&mut self, period: LimitPeriod) -> &mut Option<Allowance> {
        match period {
            LimitPeriod::Day => &mut self.day,
            LimitPeriod::Week => &mut self.week,
            LimitPeriod::Month => &mut self.month,
        }
    }

    fn count(&mut self, amount: i64, day: i64) {
        for period in LimitPeriod::ALL {
            if let Some(allowance) = self.of_mut(*period) {
                allowance.count(*period, amount, day);
            }
        }
    }
}

/// A limit that leaves no room for what was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitReached {
    /// What the limit bounds.
    pub kind: LimitKind,
    /// Its period.
    pub period: LimitPeriod,
    /// The limit: cents, or minutes of session time.
    pub limit: i64,
    /// When the next period begins.
    pub resets_at: Timestamp,
}

/// Why no new round may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayRefusal {
    /// The account is closed.
    Closed,
    /// The operator does not let the player bet.
    Blocked,
    /// The player is excluded until then.
    Excluded(Timestamp),
    /// The round does not fit into a limit.
    Limit(LimitReached),
}

/// A player's limits and exclusion, as far as a bet needs them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayRules {
    /// The limits on stakes, in cents.
    pub stake: Allowances,
    /// The limits on stakes less payouts, in cents.
    pub loss: Allowances,
    /// The limits on the time that the player is active, in microseconds.
    pub session_time: Allowances,
    /// What moves can still add to the stakes of the player's open rounds.
    pub reserved: Money,
    /// When the last exclusion ends or ended; `None` if there was none.
    pub excluded_until: Option<Timestamp>,
    /// Whether the account is closed.
    pub is_closed: bool,
    /// Whether the operator does not let the player bet.
    pub is_betting_blocked: bool,
    /// Whether the operator does not let the player withdraw. No bet needs it; withdrawals read the same row.
    pub is_withdrawing_blocked: bool,
}

impl PlayRules {
    /// Whether there is neither a limit nor an exclusion, past or present, and the account is open and not
    /// blocked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let kinds = [&self.stake, &self.loss, &self.session_time];
        !(self.is_closed || self.is_betting_blocked || self.is_withdrawing_blocked)
            && self.excluded_until.is_none()
            && kinds.iter().all(|limits| limits.iter().next().is_none())
    }

    /// The limits of a kind; `None` for deposits, which no bet needs to know.
    #[must_use]
    pub const fn limits_mut(&mut self, kind: LimitKind) -> Option<&mut Allowances> {
        match kind {
            LimitKind::Deposit => None,
            LimitKind::Loss => Some(&mut self.loss),
            LimitKind::Stake => Some(&mut self.stake),
            LimitKind::SessionTime => Some(&mut self.session_time),
        }
    }

    /// The end of the exclusion, if the player is excluded now.
    #[must_use]
    pub fn exclusion_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.excluded_until.filter(|until| now < *until)
    }

    /// The time of a new round that was requested at `at`: not before the periods that are counted
    /// now. Two requests may take effect in another order than they arrived, and a round of a period
    /// that is over would count for none.
    #[must_use]
    pub fn round_time(&self, at: Timestamp) -> Timestamp {
        let limits = self.stake.iter().chain(self.loss.iter());
        let latest = limits.map(|(_, allowance)| allowance.first_day).max();
        latest.map_or(at, |day| at.max(Timestamp::start_of_day(day)))
    }

    /// Judges a new round that costs `stake` now, and up to `added` with its moves, which may come in a later
    /// period. What a net win of this period makes room for counts there no more, so the moves of all open rounds must
    /// also fit into a period in which nothing was used.
    ///
    /// # Errors
    /// If the account is closed, betting is blocked, the player is excluded, or the round does not fit into a limit.
    pub fn admit(&self, stake: Money, added: Money, at: Timestamp) -> Result<(), PlayRefusal> {
        if self.is_closed {
            return Err(PlayRefusal::Closed);
        }
        if self.is_betting_blocked {
            return Err(PlayRefusal::Blocked);
        }
        if let Some(until) = self.exclusion_at(at) {
            return Err(PlayRefusal::Excluded(until));
        }
        let day = at.day();
        let refusal = |kind, period: LimitPeriod, limit| {
            PlayRefusal::Limit(LimitReached {
                kind,
                period,
                limit,
                resets_at: period.ends_at(day),
            })
        };
        for (period, allowance) in self.session_time.iter() {
            if allowance.used_on(period, day) >= allowance.limit {
                let minutes = allowance.limit / MICROS_PER_MINUTE;
                return Err(refusal(LimitKind::SessionTime, period, minutes));
            }
        }
        let later = self.reserved.cents().saturating_add(added.cents());
        let most = later.saturating_add(stake.cents());
        for (kind, limits) in [(LimitKind::Stake, self.stake), (LimitKind::Loss, self.loss)] {
            for (period, allowance) in limits.iter() {
                let used = allowance.used_on(period, day);
                if used.saturating_add(most).max(later) > allowance.limit {
                    return Err(refusal(kind, period, allowance.limit));
                }
            }
        }
        Ok(())
    }

    /// Reserves what moves can add to the stake of a round that stays open.
    pub fn reserve(&mut self, amount: Money) {
        let reserved = self.reserved.cents().saturating_add(amount.cents());
        self.reserved = Money::from_cents(reserved);
    }

    /// Releases the reserved amount of a round that ends.
    pub fn release(&mut self, amount: Money) {
        let reserved = self.reserved.cents().saturating_sub(amount.cents());
        self.reserved = Money::from_cents(reserved.max(0));
    }

    /// Counts a ledger entry in the period in which it is made.
    pub fn count(&mut self, posting: &LedgerPosting, at: Timestamp) {
        let spent = posting.amount.cents().saturating_neg();
        match posting.kind {
            EntryKind::Stake => {
                self.stake.count(spent, at.day());
                self.loss.count(spent, at.day());
            }
            EntryKind::Payout => self.loss.count(spent, at.day()),
            EntryKind::Deposit
            | EntryKind::Withdrawal
            | EntryKind::WithdrawalReturned
            | EntryKind::Adjustment => {}
        }
    }

    /// Counts time that the player was active on a day.
    pub fn count_active_micros(&mut self, micros: i64, day: i64) {
        self.session_time.count(micros, day);
    }
}

/// The parts of an interval by day: the day, and the microseconds that fall on it.
#[must_use]
pub fn active_parts(from: Timestamp, to: Timestamp) -> Vec<(i64, i64)> {
    let mut parts = Vec::new();
    let mut start = from;
    while start < to {
        let day = start.day();
        let end = Timestamp::start_of_day(day.saturating_add(1)).min(to);
        parts.push((day, end.as_micros().saturating_sub(start.as_micros())));
        start = end;
    }
    parts
}

#[cfg(test)]
mod tests;
