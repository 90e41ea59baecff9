//! How the return that a game has shown compares with what its rules promise.
#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "statistics: no money is computed from them"
)]

use std::f64::consts::SQRT_2;

use glasshouse_domain::Spread;

use crate::books::turnover::Turnover;

/// Below so many rounds the normal distribution says nothing of the ratio.
const MINIMUM_ROUNDS: u64 = 30;
/// 95 % of a normal distribution lie within so many standard deviations of its mean.
const STANDARD_DEVIATIONS: f64 = 1.959_963_984_540_054;

/// Which returns would be as unusual as the measured one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Too low ones and too high ones: the rules alone decide what is returned.
    Both,
    /// Too high ones only: the rules publish what the best play returns, and players err.
    Above,
}

/// A measured return, with what chance makes of it by the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredReturn {
    /// What was paid, as a part of what was staked.
    pub ratio: f64,
    /// The lower end of the 95 % confidence interval, as a part of what was staked; at least 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The probability that chance alone strays at least as far from the exact return.
    pub p_value: f64,
}

/// Compares what was paid with what the rules let expect; none for under 30 rounds.
///
/// What is paid for the rounds has the mean Σ expected and the variance Σ variance by the rules
/// (`games::spread`), whatever the bets were and however the stakes differ; by the central limit
/// theorem it is close to normal. A sample's own variance would not do: as long as the rare large
/// payouts of a skewed bet stay away it is too small, and the interval too narrow just where the
/// measured return is low.
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
    let strayed = (paid - spread.expected_cents) / deviation;
    Some(MeasuredReturn {
        ratio: measured,
        low: (measured - margin).max(0.0),
        high: measured + margin,
        p_value: match sides {
            Sides::Both => libm::erfc(strayed.abs() / SQRT_2),
            Sides::Above => libm::erfc(strayed / SQRT_2) / 2.0,
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
        // A dollar on dice over 50: 198 with the probability one half.
        Spread {
            expected_cents: 99.0 * f64::from(rounds),
            variance: 9_801.0 * f64::from(rounds),
        }
    }

    #[test]
    fn the_interval_and_the_p_value_are_those_of_the_rules() {
        // By hand: 100 rounds of 100 cents, of which 40 paid 198. The standard deviation of the sum is
        // 990; 7,920 is 2 of it below 9,900; P(|Z| ≥ 2) = 0.045500.
        let found = measure(100, 10_000, 7_920, even_money(100)).unwrap();
        assert!((found.p_value - 0.045_500_264).abs() < 1e-9, "{found:?}");
        let margin = 1.959_964 * 990.0 / 10_000.0;
        assert!((found.low - (0.792 - margin)).abs() < 1e-6, "{found:?}");
        assert!((found.high - (0.792 + margin)).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_rare_large_payout_that_has_stayed_away_does_not_narrow_the_interval() {
        // 100 rounds of 100 cents at 99 times, which one in a hundred wins: none has yet.
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
    fn of_best_play_only_a_higher_return_is_unusual() {
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
    fn few_rounds_and_no_stakes_say_nothing() {
        assert!(measure(29, 2_900, 0, even_money(29)).is_none());
        assert!(measure(30, 3_000, 0, even_money(30)).is_some());
        assert!(measure(30, 0, 0, even_money(30)).is_none());
        assert!(measure(30, 3_000, 0, Spread::default()).is_none());
    }
}
