//! What a round pays, exactly, and how it becomes whole cents (`docs/games.md#cents`).

use glasshouse_domain::{Money, RulesVersion};

/// A payout that need not be a whole number of cents: so many of them, and
/// `remainder / divisor` of another, which is less than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExactPayout {
    whole: Money,
    remainder: u32,
    divisor: u32,
}

impl ExactPayout {
    /// What a lost bet pays.
    pub const NOTHING: Self = Self {
        whole: Money::ZERO,
        remainder: 0,
        divisor: 1,
    };

    /// A payout in whole cents.
    pub(crate) const fn whole(payout: Money) -> Self {
        Self {
            whole: payout,
            remainder: 0,
            divisor: 1,
        }
    }

    /// `stake × numerator / divisor`. A stake is within its game's limits and not negative, so the
    /// product always fits.
    pub(crate) fn of(stake: Money, numerator: u32, divisor: u32) -> Self {
        let product = stake.cents() * i64::from(numerator);
        let remainder = product % i64::from(divisor);
        Self {
            whole: Money::from_cents(product / i64::from(divisor)),
            // Less than the divisor, which is a u32.
            remainder: u32::try_from(remainder).unwrap_or(0),
            divisor,
        }
    }

    /// The whole cents: the least that is paid.
    #[must_use]
    pub const fn rounded_down(&self) -> Money {
        self.whole
    }

    /// The whole cents and one more where a fraction is left: the most that is paid.
    #[must_use]
    pub const fn rounded_up(&self) -> Money {
        Money::from_cents(self.whole.cents() + if self.is_whole() { 0 } else { 1 })
    }

    /// The numerator and the denominator of the fraction of a cent that is left.
    #[must_use]
    pub const fn fraction(&self) -> (u32, u32) {
        (self.remainder, self.divisor)
    }

    /// Whether no fraction of a cent is left.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.remainder == 0
    }

    /// What is paid where `word` decides about the fraction r/d: a cent more if
    /// `word × d < r × 2³²`. Of the 2³² words ⌈2³² × r/d⌉ add it, so that the mean over them is the
    /// exact payout, or more by less than 2⁻³² of a cent.
    #[must_use]
    pub fn rounded_by(&self, word: u32) -> Money {
        let adds = u64::from(word) * u64::from(self.divisor) < u64::from(self.remainder) << 32;
        Money::from_cents(self.whole.cents() + i64::from(adds))
    }

    /// What a round pays by its rules; `cent_word` is the word of its stream that decides about a
    /// fraction of a cent. Where nothing is to be decided, it is not asked for.
    #[must_use]
    pub fn in_cents(&self, rules: RulesVersion, cent_word: impl FnOnce() -> u32) -> Money {
        match rules {
            RulesVersion::FairCents if !self.is_whole() => self.rounded_by(cent_word()),
            RulesVersion::FairCents | RulesVersion::RoundedDown => self.whole,
        }
    }
}
