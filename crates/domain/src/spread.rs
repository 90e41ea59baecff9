//! The expected payout of a round and its variance.

/// The mean and variance of a round's payout: statistics, from which no money is computed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// The expected payout in US cents.
    pub expected_cents: f64,
    /// The variance of the payout in squared cents.
    pub variance: f64,
}

impl Spread {
    /// The spread of two independent payouts combined.
    #[must_use]
    #[expect(clippy::float_arithmetic, reason = "statistics, not money")]
    pub fn plus(self, other: Self) -> Self {
        Self {
            expected_cents: self.expected_cents + other.expected_cents,
            variance: self.variance + other.variance,
        }
    }
}
