//! How sure one can be of the return that a game has shown: the confidence interval of a ratio.
#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "statistics: no money is computed from them"
)]

use glasshouse_persistence::Moments;

/// Below so many rounds the normal distribution says nothing of the ratio.
const MINIMUM_ROUNDS: u64 = 30;
/// 95 % of a normal distribution lie within so many standard deviations of its mean.
const STANDARD_DEVIATIONS: f64 = 1.959_963_984_540_054;
/// A variance below this part of its terms is what their rounding has left.
const ROUNDING: f64 = 1e-12;

/// The interval that holds the true return with a confidence of 95 %, as parts of what is staked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReturnInterval {
    /// Its lower end, at least 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The confidence interval of R = Σpaid / Σstaked; none for under 30 rounds, or where they did not
/// differ.
///
/// Stakes differ from round to round, so that R is a ratio of two random sums and its error not
/// that of a mean. The delta method expands it to the first order: the error is that of the sum of
/// the residuals, paid − R × staked, divided by what was staked:
///
/// SE = √(Σpaid² − 2R·Σ(paid × staked) + R²·Σstaked²) / Σstaked
///
/// This is the variance estimate of the ratio estimator in W. G. Cochran, *Sampling Techniques*, 3rd
/// edition (1977), chapter 6, for a sample from an infinite population, where n and n − 1 are taken
/// for the same.
pub(crate) fn return_interval(
    rounds: u64,
    staked_cents: i64,
    paid_cents: i64,
    moments: Moments,
) -> Option<ReturnInterval> {
    if rounds < MINIMUM_ROUNDS || staked_cents <= 0 {
        return None;
    }
    let staked = staked_cents as f64;
    let ratio = paid_cents as f64 / staked;
    let explained = 2.0 * ratio * moments.cross_products;
    let scaled = ratio * ratio * moments.staked_squares;
    let residuals = moments.paid_squares - explained + scaled;
    if residuals <= ROUNDING * (moments.paid_squares + explained + scaled) {
        return None;
    }
    let margin = STANDARD_DEVIATIONS * residuals.sqrt() / staked;
    Some(ReturnInterval {
        low: (ratio - margin).max(0.0),
        high: ratio + margin,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(rounds: &[(u32, u32)]) -> Option<ReturnInterval> {
        let sum = |value: fn(f64, f64) -> f64| {
            rounds
                .iter()
                .map(|(staked, paid)| value(f64::from(*staked), f64::from(*paid)))
                .sum()
        };
        let moments = Moments {
            staked_squares: sum(|staked, _| staked * staked),
            paid_squares: sum(|_, paid| paid * paid),
            cross_products: sum(|staked, paid| staked * paid),
        };
        let staked = rounds.iter().map(|(staked, _)| i64::from(*staked)).sum();
        let paid = rounds.iter().map(|(_, paid)| i64::from(*paid)).sum();
        return_interval(rounds.len().try_into().unwrap(), staked, paid, moments)
    }

    #[track_caller]
    fn check(rounds: &[(u32, u32)], low: f64, high: f64) {
        let found = interval(rounds).unwrap();
        let distance = (found.low - low).abs().max((found.high - high).abs());
        assert!(distance < 0.000_001, "{found:?}, not {low} to {high}");
    }

    #[test]
    fn the_interval_of_equal_stakes_is_that_of_a_mean() {
        // By hand: 100 rounds of 100 cents, 50 of which paid 198. R = 0.99; the residuals are ±99,
        // their squares sum to 980,100; SE = 990 / 10,000 = 0.099; 1.959964 × 0.099 = 0.194036.
        let rounds = [[(100, 198)].repeat(50), [(100, 0)].repeat(50)].concat();
        check(&rounds, 0.795_963_6, 1.184_036_4);
    }

    #[test]
    fn the_interval_of_unequal_stakes_is_that_of_a_ratio() {
        // By hand: 20 rounds of 100 lost, 10 of 100 paid 300, 10 of 1,000 lost, 10 of 1,000 paid
        // 2,000. Staked 23,000, paid 23,000, R = 1; the residuals are −100, +200, −1,000, +1,000;
        // their squares sum to 200,000 + 400,000 + 10,000,000 + 10,000,000 = 20,600,000, the root
        // is 4,538.7223; SE = 0.1973358; the margin 0.3867710.
        let rounds = [
            [(100, 0)].repeat(20),
            [(100, 300)].repeat(10),
            [(1_000, 0)].repeat(10),
            [(1_000, 2_000)].repeat(10),
        ]
        .concat();
        check(&rounds, 0.613_229_0, 1.386_771_0);
    }

    #[test]
    fn few_rounds_and_equal_ones_say_nothing() {
        let check = |rounds: &[(u32, u32)], is_some: bool| {
            assert_eq!(interval(rounds).is_some(), is_some, "{rounds:?}");
        };
        let mixed = |count: usize| [[(100, 198)].repeat(count - 1), vec![(100, 0)]].concat();
        check(&mixed(29), false);
        check(&mixed(30), true);
        check(&[], false);
        check(&[(100, 0)].repeat(1_000), false);
        check(&[(100, 100)].repeat(1_000), false);
        // A third is not a number of a computer's: what rounding leaves is no variance.
        check(&[(300, 101), (600, 202)].repeat(500), false);
    }

    #[test]
    fn nothing_returns_less_than_nothing() {
        let rounds = [[(1, 0)].repeat(999), vec![(1, 500)]].concat();
        let found = interval(&rounds).unwrap();
        assert!(
            found.low.abs() < f64::EPSILON && found.high > 1.0,
            "{found:?}"
        );
    }
}
