//! Crash: the probability of every crash point, every hundredth of both curves, every boundary.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};
use glasshouse_games::bet::BetError;
use glasshouse_games::crash::{Bet, CrashPoint, Curve, MAXIMUM_STAKE, Round};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::game_round::{End, MoveError};
use glasshouse_games::payout::ExactPayout;

const MILLISECOND: Duration = Duration::from_millis(1);

fn times(hundredths: u32) -> Multiplier {
    Multiplier::from_hundredths(hundredths)
}

fn bet(auto_cashout: Option<u32>, curve: Curve) -> Bet {
    Bet::new(Money::from_cents(12_345), auto_cashout.map(times), curve).unwrap()
}

fn round(crash_point: u32, auto_cashout: Option<u32>, curve: Curve) -> Round {
    Round::crashing_at(bet(auto_cashout, curve), CrashPoint::At(times(crash_point)))
}

/// `P(crash point ≥ m) = 0.99 / m`: exactly the words up to ⌊99·2³²/k⌋ reach hundredth k, word 0
/// included.
#[test]
fn the_probability_of_every_crash_point_is_exact() {
    for hundredths in 100..=10_000_u32 {
        let last = (99_u64 << 32) / u64::from(hundredths);
        let at = |word: u64| CrashPoint::of_word(u32::try_from(word).unwrap());
        let reaches =
            |point: CrashPoint| matches!(point, CrashPoint::At(m) if m >= times(hundredths));
        assert!(reaches(at(last)), "{hundredths}");
        assert!(!reaches(at(last + 1)), "{hundredths}");
        // The RTP of cashing out here in units of 1/(100·2³²), including word 0: 99 %, to within
        // one word.
        let paid = (last + 1) * u64::from(hundredths);
        let fair = 99_u64 << 32;
        assert!(paid > fair - u64::from(hundredths) && paid <= fair + u64::from(hundredths));
    }
    assert_eq!(CrashPoint::of_word(0), CrashPoint::At(times(10_000)));
    assert_eq!(CrashPoint::of_word(1), CrashPoint::At(times(10_000)));
    assert_eq!(CrashPoint::of_word(u32::MAX), CrashPoint::Instant);
}

/// One word in a hundred is an instant crash.
#[test]
fn one_percent_of_the_words_are_instant_crashes() {
    let first = (99_u64 << 32) / 100 + 1;
    let instants = (1_u64 << 32) - first;
    let at = |word: u64| CrashPoint::of_word(u32::try_from(word).unwrap());
    assert_eq!(at(first), CrashPoint::Instant);
    assert_ne!(at(first - 1), CrashPoint::Instant);
    assert!((instants * 100).abs_diff(1 << 32) <= 100, "{instants}");
}

#[test]
fn published_results_are_reproduced() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("vectors/fairness.json")).unwrap();
    let rows = vectors["crash_point_uncapped"]["rows"].as_array().unwrap();
    assert!(rows.len() >= 5);
    for row in rows {
        let text = |index: usize| row[index].as_str().unwrap().to_owned();
        let server_seed = ServerSeed::from_text(text(0)).unwrap();
        let client_seed = ClientSeed::parse(&text(1)).unwrap();
        let mut stream = Stream::new(&server_seed, &client_seed, row[2].as_u64().unwrap());
        let expected = Multiplier::parse(&row[3].to_string()).unwrap();
        let expected = expected.min(times(10_000)).max(Multiplier::ONE);
        assert_eq!(CrashPoint::draw(&mut stream).shown(), expected, "{row}");
    }
}

#[test]
fn every_hundredth_of_both_curves_is_reached_exactly_at_its_millisecond() {
    for curve in Curve::ALL {
        for hundredths in 101..=10_000 {
            let after = round(10_000, Some(hundredths), curve)
                .ending()
                .after
                .unwrap();
            assert_eq!(
                curve.multiplier_after(after).hundredths().max(hundredths),
                curve.multiplier_after(after).hundredths(),
                "{curve:?} {hundredths}"
            );
            assert!(
                curve.multiplier_after(after.saturating_sub(MILLISECOND)) < times(hundredths),
                "{curve:?} {hundredths}"
            );
        }
        assert_eq!(curve.multiplier_after(Duration::ZERO), Multiplier::ONE);
        assert_eq!(curve.multiplier_after(Duration::MAX), times(10_000));
    }
}

/// Compares the committed table with its formula. Where the exact value is not within 1e-6 of a
/// whole number, rounding errors cannot change its ceiling; where it is, the value is known.
#[test]
fn the_exponential_table_matches_its_formula() {
    for hundredths in 101..=10_000_u32 {
        let expected = match hundredths {
            110 => 1_000.0,
            121 => 2_000.0,
            _ => {
                let exact = 1_000.0 * (f64::from(hundredths) / 100.0).ln() / 1.1_f64.ln();
                assert!((exact - exact.round()).abs() > 1e-6, "{hundredths}");
                exact.ceil()
            }
        };
        let after = round(10_000, Some(hundredths), Curve::Exponential)
            .ending()
            .after
            .unwrap();
        assert!(
            (after.as_secs_f64() * 1_000.0 - expected).abs() < 0.5,
            "{hundredths}"
        );
    }
}

#[test]
fn the_linear_curve_matches_its_formula() {
    for milliseconds in 0..150_000_u64 {
        let expected = u32::try_from(100 + 7 * milliseconds / 100)
            .unwrap()
            .min(10_000);
        let shown = Curve::Linear.multiplier_after(Duration::from_millis(milliseconds));
        assert_eq!(shown, times(expected));
    }
}

