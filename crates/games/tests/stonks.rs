//! Stonks: every tick preserves the expected value, and every rule of the path is followed.
#![expect(
    clippy::unwrap_used,
    clippy::many_single_char_names,
    reason = "a test fails by panicking, and uses the names of docs/games.md"
)]

use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_games::bet::BetError;
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::game_round::MoveError;
use glasshouse_games::payout::ExactPayout;
use glasshouse_games::stonks::{
    Bet, LAST_TICK, MAXIMUM_STAKE, Round, TICK, Tick, closing_point, path, published_after,
};

fn stream(nonce: u64) -> Stream {
    let server_seed = ServerSeed::from_bytes([9; 32]);
    Stream::new(&server_seed, &ClientSeed::parse("stonks").unwrap(), nonce)
}

fn bet(auto_sell: Option<i64>) -> Bet {
    Bet::new(Money::from_cents(1_000), auto_sell.map(Money::from_cents)).unwrap()
}

fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

/// The factors of the words that do not crash sum to 2³², so a tick's expected factor over all
/// 65,536 words is exactly one. At the first tick they sum to 0.99 · 2³², rounded down.
#[test]
fn the_factors_of_every_tick_sum_to_the_required_value() {
    let sum = |tick: Tick| -> u64 {
        (tick.crash_chance..65_536)
            .map(|upper| tick.factor(upper))
            .sum()
    };
    for (regime, crash_chance) in [(0, 393), (1, 1_180), (2, 2_949)] {
        let tick = Tick::new(2, regime);
        assert_eq!(tick.crash_chance, crash_chance);
        assert_eq!(sum(tick), 1 << 32, "{regime}");
    }
    let first = Tick::new(1, 1);
    assert_eq!(first.crash_chance, 1_823);
    assert_eq!(sum(first), (99_u64 << 32) / 100);
}

/// The steps have mean zero: the distribution of the sum of four bytes is symmetric around 510.
#[test]
fn the_steps_have_mean_zero() {
    let mut ways = vec![1_u64];
    for _ in 0..4 {
        let mut next = vec![0; ways.len() + 255];
        for (sum, count) in ways.iter().enumerate() {
            for byte in 0..=255 {
                next[sum + byte] += count;
            }
        }
        ways = next;
    }
    assert_eq!(ways.iter().sum::<u64>(), 1 << 32);
    let weighted_sum: i64 = (0_i64..)
        .zip(&ways)
        .map(|(sum, count)| (sum - 510) * i64::try_from(*count).unwrap())
        .sum();
    assert_eq!(weighted_sum, 0);
}

/// The lower half of a word rounds a product up exactly as often as its fraction requires.
#[test]
fn rounding_preserves_the_expected_value() {
    let tick = Tick {
        crash_chance: 0,
        whole: 1 << 32,
        step: 12,
    };
    for (point, second) in [
        (1_000, 0x7F80_7F80),
        (1_234, 0x1122_3344),
        (59_999, 0xFFFF_0000),
        (1, 0),
        (777, 0xFFFF_FFFF),
    ] {
        let upper = 0x1234_0000_u32;
        let total: u64 = (0..=0xFFFF_u32)
            .map(|lower| u64::from(tick.next_point(point, upper | lower, second)))
            .sum();
        let bytes: i64 = second
            .to_be_bytes()
            .iter()
            .map(|byte| i64::from(*byte))
            .sum();
        let factor = i64::try_from(tick.factor(0x1234)).unwrap() + 12 * (bytes - 510);
        assert_eq!(
            i64::try_from(total).unwrap(),
            i64::from(point) * factor,
            "{point}"
        );
    }
}

/// The closing tick pays 100.000 with the probability that preserves the expected value, to one
/// word in 2³².
#[test]
fn the_closing_tick_preserves_the_expected_value() {
    for point in [60_000_u32, 60_001, 75_555, 89_999] {
        let hundreds = (u64::from(point) << 32) / 100_000;
        let word = |number: u64| u32::try_from(number).unwrap();
        assert_eq!(
            closing_point(point, word(hundreds - 1)),
            100_000,
            "the last word that pays"
        );
        assert_eq!(
            closing_point(point, word(hundreds)),
            0,
            "the first word that does not"
        );
    }
}

/// The rules of `docs/games.md#stonks`, implemented a second time in a different way.
#[test]
fn paths_match_an_independent_implementation() {
    let mut lengths = Vec::new();
    for nonce in 0..2_000 {
        let points = path(&mut stream(nonce));
        let mut words = stream(nonce);
        let (mut m, mut g) = (1_000_i128, 1_usize);
        let mut expected = vec![1_000_u32];
        for t in 1..=240 {
            let (a, b) = (i128::from(words.next_word()), words.next_word());
            if m >= 60_000 {
                expected.push(if (a + 1) * 100_000 <= m * (1 << 32) {
                    100_000
                } else {
                    0
                });
                break;
            }
            let (c, h) = (
                a / 65_536,
                if t == 1 {
                    1_823
                } else {
                    [393, 1_180, 2_949][g]
                },
            );
            if c < h {
                expected.push(0);
                break;
            }
            let z = (0..4)
                .map(|byte| i128::from((b >> (8 * byte)) % 256))
                .sum::<i128>()
                - 510;
            let dividend = if t == 1 { 4_252_017_623 } else { 1_i128 << 32 };
            let (base, rem) = (dividend / (65_536 - h), dividend % (65_536 - h));
            let f = base + i128::from(c >= 65_536 - rem) + [12, 32, 60][g] * z;
            m = (m * f + a % 65_536).div_euclid(65_536);
            expected.push(u32::try_from(m).unwrap());
            if m == 0 {
                break;
            }
            if a % 256 < 24 {
                g = [0, 0, 0, 1, 1, 1, 2, 2][usize::try_from(a / 256 % 8).unwrap()];
            }
        }
        assert_eq!(points, expected, "{nonce}");
        lengths.push(points.len() - 1);
    }
    assert!(
        lengths
            .iter()
            .all(|length| (1..=LAST_TICK).contains(length))
    );
    lengths.sort_unstable();
    // docs/games.md#stonks: the median round takes 18.5 s, that is, 37 ticks.
    assert!((33..=41).contains(&lengths[1_000]), "{}", lengths[1_000]);
}

