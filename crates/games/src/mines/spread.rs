//! The expected payout of a round of mines and its variance: for statistics only, as explained in
//! `crate::spread`.
#![expect(
    clippy::float_arithmetic,
    reason = "statistics: no money is computed from them"
)]

use glasshouse_domain::Spread;

use super::{Bet, CELLS};
use crate::spread::of_stake;

/// The spread of a round in which `reveals` cells were revealed, including the mine if one was hit.
///
/// Let w be the position's value before a reveal. With probability p the cell is safe and the value
/// becomes w/p; otherwise it becomes zero. That is a variance of w² (1/p − 1). The initial value is
/// the RTP. The rounding of cents is left out: its variance is at most a quarter of a squared cent.
pub(super) fn of(bet: &Bet, reveals: u8) -> Spread {
    let safe = f64::from(bet.safe_cells());
    let cells = f64::from(CELLS);
    let (mut value, mut variance) = (0.99, 0.0);
    for earlier in 0..reveals {
        let earlier = f64::from(earlier);
        let chance = (safe - earlier) / (cells - earlier);
        if chance > 0.0 {
            variance += value * value * (1.0 / chance - 1.0);
            value /= chance;
        }
    }
    of_stake(bet.stake(), 0.99, variance)
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Money;

    use super::*;

    /// A player who aims for k cells succeeds with probability 0.99 / multiplier and is then paid
    /// the multiplier: a variance of 0.99 · multiplier − 0.99².
    #[test]
    fn the_reveals_sum_to_the_variance_of_stopping_after_any_number_of_cells() {
        let stake = Money::from_cents(100);
        for mines in 1..=24 {
            let bet = Bet::new(stake, mines).unwrap();
            for target in 1..=bet.safe_cells() {
                let reached = |k: u8| {
                    let (numerator, denominator) = bet.odds(k);
                    0.99 * f64::from(denominator) / f64::from(numerator)
                };
                let lost: f64 = (0..target)
                    .map(|k| (reached(k) - reached(k + 1)) * of(&bet, k + 1).variance)
                    .sum();
                let computed = lost + reached(target) * of(&bet, target).variance;
                let expected = 10_000.0 * (0.99 * 0.99 / reached(target) - 0.99 * 0.99);
                assert!(
                    (computed - expected).abs() <= 1e-9 * expected.max(1.0),
                    "{mines} mines, {target} cells: {computed}, not {expected}"
                );
            }
        }
    }
}
