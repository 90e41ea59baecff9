//! Sums of stakes and payouts.

use glasshouse_domain::Money;
use glasshouse_persistence::books::HouseTotals;

/// What was staked and paid in some rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turnover {
    /// Settled rounds.
    pub rounds: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
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
        let sum =
            |sum: Money, part: Money| Money::from_cents(sum.cents().saturating_add(part.cents()));
        self.rounds = self.rounds.saturating_add(totals.rounds);
        self.staked = sum(self.staked, totals.staked);
        self.paid = sum(self.paid, totals.paid);
    }

    /// What the house kept; negative for a loss.
    #[must_use]
    pub fn profit(&self) -> Money {
        Money::from_cents(self.staked.cents().saturating_sub(self.paid.cents()))
    }

    /// What was paid of what was staked, in hundredths of a percent, rounded to the nearest; none
    /// where nothing was staked.
    #[must_use]
    pub fn return_hundredths_of_percent(&self) -> Option<i128> {
        let (staked, paid) = (
            i128::from(self.staked.cents()),
            i128::from(self.paid.cents()),
        );
        (paid * 20_000 + staked).checked_div(staked * 2)
    }
}
