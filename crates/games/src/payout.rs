//! The exact payout of a round, and how it is rounded to whole cents (`docs/games.md#cents`).

use glasshouse_domain::{Money, RulesVersion};

/// A payout that need not be a whole number of cents: `whole` cents plus `remainder / divisor` of a
/// cent, which is less than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExactPayout {
    whole: Money,
    remainder: u32,
    divisor: u32,
}

impl ExactPayout {
    /// The payout of a lost bet.
    pub const NOTHING: Self = Self {
        whole: Money::ZERO,
        remainder: 0,
        divisor: 1,
    };

    /// A payout of whole cents.
    pub(crate) const fn whole(payout: Money) -> Self {
        Self {
            whole: payout,
            remainder: 0,
            divisor: 1,
        }
    }

    /// `stake × numerator / divisor`. Stakes are within their game's limits and not negative, so
    /// the product cannot overflow.
    pub(crate) fn of(stake: Money, numerator: u32, divisor: u32) -> Self {
        let product = stake.cents() * i64::from(numerator);
        let remainder = product % i64::from(divisor);
        Self {
            whole: Money::from_cents(product / i64::from(divisor)),
            // Less than the divisor, which is a `u32`.
            remainder: u32::try_from(remainder).unwrap_or(0),
            divisor,
        }
    }

    /// The payout rounded down to the cent: the least that can be paid.
    #[must_use]
    pub const fn rounded_down(&self) -> Money {
        self.whole
    }

    /// The payout rounded up to the cent: the most that can be paid.
    #[must_use]
    pub const fn rounded_up(&self) -> Money {
        Money::from_cents(self.whole.cents() + if self.is_whole() { 0 } else { 1 })
    }

    /// The most that can be won with this payout and a total stake; zero for a loss.
    pub(crate) fn profit_over(&self, stake: Money) -> Money {
        Money::from_cents((self.rounded_up().cents() - stake.cents()).max(0))
    }

    /// The numerator and denominator of the fraction of a cent.
    #[must_use]
    pub const fn fraction(&self) -> (u32, u32) {
        (self.remainder, self.divisor)
    }

    /// Whether the payout has no fraction of a cent.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.remainder == 0
    }

    /// Rounds the fraction r/d up if `word × d < r × 2³²`, and down otherwise. ⌈2³² × r/d⌉ of the
    /// 2³² words round up, so the mean over all words exceeds the exact payout by less than 2⁻³² of
    /// a cent.
    #[must_use]
    pub fn rounded_by(&self, word: u32) -> Money {
        let adds = u64::from(word) * u64::from(self.divisor) < u64::from(self.remainder) << 32;
        Money::from_cents(self.whole.cents() + i64::from(adds))
    }

    /// The payout in whole cents under the given rules. `cent_word` is the word of the round's
    /// stream that rounds a fraction of a cent; it is not called if there is no fraction to round.
    #[must_use]
    pub fn in_cents(&self, rules: RulesVersion, cent_word: impl FnOnce() -> u32) -> Money {
        match rules {
            RulesVersion::FairCents if !self.is_whole() => self.rounded_by(cent_word()),
            RulesVersion::FairCents | RulesVersion::RoundedDown => self.whole,
        }
    }
}