/// For every crash point: cashing out in the last millisecond pays exactly it, and in the next one
/// nothing; an automatic cash-out at the crash point is paid, and one above it is not.
#[test]
fn the_boundary_of_every_crash_point_is_exact() {
    for curve in Curve::ALL {
        for hundredths in 100..10_000 {
            let crashing = round(hundredths, None, curve);
            let end = crashing.ending();
            assert_eq!((end.multiplier, end.payout), (None, ExactPayout::NOTHING));
            let last = crashing
                .leave(
                    end.after.unwrap().saturating_sub(MILLISECOND),
                    times(99_999),
                )
                .unwrap();
            assert_eq!(last.multiplier, Some(times(hundredths)), "{curve:?}");
            let cents = 12_345 * i64::from(hundredths) / 100;
            assert_eq!(last.payout.rounded_down(), Money::from_cents(cents));
            let late = crashing.leave(end.after.unwrap(), times(100));
            assert_eq!(late, Err(MoveError::TooLate));

            if hundredths > 100 {
                let automatic = round(hundredths, Some(hundredths), curve).ending();
                assert_eq!(automatic.multiplier, Some(times(hundredths)));
                assert_eq!(automatic.payout, last.payout);
                assert!(automatic.after < end.after);
            }
            let missed = round(hundredths, Some(hundredths + 1), curve).ending();
            assert_eq!(missed, end);
        }
    }
}

#[test]
fn the_maximum_multiplier_cashes_out_every_round() {
    for curve in Curve::ALL {
        for auto_cashout in [None, Some(10_000), Some(50_000)] {
            let end = round(10_000, auto_cashout, curve).ending();
            assert_eq!(end.multiplier, Some(times(10_000)));
            assert!(end.payout.is_whole());
            assert_eq!(end.payout.rounded_down(), Money::from_cents(1_234_500));
        }
    }
}

#[test]
fn a_claim_pays_at_most_the_current_multiplier() {
    let crashing = round(500, None, Curve::Linear);
    let at_three_seconds = |claim: u32| {
        let End { multiplier, .. } = crashing
            .leave(Duration::from_secs(3), times(claim))
            .unwrap();
        multiplier.unwrap().hundredths()
    };
    assert_eq!(at_three_seconds(310), 310);
    assert_eq!(at_three_seconds(311), 310);
    assert_eq!(at_three_seconds(99_999), 310);
    assert_eq!(at_three_seconds(250), 250);
}

#[test]
fn an_instant_crash_cannot_be_cashed_out() {
    let instant = Round::crashing_at(bet(None, Curve::Linear), CrashPoint::Instant);
    assert_eq!(instant.ending().after, Some(Duration::ZERO));
    assert_eq!(
        instant.leave(Duration::ZERO, Multiplier::ONE),
        Err(MoveError::TooLate)
    );
    assert_eq!(instant.crash_point().shown(), Multiplier::ONE);
}

#[test]
fn invalid_bets_are_refused() {
    let check = |cents: i64, auto_cashout: Option<u32>, expected: Result<(), BetError>| {
        let auto = auto_cashout.map(Multiplier::from_thousandths);
        let result = Bet::new(Money::from_cents(cents), auto, Curve::Linear);
        assert_eq!(result.map(|_| ()), expected, "{cents} {auto_cashout:?}");
    };
    check(100, None, Ok(()));
    check(100_000, Some(1_010), Ok(()));
    check(0, None, Err(BetError::StakeNotPositive));
    check(-1, None, Err(BetError::StakeNotPositive));
    check(
        99,
        None,
        Err(BetError::StakeBelowMinimum(Money::from_cents(100))),
    );
    check(
        100_001,
        None,
        Err(BetError::StakeAboveMaximum(MAXIMUM_STAKE)),
    );
    check(100, Some(1_000), Err(BetError::InvalidAutoCashout));
    check(100, Some(0), Err(BetError::InvalidAutoCashout));
    check(100, Some(1_015), Err(BetError::InvalidAutoCashout));
}

/// Four strategies with a fixed seed: the RTP matches the exact test above within the statistical
/// noise.
#[test]
fn simulated_strategies_return_the_rtp() {
    const ROUNDS: u32 = 100_000;
    let server_seed = ServerSeed::from_bytes([7; 32]);
    let client_seed = ClientSeed::parse("simulation").unwrap();
    let strategies = [110, 150, 200, 1_000].map(|auto| bet(Some(auto), Curve::Linear));
    let mut paid = [0_i64; 4];
    for nonce in 0..u64::from(ROUNDS) {
        let crash_point = CrashPoint::draw(&mut Stream::new(&server_seed, &client_seed, nonce));
        for (bet, paid) in strategies.iter().zip(&mut paid) {
            *paid += Round::crashing_at(*bet, crash_point)
                .ending()
                .payout
                .rounded_down()
                .cents();
        }
    }
    for (bet, paid) in strategies.iter().zip(paid) {
        let rtp = f64::from(i32::try_from(paid / 12_345).unwrap()) / f64::from(ROUNDS);
        let times = f64::from(bet.auto_cashout().unwrap().hundredths()) / 100.0;
        // Four standard deviations of a bet that pays `times` with probability 0.99 / times.
        let noise = 4.0 * (0.99 * (times - 0.99) / f64::from(ROUNDS)).sqrt();
        assert!(
            (rtp - 0.99).abs() < noise,
            "{rtp} at {times}, noise {noise}"
        );
    }
}
