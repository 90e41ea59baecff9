//! What a round of mines pays on average, and how far chance spreads that: for statistics only, in
//! the way that `crate::spread` explains.
#![expect(
    clippy::float_arithmetic,
    reason = "statistics: no money is computed from them"
)]

use glasshouse_domain::Spread;

use super::{Bet, CELLS};
use crate::spread::of_stake;

/// Of a round in which so many cells were revealed, the mine included if there was one.
///
/// Before its reveal the position is worth w; the cell is safe with the probability p, which makes it
/// worth w/p, and else nothing: a variance of w² (1/p − 1). The worth of the first position is the
/// RTP. The fraction of a cent is left out: it is less than a quarter of a square cent.
pub(super) fn of(bet: &Bet, reveals: u8) -> Spread {
    let safe = f64::from(bet.safe_cells());
    let cells = f64::from(CELLS);
    let (mut worth, mut variance) = (0.99, 0.0);
    for before in 0..reveals {
        let before = f64::from(before);
        let chance = (safe - before) / (cells - before);
        if chance > 0.0 {
            variance += worth * worth * (1.0 / chance - 1.0);
            worth /= chance;
        }
    }
    of_stake(bet.stake(), 0.99, variance)
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Money;

    use super::*;

    /// Whoever wants k cells gets them with the probability 0.99 / multiplier and is paid the
    /// multiplier then: a variance of 0.99 · multiplier − 0.99².
    #[test]
    fn the_reveals_add_up_to_the_variance_of_stopping_after_any_number_of_cells() {
        let stake = Money::from_cents(100);
        for mines in 1..=24 {
            let bet = Bet::new(stake, mines).unwrap();
            for wanted in 1..=bet.safe_cells() {
                let reached = |k: u8| {
                    let (numerator, denominator) = bet.odds(k);
                    0.99 * f64::from(denominator) / f64::from(numerator)
                };
                let lost: f64 = (0..wanted)
                    .map(|k| (reached(k) - reached(k + 1)) * of(&bet, k + 1).variance)
                    .sum();
                let found = lost + reached(wanted) * of(&bet, wanted).variance;
                let expected = 10_000.0 * (0.99 * 0.99 / reached(wanted) - 0.99 * 0.99);
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.max(1.0),
                    "{mines} mines, {wanted} cells: {found}, not {expected}"
                );
            }
        }
    }
}
