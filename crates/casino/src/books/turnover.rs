//! Sums of stakes and payouts.

use glasshouse_domain::Money;
use glasshouse_persistence::books::HouseTotals;

/// The total stakes and payouts of some rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turnover {
    /// The number of settled rounds.
    pub rounds: u64,
    /// The sum of all stakes.
    pub staked: Money,
    /// The sum of all payouts.
    pub paid: Money,
}

impl Turnover {
    pub(crate) fn of<'t>(totals: impl IntoIterator<Item = &'t HouseTotals>) -> Self {
        let mut turnover = Self::default();
        for totals in totals {
            turnover.add(totals);
        }
        turnover
    }

    pub(crate) fn add(&mut self, totals: &HouseTotals) {
        self.include(&Self {
            rounds: totals.rounds,
            staked: totals.staked,
            paid: totals.paid,
        });
    }

    pub(crate) fn include(&mut self, other: &Self) {
        let sum =
            |sum: Money, part: Money| Money::from_cents(sum.cents().saturating_add(part.cents()));
        self.rounds = self.rounds.saturating_add(other.rounds);
        self.staked = sum(self.staked, other.staked);
        self.paid = sum(self.paid, other.paid);
    }

    /// What the house kept: stakes less payouts. Negative for a loss.
    #[must_use]
    pub fn profit(&self) -> Money {
        Money::from_cents(self.staked.cents().saturating_sub(self.paid.cents()))
    }

    /// The measured RTP in hundredths of a percent, rounded to the nearest; `None` if nothing was
    /// staked.
    #[must_use]
    pub fn return_hundredths_of_percent(&self) -> Option<i128> {
        let (staked, paid) = (
            i128::from(self.staked.cents()),
            i128::from(self.paid.cents()),
        );
        (paid * 20_000 + staked).checked_div(staked * 2)
    }
}
