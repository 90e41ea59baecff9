//! Compares a game's measured return with the return that its rules promise.
#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "statistics: no money is computed from them"
)]

use std::f64::consts::SQRT_2;

use glasshouse_domain::Spread;

use crate::books::turnover::Turnover;

/// Below this number of rounds, the normal approximation does not hold.
const MINIMUM_ROUNDS: u64 = 30;
/// 95 % of a normal distribution lie within this many standard deviations of its mean.
const STANDARD_DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The returns that count as unusual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Returns that are too low or too high: the rules alone determine the return.
    Both,
    /// Only returns that are too high: the exact RTP assumes best play, and players make mistakes.
    Above,
}

/// A measured return with its confidence interval and p-value by the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredReturn {
    /// The measured RTP: payouts divided by stakes.
    pub ratio: f64,
    /// The lower end of the 95 % confidence interval of the RTP; at least 0.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The probability that chance alone takes the measured RTP at least this far from the exact
    /// one.
    pub p_value: f64,
}

impl MeasuredReturn {
    /// The measured RTP in percent.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.ratio
    }
}

/// Compares the payouts with what the rules predict; `None` below 30 rounds.
///
/// By the rules, the sum of the payouts has the mean Σ expected and the variance Σ variance
/// (`games::spread`), whatever the bets and stakes were; by the central limit theorem it is
/// approximately normal. The sample variance would be wrong: until the rare large payouts of a
/// skewed bet occur, it is too small, and the interval is too narrow exactly when the measured
/// return is low.
pub(crate) fn measured_return(
    turnover: &Turnover,
    spread: Spread,
    sides: Sides,
) -> Option<MeasuredReturn> {
    let staked = turnover.staked.cents() as f64;
    if turnover.rounds < MINIMUM_ROUNDS || staked <= 0.0 || spread.variance <= 0.0 {
        return None;
    }
    let paid = turnover.paid.cents() as f64;
    let deviation = spread.variance.sqrt();
    let margin = STANDARD_DEVIATIONS * deviation / staked;
    let measured = paid / staked;
    let standard_score = (paid - spread.expected_cents) / deviation;
    Some(MeasuredReturn {
        ratio: measured,
        low: (measured - margin).max(0.0),
        high: measured + margin,
        p_value: match sides {
            Sides::Both => libm::erfc(standard_score.abs() / SQRT_2),
            Sides::Above => libm::erfc(standard_score / SQRT_2) / 2.0,
        },
    })
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Money;

    use super::*;

    fn measure(rounds: u64, staked: i64, paid: i64, spread: Spread) -> Option<MeasuredReturn> {
        let turnover = Turnover {
            rounds,
            staked: Money::from_cents(staked),
            paid: Money::from_cents(paid),
        };
        measured_return(&turnover, spread, Sides::Both)
    }

    fn even_money(rounds: u32) -> Spread {
        // A stake of one dollar on dice over 50 pays 198 cents with probability one half.
        Spread {
            expected_cents: 99.0 * f64::from(rounds),
            variance: 9_801.0 * f64::from(rounds),
        }
    }

    #[test]
    fn interval_and_p_value_follow_from_the_rules() {
        // Computed by hand: 100 rounds of 100 cents, 40 of which paid 198. The standard deviation
        // of the sum is 990; 7,920 is two of them below 9,900; P(|Z| ≥ 2) = 0.045500.
        let found = measure(100, 10_000, 7_920, even_money(100)).unwrap();
        assert!((found.p_value - 0.045_500_264).abs() < 1e-9, "{found:?}");
        let margin = 1.959_964 * 990.0 / 10_000.0;
        assert!((found.low - (0.792 - margin)).abs() < 1e-6, "{found:?}");
        assert!((found.high - (0.792 + margin)).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn missing_rare_payouts_do_not_narrow_the_interval() {
        // 100 rounds of 100 cents at 99 times the stake, won by one round in a hundred; none has
        // won yet.
        let spread = Spread {
            expected_cents: 9_900.0,
            variance: 100.0 * (98.01 - 0.980_1) * 10_000.0,
        };
        let found = measure(100, 10_000, 0, spread).unwrap();
        assert!(
            found.low.abs() < f64::EPSILON && found.high > 1.9,
            "{found:?}"
        );
        assert!((0.31..0.33).contains(&found.p_value), "{found:?}");
    }

    #[test]
    fn best_play_only_counts_higher_returns_as_unusual() {
        let turnover = |paid| Turnover {
            rounds: 100,
            staked: Money::from_cents(10_000),
            paid: Money::from_cents(paid),
        };
        let p = |paid| {
            measured_return(&turnover(paid), even_money(100), Sides::Above)
                .unwrap()
                .p_value
        };
        assert!((p(9_900) - 0.5).abs() < 1e-12);
        assert!((p(11_880) - 0.022_750_132).abs() < 1e-9);
        assert!(p(7_920) > 0.97);
    }

    #[test]
    fn too_few_rounds_or_no_stakes_give_no_result() {
        assert!(measure(29, 2_900, 0, even_money(29)).is_none());
        assert!(measure(30, 3_000, 0, even_money(30)).is_some());
        assert!(measure(30, 0, 0, even_money(30)).is_none());
        assert!(measure(30, 3_000, 0, Spread::default()).is_none());
    }
}
