//! The expected payout of a round and its variance by the rules, which the measured return of many
//! rounds is compared with.
//!
//! Payouts do not depend on these numbers. They are for statistics and may be rounded, so they are
//! floating-point numbers.
//!
//! Where the player decides during the round (crash, stonks), the variance is the sum over the
//! steps that the round went through, up to the one that ended it: the *predictable quadratic
//! variation* of the position's value, which is a martingale. Summed over rounds it is the variance
//! of their payouts for every strategy, so the players' strategies need not be known. (J. Jacod, A.
//! N. Shiryaev, *Limit Theorems for Stochastic Processes*, chapter VIII.)
#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "statistics: no money is computed from them"
)]

use glasshouse_domain::{Money, Multiplier, Spread};

use crate::stonks::{Step, Tick};
use crate::{dice, heads_up, video_poker};

/// The RTP of crash, dice and stonks.
const RETURN: f64 = 0.99;
/// Mean and variance of video poker's payout under optimal play, in stakes: for the maximum bet,
/// and for smaller ones. The test of the RTP computes both from all hands and draws.
const POKER_MAXIMUM: (f64, f64) = (0.972_984_337_5, 19.323_258_80);
const POKER_BELOW: (f64, f64) = (0.960_635_476_4, 4.663_687_21);
/// Heads-up under optimal play: the RTP relative to all that is staked, and the variance of the
/// payout minus that share of the stakes, in squared bets.
/// `cargo run --release --example heads_up_best_play` computes them from all deals.
const HEADS_UP: (f64, f64) = (0.989_368_278_4, 4.217_802_628_6);
/// The variance of the sum of four random bytes: 4 × (256² − 1) / 12.
const BYTE_SUM_VARIANCE: f64 = 21_845.0;
/// The number 1 in the units of a market's factors and of a word's upper half.
const UNIT: f64 = 65_536.0;

/// The spread of a stake whose payout has the given mean and variance, relative to the stake.
pub(crate) fn of_stake(stake: Money, mean: f64, variance: f64) -> Spread {
    let cents = stake.cents() as f64;
    Spread {
        expected_cents: cents * mean,
        variance: cents * cents * variance,
    }
}

/// The spread of a dice bet. With w winning numbers out of 100, a win pays 99 / w, and the fraction
/// of a cent is rounded at random.
#[must_use]
pub fn dice(bet: &dice::Bet) -> Spread {
    let winning = f64::from(bet.winning_numbers());
    let spread = of_stake(bet.stake(), RETURN, 98.01 / winning - RETURN * RETURN);
    let fraction = (bet.stake().cents() as f64 * 99.0 / winning).fract();
    Spread {
        variance: spread.variance + winning / 100.0 * fraction * (1.0 - fraction),
        ..spread
    }
}

/// The spread of a round of crash that ended at the given multiplier, where the player cashed out
/// or the round crashed.
///
/// After the hundredth k is reached, k + 1 is reached with probability k / (k + 1); this step has a
/// variance of k in squared hundredths. Before it, 1.00 is reached with probability 0.99. The
/// rounding of cents is left out: its variance is at most a quarter of a squared cent.
#[must_use]
pub fn crash(stake: Money, end: CrashEnd) -> Spread {
    let first = RETURN * (1.0 - RETURN);
    let next = match end {
        CrashEnd::AtOnce => 100,
        CrashEnd::CashedOut(multiplier) => hundredths(multiplier),
        CrashEnd::Crashed(multiplier) => hundredths(multiplier) + 1,
    };
    let next = f64::from(next);
    let steps = (next * (next - 1.0) - 9_900.0) / 2.0;
    of_stake(stake, RETURN, first + steps / 10_000.0)
}

/// How a round of crash ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashEnd {
    /// It crashed before the player could cash out.
    AtOnce,
    /// The player cashed out at this multiplier.
    CashedOut(Multiplier),
    /// It crashed at this multiplier before the player cashed out.
    Crashed(Multiplier),
}

fn hundredths(multiplier: Multiplier) -> u32 {
    (multiplier.thousandths() / 10).max(100)
}

/// The spread of a stonks position that was left after the given steps of its market, because it
/// was sold or the market crashed. The rounding of cents is left out.
#[must_use]
pub fn stonks(stake: Money, steps: impl Iterator<Item = Step>) -> Spread {
    let variance: f64 = steps
        .map(|step| {
            let point = f64::from(step.point) / 1_000.0;
            match step.tick() {
                Some(tick) => point * point * factor_variance(tick),
                // The closing tick: 100 or zero.
                None => point * (100.0 - point),
            }
        })
        .sum();
    of_stake(stake, RETURN, variance)
}

/// The spread of a hand of video poker under optimal play.
#[must_use]
pub fn video_poker(bet: &video_poker::Bet) -> Spread {
    if bet.is_maximum() {
        of_stake(bet.stake(), POKER_MAXIMUM.0, POKER_MAXIMUM.1)
    } else {
        of_stake(bet.stake(), POKER_BELOW.0, POKER_BELOW.1)
    }
}

