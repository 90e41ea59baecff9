//! The probabilities that an audit judges by.
#![expect(
    clippy::float_arithmetic,
    reason = "statistics: no money is computed from them"
)]

/// An upper bound of the probability that a sum of random steps with this total variance, of which
/// none is larger than `largest_step`, leads at least this far away in one direction.
///
/// It is Bennett's inequality, which D. A. Freedman has shown for martingales too (*On tail
/// probabilities for martingales*, 1975). Unlike the normal approximation it also holds for few
/// rounds and for bets that win rarely.
pub(crate) fn deviation_bound(distance: f64, variance: f64, largest_step: f64) -> f64 {
    if distance <= 0.0 || variance <= 0.0 || largest_step <= 0.0 {
        return 1.0;
    }
    let ratio = largest_step * distance / variance;
    let exponent = (1.0 + ratio) * ratio.ln_1p() - ratio;
    (-variance / (largest_step * largest_step) * exponent).exp()
}

/// Chi-square of counts against equal expected ones.
pub(crate) fn chi_square(counts: impl Iterator<Item = f64> + Clone) -> f64 {
    let (cells, total) = counts.clone().fold((0.0, 0.0), |(cells, total), count| {
        (cells + 1.0, total + count)
    });
    if total <= 0.0 {
        return 0.0;
    }
    let expected = total / cells;
    counts
        .map(|count| (count - expected) * (count - expected) / expected)
        .sum()
}

/// The probabilities that chi-square is at most, and at least, the given value.
pub(crate) fn chi_square_tails(value: f64, degrees_of_freedom: f64) -> (f64, f64) {
    incomplete_gamma(degrees_of_freedom / 2.0, value / 2.0)
}

/// More than the series and the fraction need near their common border for `a` below a thousand.
const MAXIMUM_TERMS: u32 = 1_000;
const PRECISION: f64 = 1e-15;

/// The regularized incomplete gamma functions P(a, x) and Q(a, x), for positive `a` and `x` not
/// negative.
///
/// The series converges quickly below `a + 1`, and Legendre's continued fraction, evaluated by
/// Lentz's method, above. (NIST Digital Library of Mathematical Functions, 8.7.1 and 8.9.2.)
fn incomplete_gamma(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    let scale = (a * x.ln() - x - libm::lgamma(a)).exp();
    if x < a + 1.0 {
        let p = scale * series(a, x);
        (p, 1.0 - p)
    } else {
        let q = scale * fraction(a, x);
        (1.0 - q, q)
    }
}

/// 1/a + x/(a(a+1)) + x²/(a(a+1)(a+2)) + …
fn series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut divisor = a;
    for _ in 0..MAXIMUM_TERMS {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum
}

/// 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …)))
fn fraction(a: f64, x: f64) -> f64 {
    let mut offset = x + 1.0 - a;
    let mut upper = f64::INFINITY;
    let mut lower = 1.0 / offset;
    let mut value = lower;
    for term in 1..=MAXIMUM_TERMS {
        let term = f64::from(term);
        let numerator = term * (a - term);
        offset += 2.0;
        lower = 1.0 / (offset + numerator * lower);
        upper = offset + numerator / upper;
        let factor = upper * lower;
        value *= factor;
        if (factor - 1.0).abs() < PRECISION {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(computed: f64, expected: f64) {
        let distance = (computed - expected).abs();
        assert!(
            distance <= 1e-6 * expected.abs(),
            "{computed}, not {expected}"
        );
    }

    /// With an even number 2n of degrees of freedom, the upper tail is that of a Poisson
    /// distribution: e^(−x/2) Σ (x/2)^k / k! for k < n.
    #[test]
    fn tails_of_chi_square_agree_with_those_of_poisson() {
        for (n, value) in [
            (1, 3.0),
            (5, 3.0),
            (5, 40.0),
            (128, 200.0),
            (128, 256.0),
            (128, 420.0),
        ] {
            let half: f64 = value / 2.0;
            let mut term = (-half).exp();
            let mut upper = 0.0;
            for k in 0..n {
                upper += term;
                term *= half / f64::from(k + 1);
            }
            let (at_most, at_least) = chi_square_tails(value, 2.0 * f64::from(n));
            assert_close(at_least, upper);
            assert_close(at_most + at_least, 1.0);
        }
    }

    #[test]
    fn known_quantiles_of_chi_square_are_met() {
        // From tables: the 5 % and 0.1 % points of 10 degrees of freedom.
        assert!((chi_square_tails(18.307, 10.0).1 - 0.05).abs() < 1e-5);
        assert!((chi_square_tails(29.588, 10.0).1 - 0.001).abs() < 1e-6);
        assert!((chi_square_tails(0.0, 10.0).1 - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn equal_counts_have_no_chi_square() {
        assert!(chi_square([7.0; 256].into_iter()).abs() < f64::EPSILON);
        assert!(chi_square([0.0; 256].into_iter()).abs() < f64::EPSILON);
        assert_close(chi_square([1.0, 3.0].into_iter()), 1.0);
    }

    #[test]
    fn the_bound_is_above_the_exact_probability_of_coin_tosses() {
        // A hundred tosses of a fair coin, all of them heads: ±1/2 each.
        let bound = deviation_bound(50.0, 25.0, 0.5);
        assert!(bound > 0.5_f64.powi(100) && bound < 1e-15, "{bound}");
        // Nothing is improbable about no deviation.
        assert!((deviation_bound(0.0, 25.0, 0.5) - 1.0).abs() < f64::EPSILON);
    }
}
