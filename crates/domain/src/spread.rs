//! What a round pays on average by the rules of its game, and how far chance spreads that.

/// The average of a round's payout and its variance: statistics, which no money is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// The expected payout in cents.
    pub expected_cents: f64,
    /// The variance of the payout in square cents.
    pub variance: f64,
}

impl Spread {
    /// Of the rounds of both together.
    #[must_use]
    #[expect(clippy::float_arithmetic, reason = "statistics, not money")]
    pub fn plus(self, other: Self) -> Self {
        Self {
            expected_cents: self.expected_cents + other.expected_cents,
            variance: self.variance + other.variance,
        }
    }
}