/// The spread of a hand of heads-up hold'em under optimal play. The return is measured relative to
/// all that is staked, which depends on the action, so the variance is that of the payout minus
/// this share of the stakes.
#[must_use]
pub fn heads_up(bet: &heads_up::Bet, staked: Money) -> Spread {
    let spread = of_stake(bet.stake(), 0.0, HEADS_UP.1);
    Spread {
        expected_cents: staked.cents() as f64 * HEADS_UP.0,
        ..spread
    }
}

/// The variance of a tick's factor, which is zero for a crash. (Rounding to thousandths adds less
/// than a millionth and is left out.)
fn factor_variance(tick: Tick) -> f64 {
    let survivors = 65_536 - tick.crash_chance;
    let (base, remainder) = (
        (tick.whole / u64::from(survivors)) as f64,
        (tick.whole % u64::from(survivors)) as f64,
    );
    let survivors = f64::from(survivors);
    let step = tick.step as f64;
    let squares = base * base * (survivors - remainder)
        + (base + 1.0) * (base + 1.0) * remainder
        + survivors * step * step * BYTE_SUM_VARIANCE;
    let mean = tick.whole as f64 / (UNIT * UNIT);
    squares / (UNIT * UNIT * UNIT) - mean * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{BetType, Target};

    #[track_caller]
    fn assert_close(computed: f64, expected: f64) {
        let distance = (computed - expected).abs();
        assert!(
            distance <= 1e-9 * expected.abs().max(1.0),
            "{computed}, not {expected}"
        );
    }

    #[test]
    fn the_spread_of_dice_matches_an_enumeration_of_all_rolls_and_roundings() {
        for target in 1..=98 {
            for (bet_type, cents) in [
                (BetType::Over, 1),
                (BetType::Under, 7),
                (BetType::Over, 1_000),
            ] {
                let target = Target::new(target).unwrap();
                let bet = dice::Bet::new(Money::from_cents(cents), target, bet_type).unwrap();
                let winning = i64::from(bet.winning_numbers());
                // Each winning number pays the whole cents, or one cent more.
                let (whole, part) = (cents * 99 / winning, cents * 99 % winning);
                let fraction = part as f64 / winning as f64;
                let chance = winning as f64 / 100.0;
                let (low, high) = (whole as f64, (whole + 1) as f64);
                let mean = chance * (low * (1.0 - fraction) + high * fraction);
                let square = chance * (low * low * (1.0 - fraction) + high * high * fraction);
                let computed = dice(&bet);
                assert_close(computed.expected_cents, mean);
                assert_close(computed.variance, square - mean * mean);
            }
        }
    }

    #[test]
    fn the_steps_of_crash_sum_to_the_variance_of_an_automatic_cash_out() {
        let stake = Money::from_cents(100);
        for cash_out in [101_u32, 150, 200, 1_000, 10_000] {
            // P(crash point ≥ k) = 99 / k, with k in hundredths.
            let reached = |k: u32| 99.0 / f64::from(k);
            let end = |k: u32, crashed: bool| {
                let multiplier = Multiplier::from_hundredths(k);
                let end = if crashed {
                    CrashEnd::Crashed(multiplier)
                } else {
                    CrashEnd::CashedOut(multiplier)
                };
                crash(stake, end).variance
            };
            let at_once = 0.01 * crash(stake, CrashEnd::AtOnce).variance;
            let crashed: f64 = (100..cash_out)
                .map(|k| (reached(k) - reached(k + 1)) * end(k, true))
                .sum();
            let computed = at_once + crashed + reached(cash_out) * end(cash_out, false);
            // The payout is a with probability 99 / a, for a stake of 100 cents.
            let a = f64::from(cash_out);
            assert_close(computed, a * 99.0 - 99.0 * 99.0);
        }
    }

    #[test]
    fn the_variance_of_a_tick_matches_an_enumeration_of_its_words() {
        // The distribution of the sum of four bytes.
        let mut sums = vec![1.0_f64];
        for _ in 0..4 {
            let mut longer = vec![0.0; sums.len() + 255];
            for (sum, count) in sums.iter().enumerate() {
                for byte in 0..256 {
                    *longer.get_mut(sum + byte).unwrap() += count / 256.0;
                }
            }
            sums = longer;
        }
        for (number, regime) in [(1, 1), (2, 0), (2, 1), (2, 2)] {
            let tick = Tick::new(number, regime);
            let (mut mean, mut square) = (0.0, 0.0);
            for upper_half in tick.crash_chance..65_536 {
                let base = tick.factor(upper_half) as f64;
                mean += base;
                square += base * base;
            }
            let steps: f64 = sums
                .iter()
                .enumerate()
                .map(|(sum, chance)| {
                    let step = tick.step as f64 * (sum as f64 - 510.0);
                    chance * step * step
                })
                .sum();
            square += f64::from(65_536 - tick.crash_chance) * steps;
            let (mean, square) = (mean / UNIT / UNIT, square / UNIT / UNIT / UNIT);
            assert_close(factor_variance(tick), square - mean * mean);
        }
    }
}