#[test]
fn a_sale_pays_the_last_published_point() {
    let round = Round::along(bet(None), vec![1_000, 1_234, 1_111, 0]);
    let sell = |milliseconds: u64| round.leave(Duration::from_millis(milliseconds));
    assert_eq!(sell(0), Err(MoveError::NothingPublished));
    assert_eq!(sell(499), Err(MoveError::NothingPublished));
    for (milliseconds, cents) in [(500, 1_234), (999, 1_234), (1_000, 1_111), (1_499, 1_111)] {
        assert_eq!(
            sell(milliseconds).unwrap().payout.rounded_down(),
            money(cents),
            "{milliseconds}"
        );
    }
    assert_eq!(sell(1_500), Err(MoveError::TooLate));
    let end = round.ending();
    assert_eq!(
        (end.after, end.multiplier, end.payout),
        (Some(TICK * 3), None, ExactPayout::NOTHING)
    );
    assert_eq!(
        round.published(Duration::from_millis(1_499)),
        [1_000, 1_234, 1_111]
    );
    assert_eq!(round.published(Duration::MAX), [1_000, 1_234, 1_111, 0]);
}

#[test]
fn an_auto_sell_happens_at_the_first_point_that_reaches_it() {
    let points = vec![1_000, 1_499, 1_501, 1_700, 0];
    let end = |auto_sell: i64| Round::along(bet(Some(auto_sell)), points.clone()).ending();
    let sold = end(1_500);
    let paid = |auto_sell: i64| end(auto_sell).payout.rounded_down();
    assert_eq!((sold.after, paid(1_500)), (Some(TICK * 2), money(1_501)));
    assert_eq!(paid(1_501), money(1_501), "exactly reached");
    assert_eq!(paid(1_502), money(1_700));
    assert_eq!(paid(1_701), Money::ZERO, "never reached");
    assert_eq!(
        end(1_001).after,
        Some(TICK),
        "the first point that can be sold at is that of tick 1"
    );
}

#[test]
fn the_position_is_sold_at_the_last_point() {
    let quiet = Round::along(bet(None), vec![1_000; LAST_TICK + 1]);
    assert_eq!(
        (quiet.ending().after, quiet.ending().payout.rounded_down()),
        (Some(Duration::from_mins(2)), money(1_000))
    );
    let closed = Round::along(bet(None), vec![1_000, 61_000, 100_000]);
    assert_eq!(
        (closed.ending().after, closed.ending().payout.rounded_down()),
        (Some(published_after(2)), money(100_000))
    );
}

#[test]
fn invalid_bets_are_refused() {
    let check = |cents: i64, auto_sell: Option<i64>, expected: Result<(), BetError>| {
        let result = Bet::new(money(cents), auto_sell.map(money));
        assert_eq!(result.map(|_| ()), expected, "{cents} {auto_sell:?}");
    };
    check(1, None, Ok(()));
    check(100_000, Some(100_001), Ok(()));
    check(0, None, Err(BetError::StakeNotPositive));
    check(
        100_001,
        None,
        Err(BetError::StakeAboveMaximum(MAXIMUM_STAKE)),
    );
    check(1_000, Some(1_000), Err(BetError::InvalidAutoSell));
    check(1_000, Some(0), Err(BetError::InvalidAutoSell));
}

/// Five strategies with a fixed seed. The tests above prove the RTP; this one detects a strategy
/// that is not paid along the path.
#[test]
fn simulated_strategies_return_the_rtp() {
    const ROUNDS: u32 = 20_000;
    let strategies: [Option<i64>; 5] = [Some(1_050), Some(1_500), Some(2_000), Some(5_000), None];
    let mut sums = [(0.0_f64, 0.0_f64); 5];
    let mut doubled = 0;
    for nonce in 0..u64::from(ROUNDS) {
        let points = path(&mut stream(nonce));
        doubled += u32::from(points.iter().any(|point| *point >= 2_000));
        for (auto_sell, (sum, squares)) in strategies.iter().zip(&mut sums) {
            let payout = Round::along(bet(*auto_sell), points.clone())
                .ending()
                .payout;
            let cents = payout.rounded_down().cents();
            let times = f64::from(i32::try_from(cents).unwrap()) / 1_000.0;
            *sum += times;
            *squares += times * times;
        }
    }
    for (auto_sell, (sum, squares)) in strategies.iter().zip(sums) {
        let mean = sum / f64::from(ROUNDS);
        let noise = 4.0 * ((squares / f64::from(ROUNDS) - mean * mean) / f64::from(ROUNDS)).sqrt();
        assert!(
            (mean - 0.99).abs() < noise,
            "{mean} for {auto_sell:?}, noise {noise}"
        );
    }
    // docs/games.md#stonks: P(≥ 2×) is 0.467.
    let chance = f64::from(doubled) / f64::from(ROUNDS);
    assert!((chance - 0.467).abs() < 0.015, "{chance}");
}
